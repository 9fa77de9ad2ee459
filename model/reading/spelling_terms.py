"""The YAML spelling of references, numbers, conditions, selectors and patterns, both ways."""

from __future__ import annotations

import re
from typing import Any, get_args

from lawful.model.expression import (
    Compare,
    Comparison,
    Condition,
    Count,
    Every,
    Expression,
    Fact,
    Greatest,
    Holds,
    Least,
    Not,
    PerPlayer,
    Ref,
    Some,
    Sum,
    Times,
)
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.reading.desk import NUMBER, Desk
from lawful.model.reading.faults import shown
from lawful.model.reading.yamltext import Data, Node
from lawful.model.selector import How, Pattern, Selector, Test

REF = re.compile(r"\$[^\s.$]+(\.[^.$]+)*")
OPS: tuple[Comparison, ...] = get_args(Comparison)
SEVERAL: dict[str, Any] = {"sum": Sum, "least": Least, "greatest": Greatest}
NUMBERS = ("count", "times", "per_player", "holds", *SEVERAL)
SELECTOR_KEYS = (
    "zone", "type", "name", "controller", "owner", "face", "status", "counters", "relations", "where", "has", "not",
    "is", "words", "any", "none", "whose", "how", "n", "up_to", "by", "spent", "player", "known",
    "bears", "highest", "lowest", "namesake", "shares", "until", "total", "among",
)  # fmt: skip
PATTERN_KEYS = ("subject", "by", "cause", "assets", "asset", "source", "on", "chosen")


def is_ref(node: Node) -> bool:
    """Say whether a text is a reference."""
    return isinstance(node.value, str) and node.value.startswith("$")


def read_ref(desk: Desk, node: Node, what: str = "this") -> Ref:
    """Read ``$self`` or ``$pick.life``."""
    if isinstance(node.value, str) and REF.fullmatch(node.value):
        name, *path = node.value[1:].split(".")
        return Ref(name, tuple(path))
    desk.faults.add(f"{what} must be a reference such as $self or $controller", node)
    return Ref("self")


def read_expression(desk: Desk, node: Node, what: str = "this") -> Expression:
    """Read a number, a reference, or a mapping such as ``{count: {...}}``."""
    if isinstance(node.value, str):
        if is_ref(node):
            return read_ref(desk, node, what)
        if NUMBER.fullmatch(node.value):
            return desk.number(node, what, -Limits().amount)
        if node.value == "X":
            return Ref("x")
    elif isinstance(node.value, dict):
        return _read_calculation(desk, node, what)
    desk.faults.add(f"{what} must be a number, a reference or a calculation", node, "such as 2, $x, {count: {...}}")
    return 0


def _read_calculation(desk: Desk, node: Node, what: str) -> Expression:
    found = desk.fields(node, what, (*NUMBERS, "of"))
    kinds = [key for key in found if key != "of"]
    if len(kinds) != 1 or ("of" in found) != (kinds == ["times"]):
        desk.faults.add(f"{what} must be one of: {', '.join(NUMBERS)}", node, "{times: 2, of: $x} has two keys")
        return 0
    item = found[kinds[0]]
    if kinds == ["count"]:
        return Count(read_selector(desk, item))
    if kinds == ["times"]:
        return Times(desk.number(item, "times", -Limits().amount), read_expression(desk, found["of"]))
    if kinds == ["per_player"]:
        return PerPlayer(read_expression(desk, item))
    if kinds == ["holds"]:
        return Holds(read_condition(desk, item, "holds"))
    found_several: Expression = SEVERAL[kinds[0]](tuple(read_expression(desk, i) for i in desk.items(item, kinds[0])))
    return found_several


def dump_expression(expression: Expression) -> Data:
    """Spell a number."""
    if isinstance(expression, int | Ref):
        return str(expression)
    if isinstance(expression, Count):
        return {"count": dump_selector(expression.of)}
    if isinstance(expression, Times):
        return {"times": str(expression.factor), "of": dump_expression(expression.of)}
    if isinstance(expression, PerPlayer):
        return {"per_player": dump_expression(expression.of)}
    if isinstance(expression, Holds):
        return {"holds": dump_condition(expression.condition)}
    name = next(key for key, kind in SEVERAL.items() if isinstance(expression, kind))
    return {name: [dump_expression(term) for term in expression.terms]}


