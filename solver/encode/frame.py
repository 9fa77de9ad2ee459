"""The part of a payment model that all its forms share: which plan is declared, X, and the amounts due."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from lawful.model.declaration import Question
from lawful.model.errors import LimitReached
from lawful.model.limits import Limits
from lawful.model.ruleset import AssetRule, Generate
from lawful.solver.encode.amount import Amount
from lawful.solver.encode.due import DemandDue, Plan, plans
from lawful.solver.encode.literals import Linear, Literals, Mode, Model
from lawful.solver.encode.look import Look
from lawful.solver.encode.replacing import Chain, Replacer, chains, replacers
from lawful.solver.encode.sources import Candidate, candidates


@dataclass(slots=True)
class Frame:
    """What a model is built on.

    Parameters
    ----------
    question : Question
        What is asked.
    literals : Literals
        The rules of the model.
    sources : tuple of Candidate
        In the order of the position.
    effects : tuple of Replacer
        Replacements of gains.
    plans : tuple of Plan
        What may be declared.
    plan : list of BoolVar
        One for each plan; exactly one is true.
    x : list of IntVar or int
        X under each plan, 0 under the others.
    parts : tuple of AssetRule
        Assets of which some plan demands something, in the order of their phases.
    demands : tuple of DemandDue
        The parts that are paid at once, of all plans.
    joint : int, optional
        The place among `parts` where they are paid; the part there stands for all of them, and has no name.
    unpaid : frozenset
        Keys of effect-costs that need not be paid yet, in a payment that is only begun.
    """

    question: Question
    literals: Literals
    sources: tuple[Candidate, ...]
    effects: tuple[Replacer, ...]
    plans: tuple[Plan, ...]
    limits: Limits
    plan: list[cp_model.IntVar] = field(default_factory=list)
    x: list[Linear] = field(default_factory=list)
    parts: tuple[AssetRule, ...] = ()
    demands: tuple[DemandDue, ...] = ()
    joint: int | None = None
    unpaid: frozenset[tuple[str, int]] = frozenset()
    supply: dict[str, int] = field(default_factory=dict)
    start: dict[str, Linear] = field(default_factory=dict)
    _chains: dict[tuple[str, str], tuple[Chain, ...]] = field(default_factory=dict)

    @property
    def cp(self) -> cp_model.CpModel:
        """The CP-SAT model."""
        return self.literals.cp

    def chains(self, candidate: Candidate) -> tuple[Chain, ...]:
        """Return the ways in which a source's gain can be replaced."""
        key = candidate.thing.id, candidate.source
        if key not in self._chains:
            self._chains[key] = chains(candidate, self.effects)
        return self._chains[key]

    @property
    def in_order(self) -> bool:
        """Whether the order of sources matters: what one gives may depend on those before it.

        Sets suffice when every source has one chain of replacements, which uses nothing up.
        """
        for candidate in self.sources:
            found = self.chains(candidate)
            if len(found) != 1 or any(r.goes for r in found[0].replaced):
                return True
        return False

    @property
    def common(self) -> tuple[str, ...]:
        """The assets whose points are split among parts that are paid at once."""
        assets = self.question.ruleset.assets
        taken = {id for a in assets if a.split for id in (a.id, *a.accepts)}
        return tuple(a.id for a in assets if a.id in taken or taken & set(a.declares))

    def demanded(self, j: int) -> Linear:
        """Return the amount of a part that is paid at once; 0 where the plan has no such part."""
        due: Linear = 0
        for plan, chosen, x in zip(self.plans, self.plan, self.x, strict=True):
            for demand in plan.demands:
                if demand.key == self.demands[j].key:
                    due = due + demand.amount.base * chosen + demand.amount.per_x * x
        return due

    def active(self, j: int) -> Linear:
        """Return whether the plan has a part that is paid at once, as 0 or 1."""
        key = self.demands[j].key
        chosen = [p for plan, p in zip(self.plans, self.plan, strict=True) if any(d.key == key for d in plan.demands)]
        return 1 if len(chosen) == len(self.plan) else sum(chosen)

    def places(self, plan: Plan, x: int | None) -> dict[int, int]:
        """Return which of the parts that are paid at once a plan has, with their numbers in a payment."""
        due = [d.key for d in plan.demands if d.always or d.amount.at(x or 0) > 0]
        at = {demand.key: j for j, demand in enumerate(self.demands)}
        return {at[key]: place for place, key in enumerate(due)}

    def most_demanded(self, j: int) -> int:
        """Return an upper bound of what can be given for a part that is paid at once."""
        demand = self.demands[j]
        if demand.term.number == "any":
            return sum(self.supply[a] for a in self.common)
        found = [(p, d) for p in self.plans for d in p.demands if d.key == demand.key]
        return max((max(0, d.amount.at(most_x(self, p))) for p, d in found), default=0)

    def need(self, asset: str) -> Linear:
        """Return the amount due of an asset, as a linear expression over plans and X."""
        due: Linear = 0
        for plan, chosen, x in zip(self.plans, self.plan, self.x, strict=True):
            amount = plan.amounts.get(asset)
            if amount is not None:
                due = due + amount.base * chosen + amount.per_x * x
        return due

    def most_due(self, asset: str) -> int:
        """Return an upper bound of the amount due of an asset."""
        return max((p.amounts[asset].at(most_x(self, p)) for p in self.plans if asset in p.amounts), default=0)


