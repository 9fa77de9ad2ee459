"""Parts that are paid at once: how the payer may split the points at hand among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lawful.model.frozen import FrozenMap
from lawful.model.payment import Spend
from lawful.model.referee.amounts import Demand
from lawful.model.referee.table import Bag, Table
from lawful.model.ruleset import Ruleset

__all__ = ["bags", "broken_by", "common", "left_over", "splits", "use_of"]

LEFT = -1


def common(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the assets whose points are split: what the split assets accept, themselves, and what may be given so."""
    split = [asset for asset in ruleset.assets if asset.split]
    taken = {id for asset in split for id in (asset.id, *asset.accepts)}
    return tuple(asset.id for asset in ruleset.assets if asset.id in taken or taken & set(asset.declares))


def bags(table: Table) -> tuple[Bag, ...]:
    """Return all points at hand: what floated before, then what every source gave, uses of one source together."""
    found: dict[Bag, int] = {}
    for bag in table.bags:
        key = replace(bag, n=0)
        found[key] = found.get(key, 0) + bag.n
    gained = Counter[str]()
    for bag in table.bags:
        gained[bag.asset] += bag.n
    floating = [Bag("", "", id, table.pool[id] - gained[id]) for id in common(table.asked.ruleset)]
    return (*(bag for bag in floating if bag.n), *(replace(key, n=n) for key, n in found.items()))


@dataclass(frozen=True, slots=True)
class _Slack:
    """Which of the rules of a split are left out of account, to find the one that is broken."""

    roles: frozenset[str] = frozenset()

    def __contains__(self, role: str) -> bool:
        return role in self.roles


def _takes(demand: Demand, bag: Bag, as_: str, slack: _Slack) -> bool:
    """Tell whether a part takes a point of a bag that is given as an asset."""
    term = demand.term
    return (
        as_ in demand.asset.accepts
        and ("only" in slack or not term.only or as_ in term.only)
        and ("printed" in slack or not term.printed or (bag.printed and as_ == bag.asset))
        and ("into" in slack or not bag.into or demand.cost in bag.into)
    )


class _Said:
    """What is said of a split: how much of a bag can be given for a part, so that what cannot agree is not tried."""

    def __init__(self, given: Sequence[Spend]) -> None:
        self._detailed = {
            part: any(s.thing or s.asset for s in given if s.part == part) for part in {s.part for s in given}
        }
        self._sums = {
            part: _summed((s for s in given if s.part == part), detailed) for part, detailed in self._detailed.items()
        }

    def numbers(self, part: int, as_: str, bag: Bag, most: int) -> Iterable[int]:
        """Return how many points may be tried, the most first."""
        if part not in self._detailed:
            return range(most, -1, -1)
        if not self._detailed[part]:
            return range(min(most, self._sums[part][as_,]), -1, -1)
        n = self._sums[part][as_, bag.thing, bag.source, bag.asset]
        return (n,) if n <= most else ()


def splits(
    table: Table,
    given: Sequence[Spend] = (),
    demands: Sequence[int] | None = None,
    slack: _Slack = _Slack(),
) -> Iterator[tuple[Spend, ...]]:
    """Yield every way to split the points at hand.

    Parameters
    ----------
    table : Table
        With the sources used.
    given : sequence of Spend
        What has to be so: for each part named, just these; and just these left over, if any are said to be.
    demands : sequence of int, optional
        The parts that have to be paid; None is all.
    slack : _Slack
        Rules left out of account.

    Yields
    ------
    tuple of Spend
        Sorted; every point is in one of them.
    """
    due, rules = table.demands, table.asked.ruleset
    wanted = tuple(range(len(due)) if demands is None else demands)
    at_hand = bags(table)
    chosen: list[Spend] = []

    def most(j: int) -> int:
        return sum(bag.n for bag in at_hand) if due[j].term.number == "any" else due[j].amount

    room = {j: most(j) for j in wanted}
    said = _Said(given)
    places = {thing.id: at for at, thing in enumerate(table.asked.opening.things)}

    def order(spend: Spend) -> tuple[object, ...]:
        return spend.part < 0, spend.part, spend.as_, places.get(spend.thing, -1), spend.source, spend.asset

    def place(i: int) -> Iterator[tuple[Spend, ...]]:
        if i == len(at_hand):
            found = tuple(sorted(chosen, key=order))
            paid = all(_is_paid(table, due[j], j, found, slack) for j in wanted)
            if paid and _can_be_ordered(table, found) and _agrees(found, given):
                yield found
            return
        bag = at_hand[i]
        cells = [(LEFT, as_) for as_ in _as(rules, bag, True)]
        cells += [(j, as_) for j in wanted for as_ in _as(rules, bag, False) if _takes(due[j], bag, as_, slack)]
        yield from fill(i, bag, cells, bag.n)

    def fill(i: int, bag: Bag, cells: list[tuple[int, str]], left: int) -> Iterator[tuple[Spend, ...]]:
        if not cells:
            if left == 0:
                yield from place(i + 1)
            return
        (j, as_), rest = cells[-1], cells[:-1]
        for n in said.numbers(j, as_, bag, min(left, room[j]) if j != LEFT else left):
            if n:
                chosen.append(Spend(j, as_, n, bag.thing, bag.source, bag.asset))
            if j != LEFT:
                room[j] -= n
            yield from fill(i, bag, rest, left - n)
            if j != LEFT:
                room[j] += n
            if n:
                chosen.pop()

    yield from place(0)