def read_condition(desk: Desk, node: Node, what: str = "a condition") -> Condition:
    """Read ``{form: hero}``, ``{count: {...}, lt: 2}``, ``{not: ...}``, ``{every: [...]}``, ``{some: [...]}``."""
    if isinstance(node.value, list):
        return Every(tuple(read_condition(desk, item) for item in node.value))
    found = desk.mapping(node, what)
    ops = [op for op in OPS if op in found]
    for key, kind in (("every", Every), ("some", Some)):
        if list(found) == [key]:
            return kind(tuple(read_condition(desk, item) for item in desk.items(found[key], key)))
    if list(found) == ["not"]:
        return Not(read_condition(desk, found["not"]))
    if len(ops) == 1 and len(found) > 1:
        return _read_compare(desk, node, ops[0])
    if "fact" in found:
        found = desk.fields(node, what, ("fact", "is", "player"), ("fact", "is"))
        facts = [("fact", desk.text(found["fact"], "fact"), found["is"])] if len(found) > 1 and "is" in found else []
    else:
        facts = [(key, key, item) for key, item in found.items() if key != "player"]
    player = read_ref(desk, found["player"], "player") if "player" in found else Ref("controller")
    conditions = tuple(Fact(key, desk.text(item, key), player) for _, key, item in facts)
    if not conditions and isinstance(node.value, dict):
        desk.faults.add(f"{what} says nothing", node, "such as {form: hero} or {count: {...}, lt: 2}")
    return conditions[0] if len(conditions) == 1 else Every(conditions)


def _read_compare(desk: Desk, node: Node, op: Comparison) -> Compare:
    assert isinstance(node.value, dict)
    left = {key: item for key, item in node.value.items() if key != op}
    if list(left) == ["value"]:
        number = read_expression(desk, left["value"], "value")
    else:
        number = read_expression(desk, Node(left, node.line, node.column, node.keys), "what is compared")
    return Compare(number, op, read_expression(desk, node.value[op], op))


def dump_condition(condition: Condition) -> Data:
    """Spell a condition."""
    if isinstance(condition, Every | Some):
        name = "every" if isinstance(condition, Every) else "some"
        return {name: [dump_condition(part) for part in condition.conditions]}
    if isinstance(condition, Not):
        return {"not": dump_condition(condition.condition)}
    if isinstance(condition, Fact):
        plain = condition.key not in ("every", "some", "not", "fact", "is", "player", "value", *OPS, *NUMBERS)
        fact: dict[str, Data] = {condition.key: condition.value}
        fact = fact if plain else {"fact": condition.key, "is": condition.value}
        return fact if condition.player == Ref("controller") else {**fact, "player": str(condition.player)}
    left = dump_expression(condition.left)
    start: dict[str, Data] = dict(left) if isinstance(left, dict) else {"value": left}
    return {**start, condition.op: dump_expression(condition.right)}


OF_PLAYERS = ("player", "controller", "is", "not", "how", "n", "up_to", "by", "none")


