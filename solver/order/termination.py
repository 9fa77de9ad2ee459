"""Whether triggers can go on for ever: what every turn of a circle uses up, and nothing gives back, is a proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.effect import Prevention, Replacement, Trigger
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.solver.order.board import Boards
from lawful.solver.order.graph import acts_of, events_of
from lawful.solver.order.tides import FREE, Tides


@dataclass(frozen=True, slots=True)
class _Edge:
    """That a firing of one root can be followed by one of another; what is surely less by then, of each act it may be.

    A root is a trigger or a check. Each of `lowers` is the sums of which one at least has fallen; where one of them is
    empty, nothing need have.
    """

    from_: str
    to: str
    lowers: frozenset[frozenset[str]]


def certificate(boards: Boards, position: Position) -> FrozenMap[str, int] | None:
    """Return what proves that triggers end, None where no proof was found.

    Parameters
    ----------
    boards : Boards
        The rules.
    position : Position
        Its cards, wherever they are, may all come to trigger.

    Returns
    -------
    mapping of str to int, or None
        By what is used up: ``counters gold``, ``pool``, ``in play``; the higher number comes first. Empty where no
        trigger can set off a circle.

    Notes
    -----
    Whatever goes on for ever is a chain of triggers and checks, each set off by what happened in the one before it, or
    a check by whatever there is then. Replacements are part of what they replace: they are applied once to one original
    event, and what was replaced wholly has not lowered anything.

    A sum that nothing in a circle raises cannot fall for ever. So a bond that lowers it is followed so many times only,
    and is taken away; what then goes on for ever is less, and may raise less. If no circle is left in the end, there is
    an end. What was taken away first has the highest number: a sum of a lower one may rise only as often as one of a
    higher falls.
    """
    found = _Circles(boards, position)
    used: list[list[str]] = []
    edges = found.edges
    while True:
        edges = _turning(edges)
        if not edges:
            break
        raised = found.raised({edge.from_ for edge in edges} | {edge.to for edge in edges})
        left = [e for e in edges if not _falls(e, raised) and not (e.to in found.limited and "in play" not in raised)]
        if len(left) == len(edges):
            return None
        fallen = {name for e in edges if _falls(e, raised) for names in e.lowers for name in names - raised}
        used.append(sorted(fallen - {name for names in used for name in names}))
        edges = left
    used = [names for names in used if names]
    return FrozenMap({name: len(used) - n for n, names in enumerate(used) for name in names})


def _falls(edge: _Edge, raised: frozenset[str]) -> bool:
    return all(names - raised for names in edge.lowers)


def _turning(edges: Iterable[_Edge]) -> list[_Edge]:
    """Return the bonds in circles, and between what a circle can set off again and again."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    edges = list(edges)
    graph.add_edges_from((e.from_, e.to) for e in edges)
    parts = nx.strongly_connected_components(graph)
    ringed = {n for part in parts for n in part if len(part) > 1 or graph.has_edge(n, n)}
    again = ringed.union(*(nx.descendants(graph, n) for n in ringed))
    return [e for e in edges if e.from_ in again]


class _Circles:
    """The roots of what goes on, and which can be followed by which."""

    def __init__(self, boards: Boards, position: Position) -> None:
        self.rules = rules = boards.rules
        printed = {f"{name}/{i}": a for name, card in position.cards.items() for i, a in enumerate(card.abilities)}
        able = {id: a for id, a in printed.items() if isinstance(a, Trigger | Replacement)}
        ours = {f"the rules/{i}": a for i, a in enumerate(rules.replacements)}
        first = {tier.name for tier in rules.ordering.tiers if tier.when == "before"}
        # What comes before an event is part of it, as what replaces it is.
        self._inner: dict[str, Trigger | Replacement] = {
            id: a for id, a in (able | ours).items() if isinstance(a, Replacement) or a.tier in first
        }
        self._triggers = {id: a for id, a in able.items() if isinstance(a, Trigger) and a.tier not in first}
        self._checks = {f"check {n}": act for n, act in enumerate(rules.checks)}
        # An object that leaves play and comes back is a new one, whose limits are unused.
        self.limited = {id for id, a in self._triggers.items() if a.limit is not None}
        shields = [*rules.preventions, *(a for a in printed.values() if isinstance(a, Prevention))]
        self._shielded = {shield.on.event for shield in shields}
        outcome = [a for a in self._inner.values() if isinstance(a, Replacement) and a.kind == "outcome"]
        self._idle = {a.on.event for a in outcome}
        self._tides = Tides(rules, position)
        self._parts = {id: self._part(a.do) for id, a in self._triggers.items()}
        self._parts |= {id: self._part((act,)) for id, act in self._checks.items()}
        self.edges = list(self._edges())

    def raised(self, roots: Iterable[str]) -> frozenset[str]:
        """Return the sums that anything done by some roots can raise."""
        return frozenset(name for id in roots for act in self._parts[id] for name in self._tides.of(act).raises)

    def _part(self, acts: Iterable[Act]) -> list[Act]:
        """Return all that can be done where some acts are: they, and what comes instead of them, or before them."""
        found, open_ = list[Act](), list(acts)
        seen: set[str] = set()
        while open_:
            act = open_.pop()
            found.append(act)
            names = set(events_of(act, self.rules))
            for id, ability in self._inner.items():
                if id not in seen and ability.on.event in names:
                    seen.add(id)
                    open_ += acts_of(ability)
        return found

    def _edges(self) -> Iterator[_Edge]:
        hear: dict[str, list[str]] = {}
        for id, ability in self._triggers.items():
            hear.setdefault(ability.on.event, []).append(id)
        for id, acts in self._parts.items():
            for act in acts:
                names = set(events_of(act, self.rules))
                for other in {other for name in names for other in hear.get(name, ())}:
                    # What is heard has happened, unless its outcome alone was replaced.
                    falls = frozenset() if names & self._idle else self._tides.of(act).lowers
                    yield _Edge(id, other, frozenset({falls}))
            # A check is done where anything has changed; after a check, where that check has changed something.
            for check in self._checks:
                changes = self._changes(acts) if id in self._checks else frozenset({frozenset[str]()})
                # A check that nothing replaces does its own work so many times, and needs no proof for that.
                if id != check or len(acts) > 1 or not all(changes):
                    yield _Edge(id, check, changes)

    def _changes(self, acts: Iterable[Act]) -> frozenset[frozenset[str]]:
        """Return what is less where some acts have changed anything: by one of them, or by a shield or limit used."""
        found: set[frozenset[str]] = set()
        for act in acts:
            names = set(events_of(act, self.rules))
            if names & (self._idle | self._shielded) or self._limited_before(names):
                found.add(frozenset())
            elif act.verb not in FREE:
                found.add(self._tides.of(act).lowers)
        return frozenset(found)

    def _limited_before(self, names: set[str]) -> bool:
        before = (a for a in self._inner.values() if isinstance(a, Trigger) and a.limit is not None)
        return any(a.on.event in names for a in before)
