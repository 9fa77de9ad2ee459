"""Renames the cards and objects of a case: every place where a name stands, and no other word that happens to be equal.

A colour that is called like a card, a type, an option, an ability's name: these are words of the rules, not names.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from lawful.checking import Offer
from lawful.model.card import Card
from lawful.model.casefile import Case, read_cases, write_case
from lawful.model.declaration import Declaration, Happening
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Choice, Spend, Use
from lawful.model.position import Lasting, Position, Queued, Thing
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.model.verdict import Because, Lack, Message

# Where names stand. The values of these fields are a name, names, or a mapping to names.
PLACES: Mapping[type, tuple[str, ...]] = {
    Card: ("name",),
    Thing: ("id", "card", "relations"),
    Lasting: ("id", "bindings"),
    Queued: ("source",),
    Selector: ("name",),
    Declaration: ("thing", "targets"),
    Offer: ("legal",),
    Happening: ("source", "bindings"),
    Use: ("thing", "replaced"),
    Choice: ("things",),
    Spend: ("thing",),
    Because: ("about",),
    Lack: ("what",),
    Message: ("params",),
}
KEYED: Mapping[type, tuple[str, ...]] = {Offer: ("refused",)}  # here the keys are names
UNORDERED = {Choice: "things", Because: "about"}  # sorted by id, which is another order after renaming
WORDS_OF_A_WAY = ("pool", "overpaid", "x", "options", "copies", "key", "steps", "given")


def names_of(case: Case) -> list[str]:
    """Return every name of a card or an object in a case."""
    position = case.question.position
    found = [name for card in position.cards.values() for name in (card.name,)]
    found += [name for thing in position.things for name in (thing.id, thing.card)]
    found += [effect.id for effect in position.lasting]
    # A selector may ask for a word in a printed name: then the name is a word of the rules, too.
    asked = {word.casefold() for word in re.findall(r"words='(.*?)'", repr(case))}
    return [name for name in dict.fromkeys(found) if not any(word in name.casefold() for word in asked)]


def random_names(names: list[str], seed: int) -> dict[str, str]:
    """Return a random string for every name: no two alike, none that is a name already, no relation to the old one."""
    source = random.Random(seed)
    new: list[str] = []
    while len(new) < len(names):
        name = "".join(source.choices(string.ascii_letters, k=source.randint(6, 12)))
        if name.casefold() not in {known.casefold() for known in [*names, *new]}:
            new.append(name)
    return dict(zip(names, new, strict=True))


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value of the model with its names replaced; a ruleset stays as it is."""
    # The cards of which there could be more are the ruleset's.
    if isinstance(value, Ruleset) or (isinstance(value, Lack) and value.kind == "card"):
        return value
    if isinstance(value, Position):
        cards = {names.get(name, name): renamed(card, names) for name, card in value.cards.items()}
        rest = {f.name: renamed(getattr(value, f.name), names) for f in fields(value) if f.name != "cards"}
        rest["remaining"] = FrozenMap({_named(key, names): n for key, n in value.remaining.items()})
        return Position(**rest, cards=FrozenMap(cards))
    if is_dataclass(value) and not isinstance(value, type):
        places = PLACES.get(type(value), ())
        found = {f.name: getattr(value, f.name) for f in fields(value)}
        found = {key: (_named if key in places else renamed)(inner, names) for key, inner in found.items()}
        for key in KEYED.get(type(value), ()):
            found[key] = FrozenMap({names.get(name, name): inner for name, inner in found[key].items()})
        if type(value) in UNORDERED:
            found[UNORDERED[type(value)]] = tuple(sorted(found[UNORDERED[type(value)]]))
        return type(value)(**found)
    if isinstance(value, FrozenMap):
        return FrozenMap({_slot(key, names): renamed(inner, names) for key, inner in value.items()})
    return tuple(renamed(inner, names) for inner in value) if isinstance(value, tuple) else value


def _named(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        head, slash, number = value.rpartition("/")  # an ability is called by its object: ``Bear/0``
        return names.get(value, names.get(head, head) + slash + number)
    if isinstance(value, tuple):
        return tuple(sorted(_named(inner, names) for inner in value))
    if isinstance(value, FrozenMap):
        return FrozenMap({_slot(key, names): _named(inner, names) for key, inner in value.items()})
    return value


def _slot(key: str, names: Mapping[str, str]) -> str:
    """Replace the name in a slot that is one object's: ``blockers > Bear``."""
    slot, arrow, name = key.partition(" > ")
    return slot + arrow + names.get(name, name)


def renamed_way(way: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return an expected way with its names replaced: what it names by asset, by verb, as sources and in steps."""
    found = {key: value if key in WORDS_OF_A_WAY else _list(value, names) for key, value in way.items()}
    if "steps" in way:
        found["steps"] = [
            {key: _list(value, names) if key == "with" else value for key, value in step.items()}
            for step in way["steps"]
        ]
    return found


def _list(value: Any, names: Mapping[str, str]) -> list[str]:
    return [names.get(name, name) for name in value]


def _data(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {key: DATA[key](value, names) if key in DATA else value for key, value in data.items()}


def _told(text: str, names: Mapping[str, str]) -> str:
    """Replace the names in a sentence: ``target: Bear instead of Wolf``."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda found: names[found[0]], text) if names else text


DATA: Mapping[str, Callable[[Any, Mapping[str, str]], Any]] = {
    "ways": lambda ways, names: [renamed_way(way, names) for way in ways],
    "legal_targets": lambda slots, names: {slot: _list(ids, names) for slot, ids in slots.items()},
    "refused": lambda refused, names: {_told(key, names): rules for key, rules in refused.items()},
    "repairs": lambda repairs, names: [
        {key: _told(text, names) if key == "change" else text for key, text in repair.items()} for repair in repairs
    ],
}


def renamed_case(case: Case, names: Mapping[str, str]) -> Case:
    """Return a case with its names replaced, its question and claim written as a case file and read again."""
    if case.order is not None:
        told = replace(case.expect, data=_states(dict(case.expect.data), names))
        return replace(case, question=renamed(case.question, names), order=renamed(case.order, names), expect=told)
    question, claim = renamed(case.question, names), renamed(case.claim, names)
    [read] = read_cases(write_case(question, claim, name=case.name))
    assert read.question == question
    assert read.claim == claim
    expect = case.expect
    payments = tuple(replace(one, claim=renamed(one.claim, names)) for one in expect.payments)
    readings = expect.readings and {_told(name, names): _data(data, names) for name, data in expect.readings.items()}
    told = replace(expect, data=_data(expect.data, names), payments=payments, readings=readings)
    return replace(case, question=read.question, claim=read.claim, expect=told)


def _states(value: Any, names: Mapping[str, str]) -> Any:
    """Return what is expected to come out with its names replaced: at the head of paths and ids, and as values."""
    if isinstance(value, Mapping):
        return {_headed(key, names): _states(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_states(inner, names) for inner in value]
    return _headed(value, names) if isinstance(value, str) else value


def _headed(word: str, names: Mapping[str, str]) -> str:
    """Replace the name that a word is, or begins with: ``Bear.power``, ``Bear/0``; the longest first."""
    for name in sorted(names, key=len, reverse=True):
        if word == name or word.startswith((f"{name}.", f"{name}/")):
            return names.get(name, name) + word.removeprefix(name)
    return word
