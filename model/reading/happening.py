"""What happens in a case: acts, whose they are, and what is expected to come out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lawful.model.casefile import Expect
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.reading.desk import NUMBER, Desk
from lawful.model.reading.faults import shown
from lawful.model.reading.steps import read_steps
from lawful.model.reading.yamltext import Node

KEYS = ("do", "player", "source", "with", "cause")
CHOOSING = ("targets", "modes", "resolving")
CHOSEN = ("legal_targets", "refused", "repairs", "reasons")
OUTCOME = ("state", "order", "by")


def asks_for_order(case: Node) -> bool:
    """Tell whether a case says what happens, and not what is declared.

    `do` can be both: a text whose choices are looked at, or one that is carried out. It is the former where the case
    says or expects choices, or says so itself with `ask`.
    """
    when, then = _keys(case, "when"), _keys(case, "then")
    if "ask" in when:
        return when["ask"].value == "order"
    chosen = any(key in when for key in CHOOSING) or any(key in then for key in CHOSEN)
    return "events" in when or ("do" in when and not chosen)


def _keys(case: Node, key: str) -> dict[str, Node]:
    found = case.find(key)
    return found.value if found is not None and isinstance(found.value, dict) else {}


def read_events(desk: Desk, when: Node, position: Position, player: str) -> tuple[Happening, ...]:
    """Read `do`, or `events`, a list of such.

    Parameters
    ----------
    desk : Desk
        Reads and notes faults.
    when : Node
        With `do`, `player`, `source`, `with`, `cause`; or with `events`, each with these keys.
    position : Position
        Who and what is there.
    player : str
        Whose text it is where none is said.

    Returns
    -------
    tuple of Happening
        In the order written.
    """
    found = when.value if isinstance(when.value, dict) else {}
    if "events" in found:
        for key in found:
            if key not in ("events", "player", "ask"):
                desk.faults.add(f"{shown(key)} stands beside 'events'", when.key(key), "put it into one of the events")
        return tuple(_event(desk, item, position, player) for item in desk.items(found["events"], "events"))
    for key in found:
        if key not in (*KEYS, "ask"):
            desk.faults.add(f"{shown(key)} stands beside 'do'", when.key(key), "a case asks one thing")
    one = {key: item for key, item in found.items() if key != "ask"}
    return (_event(desk, Node(one, when.line, when.column, when.keys), position, player),)


def _event(desk: Desk, node: Node, position: Position, player: str) -> Happening:
    parts = desk.fields(node, "an event", KEYS, ("do",))
    names = [p.name for p in position.players]
    by = desk.word(parts["player"], "player", names) if "player" in parts else player
    source = _named(desk, parts["source"], position) if "source" in parts else None
    bound = desk.mapping(parts["with"], "with") if "with" in parts else {}
    bindings = {key: _bound(desk, item, position) for key, item in bound.items()}
    do = read_steps(desk, parts["do"], "do", bindings) if "do" in parts and parts["do"].value is not None else ()
    cause = desk.text(parts["cause"], "cause") if "cause" in parts else None
    return Happening(do, by, source, FrozenMap(bindings), cause)


def _bound(desk: Desk, node: Node, position: Position) -> str | int:
    if isinstance(node.value, str) and NUMBER.fullmatch(node.value):
        return desk.number(node, "with")
    return _named(desk, node, position)


def _named(desk: Desk, node: Node, position: Position) -> str:
    """Read the id of an object, or the name of a player."""
    known = [t.id for t in position.things] + [p.name for p in position.players]
    return desk.word(node, "object", known)


def read_outcomes(desk: Desk, node: Node | None, question: OrderQuestion) -> Expect:
    """Read what is expected to come out.

    Parameters
    ----------
    desk : Desk
        Reads and notes faults.
    node : Node, optional
        `then` of the case.
    question : OrderQuestion
        What happens.

    Returns
    -------
    Expect
        `outcomes` (all of them), `ever`, `never`, `always` as lists of states, a state being a mapping of paths to
        values: ``{Bear.power: 3, Bear.zone: arena, Ann.pool.r: 1}``.
    """
    found = node.value if node is not None and isinstance(node.value, dict) else {}
    reader = _States(desk, question)
    readers: dict[str, Callable[[Node], Any]] = {
        "verdict": lambda item: item.value,
        "complete": lambda item: desk.flag(item, "complete"),
        "confluent": lambda item: desk.flag(item, "confluent"),
        "silences": lambda item: [] if item.value in (None, "") else list(desk.words(item, "silences")),
        "assumed": lambda item: [] if item.value in (None, "") else list(desk.words(item, "assumed")),
        "applied": lambda item: list(desk.words(item, "applied")),
        **dict.fromkeys(("edges", "no_edges"), reader.edges),
        **dict.fromkeys(("outcomes", "ever", "never"), reader.outcomes),
        "always": reader.state,
        "readings": reader.readings,
        **{key: partial(desk.number, what=key) for key in ("count", "loops", "paradoxes", "ambiguities")},
    }
    for key in found:
        if key not in readers:
            assert node is not None
            desk.faults.unknown("key", key, list(readers), node.key(key))
    return Expect({key: readers[key](item) for key, item in found.items() if key in readers})


class _States:
    """Reads states of a position."""

    def __init__(self, desk: Desk, question: OrderQuestion) -> None:
        self.desk, self.question = desk, question
        position = question.position
        self.known = [t.id for t in position.things] + [p.name for p in position.players]

    def outcomes(self, node: Node) -> list[dict[str, Any]]:
        """Read states, each alone or with its `order` and who chose it (`by`)."""
        found = []
        for item in self.desk.items(node, "outcomes"):
            keys = item.value if isinstance(item.value, dict) else {}
            if "state" in keys:
                parts = self.desk.fields(item, "an outcome", OUTCOME)
                one: dict[str, Any] = {"state": self.state(parts["state"])}
                if "order" in parts:
                    one["order"] = list(self.desk.words(parts["order"], "order"))
                if "by" in parts:
                    one["by"] = self.desk.text(parts["by"], "by")
                found.append(one)
            else:
                found.append({"state": self.state(item)})
        return found

    def state(self, node: Node) -> dict[str, str]:
        """Read what is said of a position, as texts; the objects and players must be there."""
        if node.value is None:
            return {}
        found = self.desk.mapping(node, "a state")
        for path in found:
            if not any(path.startswith(f"{name}.") for name in self.known):
                near = self.desk.faults.near(path.partition(".")[0], self.known)
                self.desk.faults.add(f"unknown object {shown(path.partition('.')[0])}", node.key(path), near)
        return {path: str(item.value) for path, item in found.items()}

    def edges(self, node: Node) -> list[dict[str, str]]:
        """Read edges of the graph by what they join."""
        return [self.desk.lookup(item, "an edge") for item in self.desk.items(node, "edges")]

    def readings(self, node: Node) -> dict[str, Any]:
        """Read what comes out under each reading: its states."""
        points = self.question.ruleset.open_points
        names = [f"{p.id}: {r.name}" for p in points for r in p.readings]
        names += [r.name for p in points for r in p.readings]
        found: dict[str, Any] = {}
        for name, item in self.desk.mapping(node, "readings").items():
            if name not in names:
                self.desk.faults.unknown("reading", name, names, node.key(name))
            found[name] = self.outcomes(item)
        return found
