"""The YAML spelling of abilities, both ways."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias, get_args

from lawful.model.cost import Cost, CostAll, CostAny
from lawful.model.effect import (
    Ability,
    Activated,
    Additional,
    Alternative,
    Batch,
    Kind,
    Prevention,
    Replacement,
    Resolution,
    Source,
    Static,
    Trigger,
)
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.modes import Mode, Modes
from lawful.model.reading.desk import Desk
from lawful.model.reading.parts import Parts
from lawful.model.reading.spelling_costs import dump_acts, dump_cost, read_acts, read_cost, read_gain
from lawful.model.reading.spelling_statics import dump_effect, read_static
from lawful.model.reading.spelling_terms import (
    dump_condition,
    dump_expression,
    dump_pattern,
    dump_selector,
    is_ref,
    read_condition,
    read_expression,
    read_pattern,
    read_ref,
    read_selector,
)
from lawful.model.reading.steps import read_steps
from lawful.model.reading.yamltext import Data, Node
from lawful.model.selector import Pattern, Selector

CHOICE = re.compile(r"choice \d+")
Worded: TypeAlias = Trigger | Replacement | Prevention | Activated | Resolution | Additional | Alternative


def _acts(what: str) -> Callable[[Desk, Node], Any]:
    return lambda desk, node: read_acts(desk, node, what)


def _steps(what: str) -> Callable[[Desk, Node], Any]:
    return lambda desk, node: read_steps(desk, node, what)


def read_source(desk: Desk, node: Node) -> Source:
    """Read a source of assets: `name`, `of`, `when`, `for`, `cost`, `gain`, `limit`, `per`, `into` and its flags.

    ``gain: {of: {zone: discard}}`` is what the first object found yields.
    """
    keys = ("name", "of", "when", "for", "cost", "gain", "limit", "per", "into", "printed", "shared", "ability")
    parts = Parts(desk, node, "a source", keys, ("gain",))
    parts.text("name")
    parts.read("of", read_selector)
    parts.read("when", read_condition)
    parts.read("for", read_selector, "for_")
    parts.read("cost", read_cost)
    parts.read("gain", _read_source_gain)
    parts.read("limit", lambda d, n: d.number(n, "limit"))
    parts.text("per")
    if "per" in parts.get and "limit" not in parts.get:
        desk.faults.add("'per' is the span of a limit", node, "such as limit: 1, per: round")
    parts.words("into")
    parts.text("ability")
    parts.flag("printed")
    parts.flag("shared")
    return Source(**{"gain": FrozenMap(), **parts.get})


def _read_source_gain(desk: Desk, node: Node) -> Any:
    if is_ref(node):
        found = read_ref(desk, node, "gain")
        if found.path != ("yields",):
            desk.faults.add(f"a source cannot gain {found}", node, "write $self.yields, or amounts")
        return found
    of = node.find("of") if isinstance(node.value, dict) and "of" not in desk.names.assets else None
    return read_gain(desk, node, "gain") if of is None else read_selector(desk, of)


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
    if isinstance(gain, Selector):
        data["gain"] = {"of": dump_selector(gain)}
    else:
        data["gain"] = str(gain) if isinstance(gain, Ref) else {key: dump_expression(n) for key, n in gain.items()}
    if source.ability is not None:
        data["ability"] = source.ability
    if source.into:
        data["into"] = list(source.into)
    for key in ("printed", "shared"):
        if getattr(source, key):
            data[key] = "true"
    if source.limit is not None:
        data["limit"] = str(source.limit)
    if source.per is not None:
        data["per"] = source.per
    return data


def _read_trigger(desk: Desk, node: Node) -> Trigger:
    parts = Parts(desk, node, "a trigger", ("on", "do", "when", "optional", "batch", "limit", "tier"), ("on", "do"))
    parts.read("on", read_pattern)
    parts.read("do", _steps("do"))
    parts.read("when", read_condition)
    parts.flag("optional")
    parts.read("batch", lambda d, n: d.word(n, "batch", get_args(Batch)))
    parts.read("limit", lambda d, n: d.number(n, "limit"))
    parts.read("tier", lambda d, n: d.word(n, "tier", d.names.tiers))
    return Trigger(**{"on": Pattern(""), "do": (), **parts.get})


def read_replacement(desk: Desk, node: Node) -> Replacement:
    """Read ``{on: {destroy: $self}, instead: [{move: $self, to: hand}]}``."""
    parts = Parts(
        desk, node, "a replacement", ("on", "instead", "when", "optional", "kind", "n", "tier"), ("on", "instead")
    )
    parts.read("on", read_pattern)
    parts.read("instead", _steps("instead"))
    parts.read("when", read_condition)
    parts.flag("optional")
    parts.read("kind", lambda d, n: d.word(n, "kind", get_args(Kind)))
    parts.read("n", lambda d, n: read_expression(d, n, "n"))
    parts.read("tier", lambda d, n: d.word(n, "tier", d.names.tiers))
    return Replacement(**{"on": Pattern(""), "instead": (), **parts.get})


def _read_prevention(desk: Desk, node: Node) -> Prevention:
    parts = Parts(desk, node, "a prevention", ("on", "n", "per", "optional", "tier"), ("on", "n"))
    parts.read("on", read_pattern)
    parts.read("n", lambda d, n: read_expression(d, n, "n"))
    parts.read("per", lambda d, n: d.word(n, "per", ("event", "total", "one")))
    parts.flag("optional")
    parts.read("tier", lambda d, n: d.word(n, "tier", d.names.tiers))
    return Prevention(**{"on": Pattern(""), "n": 0, **parts.get})


def _read_activated(desk: Desk, node: Node) -> Activated:
    keys = ("name", "cost", "do", "types", "when", "modes", "limit", "per", "face", "zone")
    parts = Parts(desk, node, "an ability", keys, ("cost",))
    parts.read("limit", lambda d, n: d.number(n, "limit"))
    parts.text("per")
    parts.text("name")
    parts.read("cost", read_cost)
    parts.read("face", lambda d, n: d.word(n, "face", ("up", "down")))
    parts.read("zone", lambda d, n: d.words(n, "zone", d.names.zones))
    _read_text(parts)
    return Activated(**{"cost": CostAll(), **parts.get})


def _read_resolution(desk: Desk, node: Node) -> Resolution:
    parts = Parts(desk, node, "what a card does", ("name", "do", "types", "when", "modes"), ())
    parts.text("name")
    _read_text(parts)
    return Resolution(**parts.get)


def _read_text(parts: Parts) -> None:
    parts.read("do", _acts("do"))
    parts.words("types")
    parts.read("when", read_condition)
    parts.read("modes", read_modes)


def read_modes(desk: Desk, node: Node) -> Modes:
    """Read ``{of: {heal: [...], harm: {cost: 1r, do: [...]}}, n: 1, up_to: true, repeat: true}``."""
    parts = Parts(desk, node, "modes", ("of", "n", "up_to", "repeat"), ("of",))
    parts.read("n", lambda d, n: read_expression(d, n, "n"))
    parts.flag("up_to")
    parts.flag("repeat")
    named = desk.mapping(parts.found["of"], "of") if "of" in parts.found else {}
    modes = tuple(read_mode(desk, item, name) for name, item in named.items())
    return Modes(**{**parts.get, "of": modes})


def read_mode(desk: Desk, node: Node, name: str = "mode") -> Mode:
    """Read a list of acts, or ``{cost: 1r, do: [...]}``."""
    if not isinstance(node.value, dict) or not {"cost", "do"} & set(node.value):
        return Mode(name, read_acts(desk, node, name))
    parts = Parts(desk, node, "a mode", ("cost", "do"), ())
    parts.read("cost", read_cost)
    parts.read("do", _acts("do"))
    if "cost" in parts.get and _leaves_a_choice(parts.get["cost"]):
        desk.faults.add("the cost of a mode leaves no choice", parts.found["cost"], "write a mode for each")
    return Mode(**{**parts.get, "name": name})


def _leaves_a_choice(cost: Cost) -> bool:
    return isinstance(cost, CostAny) or (isinstance(cost, CostAll) and any(map(_leaves_a_choice, cost.terms)))


def _dump_modes(modes: Modes) -> dict[str, Data]:
    data: dict[str, Data] = {"of": {mode.name: _dump_mode(mode) for mode in modes.of}}
    if modes.n != 1:
        data["n"] = dump_expression(modes.n)
    return {**data, **{key: "true" for key in ("up_to", "repeat") if getattr(modes, key)}}


def _dump_mode(mode: Mode) -> Data:
    return dump_acts(mode.do) if mode.cost is None else {"cost": dump_cost(mode.cost), "do": dump_acts(mode.do)}


def _read_additional(desk: Desk, node: Node) -> Additional:
    parts = Parts(desk, node, "an additional cost", ("name", "cost", "optional", "to", "types", "when"), ("cost",))
    parts.text("name")
    parts.read("cost", read_cost)
    parts.flag("optional")
    parts.read("to", read_pattern)
    parts.words("types")
    parts.read("when", read_condition)
    for key in ("types", "when") if "to" not in parts.found else ():
        if key in parts.found:  # of the card's own cost they would not be looked at
            hint = "write to: {declaration: {...}}, or leave it out"
            desk.faults.add(f"{key!r} is of an additional cost with 'to'", parts.found[key], hint)
    return Additional(**{"cost": CostAll(), **parts.get})


def _read_alternative(desk: Desk, node: Node) -> Alternative:
    parts = Parts(desk, node, "an alternative cost", ("name", "cost", "replaces"), ("cost", "replaces"))
    parts.text("name")
    parts.read("cost", read_cost)
    parts.read("replaces", lambda d, n: d.words(n, "asset", d.names.assets))
    return Alternative(**{"cost": CostAll(), "replaces": (), **parts.get})


READERS: dict[str, Callable[[Desk, Node], Ability]] = {
    "static": read_static,
    "trigger": _read_trigger,
    "source": read_source,
    "replace": read_replacement,
    "prevent": _read_prevention,
    "activate": _read_activated,
    "resolve": _read_resolution,
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
        return {"static": dump_effect(ability.effect)}
    kind, data = _dump_parts(ability)
    for key in ("types", "replaces", "zone"):
        words = getattr(ability, key, ())
        if words:
            data[key] = list(words)
    if isinstance(ability, Activated) and ability.limit is not None:
        data |= {"limit": str(ability.limit), "per": ability.per}
    if isinstance(ability, Activated) and ability.face == "down":
        data["face"] = "down"
    if getattr(ability, "tier", None) is not None:
        data["tier"] = ability.tier  # type: ignore[union-attr]
    when = getattr(ability, "when", None)
    if when is not None:
        data["when"] = dump_condition(when)
    modes = getattr(ability, "modes", None)
    if modes is not None:
        data["modes"] = _dump_modes(modes)
    if getattr(ability, "optional", False):
        data["optional"] = "true"
    return {kind: data}


def read_prevention(desk: Desk, node: Node) -> Prevention:
    """Read a prevention, as a card or a ruleset has it."""
    return _read_prevention(desk, node)


def dump_replacement(ability: Replacement) -> Data:
    """Spell a replacement."""
    return dump_ability(ability)["replace"]


def dump_prevention(ability: Prevention) -> Data:
    """Spell a prevention."""
    return dump_ability(ability)["prevent"]


def _dump_parts(ability: Worded) -> tuple[str, dict[str, Data]]:
    data: dict[str, Data]
    if isinstance(ability, Trigger):
        trigger: dict[str, Data] = {"on": dump_pattern(ability.on), "do": dump_acts(ability.do)}
        if ability.batch != "each":
            trigger["batch"] = ability.batch
        if ability.limit is not None:
            trigger["limit"] = str(ability.limit)
        return "trigger", trigger
    if isinstance(ability, Replacement):
        data = {"on": dump_pattern(ability.on), "instead": dump_acts(ability.instead)}
        if ability.kind != "standard":
            data["kind"] = ability.kind
        return "replace", {**data, **({} if ability.n is None else {"n": dump_expression(ability.n)})}
    if isinstance(ability, Prevention):
        per = {"per": ability.per}
        return "prevent", {"on": dump_pattern(ability.on), "n": dump_expression(ability.n), **per}
    if isinstance(ability, Resolution):
        return "resolve", {"name": ability.name, **({"do": dump_acts(ability.do)} if ability.do else {})}
    data = {"name": ability.name, "cost": dump_cost(ability.cost)}
    if isinstance(ability, Activated):
        return "activate", {**data, **({"do": dump_acts(ability.do)} if ability.do else {})}
    if isinstance(ability, Alternative):
        return "alternative", {**data, "replaces": list(ability.replaces)}
    if ability.to is not None:
        data["to"] = dump_pattern(ability.to, full=True)
    return "additional", data
