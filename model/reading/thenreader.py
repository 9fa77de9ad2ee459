"""What a case expects of the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawful.model.casefile import Expect, ExpectedPayment
from lawful.model.declaration import Question
from lawful.model.reading.claimreader import claim_from_node
from lawful.model.reading.desk import Desk
from lawful.model.reading.faults import shown
from lawful.model.reading.tablereader import read_pool
from lawful.model.reading.yamltext import Node

TEXTS = ("verdict", "level", "broken")
NUMBERS = ("count", "count_by_name", "minimal")
WAY_KEYS = ("sources", "steps", "given", "x", "options", "pool", "overpaid", "copies", "key")
OUTCOME_KEYS = ("pool", "overpaid", "x", "options")


class _Expectations:
    """Reads expectations about one question."""

    def __init__(self, desk: Desk, question: Question) -> None:
        self.desk, self.question, self.ruleset = desk, question, question.ruleset
        self.names = {name for thing in question.position.things for name in (thing.id, thing.card)}
        self.names |= {player.name for player in question.position.players}
        self.verbs = [verb.name for verb in self.ruleset.verbs]
        self.assets = {key: asset.id for asset in self.ruleset.assets for key in (asset.id, asset.name)}

    def data(self, node: Node) -> dict[str, Any]:
        """Read what is compared with the document of the answer."""
        readers: dict[str, Callable[[Node], Any]] = {
            **dict.fromkeys(TEXTS, lambda item: item.value),
            **{key: lambda item, key=key: self.desk.number(item, key) for key in NUMBERS},  # type: ignore[misc]
            "complete": lambda item: self.desk.flag(item, "complete"),
            "counts": lambda item: self.desk.amounts(item, "counts"),
            "pool": self.pool,
            "ways": lambda item: [self.way(way, WAY_KEYS) for way in self.desk.items(item, "ways")],
            "outcomes": lambda item: [self.way(one, OUTCOME_KEYS) for one in self.desk.items(item, "outcomes")],
            "reasons": self.reasons,
            "legal_targets": self.legal_targets,
            "refused": lambda item: {
                name: self.reasons(rules) for name, rules in self.desk.mapping(item, "refused").items()
            },
            "repairs": lambda item: [self.desk.lookup(one, "a repair") for one in self.desk.items(item, "repairs")],
        }
        found = node.value if isinstance(node.value, dict) else {}
        return {key: readers[key](item) for key, item in found.items() if key in readers}

    def pool(self, node: Node) -> dict[str, int]:
        return read_pool(self.desk, self.ruleset, node)

    def way(self, node: Node, keys: tuple[str, ...]) -> dict[str, Any]:
        """Read a way: some of its keys; an asset or a verb says what was used for it."""
        way: dict[str, Any] = {}
        parts = {**self.assets, **{verb: verb for verb in self.verbs}} if keys is WAY_KEYS else {}
        for key, item in self.desk.mapping(node, "a way").items():
            if key in ("pool", "overpaid") and key in keys:
                way[key] = self.pool(item)
            elif key == "x" and key in keys:
                plain = not isinstance(item.value, dict)
                way[key] = {"X": self.desk.number(item, "x")} if plain else self.desk.amounts(item, "x")
            elif key == "options" and key in keys:
                way[key] = sorted(self.words(item))
            elif key == "copies" and key in keys:
                way[key] = self.desk.number(item, key)
            elif key == "key" and key in keys:
                way[key] = self.desk.text(item, key)
            elif key == "sources" and key in keys:
                way[key] = self.objects(item)
            elif key == "given" and key in keys:
                way[key] = [self.pool(one) for one in self.desk.items(item, key)]
            elif key == "steps" and key in keys:
                way[key] = [self.step(step) for step in self.desk.items(item, key)]
            elif key in parts:
                way[parts[key]] = self.objects(item)
            else:
                self.desk.faults.unknown("key", key, [*keys, *parts], node.key(key))
        return way

    def step(self, node: Node) -> dict[str, Any]:
        """Read ``{pay: 3c, with: [k]}``."""
        found = self.desk.fields(node, "a step", ("pay", "with"))
        step: dict[str, Any] = {"pay": self.desk.text(found["pay"], "pay")} if "pay" in found else {}
        return {**step, "with": self.objects(found["with"])} if "with" in found else step

    def words(self, node: Node) -> list[str]:
        """Read words; nothing is no word."""
        return list(self.desk.words(node, "this")) if node.value not in (None, "") else []

    def objects(self, node: Node) -> list[str]:
        """Read names of objects, which must be there."""
        items = node.value if isinstance(node.value, list) else [node] if node.value is not None else []
        found = [(item, self.desk.text(item, "an object")) for item in items]
        for item, name in found:
            if name and name not in self.names:
                self.desk.faults.add(f"unknown object {shown(name)}", item, self.desk.faults.near(name, self.names))
        return [name for _, name in found]

    def reasons(self, node: Node) -> Any:
        """Read ``[[1.14.2c, 1.14.3a]]``, ``[1.14.2c]``: numbers or ids of rules."""
        items = node.value if isinstance(node.value, list) else [node] if node.value is not None else []
        return [
            [self.rule(part) for part in item.value] if isinstance(item.value, list) else self.rule(item)
            for item in items
        ]

    def legal_targets(self, node: Node) -> dict[str, list[str]]:
        """Read the objects that may be chosen: of each slot, or of the first."""
        if isinstance(node.value, dict):
            return {slot: self.objects(item) for slot, item in node.value.items()}
        return {"": self.objects(node)}

    def rule(self, node: Node) -> str:
        """Read a rule: its number as it is cited, or its id, which stands for its number."""
        name = self.desk.text(node, "a rule")
        for rule in self.ruleset.rules:
            if rule.id == name:
                return rule.cites.get(self.ruleset.version, name)
        return name

    def payments(self, node: Node, legal: bool) -> list[ExpectedPayment]:
        """Read payments that must be legal, or must not."""
        found = []
        for item in self.desk.items(node, "legal" if legal else "illegal"):
            keys = item.value if isinstance(item.value, dict) else {"pay": item}
            x = self.desk.number(keys["x"], "x") if "x" in keys else None
            options = self.words(keys["options"]) if "options" in keys else None
            pool = self.pool(keys["pool"]) if "pool" in keys else None
            started = self.desk.flag(keys["started"], "started") if "started" in keys else False
            pay = keys.get("pay", Node([], item.line, item.column))
            steps = Node([], pay.line, pay.column) if pay.value is None else pay
            claim = claim_from_node(self.desk, steps, self.question, x, options, pool, started)
            broken = self.rule(keys["broken"]) if "broken" in keys else None
            found.append(ExpectedPayment(claim, legal, broken, item.line))
        return found


def read_expect(desk: Desk, node: Node | None, question: Question) -> Expect:
    """Read `then`.

    Parameters
    ----------
    desk : Desk
        Reads and notes faults.
    node : Node, optional
        What is expected.
    question : Question
        What is asked.

    Returns
    -------
    Expect
        What is expected; numbers are numbers, assets are their ids, rules their numbers.
    """
    if node is None or not isinstance(node.value, dict):
        return Expect()
    reader, found = _Expectations(desk, question), node.value
    data = reader.data(node)
    if "broken" in data and "broken" in found:
        data["broken"] = reader.rule(found["broken"])
    payments = [
        payment
        for key in ("legal", "illegal")
        if key in found
        for payment in reader.payments(found[key], key == "legal")
    ]
    due = reader.pool(found["due"]) if "due" in found else None
    assumed = tuple(reader.words(found["assumed"])) if "assumed" in found else None
    points = [point.id for point in question.ruleset.open_points]
    for point in assumed or ():
        if point not in points:
            desk.faults.unknown("open point", point, points, found["assumed"])
    readings = _readings(desk, reader, found["readings"]) if "readings" in found else None
    return Expect(data, tuple(payments), due, assumed, readings)


def _readings(desk: Desk, reader: _Expectations, node: Node) -> dict[str, dict[str, Any]]:
    """Read what is expected under each reading: a verdict, a count, or a mapping as in `then`."""
    names = [f"{p.id}: {r.name}" for p in reader.ruleset.open_points for r in p.readings]
    names += [r.name for p in reader.ruleset.open_points for r in p.readings]
    readings: dict[str, dict[str, Any]] = {}
    for name, item in desk.mapping(node, "readings").items():
        if name not in names:
            desk.faults.unknown("reading", name, names, node.key(name))
        if isinstance(item.value, dict):
            readings[name] = reader.data(item)
        elif item.value in ("legal", "illegal", "undetermined"):
            readings[name] = {"verdict": item.value}
        else:
            readings[name] = {"count": desk.number(item, name)}
    return readings