def _as(rules: Ruleset, bag: Bag, left: bool) -> tuple[str, ...]:
    """Return what a point may be given as; one that stays in the pool stays what it is."""
    asset = rules.asset(bag.asset)
    return (bag.asset,) if left and asset.surplus == "floats" else asset.given_as


def _is_paid(table: Table, demand: Demand, j: int, found: Iterable[Spend], slack: _Slack) -> bool:
    """Tell whether what is given for a part is just what it asks for."""
    term, given = demand.term, Counter[str]()
    for spend in found:
        if spend.part == j:
            given[spend.as_] += spend.n
    n, least = sum(given.values()), table.asked.ruleset.at_least
    if "part" in slack:
        amount = n <= demand.amount or term.number == "any"
    elif term.number == "exactly":
        amount = n == demand.amount
    elif "at-least" in slack:
        amount = True
    else:
        amount = n >= least and (term.number == "any" or n <= demand.amount)
    kinds = len([as_ for as_, k in given.items() if k])
    alike = term.alike == "any" or (kinds <= 1 if term.alike == "same" else kinds == n)
    spent = Counter[str](given)
    if table.asked.ruleset.needs_from == "spent":
        for spend in found:
            spent[spend.as_] += spend.n if spend.part == LEFT else 0
    needs = all(spent[as_] >= k for as_, k in Counter(term.needs).items())
    return amount and (alike or "alike" in slack) and (needs or "needs" in slack)


def _can_be_ordered(table: Table, found: Iterable[Spend]) -> bool:
    """Tell whether no source is paid for, by way of others, with what it gives itself."""
    feeds: dict[str, set[str]] = {}
    for spend in found:
        if spend.part >= len(table.due.demands):
            feeds.setdefault(table.demands[spend.part].cost, set()).add(use_of(spend.thing, spend.source))
    while feeds:
        ready = [name for name, needed in feeds.items() if not needed & feeds.keys()]
        if not ready:
            return False
        for name in ready:
            del feeds[name]
    return True


def use_of(thing: str, source: str) -> str:
    """Return how the cost of a source is called."""
    return f"{source} of {thing}"


def _agrees(found: tuple[Spend, ...], given: Sequence[Spend]) -> bool:
    """Tell whether a split is one that somebody says: what is said of a part is all of it."""
    for part in {spend.part for spend in given}:
        said = [spend for spend in given if spend.part == part]
        detailed = any(spend.thing or spend.asset for spend in said)
        if _summed((s for s in found if s.part == part), detailed) != _summed(said, detailed):
            return False
    return True


def _summed(spends: Iterable[Spend], detailed: bool) -> Counter[tuple[str, ...]]:
    sums = Counter[tuple[str, ...]]()
    for spend in spends:
        sums[(spend.as_, spend.thing, spend.source, spend.asset) if detailed else (spend.as_,)] += spend.n
    return sums


def left_over(table: Table, found: Iterable[Spend]) -> FrozenMap[str, int]:
    """Return the pool after a split: what is left over, as what it was given as, beside what was not split at all."""
    pool = {id: 0 if id in common(table.asked.ruleset) else n for id, n in table.pool.items()}
    for spend in found:
        if spend.part == LEFT:
            pool[spend.as_] += spend.n
    return FrozenMap(pool)


# A rule that comes earlier is named where several would have to give way.
_ROLES = ("printed", "into", "only", "needs", "alike", "at-least")


def broken_by(table: Table, given: Sequence[Spend]) -> tuple[str, int, tuple[str, ...]]:
    """Return why points cannot be split so: the role of a rule, the part, and the sources concerned.

    Parameters
    ----------
    table : Table
        With the sources used; there is no split.
    given : sequence of Spend
        What is said of it.

    Returns
    -------
    tuple
        Role, index of the part, ids of the sources that would be needed twice.
    """
    due = table.demands
    things = tuple(dict.fromkeys(bag.thing for bag in table.bags))
    for spend in given:
        if spend.part >= len(due):
            return "part", len(due) - 1, ()
    every = range(len(due))
    if given and next(splits(table), None) is not None:
        return _said_wrong(table, given)
    for j in every:
        if next(splits(table, (), [j]), None) is None:
            for role in _ROLES:
                if next(splits(table, (), [j], _Slack(frozenset({role}))), None) is not None:
                    return role, j, ()
            return f"part.{due[j].asset.id}", j, ()
    return "split", len(due) - 1, things


def _said_wrong(table: Table, given: Sequence[Spend]) -> tuple[str, int, tuple[str, ...]]:
    """Return what is wrong with what is said, where another split is right."""
    due = table.demands
    for j, demand in enumerate(due):
        said = [spend for spend in given if spend.part == j]
        if said and demand.term.number != "any" and sum(spend.n for spend in said) > demand.amount:
            return "overpaid", j, ()
        for spend in said:
            if spend.as_ not in demand.asset.accepts:
                return f"part.{demand.asset.id}", j, ()
        if said and next(splits(table, said), None) is None:
            for role in (*_ROLES, "part"):
                if next(splits(table, said, None, _Slack(frozenset({role}))), None) is not None:
                    return (f"part.{demand.asset.id}" if role == "part" else role), j, ()
    return "splitting", 0, tuple(dict.fromkeys(bag.thing for bag in table.bags))
