"""The schemas of the three kinds of files, with the spellings that are no plain mapping of fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import AssetTerm
from lawful.model.effect import (
    Activated,
    Additional,
    Alternative,
    Grant,
    Modifier,
    Norm,
    Operation,
    Prevention,
    Replacement,
    Resolution,
    Source,
    Trigger,
)
from lawful.model.expression import Comparison
from lawful.model.limits import Limits
from lawful.model.modes import Modes
from lawful.model.position import Thing
from lawful.model.reading.caseshape import CaseShape
from lawful.model.reading.rulesetfile import KEYS
from lawful.model.reading.schema import (
    DIALECT,
    FREE,
    TEXT,
    Schema,
    any_of,
    closed,
    documented,
    many,
    mapping,
    of_model,
    of_structure,
    record,
    ref,
    say,
)
from lawful.model.reading.schema_texts import TEXTS
from lawful.model.reading.spelling_abilities import READERS, read_modes
from lawful.model.reading.spelling_cards import read_card
from lawful.model.reading.spelling_costs import ACT_KEYS, read_cost
from lawful.model.reading.spelling_statics import GRANTS, MODALITIES, read_modifier, read_static
from lawful.model.reading.spelling_terms import NUMBERS, PATTERN_KEYS, REF, read_selector
from lawful.model.reading.tablereader import read_thing_keys
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector

MOST = Limits().amount
NOTHING: Schema = {"type": "null"}
ABILITIES = {
    "trigger": Trigger, "source": Source, "replace": Replacement, "prevent": Prevention, "activate": Activated,
    "resolve": Resolution, "additional": Additional, "alternative": Alternative,
}  # fmt: skip
FREE |= {
    "cost": ref("cost"), "cards": ref("cards"), "play": any_of(ref("word"), ref("thing")),
    "activate": any_of(ref("word"), ref("thing")), "pay": any_of(NOTHING, ref("claim")), "pool": ref("pool"),
    "due": ref("pool"), "lasting": many(ref("lasting")), "do": any_of(NOTHING, many(ref("act"))),
    "targets": any_of(NOTHING, ref("chosen"), mapping(any_of(NOTHING, ref("chosen"), mapping(ref("chosen"))))),
    "legal_targets": any_of(NOTHING, many(ref("text")), mapping(any_of(NOTHING, many(ref("text"))))),
    "Then.refused": mapping(any_of(NOTHING, many(many(ref("text"))))),
    "repairs": any_of(NOTHING, many(mapping(TEXT))), "events": many({"type": "object"}),
    "source": ref("word"), "When.cause": ref("word"), "with": mapping(TEXT),
    "reasons": any_of(NOTHING, many(many(ref("text")))), "Given.players": mapping(ref("player")),
    "Then.legal": many(any_of(ref("claim"), ref("Payment"))),
    "Then.illegal": many(any_of(ref("claim"), ref("Payment"))),
}  # fmt: skip


def _told(kind: str, properties: Schema) -> Schema:
    """Describe keys that are no fields."""
    return {key: say(schema, f"{kind}.{key}", told={}) for key, schema in properties.items()}


def _scalars() -> dict[str, Schema]:
    text = {"minimum": 0, "maximum": MOST}
    braces = r"^(?:[^{}$]|\{[^{}]*\})+$"
    return {
        "text": TEXT,
        "word": {**TEXT, "minLength": 1},
        "whole": {"type": ["integer", "string"], **text, "pattern": r"^(\+?[0-9]+|-0+)$"},
        "signed": {"type": ["integer", "string"], "minimum": -MOST, "maximum": MOST, "pattern": "^[+-]?[0-9]+$"},
        "flag": {"enum": [True, False, "true", "false", "yes", "no"]},
        "reference": {"type": "string", "pattern": f"^{REF.pattern}$"},
        "notation": {"type": ["string", "integer"], "minimum": 0, "pattern": braces, "minLength": 1},
    }


def _terms(defs: dict[str, Schema]) -> dict[str, Schema]:
    """Numbers, conditions, selectors and patterns."""
    several = [key for key in NUMBERS if key not in ("count", "times", "per_player", "holds")]
    sums: Schema = {
        "count": ref("selector"), "times": ref("signed"), "of": ref("number"), "per_player": ref("number"),
        "holds": ref("condition"),
        **{key: many(ref("number")) for key in several},
    }  # fmt: skip
    calculation = {
        **closed(_told("number", {key: sums.get(key, {}) for key in (*NUMBERS, "of")}), ()),
        "minProperties": 1, "maxProperties": 2,
        "dependentRequired": {"of": ["times"], "times": ["of"]},
    }  # fmt: skip
    compared = {op: any_of(ref("number"), TEXT) for op in get_args(Comparison)}
    condition: Schema = {
        "type": "object", "minProperties": 1, "additionalProperties": ref("word"),
        "properties": _told("condition", {
            "every": any_of(many(ref("condition")), TEXT), "some": any_of(many(ref("condition")), TEXT),
            "not": any_of(ref("condition"), TEXT), "value": any_of(ref("number"), TEXT),
            **{key: any_of(kind, TEXT) for key, kind in sums.items()}, **compared,
        }),
    }  # fmt: skip
    operators: Schema = dict.fromkeys(get_args(Comparison), ref("number"))
    test = any_of(ref("number"), {**closed(_told("test", operators), ()), "minProperties": 1})
    selector = record(
        read_selector,
        Selector,
        defs,
        {"where": many(mapping(test)), "total": many(mapping(test)), "n": any_of(ref("number"), {"const": "any"})},
    )
    told = documented(Pattern)
    subject = {key: say(any_of(ref("object"), TEXT), f"Pattern.{key}", told=told) for key in PATTERN_KEYS}
    subject["assets"] = say(ref("amounts"), "Pattern.assets", told=told)
    subject["chosen"] = say(ref("flag"), "Pattern.chosen", told=told)
    event = {**selector, "properties": {**selector["properties"], **subject}, "additionalProperties": ref("reference")}
    event["description"] = "Whom the event happens to, as a selector, and how."
    return {
        "amounts": mapping(ref("whole")),
        "number": any_of(ref("signed"), {"const": "X"}, ref("reference"), calculation),
        "condition": any_of({"type": "array", "items": ref("condition")}, condition),
        "selector": {**selector, "additionalProperties": ref("reference")},
        "object": any_of(ref("reference"), ref("selector")),
        "whose": any_of(ref("reference"), ref("selector"), ref("pattern")),
        "event": event,
        "pattern": any_of(
            ref("word"),
            {
                "type": "object", "minProperties": 1, "maxProperties": 1,
                "additionalProperties": any_of(NOTHING, ref("reference"), ref("event")),
            },
        ),
    }  # fmt: skip


def _costs(defs: dict[str, Schema]) -> dict[str, Schema]:
    """Acts and costs."""
    what = any_of(
        NOTHING, TEXT, ref("selector"), mapping(ref("number")), *(ref(kind) for kind in ("modifier", "norm", "grant"))
    )
    kinds = {
        "as": ref("word"), "of": ref("object"), "to": any_of(ref("number"), ref("word")), "n": ref("number"),
        "when": ref("condition"), "given": ref("word"), "unless": ref("word"), "until": ref("word"),
        "success": ref("word"), "ignores": many(ref("word")),
    }  # fmt: skip
    told = documented(Act)
    act = {key: say(kinds.get(key, {}), f"Act.{key}", f"Act.{key}_", told=told) for key in ACT_KEYS}
    mapped = {"type": "object", "minProperties": 1, "properties": act, "additionalProperties": what}
    one = {"type": "object", "minProperties": 1, "maxProperties": 1}
    term = record(read_cost, AssetTerm, defs, seed=("asset",))
    amount = {"required": ["amount"]}
    open_end = {"required": ["number"], "properties": _told("AssetTerm", {"number": {"const": "any"}})}
    term |= {"required": ["asset"], "anyOf": [amount, open_end]}
    choices = _told("choices", {"any": many(ref("cost")), "all": many(ref("cost"))})
    return {
        "steps": mapped,
        "act": any_of(ref("word"), ref("steps")),
        "gain": any_of(ref("notation"), mapping(ref("number"))),
        "term": term,
        "cost": any_of(
            ref("notation"),
            {"type": "array", "items": ref("cost")},
            {**one, "properties": choices, "additionalProperties": False},
            ref("term"),
            {**ref("steps"), "not": {"anyOf": [{"required": [key]} for key in ("asset", "any", "all")]}},
        ),
    }


def _abilities(defs: dict[str, Schema]) -> dict[str, Schema]:
    """Abilities and cards."""
    operations = dict.fromkeys(get_args(Operation), ref("number"))
    modifier = record(read_modifier, Modifier, defs, {**operations, "of": ref("whose")})
    modifier["oneOf"] = [{"required": [key]} for key in operations]
    norms = [record(read_static, Norm, defs, {key: ref("pattern")}, seed=(key,)) for key in MODALITIES]
    grants = record(read_static, Grant, defs, {"of": ref("object")}, seed=(GRANTS[0],))
    grants["required"] = [key for key in grants["required"] if key != GRANTS[0]]
    kinds: dict[str, Schema] = {"static": any_of(ref("modifier"), ref("norm"), ref("grant"))}
    priced = closed(_told("Mode", {"cost": ref("cost"), "do": many(ref("act"))}), ("cost",))
    modes = record(read_modes, Modes, defs, {"of": mapping(any_of(priced, many(ref("act"))))})
    gain = any_of(ref("reference"), closed(_told("gain", {"of": ref("selector")}), ("of",)), ref("gain"))
    found: dict[str, Schema] = {"modifier": modifier, "norm": any_of(*norms), "grant": grants, "modes": modes}
    for key, reader in READERS.items():
        if key in ABILITIES:
            found[key] = record(reader, ABILITIES[key], defs, {"gain": gain} if key == "source" else {})
        kinds[key] = kinds.get(key, ref(key))
    kinds = {key: say(kind, f"ability.{key}", told={}) for key, kind in kinds.items()}
    ability = {**closed(kinds, (), TEXTS.get("ability", "")), "minProperties": 1, "maxProperties": 1}
    abilities = {"type": "array", "items": ref("ability")}
    amounts = {"stats": mapping(ref("signed")), "abilities": many(ref("ability"))}
    card = {**record(read_card, Card, defs, amounts), "additionalProperties": ref("signed"), "required": []}
    clauses = card["properties"]["unread"]  # a clause alone is its text
    clauses |= many(any_of(ref("text"), clauses.pop("items")))
    clauses.pop("type")
    named = {"allOf": [ref("card")], "type": "object", "required": ["name"]}
    return {
        **found,
        "ability": ability,
        "card": card,
        "cards": any_of(mapping(any_of(NOTHING, abilities, ref("card"))), {"type": "array", "items": named}),
    }


def _positions(defs: dict[str, Schema]) -> dict[str, Schema]:
    """Positions and claims."""
    thing = record(
        read_thing_keys,
        Thing,
        defs,
        {"status": many(ref("word")), "base": mapping(ref("signed")), "used": any_of(ref("whole"), ref("amounts"))},
    )
    thing["properties"]["zone"] = say({**TEXT}, "Thing.zone", told=documented(Thing))
    name = any_of(ref("word"), closed(_told("claim", {"id": ref("word")}), ("id",)))
    spent = {"spend": any_of(TEXT, ref("amounts")), "on": ref("whole"), "over": ref("flag"), "replaced": many(name)}
    step = {
        "type": "object",
        "minProperties": 1,
        "properties": _told("claim", spent),
        "additionalProperties": any_of(NOTHING, TEXT, {"type": "array"}),
    }
    zone = any_of(NOTHING, ref("text"), ref("thing"), {"type": "array", "items": any_of(ref("word"), ref("thing"))})
    own = {"float": say(ref("pool"), "player.float", told={}), "facts": say(mapping(TEXT), "player.facts", told={})}
    effects = {**record(read_modifier, Modifier, defs, dict.fromkeys(get_args(Operation), ref("number")))["properties"]}
    for key in MODALITIES:
        effects |= record(read_static, Norm, defs, {key: ref("pattern")}, seed=(key,))["properties"]
    effects |= record(read_static, Grant, defs, {"of": ref("whose")}, seed=(GRANTS[0],))["properties"]
    bound = {"on": ref("word"), "with": mapping(TEXT)}
    effects |= bound | {"id": ref("word"), "controller": ref("word"), "timestamp": ref("whole")}
    lasting = {key: say(kind, f"lasting.{key}", told={}) for key, kind in effects.items()}
    gone = closed(_told("chosen", {"gone": ref("word")}), ("gone",))
    return {
        "chosen": many(any_of(ref("word"), gone)),
        "thing": thing,
        "pool": any_of(ref("text"), ref("amounts")),
        "player": any_of(NOTHING, {"type": "object", "properties": own, "additionalProperties": zone}),
        "lasting": closed(lasting, (), TEXTS.get("lasting", "")),
        "claim": many(any_of(ref("text"), step)),
    }


def _definitions() -> dict[str, Schema]:
    defs: dict[str, Schema] = {}
    for part in (_terms, _costs, _abilities, _positions):
        defs |= part(defs)
    return {**_scalars(), **defs}


def _finished(kind: str, schema: Schema, defs: dict[str, Schema]) -> Schema:
    """Put a schema together, with the definitions that it needs."""
    needed: dict[str, Schema] = {}
    _gather(schema, defs, needed)
    head = {"$schema": DIALECT, "title": TEXTS[f"title.{kind}"], "description": TEXTS[f"about.{kind}"]}
    return {**head, **schema, "$defs": dict(sorted(needed.items()))}


def _gather(schema: object, defs: dict[str, Schema], needed: dict[str, Schema]) -> None:
    if isinstance(schema, dict):
        name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
        if name and name not in needed:
            needed[name] = {**defs[name]}
            if "description" not in needed[name] and name in TEXTS:
                needed[name]["description"] = TEXTS[name]
            _gather(defs[name], defs, needed)
        for part in schema.values():
            _gather(part, defs, needed)
    elif isinstance(schema, list):
        for part in schema:
            _gather(part, defs, needed)


def _case() -> Schema:
    defs = _definitions()
    return _finished("case", of_model(CaseShape, defs), defs)


def _card() -> Schema:
    defs = _definitions()
    under = {**closed(_told("file", {"cards": ref("cards")}), ("cards",)), "description": "The cards under one key."}
    return _finished("card", any_of(under, ref("cards")), defs)


def _ruleset() -> Schema:
    defs = _definitions()
    found = of_structure(Ruleset, defs, KEYS)
    # The first document is the version where none is said.
    defs["Ruleset"]["required"] = [key for key in defs["Ruleset"]["required"] if key != "version"]
    return _finished("ruleset", found, defs)


SCHEMAS: dict[str, Callable[[], Schema]] = {"case": _case, "card": _card, "ruleset": _ruleset}
