"""Promises of a designer that a card does not keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from lawful.model.cost import AssetTerm
from lawful.model.declaration import OrderQuestion, Question
from lawful.model.frozen import FrozenMap
from lawful.model.stress import Finding, Invariant, Said, said
from lawful.model.verdict import Message
from lawful.model.walking import every
from lawful.solver.stress.asking import LIMITS, Using, pays, uses
from lawful.solver.stress.hands import State, at, monotone, smallest
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.scenery import Builder
from lawful.solver.stress.smallest import shrunk, size_of
from lawful.solver.stress.terms import points
from lawful.solver.stress.weighing import Bounded, ample, floating


def broken(meeting: Meeting, promises: Sequence[Invariant]) -> Iterator[Finding]:
    """Yield the promises that a card does not keep."""
    for promise in promises:
        if promise.kind == "number":
            yield from _number(meeting, promise)
        elif promise.kind == "exchange":
            yield from _exchange(meeting, promise)
        else:
            yield from _hand(meeting, promise)


def _number(meeting: Meeting, promise: Invariant) -> Iterator[Finding]:
    card = meeting.cards[0]
    kind, _, name = promise.of.partition(".")
    found: int | None
    if kind == "yields":
        found = (card.yields or FrozenMap[str, int]()).get(name)
    elif kind == "cost" and name:
        found = None if card.cost is None else _of_asset(card.cost, name)
    elif kind == "cost":
        found = None if card.cost is None else points(card.cost)
    else:
        found = card.stats.get(promise.of)
    if found is None or found in promise.allowed:
        return
    params = said(card=card.name, promise=promise.name, of=promise.of, n=found, allowed=str(promise.allowed))
    builder = Builder(meeting)
    builder.add(card, meeting.ruleset.hand)
    witness = OrderQuestion(meeting.ruleset, builder.position())
    yield Finding(
        "invariant", meeting.names, promise.name, Message("stress.invariant.number", params), witness,
        Said({"count": 1}), size_of(witness, 1),
    )  # fmt: skip


def _of_asset(cost: object, asset: str) -> int:
    return sum(term.amount for term in every(cost, AssetTerm) if term.asset == asset and isinstance(term.amount, int))


def _exchange(meeting: Meeting, promise: Invariant) -> Iterator[Finding]:
    """Floating points of one asset, up to so many, for as many of another: whatever could be paid still can."""
    for using in uses(meeting.cards[0], meeting):
        asked = ample(using, meeting)
        if asked is None:
            continue
        if not monotone(asked):
            raise Bounded
        cap = {promise.asset: promise.most}
        states, whole = smallest(asked, floating(asked), LIMITS, cap)
        for state in states:
            for from_, to in ((promise.asset, promise.other), (promise.other, promise.asset)):
                have = state.floating.get(from_, 0)
                n = min(have, promise.most - state.floating.get(to, 0)) if to == promise.asset else have
                if n <= 0:
                    continue
                other = State(
                    state.used,
                    FrozenMap({**state.floating, from_: have - n, to: state.floating.get(to, 0) + n}),
                )
                if not pays(at(asked, other)):
                    small = shrunk(at(asked, state), partial(_tells, from_, to))
                    n = small.position.player(small.declaration.player).pool.get(from_, 0)
                    yield _exchanged(using, meeting, promise, small, _traded(small, from_, to), (from_, to, n))
                    break
            else:
                continue
            break
        else:
            if not whole:
                raise Bounded


def _traded(asked: Question, from_: str, to: str) -> Question:
    """Return the question with all points of one asset exchanged for those of another."""
    position = asked.position
    player = position.player(asked.declaration.player)
    have = player.pool.get(from_, 0)
    pool = player.pool.put(from_, 0).put(to, player.pool.get(to, 0) + have)
    return replace(asked, position=position.with_player(replace(player, pool=pool)))


def _tells(from_: str, to: str, asked: Question) -> bool:
    return pays(asked) and not pays(_traded(asked, from_, to))


def _exchanged(
    using: Using, meeting: Meeting, promise: Invariant, small: Question, other: Question, what: tuple[str, str, int]
) -> Finding:
    from_, to, n = what
    rules = meeting.ruleset
    says = Message(
        "stress.invariant.exchange",
        said(
            card=using.card.name, promise=promise.name, n=n, asset=rules.asset(from_).name, other=rules.asset(to).name
        ),
    )  # fmt: skip
    size = size_of(small, len(meeting.cards))
    return Finding(
        "invariant", meeting.names, f"{promise.name}: {using.name}", says, small, Said({"verdict": "legal"}), size,
        ((other, "unpayable"),),
    )  # fmt: skip


def _hand(meeting: Meeting, promise: Invariant) -> Iterator[Finding]:
    """Whoever pays so much has used so many cards, where nothing floats but what a player starts with."""
    for using in uses(meeting.cards[0], meeting):
        cost = using.card.cost if using.ability is None else using.ability.cost
        if cost is None or points(cost) < promise.cost:
            continue
        asked = ample(using, meeting)
        if asked is None:
            continue
        never = [asset.id for asset in asked.ruleset.assets if asset.generate == "never"]
        states, whole = smallest(asked, never, LIMITS)
        few = [state for state in states if sum(state.used.values()) < promise.least]
        if few:
            small = shrunk(at(asked, few[0]), pays)
            says = Message(
                "stress.invariant.hand",
                said(
                    card=using.card.name, promise=promise.name, n=sum(few[0].used.values()), least=promise.least,
                    cost=points(cost),
                ),
            )  # fmt: skip
            yield Finding(
                "invariant", meeting.names, f"{promise.name}: {using.name}", says, small,
                Said({"verdict": "legal"}), size_of(small, len(meeting.cards)),
            )  # fmt: skip
        elif not whole:
            raise Bounded
