"""Judge one given payment: its steps are fixed, the rules are assumptions, and what clashes is the reason."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.payment import Choice, Claim, Pay, Spend, Use
from lawful.model.verdict import Because, Reason
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import Frame, frame
from lawful.solver.encode.literals import Label, Linear
from lawful.solver.encode.replacing import Chain
from lawful.solver.encode.sequence import Option, Sequence, Slot
from lawful.solver.encode.sources import Candidate
from lawful.solver.explain import because, minimal_reason
from lawful.solver.judge_at_once import allocate


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a claim is legal, and one minimal reason if it is not."""

    legal: bool
    reason: Reason = ()


def judge(
    question: Question,
    claim: Claim,
    *,
    released: Set[str] = frozenset(),
    limits: Limits = Limits(),
    prefer: str | None = None,
) -> Judged:
    """Judge a payment that somebody says they make.

    Parameters
    ----------
    question : Question
        The position and what is declared; X and options of the claim are declared with it.
    claim : Claim
        The steps, in the order given.
    released : set of str
        Roles of rules that do not bind.
    limits : Limits
        What it may cost.
    prefer : str, optional
        The role of a rule that the reason should name, where it can.

    Returns
    -------
    Judged
        Legal, or a minimal set of rules that forbid it.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    declaration = question.declaration
    other = _other_declaration(question, claim, released)
    if other is not None:
        return Judged(False, (other,))
    if claim.x is not None:
        declaration = replace(declaration, x=claim.x)
    # What a claim does not say is not declared: nothing is left open.
    declaration = replace(declaration, options=tuple(sorted({*(declaration.options or ()), *claim.options})))
    question = replace(question, declaration=declaration)
    uses = [step for step in claim.steps if isinstance(step, Use)]
    f = frame(question, mode="rules", released=released, limits=limits, claimed=[(u.thing, u.source) for u in uses])
    for plan, chosen in zip(f.plans, f.plan, strict=True):
        if plan.has_x and declaration.x is None:  # what is paid for is not known before X is declared
            f.cp.add(chosen == 0).only_enforce_if(f.literals.rule(plan.x_role, least=plan.least_x))
    if claim.started and f.plans:
        said = {step.term for step in claim.steps if isinstance(step, Choice)}
        f.unpaid = frozenset(e.key for n, e in enumerate(f.plans[0].effects) if n not in said)
    parts = {part.id: k for k, part in enumerate(f.parts)}
    misplaced = [s.part for s in claim.steps if isinstance(s, Use | Pay) and s.part and s.part not in parts]
    if misplaced and not f.literals.releases("order"):
        # That part is not due: there is no such place in the order of parts.
        return Judged(False, (because(question.ruleset, Label("order")),))
    if f.joint is not None:
        return _judge_at_once(f, claim, limits, prefer)
    if any(isinstance(step, Spend) for step in claim.steps):
        return Judged(False, (because(question.ruleset, Label("order")),))
    slots = [_slot(f, use, parts) for use in uses]
    if any(not slot.options for slot in slots):
        return Judged(False, (because(question.ruleset, Label("replacement")),))
    model = Sequence(f, slots)
    _pays(model, claim, parts)
    _enough(model, claim, parts)
    _choices(model, claim)
    _pool(model, claim)
    reason = minimal_reason(f, limits.seconds, prefer)
    return Judged(reason is None, reason or ())


def _other_declaration(question: Question, claim: Claim, released: Set[str]) -> Because | None:
    """Return the rule that is broken where a claim says something else than what is declared."""
    declaration = question.declaration
    if None not in (declaration.x, claim.x) and claim.x != declaration.x and not {"x.declared", "x"} & released:
        return because(question.ruleset, Label("x.declared", False, FrozenMap({"x": str(declaration.x)})))
    said = set(declaration.options or ())
    if declaration.options is not None and claim.options and set(claim.options) != said and "option" not in released:
        return because(question.ruleset, Label("option", False, FrozenMap({"what": " + ".join(claim.options)})))
    return None


def _judge_at_once(f: Frame, claim: Claim, limits: Limits, prefer: str | None) -> Judged:
    model = allocate(f, claim)
    _choices(model, claim)
    _pool(model, claim)
    reason = minimal_reason(f, limits.seconds, prefer)
    return Judged(reason is None, reason or ())


def _slot(f: Frame, use: Use, parts: dict[str, int]) -> Slot:
    mine = [c for c in f.sources if c.thing.id == use.thing and use.source in ("", c.source)]
    options = []
    for candidate in mine:
        for chain in f.chains(candidate):
            meant = chain if use.replaced == tuple(r.thing for r in chain.replaced) else None
            if not use.replaced:
                meant = _unsaid(f, candidate, chain)
            if meant is not None:
                options.append(Option(candidate, meant))
    where = (parts[use.part],) if use.part in parts else tuple(parts.values())
    return Slot(tuple(options), where, False)


def _unsaid(f: Frame, candidate: Candidate, chain: Chain) -> Chain | None:
    """Return a chain as it comes about where nobody says what is replaced: always the first one that must be.

    None where it does not come about so.
    """
    gain, absent = candidate.gain, list(chain.absent)
    for i, effect in enumerate(chain.replaced):
        before = f.effects[: f.effects.index(effect)]
        first = [e for e in before if e not in chain.replaced[:i] and not e.optional and e.meets(candidate.verb, gain)]
        if effect.optional or any(e in chain.replaced or not e.goes for e in first):
            return None
        absent += first
        gain = effect.instead
    return replace(chain, absent=tuple(absent))


def _pays(model: Sequence, claim: Claim, parts: dict[str, int]) -> None:
    """A part that is said to be paid is over: what comes after is for later parts, what came before is not."""
    f, cp = model.f, model.f.cp
    rule = f.literals.rule("order")
    paid: list[int] = []
    place = 0
    for step in claim.steps:
        if isinstance(step, Use):
            for k in paid:
                for j in model.slots[place].parts:
                    if j <= k:
                        _never(cp, model.inside(place, j), rule)
            place += 1
        elif isinstance(step, Pay) and step.part in parts:
            k = parts[step.part]
            if any(k <= earlier for earlier in paid):
                cp.add(rule == 0)
            for t in range(place):
                for j in model.slots[t].parts:
                    if j > k:
                        _never(cp, model.inside(t, j), rule)
            # Everything due before it is paid by then, if only out of the pool: it needs no step of its own.
            paid.append(k)


def _never(cp: cp_model.CpModel, literal: cp_model.IntVar | None, rule: cp_model.IntVar) -> None:
    if literal is not None:
        cp.add(literal == 0).only_enforce_if(rule)


def _enough(model: Sequence, claim: Claim, parts: dict[str, int]) -> None:
    """Every part is paid; in a payment that is only begun, every part before the one that it has come to."""
    cp = model.f.cp
    reached = max((parts[s.part] for s in claim.steps if isinstance(s, Pay) and s.part in parts), default=-1)
    chosen = any(isinstance(step, Choice) for step in claim.steps)
    for k in range(len(model.f.parts)):
        if not claim.started or k <= reached or chosen:
            model.flow.enough(k)
            continue
        held = model.flow.before(k)
        for asset in model.f.parts[k].accepts:
            held = held + model.flow.gained(asset, k)
        for t in range(len(model.slots)):
            for j in model.slots[t].parts:
                later = model.inside(t, j)
                if j > k and later is not None:
                    cp.add(held >= model.flow.paid(k)).only_enforce_if(later)


def _choices(model: Sequence | Allocation, claim: Claim) -> None:
    """Effect-costs are paid with what the claim says, in its order, and after every asset part."""
    f, cp, effects = model.f, model.f.cp, model.effects
    made = [step for step in claim.steps if isinstance(step, Choice)]
    last_use = max((i for i, s in enumerate(claim.steps) if isinstance(s, Use | Pay)), default=-1)
    if not effects.at_once and any(isinstance(step, Choice) for step in claim.steps[: last_use + 1]):
        cp.add(f.literals.rule("effect.after") == 0)
    if not f.plans:
        return
    place = {term.due.key: j for j, term in enumerate(effects.terms)}
    mine = [place[e.key] for e in f.plans[0].effects]  # what is declared is one plan where terms are numbered
    said: dict[int, Choice] = {}
    for choice in made:
        if choice.term >= len(mine) or choice.term in said:
            cp.add(f.literals.rule("effect", verb="?", term=choice.term) == 0)
        else:
            said[choice.term] = choice
    for number, j in enumerate(mine):
        term = effects.terms[j]
        if number not in said:
            if term.how == "choose" and not claim.started:
                _nobody(model, j)
            continue
        things = said[number].things
        for id in things:
            if (j, id) not in effects.picked:
                cp.add(f.literals.rule("effect", verb=term.due.act.verb, term=j) == 0)
        for (i, id), variable in effects.picked.items():
            if i == j:
                cp.add(variable == (1 if id in things else 0))
    if effects.order is not None and not effects.at_once:
        order = [mine[c.term] for c in made if c.term < len(mine)]
        fits = [n for n, o in enumerate(effects.orders) if [j for j in o if j in order] == order]
        cp.add_allowed_assignments([effects.order], [(n,) for n in fits])


def _nobody(model: Sequence | Allocation, j: int) -> None:
    for (i, _), variable in model.effects.picked.items():
        if i == j:
            model.f.cp.add(variable == 0)


def _pool(model: Sequence | Allocation, claim: Claim) -> None:
    """What the claim says is left is what is left."""
    if claim.pool is None:
        return
    f, cp = model.f, model.f.cp
    rule = f.literals.rule("amount")
    for asset, said in claim.pool.items():
        left: Linear = model.flow.left(asset)
        if f.question.ruleset.asset(asset).surplus == "lost":
            most = f.supply[asset] + sum(f.supply[a] for a in f.common)
            kept = cp.new_int_var(0, max(most, 0), f"{asset} left")
            cp.add(kept <= left)
            cp.add_min_equality(kept, [left, f.start[asset]]).only_enforce_if(
                f.literals.rule(f"surplus.{asset}", asset=asset)
            )
            left = kept
        for plan, chosen, x in zip(f.plans, f.plan, f.x, strict=True):
            gain = plan.gains.get(asset)
            if gain is not None:
                left = left + gain.base * chosen + gain.per_x * x
        cp.add(left == said).only_enforce_if(rule)
