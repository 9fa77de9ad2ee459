"""The YAML spelling of acts and costs, both ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from lawful.model.act import Act, Success
from lawful.model.cost import ActTerm, Alike, AssetTerm, Cost, CostAll, CostAny, Number, terms
from lawful.model.errors import BadInput
from lawful.model.expression import Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.notation import parse_cost, spell_cost
from lawful.model.reading.desk import NUMBER, Desk
from lawful.model.reading.spelling_terms import (
    dump_condition,
    dump_expression,
    dump_object,
    is_ref,
    read_condition,
    read_expression,
    read_object,
    read_ref,
)
from lawful.model.reading.yamltext import Data, Node
from lawful.model.selector import Selector

ACT_KEYS = ("as", "of", "to", "n", "when", "given", "unless", "success", "until", "ignores")
AMOUNTS_VERBS = ("gain", "lose", "pay")
TERM_KEYS = ("asset", "amount", "number", "alike", "only", "needs", "printed")


def read_acts(desk: Desk, node: Node, what: str) -> tuple[Act, ...]:
    """Read steps: a list of acts, or one act."""
    return tuple(read_act(desk, item) for item in desk.items(node, what))


def read_act(desk: Desk, node: Node) -> Act:
    """Read ``{destroy: $self}``, ``{remove: charge, of: $self, n: 1}``, ``{as: pick, choose: {...}}``, ``shuffle``.

    A selector says how many by `n`: ``{discard: {zone: hand, n: 2}}``. In an act it means a choice, unless it says
    ``how: each``.
    """
    if isinstance(node.value, str):
        return Act(desk.word(node, "verb", desk.names.verbs))
    found = desk.mapping(node, "an act")
    verbs = [key for key in found if key not in ACT_KEYS]
    if len(verbs) != 1:
        if isinstance(node.value, dict):
            got = ", ".join(verbs) or "none"
            desk.faults.add(f"an act has one verb, here: {got}", node, "such as {discard: {zone: hand}}")
        return Act("")
    verb = verbs[0]
    if desk.names.verbs is not None and verb not in desk.names.verbs:
        desk.faults.unknown("verb", verb, (*desk.names.verbs, *ACT_KEYS), node.key(verb))
    get: dict[str, Any] = {}
    if "n" in found:
        get["n"] = read_expression(desk, found["n"], "n")
    item = found[verb]
    if isinstance(item.value, str) and NUMBER.fullmatch(item.value) and verb not in AMOUNTS_VERBS and "n" not in found:
        get["n"] = desk.number(item, verb)
    elif item.value is not None:
        get["what"] = _read_what(desk, verb, item)
    if "of" in found:
        get["of"] = read_object(desk, found["of"], "of", "choose")
    if "to" in found:
        get["to"] = _read_to(desk, found["to"])
    if "as" in found:
        get["as_"] = desk.text(found["as"], "as")
    if "when" in found:
        get["when"] = read_condition(desk, found["when"])
    if "given" in found:
        get["given"] = desk.text(found["given"], "given")
        if "success" in found:
            get["success"] = read_success(desk, found["success"])
    if "unless" in found:
        get["unless"] = desk.text(found["unless"], "unless")
    if "until" in found:
        get["until"] = desk.text(found["until"], "until")
    if "ignores" in found:
        get["ignores"] = desk.words(found["ignores"], "ignores")
    return Act(verb, **get)


def read_success(desk: Desk, node: Node) -> Success:
    """Read how far an act must have been done."""
    word = desk.word(node, "success", [s.value for s in Success])
    return next((s for s in Success if s.value == word), Success.CHANGED)


def _read_what(desk: Desk, verb: str, node: Node) -> Any:
    if is_ref(node):
        return read_ref(desk, node, verb)
    if verb == "lay":
        from lawful.model.reading.spelling_statics import read_static  # abilities are spelled with acts

        return read_static(desk, node).effect
    if verb in AMOUNTS_VERBS:
        return read_gain(desk, node, verb)
    if isinstance(node.value, dict):
        return read_object(desk, node, verb, "choose")
    return desk.text(node, verb)


def _read_to(desk: Desk, node: Node) -> Expression | str:
    if isinstance(node.value, str) and not is_ref(node) and not NUMBER.fullmatch(node.value) and node.value:
        return node.value
    return read_expression(desk, node, "to")


def read_gain(desk: Desk, node: Node, what: str) -> FrozenMap[str, Expression]:
    """Read what is gained: ``{r: 3}``, or ``3r``."""
    if isinstance(node.value, str):
        cost = read_notation(desk, node)
        return FrozenMap({t.asset: t.amount for t in terms(cost) if isinstance(t, AssetTerm)})
    found = desk.mapping(node, what)
    for key in found:
        if key not in desk.names.assets:
            desk.faults.unknown("asset", key, desk.names.assets, node.key(key))
    return FrozenMap({key: read_expression(desk, item, key) for key, item in found.items()})


def dump_acts(acts: Sequence[Act]) -> list[Data]:
    """Spell steps."""
    return [dump_act(act) for act in acts]


def dump_act(act: Act) -> Data:
    """Spell an act."""
    data: dict[str, Data] = {} if act.as_ is None else {"as": act.as_}
    n = act.n
    if act.what is None and isinstance(n, int) and n >= 0 and act.verb not in AMOUNTS_VERBS:
        data[act.verb], n = str(n), None
    elif act == Act(act.verb):
        return act.verb
    elif isinstance(act.what, FrozenMap):
        data[act.verb] = {key: dump_expression(value) for key, value in act.what.items()}
    elif isinstance(act.what, Ref | Selector):
        data[act.verb] = dump_object(act.what, "choose")
    elif act.what is None or isinstance(act.what, str):
        data[act.verb] = act.what
    else:
        from lawful.model.reading.spelling_statics import dump_effect  # abilities are spelled with acts

        data[act.verb] = dump_effect(act.what)
    if act.of is not None:
        data["of"] = dump_object(act.of, "choose")
    if act.to is not None:
        data["to"] = act.to if isinstance(act.to, str) else dump_expression(act.to)
    if n is not None:
        data["n"] = dump_expression(n)
    if act.when is not None:
        data["when"] = dump_condition(act.when)
    if act.given is not None:
        data["given"] = act.given
        if act.success is not Success.CHANGED:
            data["success"] = act.success.value
    if act.unless is not None:
        data["unless"] = act.unless
    if act.until is not None:
        data["until"] = act.until
    if act.ignores:
        data["ignores"] = list(act.ignores)
    return data


def read_notation(desk: Desk, node: Node) -> Cost:
    """Read a cost in the notation of `lawful.model.notation`."""
    assert isinstance(node.value, str)
    names, file = desk.names, desk.faults.file
    try:
        return parse_cost(node.value, names.assets, names.default, file, node.line, node.column)
    except BadInput as error:
        desk.faults.take(error.faults)
        return CostAll(())


def read_cost(desk: Desk, node: Node) -> Cost:
    """Read a cost: a text such as ``3c1r``, an act, or a list of texts, acts and costs, all of them due.

    A text in a list is so many of its terms. ``{any: [...]}`` are alternatives, ``{all: [...]}`` and a list in a list
    are a cost of its own among several due at once, ``{asset: r, amount: $x}`` is an amount that no text can say, also
    with ``number: up_to`` or ``any``, ``alike: same`` or ``different``, ``only``, ``needs``, ``printed``.
    """
    if isinstance(node.value, str):
        return read_notation(desk, node)
    if isinstance(node.value, list):
        found: list[Cost] = []
        for item in node.value:
            cost = read_cost(desk, item)
            found.extend(cost.terms if isinstance(item.value, str) and isinstance(cost, CostAll) else [cost])
        return CostAll(tuple(found))
    parts = desk.mapping(node, "a cost")
    if list(parts) == ["any"]:
        choices = desk.items(parts["any"], "any")
        if not choices:
            desk.faults.add("'any' needs at least one choice", parts["any"])
        return CostAny(tuple(read_cost(desk, item) for item in choices))
    if list(parts) == ["all"]:
        return CostAll(tuple(read_cost(desk, item) for item in desk.items(parts["all"], "all")))
    if "asset" in parts:
        return _read_term(desk, node)
    if not parts:
        return CostAll(())
    plain = "success" in parts and "given" not in parts
    success = read_success(desk, parts["success"]) if plain else Success.CHANGED
    return ActTerm(read_act(desk, node), success)


def _read_term(desk: Desk, node: Node) -> AssetTerm:
    counted = node.find("number")
    needed = ("asset",) if counted is not None and counted.value == "any" else ("asset", "amount")
    parts = desk.fields(node, "a cost", TERM_KEYS, needed)
    get: dict[str, Any] = {}
    for key, known in (("number", get_args(Number)), ("alike", get_args(Alike))):
        if key in parts:
            get[key] = desk.word(parts[key], key, known)
    for key in ("only", "needs"):
        if key in parts:
            get[key] = desk.words(parts[key], "asset", desk.names.assets)
    if "printed" in parts:
        get["printed"] = desk.flag(parts["printed"], "printed")
    amount = read_expression(desk, parts["amount"], "amount") if "amount" in parts else 0
    asset = desk.word(parts["asset"], "asset", desk.names.assets) if "asset" in parts else ""
    return AssetTerm(asset, amount, **get)


def _dump_term(term: AssetTerm) -> Data:
    data: dict[str, Data] = {"asset": term.asset}
    if term.number != "any" or term.amount != 0:
        data["amount"] = dump_expression(term.amount)
    if term.number != "exactly":
        data["number"] = term.number
    if term.alike != "any":
        data["alike"] = term.alike
    if term.only:
        data["only"] = list(term.only)
    if term.needs:
        data["needs"] = list(term.needs)
    if term.printed:
        data["printed"] = "true"
    return data


def dump_cost(cost: Cost) -> Data:
    """Spell a cost: as text if the notation can say it."""
    text = _as_text(cost)
    if text is not None:
        return text
    if isinstance(cost, CostAll):
        return [_dump_item(term) for term in cost.terms]
    if isinstance(cost, CostAny):
        return {"any": [dump_cost(choice) for choice in cost.choices]}
    if isinstance(cost, AssetTerm):
        return _dump_term(cost)
    spelled = dump_act(cost.act)
    act: dict[str, Data] = dict(spelled) if isinstance(spelled, dict) else {cost.act.verb: None}
    return act if cost.success is Success.CHANGED else {**act, "success": cost.success.value}


def _dump_item(cost: Cost) -> Data:
    if isinstance(cost, AssetTerm):
        return _as_text(CostAll((cost,))) or dump_cost(cost)
    if isinstance(cost, CostAll):
        return [_dump_item(term) for term in cost.terms]
    if isinstance(cost, CostAny):
        return {"any": [dump_cost(choice) for choice in cost.choices]}
    return dump_cost(cost)


def _as_text(cost: Cost) -> str | None:
    """Return the text of a cost, if there is one that reads back as the same cost."""
    if not all(term.plain for term in terms(cost) if isinstance(term, AssetTerm)):
        return None
    try:
        text = spell_cost(cost)
        assets = list(dict.fromkeys(term.asset for term in terms(cost) if isinstance(term, AssetTerm)))
        return text if parse_cost(text, assets, "") == cost else None
    except BadInput:
        return None
