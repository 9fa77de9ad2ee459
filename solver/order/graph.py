"""The dependency graph: effects and steps as nodes; what bears on what, why, and by which rule, as edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal

from lawful.model.act import Act
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Grant, Modifier, Norm, Prevention, Replacement, Static, Trigger
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.ordered import Graph, GraphEdge, GraphNode, Sign
from lawful.model.position import Position
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.model.verdict import Message
from lawful.model.walking import every
from lawful.solver.order.applying import Applying, writes
from lawful.solver.order.board import Board, Boards, Effect, base_board, own, whose
from lawful.solver.order.change import operand
from lawful.solver.order.facts import located, named
from lawful.solver.order.saying import act_says, effect_says
from lawful.solver.order.view import CALLED

Able = Trigger | Replacement | Prevention


def graph_of(question: OrderQuestion, boards: Boards) -> Graph:
    """Return what depends on what at the start of a question.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    boards : Boards
        The rules.

    Returns
    -------
    Graph
        Nodes in the order of the position, then checks, then steps; edges in the order in which they were found; every
        circle of dependencies as a set of nodes.

    Notes
    -----
    Reads and writes are found in the data first, by name. Two static effects that touch a common name are then tried on
    the position: there is an edge if applying the one changes what the other does.
    """
    builder = _Builder(question, boards)
    builder.statics()
    builder.hearers()
    builder.steps()
    builder.ties()
    return Graph(tuple(builder.nodes.values()), tuple(builder.edges), _circles(builder))


def _circles(builder: _Builder) -> tuple[tuple[str, ...], ...]:
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(builder.nodes)
    graph.add_edges_from((edge.from_, edge.to) for edge in builder.edges if edge.binds)
    place = {id: n for n, id in enumerate(builder.nodes)}
    knots = [sorted(k, key=place.__getitem__) for k in nx.strongly_connected_components(graph)]
    rings = [tuple(k) for k in knots if len(k) > 1 or graph.has_edge(k[0], k[0])]
    return tuple(sorted(rings, key=lambda ring: place[ring[0]]))


class _Builder:
    """Collects nodes and edges."""

    def __init__(self, question: OrderQuestion, boards: Boards) -> None:
        self.question, self.boards, self.rules = question, boards, question.ruleset
        self.position: Position = question.position
        self.nodes: dict[str, GraphNode] = {}
        self.edges: list[GraphEdge] = []
        self.effects = boards.effects(self.position)
        self.able: dict[str, Able] = {}
        self._hear: dict[str, list[str]] = {}
        self._joined: set[tuple[str, str]] = set()
        self._read: set[tuple[str, str, str]] = set()

    def edge(self, from_: str, to: str, kind: str, why: str, role: str, sign: Sign = "?", **params: str) -> None:
        """Add an edge, with its reason and the rule of a role, where the ruleset has one."""
        rule = self.rules.rule(role)
        cited = rule.id if rule.cites else None
        message = Message(why, FrozenMap(params))
        self.edges.append(GraphEdge(from_, to, kind, message, sign, cited))  # type: ignore[arg-type]

    # static effects

    def statics(self) -> None:
        """Add static effects, and which of them changes what another does."""
        for e in self.effects:
            kind = "norm" if isinstance(e.what, Norm) else "static"
            self.nodes[e.key] = GraphNode(e.key, kind, effect_says(e.what), "" if e.lasting else e.source)  # type: ignore[arg-type]
        there = [e for e in self.effects if not isinstance(e.what, Norm)]
        there = [e for e in there if not (isinstance(e.what, Modifier) and e.what.modify.partition(".")[0] == "cost")]
        readers: dict[str, list[Effect]] = {}
        for e in there:
            names = named(e.what) | ({"abilities"} if self.boards.grants and not e.lasting else set())
            for name in names:
                readers.setdefault(name, []).append(e)
        applying = Applying(self.boards, self.position, there)
        board = base_board(self.position, self.boards)
        after = self.boards.of(self.position)
        for e in there:
            found: dict[str, tuple[Effect, list[str]]] = {}
            for name in sorted(writes(e)):
                for reader in readers.get(name, ()):
                    found.setdefault(reader.key, (reader, []))[1].append(name)
            for key, (reader, shared) in found.items():
                sign = _sign(applying, e, reader, board) or _sign(applying, e, reader, after)
                if sign is not None:
                    self.edge(
                        e.key, key, "changes", "order.changes", "effects.dependency", sign, facts=", ".join(shared)
                    )

    # what hears events

    def hearers(self) -> None:
        """Add triggers, replacements and preventions, what static effects change for them, and whom they hear."""
        for thing, i, ability in self.boards.working(self.position):
            if isinstance(ability, Able):
                id = f"{thing.id}/{i}"
                self.able[id] = ability
                self.nodes[id] = GraphNode(id, _kind(ability), effect_says(ability), thing.id)
        for n, check in enumerate(self.rules.checks):
            id = f"check {n + 1}"
            self.nodes[id] = GraphNode(id, "check", act_says(check))
        hear: dict[str, list[str]] = {}
        for id, ability in self.able.items():
            hear.setdefault(ability.on.event, []).append(id)
        self._hear = hear
        self._readers()
        for id, ability in self.able.items():
            for act in acts_of(ability):
                about = self.boards.index(self.position)[self.nodes[id].about]
                self._causes(id, act, "produces", own(about))
                self._bars(id, act)
        for n, check in enumerate(self.rules.checks):
            self._causes(f"check {n + 1}", check, "produces")

    def _readers(self) -> None:
        """Add what static effects change that decides what an ability hears, or a norm is about."""
        writers: dict[str, list[tuple[str | None, Effect]]] = {}
        for e in self.effects:
            for name in writes(e):
                writers.setdefault(name, []).append((whose(e), e))
        readers: list[tuple[str, object, Mapping[str, object]]] = []
        for id, ability in self.able.items():
            number = getattr(ability, "n", None)
            thing = self.boards.index(self.position)[self.nodes[id].about]
            readers.append((id, (ability.on, getattr(ability, "when", None), number), own(thing)))
        readers += [(e.key, e.what, e.bound) for e in self.effects if isinstance(e.what, Norm)]
        for id, text, bound in readers:
            for name, of in sorted(located(text, bound), key=lambda place: (place[0], place[1] or "")):
                for written, e in writers.get(name, ()):
                    if (of is None or written is None or of == written) and (e.key, id, name) not in self._read:
                        self._read.add((e.key, id, name))
                        self.edge(e.key, id, "reads", "order.reads", "effects.update", facts=name)

    def _bars(self, id: str, act: Act) -> None:
        """Add the norms that keep what a step does from happening, or from being done to whom it would be."""
        names = {*events_of(act, self.rules)}
        names |= {called for verb in self.rules.verbs if verb.name == act.verb for called in verb.events(act.what)}
        for part in (act.what, act.of):
            if isinstance(part, Selector) and (act.verb == "choose" or part.how in ("choose", "target")):
                names |= {"choose", part.how}
        for e in self.effects:
            what = e.what
            if isinstance(what, Norm) and what.modality == "cannot" and what.action.event in names:
                guards = what.action.source is not None and what.action.event == "wounds"
                role = "effects.protection" if guards else "effects.norms"
                self.edge(e.key, id, "bars", "order.bars", role, "-", event=what.action.event)

    def _causes(self, id: str, act: Act, kind: str, bound: Mapping[str, object] = FrozenMap()) -> None:
        done_to = None if act.verb == "draw" else self._meant(operand(act), bound)
        for name in dict.fromkeys(events_of(act, self.rules)):
            for heard in self._hear.get(name, ()):
                if (id, heard) in self._joined:
                    continue
                ability = self.able[heard]
                thing = self.boards.index(self.position)[self.nodes[heard].about]
                about = self._meant(ability.on.subject, own(thing))
                # What is done to one object is not heard by what speaks of another.
                if done_to is not None and about is not None and done_to.isdisjoint(about):
                    continue
                role = {"trigger": "triggers", "replacement": "replacements", "prevention": "preventions"}
                why = self.nodes[heard].kind
                self._joined.add((id, heard))
                says = f"order.produces.{why}" if kind == "produces" else f"order.matches.{why}"
                self.edge(id, heard, kind, says, f"effects.{role[_kind(ability)]}", event=name)

    def _meant(self, term: object, bound: Mapping[str, object]) -> frozenset[str] | None:
        """Return the only objects that a term can ever mean: by reference or by name; None where it may be any."""
        if isinstance(term, Ref) and not term.path:
            found = bound.get(term.name)
            return frozenset({found}) if isinstance(found, str) else None
        if isinstance(term, Selector) and term.name is not None:
            cards = self.position.cards
            named = (t for t in self.position.things if term.name in (t.card, cards[t.card].printed_name))
            return frozenset(t.id for t in named)
        return None

    # steps of texts

    def steps(self) -> None:
        """Add the steps of what happens: what they yield to each other, and the order of the text, which only ties."""
        for e, event in enumerate(self.question.events, 1):
            ids = []
            for n, act in enumerate(event.do, 1):
                id = f"step {e}.{n}" if len(self.question.events) > 1 else f"step {n}"
                self.nodes[id] = GraphNode(id, "step", act_says(act), event.source or "")
                ids.append(id)
                self._causes(id, act, "matches", _bound_of(event))
                self._bars(id, act)
            yielded: dict[str, str] = {}
            for id, act in zip(ids, event.do, strict=True):
                for name in needs(act):
                    if name in yielded:
                        sign: Sign = "-" if name == act.unless else "+"
                        self.edge(yielded[name], id, "needs", "order.needs", "effects.steps", sign, name=name)
                if act.as_ is not None:
                    yielded[act.as_] = id
            bound = {(edge.from_, edge.to) for edge in self.edges if edge.kind == "needs"}
            for one, two in pairwise(ids):
                if (one, two) not in bound:
                    self.edge(one, two, "then", "order.then", "effects.steps")

    def ties(self) -> None:
        """Add the order of timestamps between those that change the same number in the same stage."""
        groups: dict[tuple[str, str], list[Effect]] = {}
        for e in self.effects:
            if isinstance(e.what, Modifier):
                groups.setdefault((e.what.modify, e.what.stage), []).append(e)
        for group in groups.values():
            for one, two in pairwise(group):
                if one.stamp < two.stamp:
                    self.edge(one.key, two.key, "newer", "order.newer", "effects.stamps")


def _sign(applying: Applying, e: Effect, reader: Effect, board: Board) -> Sign | None:
    """Return how applying one effect bears on another, None where it does not, on this board."""
    does = applying.trial(e, board).does
    if not does:
        return None
    now, then = applying.trial(reader, board).does, applying.does_after(reader, e, does, board)
    if now == then:
        return None
    if set(now) < set(then):
        return "+"
    return "-" if set(then) < set(now) else "?"


def _bound_of(event: Happening) -> Mapping[str, object]:
    """Return what a text means from the start, without the names that its steps give."""
    steps = {act.as_ for act in event.do}
    bound: dict[str, object] = {name: to for name, to in event.bindings.items() if name not in steps}
    return bound if event.source is None else {**bound, "self": event.source}


def _kind(ability: Able) -> Literal["trigger", "replacement", "prevention"]:
    if isinstance(ability, Trigger):
        return "trigger"
    return "replacement" if isinstance(ability, Replacement) else "prevention"


def acts_of(ability: object) -> tuple[Act, ...]:
    """Return what an ability does."""
    if isinstance(ability, Trigger):
        return ability.do
    return ability.instead if isinstance(ability, Replacement) else ()


def events_of(act: Act, rules: Ruleset) -> Iterator[str]:
    """Yield the names of the events that doing an act can be: its verb, and what the verb is to what hears it."""
    yield act.verb
    yield from (name for verb in rules.verbs if verb.name == act.verb for name in sorted(verb.events(act.what)))
    yield from _crossing(act, rules)
    yield act.to if act.verb == "put" and isinstance(act.to, str) else CALLED.get(act.verb, act.verb)


def _crossing(act: Act, rules: Ruleset) -> Iterator[str]:
    """Yield what going into play, or out of it, is called, where an act may take an object there."""
    zones = {zone.name: zone for zone in rules.zones}
    verb = next((verb for verb in rules.verbs if verb.name == act.verb), None)
    to = zones.get(str(act.to if verb is None else verb.to))
    if to is not None and to.play:
        yield from () if to.entering is None else (to.entering,)
    elif to is not None:
        yield from sorted({zone.leaving for zone in rules.zones if zone.leaving is not None})


def needs(act: Act) -> Iterator[str]:
    """Yield the names that a step refers to: what an earlier one yielded, or that it was done."""
    yield from (name for name in (act.given, act.unless) if name is not None)
    for part in (act.what, act.of, act.to, act.n, act.when):
        yield from (ref.name.partition(" ")[0] for ref in every(part, Ref))


__all__ = ["Grant", "Static", "graph_of"]