def read_selector(desk: Desk, node: Node, how: How = "each") -> Selector:
    """Read ``{type: creature, not: $self}``. A key that is no field is a relation where its value is a reference."""
    found = desk.mapping(node, "a selector")
    get: dict[str, Any] = {}
    relations: dict[str, Ref] = {}
    for key, item in found.items():
        if key in ("zone", "type", "status", "has"):
            get[key] = desk.words(item, key, desk.names.zones if key == "zone" else None)
        elif key in ("controller", "owner", "by", "not", "is"):
            get[f"{key}_" if key in ("not", "is") else key] = read_ref(desk, item, key)
        elif key == "whose":
            get[key] = desk.word(item, key, ("yours", "chosen", "friendly"))
        elif key in ("name", "words", "highest", "lowest"):
            get[key] = desk.text(item, key)
        elif key == "namesake":
            get[key] = read_object(desk, item, key)
        elif key in ("any", "none"):
            get[f"{key}_of"] = tuple(read_selector(desk, part) for part in desk.items(item, key))
        elif key == "face":
            get[key] = desk.word(item, key, ("up", "down"))
        elif key == "how":
            get[key] = desk.word(item, key, get_args(How))
        elif key == "n" and item.value == "any":
            rest = {k: v for k, v in found.items() if k not in ("n", "how", "by", "spent")}
            inner = read_selector(desk, Node(rest, node.line, node.column, node.keys))
            get |= {"n": Count(inner), "up_to": True}
        elif key in ("n", "among"):
            get[key] = read_expression(desk, item, key)
        elif key in ("up_to", "spent", "player", "known"):
            get[key] = desk.flag(item, key)
        elif key == "counters":
            get[key] = FrozenMap(desk.amounts(item, key))
        elif key in ("where", "total"):
            get[key] = tuple(_read_tests(desk, item))
        elif key in ("shares", "until"):
            get[key] = read_selector(desk, item)
        elif key == "bears":
            get[key] = FrozenMap({name: read_selector(desk, one) for name, one in desk.mapping(item, key).items()})
        elif key == "relations":
            named = desk.mapping(item, key)
            relations |= {name: read_ref(desk, to, name) for name, to in named.items() if not _is_map(to)}
            get["near"] = FrozenMap({name: read_selector(desk, to) for name, to in named.items() if _is_map(to)})
        elif is_ref(item):
            relations[key] = read_ref(desk, item, key)
        else:
            desk.faults.unknown("key", key, SELECTOR_KEYS, node.key(key))
    if get.get("player"):
        for key in found:
            if key not in OF_PLAYERS:
                desk.faults.add(
                    f"a player has no {key}", found[key], f"a text about players says {', '.join(OF_PLAYERS)}"
                )
    return Selector(**{"how": how, **get, "relations": FrozenMap(relations)})


def _is_map(node: Node) -> bool:
    return isinstance(node.value, dict)


def _read_tests(desk: Desk, node: Node) -> list[Test]:
    tests = []
    for item in desk.items(node, "where"):
        for stat, test in desk.mapping(item, "where").items():
            if not isinstance(test.value, dict) or any(key in NUMBERS for key in test.value):
                tests.append(Test(stat, "eq", read_expression(desk, test, stat)))
                continue
            ops = desk.fields(test, stat, OPS)
            tests.extend(Test(stat, op, read_expression(desk, ops[op], op)) for op in OPS if op in ops)
    return tests


def dump_selector(selector: Selector, how: How = "each") -> dict[str, Data]:
    """Spell a selector; what is as usual is left out."""
    data: dict[str, Data] = {}
    for key in ("zone", "type", "status", "has"):
        words = getattr(selector, key)
        if words:
            data[key] = words[0] if len(words) == 1 else list(words)
    for key in ("any", "none"):
        if parts := getattr(selector, f"{key}_of"):
            data[key] = [dump_selector(part) for part in parts]
    for key in ("name", "words", "face", "highest", "lowest"):
        if getattr(selector, key) is not None:
            data[key] = getattr(selector, key)
    if selector.namesake is not None:
        data["namesake"] = dump_object(selector.namesake)
    if selector.whose != "yours":
        data["whose"] = selector.whose
    for key in ("controller", "owner", "by", "not_", "is_"):
        if getattr(selector, key) is not None:
            data[key.rstrip("_")] = str(getattr(selector, key))
    if selector.counters:
        data["counters"] = {key: str(n) for key, n in selector.counters.items()}
    named = {key: str(ref) for key, ref in selector.relations.items() if key in (*SELECTOR_KEYS, *PATTERN_KEYS)}
    data |= {key: str(ref) for key, ref in selector.relations.items() if key not in named}
    if named or selector.near:
        data["relations"] = {**named, **{key: dump_selector(near) for key, near in selector.near.items()}}
    if selector.bears:
        data["bears"] = {key: dump_selector(borne) for key, borne in selector.bears.items()}
    for key in ("where", "total"):
        tests: list[Data] = [{t.stat: {t.op: dump_expression(t.value)}} for t in getattr(selector, key)]
        if tests:
            data[key] = tests[0] if len(tests) == 1 else tests
    for key in ("shares", "until"):
        if getattr(selector, key) is not None:
            data[key] = dump_selector(getattr(selector, key))
    if selector.how != how:
        data["how"] = selector.how
    for key in ("n", "among"):
        if getattr(selector, key) is not None:
            data[key] = dump_expression(getattr(selector, key))
    for key in ("up_to", "spent", "player", "known"):
        if getattr(selector, key):
            data[key] = "true"
    return data