def frame(
    question: Question,
    *,
    mode: Mode = "hold",
    released: Set[str] = frozenset(),
    limits: Limits = Limits(),
    claimed: Sequence[tuple[str, str]] = (),
    due: tuple[Plan, ...] | None = None,
    like: Frame | None = None,
) -> Frame:
    """Start a model: declare the plan, X, the pool.

    What the question says is read off it once: a frame that is like one of the same question takes it from there.

    Raises
    ------
    LimitReached
        If there are more sources than `limits` allows, an amount is over it, or X is left open and nothing limits it.
    """
    cp = Model()
    literals = Literals(cp, mode, released)
    found = candidates(question, claimed) if like is None else like.sources
    if len(found) > limits.sources:
        raise LimitReached("sources", limits.sources, f"the position has {len(found)}")
    effects = replacers(question) if like is None else like.effects
    if due is None:
        due = plans(question) if like is None else like.plans
    f = Frame(question, literals, found, effects, due, limits)
    wanted = {asset for plan in f.plans for asset in plan.amounts}
    rules = sorted(question.ruleset.assets, key=lambda a: a.phase)
    f.demands = tuple({d.key: d for plan in f.plans for d in plan.demands}.values())
    at_once = [] if not f.demands else [_at_once(f)]
    f.parts = tuple(sorted((*(a for a in rules if a.id in wanted), *at_once), key=lambda a: a.phase))
    f.joint = next((k for k, part in enumerate(f.parts) if not part.id), None)
    pool = question.position.player(question.declaration.player).pool
    for asset in rules:
        gains = sum(_most_gain(f, c, asset.id) for c in found)
        f.supply[asset.id] = pool.get(asset.id, 0) + gains
    _within_limits(f)
    _declare(f)
    _pool(f)
    return f


def _within_limits(f: Frame) -> None:
    """Refuse amounts that are too large."""
    most = max(f.limits.amount, *f.supply.values())
    for plan in f.plans:
        for asset, amount in plan.amounts.items():
            if plan.x is not None and amount.base > most:
                plan.amounts[asset] = Amount(most + 1)  # an X that nobody can pay
            elif max(abs(amount.base), abs(amount.per_x)) > f.limits.amount:
                raise LimitReached("amount", f.limits.amount, f"{amount.base} {asset} would be due")


def _at_once(f: Frame) -> AssetRule:
    """Return the part that stands for all that are paid at once."""
    rules = [f.question.ruleset.asset(demand.term.asset) for demand in f.demands]
    generate: Generate = "freely" if any(a.generate != "never" for a in rules) else "never"
    return AssetRule("", "", rules[0].phase, f.common, generate, any(a.useful for a in rules))


def _most_gain(f: Frame, candidate: Candidate, asset: str) -> int:
    return candidate.most * max((dict(c.gain).get(asset, 0) for c in f.chains(candidate)), default=0)


