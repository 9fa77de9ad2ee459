"""The YAML spelling of what static abilities do, both ways: modifiers, norms, grants."""

from __future__ import annotations

from typing import get_args

from lawful.model.effect import Grant, Modifier, Norm, Operation, Static
from lawful.model.expression import Ref
from lawful.model.reading.desk import Desk
from lawful.model.reading.parts import Parts
from lawful.model.reading.spelling_terms import (
    SELECTOR_KEYS,
    dump_condition,
    dump_expression,
    dump_object,
    dump_pattern,
    read_condition,
    read_expression,
    read_object,
    read_pattern,
    read_ref,
    read_selector,
)
from lawful.model.reading.yamltext import Data, Node
from lawful.model.selector import Pattern, Selector

OPERATIONS = get_args(Operation)
MODALITIES = ("must", "cannot", "may")
GRANTS = ("gain_types", "lose_types", "set_types", "no_abilities")


def read_modifier(desk: Desk, node: Node) -> Modifier:
    """Read ``{modify: cost.r, stage: increase, add: 1, of: {declaration: {by: $controller}}}``."""
    keys = ("modify", "stage", "of", "while", *OPERATIONS)
    parts = Parts(desk, node, "a modifier", keys, ("modify", "stage"))
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


def read_static(desk: Desk, node: Node) -> Static:
    """Read a modifier, a norm or a grant: what a static ability does, and what an act can lay."""
    keys = node.value if isinstance(node.value, dict) else {}
    if any(key in MODALITIES for key in keys):
        return Static(read_norm(desk, node))
    if any(key in GRANTS for key in keys):
        return Static(_read_grant(desk, node))
    return Static(read_modifier(desk, node))


def read_norm(desk: Desk, node: Node) -> Norm:
    """Read ``{cannot: {defend: {zone: hand}}, more_than: 1, while: ...}``."""
    found = node.value if isinstance(node.value, dict) else {}
    modal = next((key for key in found if key in MODALITIES), "")
    numbers = {"cannot": ("more_than", "fewer_than"), "must": ("at_least",)}.get(modal, ())
    more = ("ignores",) if modal == "may" else ()
    known = (modal,) if modal else MODALITIES
    parts = Parts(desk, node, "a norm", (*known, "while", "unless", "name", *numbers, *more), ())
    if not modal:
        if isinstance(node.value, dict):
            desk.faults.add(f"a norm says one of: {', '.join(MODALITIES)}", node)
        return Norm("cannot", Pattern(""))
    parts.read(modal, read_pattern, "action")
    action = parts.get.get("action")
    if isinstance(action, Pattern) and action.event.startswith("raise."):
        plain = modal == "cannot" and not any((action.on, action.cause, action.assets, action.asset))
        if not plain or action.event.startswith("raise.cost"):
            desk.faults.add(
                f"no norm is about {action.event}", node, "such as {cannot: {raise.power: {type: creature}}}"
            )
    parts.read("while", read_condition, "while_")
    parts.read("unless", read_condition)
    parts.text("name")
    for key in numbers:
        parts.read(key, lambda d, n, key=key: read_expression(d, n, key))  # type: ignore[misc]
    if more:
        parts.words("ignores")
    return Norm(modal, **parts.get)  # type: ignore[arg-type]


def _read_grant(desk: Desk, node: Node) -> Grant:
    """Read ``{stage: types, gain_types: creature, of: {type: aura}}``."""
    parts = Parts(desk, node, "a grant", (*GRANTS, "stage", "of", "while"), ("stage",))
    parts.read("stage", lambda d, n: d.word(n, "stage", d.names.stages))
    for key in GRANTS[:3]:
        parts.words(key)
    parts.flag("no_abilities")
    parts.read("of", lambda d, n: read_object(d, n, "of"))
    parts.read("while", read_condition, "while_")
    return Grant(**{"stage": "", **parts.get})


def dump_effect(effect: Modifier | Norm | Grant) -> dict[str, Data]:
    """Spell what a static ability does."""
    if isinstance(effect, Modifier):
        return dump_modifier(effect)
    data: dict[str, Data] = {}
    if isinstance(effect, Norm):
        data[effect.modality] = dump_pattern(effect.action)
        if effect.unless is not None:
            data["unless"] = dump_condition(effect.unless)
        if effect.name:
            data["name"] = effect.name
        for key in ("more_than", "fewer_than", "at_least"):
            if getattr(effect, key) is not None:
                data[key] = dump_expression(getattr(effect, key))
        if effect.ignores:
            data["ignores"] = list(effect.ignores)
    else:
        data["stage"] = effect.stage
        words = {"gain_types": effect.gain_types or None, "lose_types": effect.lose_types or None}
        for key, value in {**words, "set_types": effect.set_types}.items():
            if value is not None:
                data[key] = list(value)
        if effect.no_abilities:
            data["no_abilities"] = "true"
        if effect.of is not None:
            data["of"] = dump_object(effect.of)
    if effect.while_ is not None:
        data["while"] = dump_condition(effect.while_)
    return data
