"""The YAML spelling of abilities, both ways."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias, get_args

from lawful.model.cost import CostAll
from lawful.model.effect import (
    Ability,
    Activated,
    Additional,
    Alternative,
    Modifier,
    Norm,
    Operation,
    Prevention,
    Replacement,
    Source,
    Static,
    Trigger,
)
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.reading.desk import Desk
from lawful.model.reading.spelling_costs import dump_acts, dump_cost, read_acts, read_cost, read_gain
from lawful.model.reading.spelling_terms import (
    SELECTOR_KEYS,
    dump_condition,
    dump_expression,
    dump_object,
    dump_pattern,
    dump_selector,
    is_ref,
    read_condition,
    read_expression,
    read_pattern,
    read_ref,
    read_selector,
)
from lawful.model.reading.yamltext import Data, Node
from lawful.model.selector import Pattern, Selector

CHOICE = re.compile(r"choice \d+")
OPERATIONS = get_args(Operation)
MODALITIES = ("must", "cannot", "may")
Worded: TypeAlias = Trigger | Replacement | Prevention | Activated | Additional | Alternative


class _Parts:
    """The keys of one ability, read one by one."""

    def __init__(self, desk: Desk, node: Node, what: str, keys: tuple[str, ...], needed: tuple[str, ...]) -> None:
        self.desk, self.what = desk, what
        self.found = desk.fields(node, what, keys, needed)
        self.get: dict[str, Any] = {}

    def read(self, key: str, reader: Callable[[Desk, Node], Any], field: str | None = None) -> None:
        if key in self.found:
            self.get[field or key] = reader(self.desk, self.found[key])

    def text(self, key: str) -> None:
        self.read(key, lambda desk, node: desk.text(node, key))

    def flag(self, key: str) -> None:
        self.read(key, lambda desk, node: desk.flag(node, key))

    def words(self, key: str) -> None:
        self.read(key, lambda desk, node: desk.words(node, key))


def _acts(what: str) -> Callable[[Desk, Node], Any]:
    return lambda desk, node: read_acts(desk, node, what)


def read_source(desk: Desk, node: Node) -> Source:
    """Read a source of assets: `name`, `of`, `when`, `for`, `cost`, `gain`, `limit`."""
    parts = _Parts(desk, node, "a source", ("name", "of", "when", "for", "cost", "gain", "limit"), ("gain",))
    parts.text("name")
    parts.read("of", read_selector)
    parts.read("when", read_condition)
    parts.read("for", read_selector, "for_")
    parts.read("cost", read_cost)
    parts.read("gain", lambda d, n: _read_yields(d, n) if is_ref(n) else read_gain(d, n, "gain"))
    parts.read("limit", lambda d, n: d.number(n, "limit"))
    return Source(**{"gain": FrozenMap(), **parts.get})


def _read_yields(desk: Desk, node: Node) -> Ref:
    """Read what a source gives by reference: what a card yields."""
    found = read_ref(desk, node, "gain")
    if found.path != ("yields",):
        desk.faults.add(f"a source cannot gain {found}", node, "write $self.yields, or amounts")
    return found


def dump_source(source: Source) -> dict[str, Data]:
    """Spell a source."""
    data: dict[str, Data] = {} if source.name == "source" else {"name": source.name}
    if source.of is not None:
        data["of"] = dump_selector(source.of)
    if source.when is not None:
        data["when"] = dump_condition(source.when)
    if source.for_ is not None:
        data["for"] = dump_selector(source.for_)
    if source.cost != CostAll():
        data["cost"] = dump_cost(source.cost)
    gain = source.gain
    data["gain"] = str(gain) if isinstance(gain, Ref) else {key: dump_expression(n) for key, n in gain.items()}
    if source.limit is not None:
        data["limit"] = str(source.limit)
    return data


def read_modifier(desk: Desk, node: Node) -> Modifier:
    """Read ``{modify: cost.r, stage: increase, add: 1, of: {declaration: {by: $controller}}}``."""
    keys = ("modify", "stage", "of", "while", *OPERATIONS)
    parts = _Parts(desk, node, "a modifier", keys, ("modify", "stage"))
    operations = [key for key in parts.found if key in OPERATIONS]
    if len(operations) != 1 and isinstance(node.value, dict):
        desk.faults.add(f"a modifier does one of: {', '.join(OPERATIONS)}", node)
    parts.text("modify")
    parts.read("stage", lambda d, n: d.word(n, "stage", d.names.stages))
    parts.read("of", _read_whose)
    parts.read("while", read_condition, "while_")
    operation = operations[0] if operations else "add"
    path = parts.get.setdefault("modify", "")
    asset = path.removeprefix("cost.")
    if path.startswith("cost.") and asset not in desk.names.assets:
        desk.faults.unknown("asset", asset, desk.names.assets, parts.found["modify"])
    if path in ("cost", "base.cost"):
        desk.faults.add(
            "what a card costs is what is printed; a part of what is due is modified",
            parts.found["modify"], "write " + " or ".join(f"cost.{asset}" for asset in desk.names.assets),
        )  # fmt: skip
    amount = read_expression(desk, parts.found[operation], operation) if operations else 0
    return Modifier(**{"stage": "", **parts.get, "operation": operation, "amount": amount})


def _read_whose(desk: Desk, node: Node) -> Ref | Selector | Pattern:
    """Read whose number it is: a mapping with one key that is no field, and a mapping below, is a pattern."""
    if not isinstance(node.value, dict):
        return read_ref(desk, node, "of")
    if len(node.value) == 1:
        ((key, item),) = node.value.items()
        if key not in SELECTOR_KEYS and isinstance(item.value, dict):
            return read_pattern(desk, node)
    return read_selector(desk, node)


def dump_modifier(modifier: Modifier) -> dict[str, Data]:
    """Spell a modifier."""
    data: dict[str, Data] = {"modify": modifier.modify, "stage": modifier.stage}
    data[modifier.operation] = dump_expression(modifier.amount)
    if isinstance(modifier.of, Pattern):
        data["of"] = dump_pattern(modifier.of, full=True)
    elif modifier.of is not None:
        data["of"] = dump_object(modifier.of)
    if modifier.while_ is not None:
        data["while"] = dump_condition(modifier.while_)
    return data


def _read_static(desk: Desk, node: Node) -> Static:
    if isinstance(node.value, dict):
        modal = [key for key in node.value if key in MODALITIES]
        if modal:
            parts = _Parts(desk, node, "a norm", (modal[0], "while", "unless"), ())
            parts.read(modal[0], read_pattern, "action")
            parts.read("while", read_condition, "while_")
            parts.read("unless", read_condition)
            return Static(Norm(modal[0], **parts.get))  # type: ignore[arg-type]
    return Static(read_modifier(desk, node))


def _read_trigger(desk: Desk, node: Node) -> Trigger:
    parts = _Parts(desk, node, "a trigger", ("on", "do", "when", "optional"), ("on", "do"))
    parts.read("on", read_pattern)
    parts.read("do", _acts("do"))
    parts.read("when", read_condition)
    parts.flag("optional")
    return Trigger(**{"on": Pattern(""), "do": (), **parts.get})


def _read_replacement(desk: Desk, node: Node) -> Replacement:
    parts = _Parts(desk, node, "a replacement", ("on", "instead", "when", "optional"), ("on", "instead"))
    parts.read("on", read_pattern)
    parts.read("instead", _acts("instead"))
    parts.read("when", read_condition)
    parts.flag("optional")
    return Replacement(**{"on": Pattern(""), "instead": (), **parts.get})


def _read_prevention(desk: Desk, node: Node) -> Prevention:
    parts = _Parts(desk, node, "a prevention", ("on", "n", "per", "optional"), ("on", "n"))
    parts.read("on", read_pattern)
    parts.read("n", lambda d, n: read_expression(d, n, "n"))
    parts.read("per", lambda d, n: d.word(n, "per", ("event", "total")))
    parts.flag("optional")
    return Prevention(**{"on": Pattern(""), "n": 0, **parts.get})


def _read_activated(desk: Desk, node: Node) -> Activated:
    parts = _Parts(desk, node, "an ability", ("name", "cost", "do", "types", "when"), ("cost",))
    parts.text("name")
    parts.read("cost", read_cost)
    parts.read("do", _acts("do"))
    parts.words("types")
    parts.read("when", read_condition)
    return Activated(**{"cost": CostAll(), **parts.get})


def _read_additional(desk: Desk, node: Node) -> Additional:
    parts = _Parts(desk, node, "an additional cost", ("name", "cost", "optional"), ("cost",))
    parts.text("name")
    parts.read("cost", read_cost)
    parts.flag("optional")
    return Additional(**{"cost": CostAll(), **parts.get})


def _read_alternative(desk: Desk, node: Node) -> Alternative:
    parts = _Parts(desk, node, "an alternative cost", ("name", "cost", "replaces"), ("cost", "replaces"))
    parts.text("name")
    parts.read("cost", read_cost)
    parts.read("replaces", lambda d, n: d.words(n, "asset", d.names.assets))
    return Alternative(**{"cost": CostAll(), "replaces": (), **parts.get})


READERS: dict[str, Callable[[Desk, Node], Ability]] = {
    "static": _read_static,
    "trigger": _read_trigger,
    "source": read_source,
    "replace": _read_replacement,
    "prevent": _read_prevention,
    "activate": _read_activated,
    "additional": _read_additional,
    "alternative": _read_alternative,
}


def read_ability(desk: Desk, node: Node) -> Ability | None:
    """Read an ability: a mapping with one key, its kind."""
    found = desk.fields(node, "an ability", READERS)
    if len(found) != 1:
        if isinstance(node.value, dict) and (found or not node.value):
            desk.faults.add("an ability has one key, its kind", node, "one of: " + ", ".join(READERS))
        return None
    ((kind, item),) = found.items()
    return READERS[kind](desk, item)


def read_abilities(desk: Desk, node: Node) -> tuple[Ability, ...]:
    """Read the abilities of a card; what a payment names (sources, options) has to be told apart by its name."""
    found: list[Ability] = []
    seen: set[tuple[str, str]] = set()
    for item in desk.items(node, "abilities"):
        ability = read_ability(desk, item)
        if ability is None:
            continue
        found.append(ability)
        kind = named_kind(ability)
        if kind is None:
            continue
        assert isinstance(ability, Source | Additional | Alternative)
        if kind == "option" and CHOICE.fullmatch(ability.name):
            desk.faults.add(
                f"{ability.name!r} is how the choices of an either-or are named", item, "give it another name"
            )
        elif (kind, ability.name) in seen:
            desk.faults.add(f"two {kind}s of one card have the name {ability.name!r}", item, "give each a `name`")
        seen.add((kind, ability.name))
    return tuple(found)


def named_kind(ability: Ability) -> str | None:
    """Return what a payment calls an ability by its name as: a source, an option; None where it does not."""
    if isinstance(ability, Source):
        return "source"
    option = isinstance(ability, Alternative) or (isinstance(ability, Additional) and ability.optional)
    return "option" if option else None


def dump_ability(ability: Ability) -> dict[str, Data]:
    """Spell an ability."""
    if isinstance(ability, Source):
        return {"source": dump_source(ability)}
    if isinstance(ability, Static):
        if isinstance(ability.effect, Modifier):
            return {"static": dump_modifier(ability.effect)}
        norm: dict[str, Data] = {ability.effect.modality: dump_pattern(ability.effect.action)}
        if ability.effect.while_ is not None:
            norm["while"] = dump_condition(ability.effect.while_)
        if ability.effect.unless is not None:
            norm["unless"] = dump_condition(ability.effect.unless)
        return {"static": norm}
    kind, data = _dump_parts(ability)
    for key in ("types", "replaces"):
        words = getattr(ability, key, ())
        if words:
            data[key] = list(words)
    when = getattr(ability, "when", None)
    if when is not None:
        data["when"] = dump_condition(when)
    if getattr(ability, "optional", False):
        data["optional"] = "true"
    return {kind: data}


def _dump_parts(
    ability: Trigger | Replacement | Prevention | Activated | Additional | Alternative,
) -> tuple[str, dict[str, Data]]:
    if isinstance(ability, Trigger):
        return "trigger", {"on": dump_pattern(ability.on), "do": dump_acts(ability.do)}
    if isinstance(ability, Replacement):
        return "replace", {"on": dump_pattern(ability.on), "instead": dump_acts(ability.instead)}
    if isinstance(ability, Prevention):
        per = {"per": ability.per}
        return "prevent", {"on": dump_pattern(ability.on), "n": dump_expression(ability.n), **per}
    data: dict[str, Data] = {"name": ability.name, "cost": dump_cost(ability.cost)}
    if isinstance(ability, Activated):
        return "activate", {**data, **({"do": dump_acts(ability.do)} if ability.do else {})}
    if isinstance(ability, Alternative):
        return "alternative", {**data, "replaces": list(ability.replaces)}
    return "additional", data