def _pool(f: Frame) -> None:
    """The pool before paying: facts, which an explanation may imagine to be larger."""
    pool = f.question.position.player(f.question.declaration.player).pool
    for asset in f.question.ruleset.assets:
        have = pool.get(asset.id, 0)
        f.start[asset.id] = have
        lost = asset.id in f.common and asset.surplus != "floats" and not have
        if f.literals.explains and not lost:
            most = have + sum(f.most_due(part.id) for part in f.parts) + asset.keep
            most += sum(f.most_demanded(j) for j in range(len(f.demands))) if asset.id in f.common else 0
            floating = f.cp.new_int_var(have, most, f"floating {asset.id}")
            fact = f.literals.fact(f"floating.{asset.id}", asset=asset.id, amount=have)
            f.cp.add(floating == have).only_enforce_if(fact)
            f.start[asset.id] = floating


def _declare(f: Frame) -> None:
    """Exactly one plan is declared, with an X that the rules allow; a plan that breaks a rule is forbidden by it."""
    cp, literals, declaration = f.cp, f.literals, f.question.declaration
    f.plan = [cp.new_bool_var("plan " + " + ".join(plan.options)) for plan in f.plans]
    cp.add_exactly_one(f.plan)
    for plan, chosen in zip(f.plans, f.plan, strict=True):
        for role, about in plan.broken:
            cp.add(chosen == 0).only_enforce_if(literals.rule(role, what=about))
        if not plan.has_x:
            f.x.append(0)
            continue
        if plan.x is not None:
            f.x.append(plan.x * chosen)
            _allowed_x(f, plan, chosen, plan.x)
            continue
        x = cp.new_int_var(0, most_x(f, plan), "X")
        cp.add(x == 0).only_enforce_if(chosen.negated())
        f.x.append(x)
        if declaration.x is not None:
            cp.add(x == declaration.x).only_enforce_if(chosen)
        _allowed_x(f, plan, chosen, x)


def _allowed_x(f: Frame, plan: Plan, chosen: cp_model.IntVar, x: Linear) -> None:
    literals = f.literals
    f.cp.add(x >= plan.least_x).only_enforce_if(chosen, literals.rule(plan.x_role, least=plan.least_x))
    if plan.only_zero:
        f.cp.add(x == 0).only_enforce_if(chosen, literals.rule("x.free"))
    if plan.no_x:
        f.cp.add(chosen == 0).only_enforce_if(literals.rule("x.free", no_x=1))


def within(f: Frame, plan: Plan) -> bool:
    """Tell whether what a plan for one X asks for is there at all; whether it can be paid is for the model."""
    x = plan.x or 0
    for asset, amount in plan.amounts.items():
        if sum(f.supply[a] for a in f.question.ruleset.asset(asset).accepts) < amount.at(x):
            return False
    at_hand = sum(f.supply[a] for a in f.common)
    return all(at_hand >= d.amount.at(x) for d in plan.demands if d.term.number == "exactly")


def most_x(f: Frame, plan: Plan) -> int:
    """Return the largest X that could be paid under a plan, or the one declared.

    Raises
    ------
    LimitReached
        If nothing that is paid limits it.
    """
    if plan.x is not None or not plan.has_x:
        return plan.x or 0
    if f.question.declaration.x is not None:
        return f.question.declaration.x
    if plan.only_zero or plan.no_x or plan.broken:
        return 0
    bounds = []
    for asset, amount in plan.amounts.items():
        if amount.per_x > 0:
            held = sum(f.supply[a] for a in f.question.ruleset.asset(asset).accepts)
            bounds.append(max(0, (held - amount.base) // amount.per_x))
    at_hand = sum(f.supply[a] for a in f.common)
    for demand in plan.demands:
        if demand.amount.per_x > 0 and demand.term.number == "exactly":
            bounds.append(max(0, (at_hand - demand.amount.base) // demand.amount.per_x))
    look, player = Look(f.question), f.question.declaration.player
    for effect in plan.effects:
        number = getattr(effect.act.what, "n", None) or getattr(effect.act.of, "n", None)
        if number is not None and not isinstance(number, int):
            amount = look.had(number, player, f.question.declaration.thing)
            if amount.per_x > 0 and not getattr(effect.act.what, "up_to", False):
                bounds.append(max(0, (len(f.question.position.things) - amount.base) // amount.per_x))
    if not bounds:
        raise LimitReached("x", f.limits.amount, "nothing that is paid limits X; say which X is meant")
    return min(bounds)
