"""Ways as they are shown: names instead of ids, one step a part of the cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Level, Outcome, Use
from lawful.model.referee.amounts import Due, due
from lawful.model.referee.telling import spell_demand
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.model.verdict import Answer, Way


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the cost and what was used for it.

    Parameters
    ----------
    pay : str
        ``3c``, or the effect-cost: ``discard``.
    asset : str
        The part's asset; empty for an effect-cost.
    with_ : tuple of str
        What was used, in order; empty where the part was paid from what one had.
    place : int, optional
        The number of a part that is paid at once with others, from 0; None for others.
    cost : str
        Which cost such a part is of.
    given : mapping of str to int
        What is given for such a part, and as what.
    how : str
        Who picks what an effect-cost takes, where nobody chooses: ``random``, ``top``.
    """

    pay: str
    asset: str
    with_: tuple[str, ...]
    place: int | None = None
    cost: str = ""
    given: FrozenMap[str, int] = FrozenMap()
    how: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One way, as it is shown.

    Parameters
    ----------
    way : Way
        The way, or the first of those merged.
    sources : tuple of str
        What was used to gain assets, in order.
    steps : tuple of Step
        Part by part, then the effect-costs.
    pool, overpaid : mapping of str to int
        What is left and what was lost, in points.
    """

    way: Way
    sources: tuple[str, ...]
    steps: tuple[Step, ...]
    pool: FrozenMap[str, int]
    overpaid: FrozenMap[str, int]


def lines(question: Question, answer: Answer, by_name: bool = False) -> tuple[Line, ...]:
    """Return the listed ways of an answer as they are shown.

    Parameters
    ----------
    question : Question
        What was asked.
    answer : Answer
        What was answered.
    by_name : bool
        Whether objects are called by their cards' names, as equal cards are merged.

    Returns
    -------
    tuple of Line
        In the order of the answer.
    """
    names = shown_names(question, by_name)
    shown = shown_assets(question, [way.replay.outcome for way in answer.ways])
    dues: dict[tuple[int | None, tuple[str, ...]], Due] = {}
    found = []
    for way in answer.ways:
        declared = way.payment.x, way.payment.options
        if declared not in dues:
            dues[declared] = due(question, *declared)
        found.append(_line(way, dues[declared], names, shown))
    return tuple(found)


def by_source(ruleset: Ruleset) -> Level:
    """Return the level at which ways tell apart whose points paid for what."""
    # Where sources are used at the same time, the finest level tells whose points they were and no order.
    return "sequences" if any(asset.split for asset in ruleset.assets) else "allocations"


def shown_names(question: Question, by_name: bool = False) -> Mapping[str, str]:
    """Return what every object is called: its id, or its card's name where equal cards are merged."""
    return {thing.id: thing.card if by_name else thing.id for thing in question.position.things}


def shown_assets(question: Question, outcomes: Iterable[Outcome | None]) -> tuple[str, ...]:
    """Return the assets whose amounts say something here.

    An asset that a player always starts with, and that no payment touches, is left out.

    Parameters
    ----------
    question : Question
        What was asked.
    outcomes : iterable of Outcome
        What is left after each payment that is shown.

    Returns
    -------
    tuple of str
        Ids, in the order of phases.
    """
    before = question.position.player(question.declaration.player).pool
    after = [outcome.pool for outcome in outcomes if outcome is not None]
    shown = []
    for asset in question.ruleset.assets:
        have = before.get(asset.id, asset.start)
        if have != asset.start or asset.start == 0 or any(pool.get(asset.id, have) != have for pool in after):
            shown.append(asset.id)
    return tuple(shown)


def _line(way: Way, owed: Due, names: Mapping[str, str], shown: tuple[str, ...]) -> Line:
    outcome = way.replay.outcome
    pool = outcome.pool if outcome is not None else FrozenMap[str, int]()
    return Line(
        way=way,
        sources=tuple(names[use.thing] for use in way.payment.uses),
        steps=(*_parts(way, owed, names), *_at_once(way, owed, names), *_effects(way, owed, names)),
        pool=FrozenMap({asset: pool[asset] for asset in shown if asset in pool}),
        overpaid=outcome.overpaid if outcome is not None else FrozenMap(),
    )


def _parts(way: Way, owed: Due, names: Mapping[str, str]) -> Iterator[Step]:
    for asset, amount in owed.parts:
        used = [use for use in way.payment.uses if use.part == asset.id]
        yield Step(f"{amount}{asset.id}", asset.id, tuple(_used(use, names) for use in used))


def _at_once(way: Way, owed: Due, names: Mapping[str, str]) -> Iterator[Step]:
    for j, demand in enumerate(owed.demands):
        mine = [spend for spend in way.payment.spends if spend.part == j]
        given: dict[str, int] = {}
        for spend in mine:
            given[spend.as_] = given.get(spend.as_, 0) + spend.n
        order = {id: given[id] for id in given}
        used = dict.fromkeys(names[spend.thing] for spend in mine if spend.thing)
        yield Step(spell_demand(demand), demand.asset.id, tuple(used), j, demand.cost, FrozenMap(order))


def _effects(way: Way, owed: Due, names: Mapping[str, str]) -> Iterator[Step]:
    for choice in way.payment.choices:
        act = owed.effects[choice.term].act
        words = [act.verb.replace("_", " "), *([act.what] if isinstance(act.what, str) else [])]
        who = act.of if act.of is not None else act.what
        how = who.how if isinstance(who, Selector) and not choice.things else ""
        yield Step(" ".join(words), "", tuple(names[thing] for thing in choice.things), how=how)


def _used(use: Use, names: Mapping[str, str]) -> str:
    gone = [names[thing] for thing in use.replaced]
    return names[use.thing] + (f" (+ {', '.join(gone)})" if gone else "")