def read_pattern(desk: Desk, node: Node, what: str = "a pattern") -> Pattern:
    """Read ``{wounds: {type: creature, controller: $controller}}``, ``{played: $self}``, ``declared``."""
    if isinstance(node.value, str):
        return Pattern(desk.text(node, what))
    found = desk.mapping(node, what)
    if len(found) != 1:
        if isinstance(node.value, dict):
            desk.faults.add(f"{what} has one key, the event", node, "such as {played: $self}")
        return Pattern("")
    ((event, item),) = found.items()
    if item.value is None:
        return Pattern(event)
    if is_ref(item):
        return Pattern(event, read_ref(desk, item, event))
    parts = desk.mapping(item, event)
    get: dict[str, Any] = {}
    if "by" in parts:
        get["by"] = read_ref(desk, parts["by"], "by")
    if "cause" in parts:
        get["cause"] = desk.word(parts["cause"], "verb", desk.names.verbs)
    if "assets" in parts:
        get["assets"] = FrozenMap(desk.amounts(parts["assets"], "assets", desk.names.assets, "asset"))
    if "asset" in parts:
        get["asset"] = desk.word(parts["asset"], "asset", desk.names.assets)
    for key in ("source", "on"):
        if key in parts:
            get[key] = read_object(desk, parts[key], key)
    if "chosen" in parts:
        get["chosen"] = desk.flag(parts["chosen"], "chosen")
    rest = {key: part for key, part in parts.items() if key not in PATTERN_KEYS}
    if "subject" in parts:
        get["subject"] = read_object(desk, parts["subject"], "subject")
        for key in rest:
            desk.faults.add(f"{shown(key)} stands beside 'subject'", item.key(key), "put it into subject")
    elif rest:
        get["subject"] = read_selector(desk, Node(rest, item.line, item.column, item.keys))
    return Pattern(event, **get)


def read_object(desk: Desk, node: Node, what: str, how: How = "each") -> Ref | Selector:
    """Read a reference or a selector."""
    return read_selector(desk, node, how) if isinstance(node.value, dict) else read_ref(desk, node, what)


def dump_object(thing: Ref | Selector, how: How = "each") -> Data:
    """Spell a reference or a selector."""
    return str(thing) if isinstance(thing, Ref) else dump_selector(thing, how)


def dump_pattern(pattern: Pattern, full: bool = False) -> dict[str, Data]:
    """Spell a pattern. In full, its value is a mapping always, so that it is not taken for a relation."""
    parts: dict[str, Data] = {}
    subject = pattern.subject
    if isinstance(subject, Ref):
        if not full and pattern == Pattern(pattern.event, subject):
            return {pattern.event: str(subject)}
        parts["subject"] = str(subject)
    elif subject is not None:
        spelled = dump_selector(subject)
        clash = not spelled or any(key in PATTERN_KEYS for key in spelled)
        parts |= {"subject": spelled} if clash else spelled
    if pattern.by is not None:
        parts["by"] = str(pattern.by)
    if pattern.cause is not None:
        parts["cause"] = pattern.cause
    if pattern.assets is not None:
        parts["assets"] = {key: str(n) for key, n in pattern.assets.items()}
    if pattern.asset is not None:
        parts["asset"] = pattern.asset
    for key, other in (("source", pattern.source), ("on", pattern.on)):
        if other is not None:
            parts[key] = dump_object(other)
    if pattern.chosen:
        parts["chosen"] = "true"
    return {pattern.event: parts}
