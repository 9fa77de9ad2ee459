"""The judge: one given payment, step by step in the order given, until the first step that a rule forbids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

from lawful.model.declaration import Question
from lawful.model.payment import Choice, Claim, Outcome, Pay, Payment, Spend, Use
from lawful.model.referee.amounts import reckon
from lawful.model.referee.asked import Asked, ask
from lawful.model.referee.effects_cost import is_free_of_choice, open_terms, pay_effect, picks
from lawful.model.referee.faults import examine
from lawful.model.referee.forbid import because
from lawful.model.referee.left import wrong_pool
from lawful.model.referee.paying import closing, covered, gain, lay, pay_part, split, take, waits
from lawful.model.referee.replacing import Gain, applicable, apply
from lawful.model.referee.sources import names
from lawful.model.referee.splitting import broken_by, splits
from lawful.model.referee.table import Table
from lawful.model.referee.telling import tell_due, tell_effect, tell_late, tell_pay, tell_split, tell_surplus, tell_use
from lawful.model.verdict import Because, Replay, TraceStep, Value

__all__ = ["judge", "replay"]

Step = Use | Pay | Spend | Choice
MEANINGS = 256


def replay(question: Question, payment: Payment) -> Replay:
    """Play a payment in its order.

    Parameters
    ----------
    question : Question
        What is asked.
    payment : Payment
        A complete payment; everything in it has to be said.

    Returns
    -------
    Replay
        The steps; the rule that the first wrong one breaks, if any; what is left, if it is complete.

    Raises
    ------
    UnknownName
        If the payment names what does not exist.

    References
    ----------
    CR 1.14.2, 5.1.7, 5.1.9.
    """
    steps: tuple[Step, ...] = (*payment.uses, *payment.spends, *payment.choices)
    claim = Claim(steps, payment.x, payment.options)
    return _Bench(question, claim, strict=True).hear()


def judge(question: Question, claim: Claim) -> Replay:
    """Judge a payment that somebody says they make.

    What a claim leaves open and the payer has no choice in is filled in: a part that is covered is paid before the next
    step, unless a later step says when; where the payer decides when (`freely`), only the last open part waits, for a
    `Pay`, an effect-cost or the end. A use that names no replacements has those applied that must be. At the end,
    effect-costs without a choice are paid.

    Parameters
    ----------
    question : Question
        What is asked.
    claim : Claim
        The steps, legal or not. X and options that it does not say are those of the declaration.

    Returns
    -------
    Replay
        `broken` is the rule that the first wrong step breaks. A claim that is only started is neither complete nor
        broken by what is missing.

    Raises
    ------
    UnknownName
        If a step names an object or an asset that does not exist.

    References
    ----------
    CR 1.14.2, 5.1.7a, 5.1.8a.
    """
    declaration = question.declaration
    filled = replace(
        claim,
        x=declaration.x if claim.x is None else claim.x,
        options=claim.options or declaration.options or (),
    )
    heard = [_Bench(question, meant, strict=False).hear() for meant in _meanings(question, filled)]
    return next((replay for replay in heard if replay.broken is None), heard[0])


def _meanings(question: Question, claim: Claim) -> Iterator[Claim]:
    """Yield what a claim can mean that does not say which of several sources of an object is used: first, as it is."""
    yield claim
    asked = ask(question, claim.x, claim.options)
    known = {thing.id: names(asked, thing) for thing in asked.opening.things}
    steps: list[tuple[Step, ...]] = []
    for step in claim.steps:
        several = known.get(step.thing, ()) if isinstance(step, Use) and not step.source else ()
        if len(several) > 1 and isinstance(step, Use):
            steps.append(tuple(replace(step, source=source) for source in several))
        else:
            steps.append((step,))
    if 1 < prod(map(len, steps)) <= MEANINGS:
        yield from (replace(claim, steps=meant) for meant in product(*steps))


class _Stop(Exception):
    """Ends the hearing at the first wrong step."""

    def __init__(self, broken: Because) -> None:
        self.broken = broken


class _Bench:
    """One hearing: the table as it stands, and what was written down."""

    def __init__(self, question: Question, claim: Claim, strict: bool) -> None:
        self.question, self.claim, self.strict = question, claim, strict
        self.written: list[TraceStep] = []
        self.table: Table

    def hear(self) -> Replay:
        """Hear the claim to its end, or to its first wrong step."""
        outcome: Outcome | None = None
        try:
            self._open()
            steps = self._ordered()
            for i, step in enumerate(steps):
                self._pay_before(step, steps[i + 1 :])
                self._step(step, steps[i + 1 :])
            outcome = self._end()
        except _Stop as stop:
            return Replay(tuple(self.written), False, stop.broken)
        return Replay(tuple(self.written), outcome is not None, None, outcome)

    @property
    def asked(self) -> Asked:
        return self.table.asked

    def _ordered(self) -> tuple[Step, ...]:
        """Return the steps; where effect-costs are paid at the same time as all else, the place of one says nothing."""
        if self.question.ruleset.effects != "at_once":
            return self.claim.steps
        return tuple(sorted(self.claim.steps, key=lambda step: isinstance(step, Choice)))

    def _split(self) -> None:
        """Split the points among the parts that are paid at once, as it was said or in any way that there is."""
        given = tuple(step for step in self.claim.steps if isinstance(step, Spend))
        if self.strict and not given:
            given = (Spend(0, self.table.due.demands[0].asset.id, 0),)
        found = next(splits(self.table, given), None)
        if found is None:
            role, j, about = broken_by(self.table, given)
            demand = self.table.demands[j]
            amount = f"{demand.amount}{demand.asset.id}"
            kind = role.partition(".")[0]
            says = f"broken.split.{kind}"
            raise self._forbid(role, says, about, cost=demand.cost, amount=amount, part=demand.asset.name, by=about)
        self.table = split(self.table, found)
        self.written.append(tell_split(self.table))

    def _forbid(self, role: str, says: str, about: tuple[str, ...] = (), **params: Value) -> _Stop:
        return _Stop(because(self.question.ruleset, role, says, about, **params))

    def _open(self) -> None:
        declaration, claim = self.question.declaration, self.claim
        if declaration.options is not None and set(declaration.options) != set(claim.options):
            raise self._forbid("option", "broken.option.other", names=tuple(sorted(declaration.options)))
        if declaration.x is not None and claim.x != declaration.x:
            raise self._forbid("x.declared", "broken.x.other", x=declaration.x)
        asked = ask(self.question, claim.x, claim.options)
        due = reckon(asked)
        if due.broken is not None:
            raise _Stop(due.broken)
        self.table = lay(asked, due)
        self.written.append(tell_due(self.table))

    def _pay_before(self, step: Step | None, later: tuple[Step, ...]) -> None:
        """Pay every part that is covered before a step, where no `Pay` says otherwise."""
        said_later = {s.part for s in (step, *later) if isinstance(s, Pay)}
        while True:
            over = step is None or isinstance(step, Choice) or (isinstance(step, Use) and bool(step.part))
            begun = step is None and self.claim.started and not any(isinstance(s, Spend) for s in self.claim.steps)
            if self.table.at_once and over and not begun:
                self._split()
            if not covered(self.table):
                return
            part = self.table.part
            assert part is not None
            if part[0].id in said_later and not isinstance(step, Choice):
                return
            if isinstance(step, Use) and waits(self.table) and self._stays_open_for(step):
                return
            self._pay()

    def _stays_open_for(self, use: Use) -> bool:
        assert self.table.part is not None
        # A use that names no part is for the last one: where some are paid at once after this, for these.
        last = self.table.paid == len(self.table.due.parts) - 1
        last = last and (not self.table.due.demands or self.table.split is not None)
        return use.part == self.table.part[0].id or (not use.part and last)

    def _pay(self) -> None:
        before, self.table = self.table, pay_part(self.table)
        self.written.append(tell_pay(before, self.table))

    def _step(self, step: Step, later: tuple[Step, ...] = ()) -> None:
        if isinstance(step, Use):
            self._use(step, frozenset(s.source for s in later if isinstance(s, Use) and s.thing == step.thing))
        elif isinstance(step, Pay):
            self._pay_said(step)
        elif isinstance(step, Spend):
            if not self.table.due.demands:
                raise self._forbid("part", "broken.part.none", part="?")
        else:
            self._effect(step)

    def _use(self, use: Use, later: frozenset[str]) -> None:
        offered = examine(self.table, use, later)
        if isinstance(offered, Because):
            raise _Stop(offered)
        outcome = self._replaced(use, gain(self.table, offered))
        self.table = take(self.table, offered, outcome)
        self.written.append(tell_use(self.table, offered, outcome))

    def _replaced(self, use: Use, gained: Gain) -> Gain:
        """Apply the replacements that a use names, or those that must be where a claim names none."""
        for id in use.replaced:
            found = applicable(gained)
            if id not in found:
                raise self._forbid("replacement", "broken.replacement", (id,), thing=use.thing, by=id)
            gained = apply(gained, id, *found[id])
        silent = not use.replaced and not self.strict
        while must := [(id, *a) for id, a in applicable(gained).items() if not a[1].optional]:
            if not silent:
                id = must[0][0]
                raise self._forbid("replacement", "broken.replacement.must", (id,), thing=use.thing, by=id)
            gained = apply(gained, *must[0])
        return gained

    def _pay_said(self, step: Pay) -> None:
        asset, part = self.question.ruleset.asset(step.part), self.table.part
        still = [a.id for a, _ in self.table.due.parts[self.table.paid :]]
        if part is None or asset.id not in still:
            raise self._forbid(f"part.{asset.id}", "broken.part.none", part=asset.name)
        if asset is not part[0]:
            raise self._forbid("order", "broken.order.pay", part=asset.name, first=part[0].name)
        if not covered(self.table):
            raise self._short()
        self._pay()

    def _short(self) -> _Stop:
        part = self.table.part
        assert part is not None
        asset, amount = part
        there = tuple(f"{self.table.pool[id]} {self.question.ruleset.asset(id).name}" for id in asset.accepts)
        return self._forbid(
            f"part.{asset.id}", "broken.part", part=asset.name, amount=f"{amount}{asset.id}", there=there
        )

    def _effect(self, choice: Choice) -> None:
        if self.table.part is not None:
            first = self.table.part[0].name
            raise self._forbid("effect.after", "broken.effect.after", choice.things, first=first)
        paid = pay_effect(self.table, replace(choice, things=tuple(sorted(choice.things))))
        if isinstance(paid, Because):
            raise _Stop(paid)
        self.table = paid
        self.written.append(tell_effect(paid, paid.choices[-1]))

    def _end(self) -> Outcome | None:
        """Close the payment, or look at how it stands where it is only the beginning."""
        self._pay_before(None, ())
        if self.claim.started:
            self._check_pool(self.table, None)
            return None
        if self.table.part is not None:
            raise self._short()
        if self.table.at_once:
            self._split()
        self._rest_of_effects()
        closed = closing(self.table)
        if isinstance(closed, Because):
            raise _Stop(closed)
        table, outcome = closed
        self.written += [tell_surplus(table, id, lost) for id, lost in outcome.overpaid.items()]
        self.written += [tell_late(table)] if table.late else []
        self._check_pool(table, outcome)
        return outcome

    def _rest_of_effects(self) -> None:
        for i in open_terms(self.table):
            act = self.table.due.effects[i].act
            if self.strict or not is_free_of_choice(act, self.asked.ruleset):
                raise self._forbid("effect", "broken.effect.missing", verb=act.verb)
            self._effect(Choice(i, next(picks(self.table, i), ())))

    def _check_pool(self, table: Table, outcome: Outcome | None) -> None:
        wrong = wrong_pool(table, self.claim.pool, outcome)
        if wrong is not None:
            raise _Stop(wrong)
