"""Why an object is not what a text asks for: every test that it fails, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawful.model.position import Thing
from lawful.model.referee.evaluate import (
    Scope,
    beside,
    compare,
    extreme,
    follow,
    has,
    kindred,
    matches,
    names_of,
    number,
    of_types,
)
from lawful.model.referee.forbid import because
from lawful.model.referee.seen import stat_seen, types_seen
from lawful.model.selector import Selector
from lawful.model.verdict import Because, Value


def refused(
    slot: str, verb: str, wanted: Selector, thing: Thing, scope: Scope, kind: str = "fits"
) -> tuple[Because, ...]:
    """Return the rules by which an object is not what a slot asks for, norms aside.

    Parameters
    ----------
    slot : str
        The slot's name.
    verb : str
        What is done to the object.
    wanted : Selector
        Who may be chosen.
    thing : Thing
        The object.
    scope : Scope
        Where the selector is read.
    kind : str
        The role of the rule that says who may be chosen; a procedure has its own.

    Returns
    -------
    tuple of Because
        Empty where it may be chosen. A face-down object is blank: what it is is not looked at where it must not be
        chosen anyway.

    References
    ----------
    CR 1.8.5, 1.8.6 (targets and choices), 1.8.7 (no cost is not cost 0).
    """

    def no(role: str, says: str, **params: Value) -> Because:
        return because(scope.ruleset, role, f"check.{says}", (thing.id,), slot=slot, object=thing.id, **params)

    if not wanted.finds_kind(thing.seat):
        return (no(f"{kind}.player", "fits.player" if thing.seat else "fits.object"),)
    found = [
        no(role, _says(role == f"{kind}.zone", thing), verb=verb, zone=thing.zone)
        for role in _zone(verb, wanted, thing, scope, kind)
    ]
    if thing.face != (wanted.face or "up"):
        found.append(no("face", f"face.{thing.face}"))
    found += _lying(wanted, thing, scope, slot, kind)
    if thing.seat:
        nothing = _asks(wanted)
        return (*found, no(f"{kind}.type", "fits.type", wanted=wanted.type)) if nothing else tuple(found)
    if thing.face == "up" or (wanted.known and wanted.face == "down"):
        return (*found, *_printed(wanted, thing, scope, slot, kind))
    return (*found, no("blank", "blank")) if _asks(wanted) and wanted.face == "down" else tuple(found)


def _asks(wanted: Selector) -> bool:
    """Tell whether a text asks for what only a face-up object has."""
    return bool(wanted.type or wanted.name or wanted.words or wanted.namesake or wanted.has or wanted.where)


def _says(of_text: bool, thing: Thing) -> str:
    return "fits.zone" if of_text else "zone.player" if thing.seat else "zone"


def _zone(verb: str, wanted: Selector, thing: Thing, scope: Scope, kind: str) -> Iterator[str]:
    rules = scope.ruleset
    taken = next((v.from_ for v in rules.verbs if v.name == verb), ())
    if taken and thing.zone not in taken:
        yield f"zone.{verb}"
    if thing.seat:
        if wanted.zone:
            yield f"{kind}.zone"
        return
    play = tuple(zone.name for zone in rules.zones if zone.play)
    looked = wanted.zone or (() if taken else rules.choosing.zones or play)
    if (wanted.zone or looked) and thing.zone not in looked:
        yield f"{kind}.zone"


def _lying(wanted: Selector, thing: Thing, scope: Scope, slot: str, kind: str) -> list[Because]:
    """Test what can be seen of any object."""

    def no(test: str, **params: Value) -> Because:
        about = (thing.id,)
        return because(
            scope.ruleset, f"{kind}.{test}", f"check.fits.{test}", about, slot=slot, object=thing.id, **params
        )

    found = []
    if wanted.controller is not None and thing.controller != follow(wanted.controller, scope):
        found.append(no("controller", got=thing.controller))
    if wanted.owner is not None and thing.owner != follow(wanted.owner, scope):
        found.append(no("owner", got=thing.owner))
    if wanted.not_ is not None and thing.id == follow(wanted.not_, scope):
        found.append(no("not"))
    if wanted.is_ is not None and thing.id != follow(wanted.is_, scope):
        found.append(no("is"))
    if not thing.status.issuperset(wanted.status):
        found.append(no("status", wanted=wanted.status))
    if any(thing.counters.get(kind, 0) < n for kind, n in wanted.counters.items()):
        found.append(no("counters", wanted=tuple(wanted.counters)))
    for name, to in wanted.relations.items():
        other = follow(to, scope)
        if other is None or thing.relations.get(name) != other:
            found.append(no("relation", wanted=name))
            break
    if not beside(wanted, thing, scope):
        found.append(no("relation", wanted=next(iter((*wanted.near, *wanted.bears)))))
    if not kindred(wanted, thing, scope):
        found.append(no("type", wanted=()))
    if not extreme(wanted, thing, scope):
        found.append(no("where", wanted=(wanted.highest or wanted.lowest or "",)))
    any_of, none_of = (
        [
            matches(replace(part, face=part.face or wanted.face, known=part.known or wanted.known), thing, scope)
            for part in parts
        ]
        for parts in (wanted.any_of, wanted.none_of)
    )
    if wanted.any_of and not any(any_of):
        found.append(no("any"))
    if any(none_of):
        found.append(no("none"))
    return found


def _printed(wanted: Selector, thing: Thing, scope: Scope, slot: str, kind: str) -> Iterator[Because]:
    """Test what only a face-up object has."""
    card = scope.position.card(thing)

    def no(test: str, **params: Value) -> Because:
        about = (thing.id,)
        return because(
            scope.ruleset, f"{kind}.{test}", f"check.fits.{test}", about, slot=slot, object=thing.id, **params
        )

    if not of_types(types_seen(thing, scope), wanted.type):
        yield no("type", wanted=wanted.type)
    if wanted.name not in (None, card.name, card.printed_name):
        yield no("name", wanted=wanted.name or "")
    if wanted.words is not None and wanted.words.casefold() not in card.printed_name.casefold():
        yield no("words", wanted=wanted.words)
    if wanted.namesake is not None and card.printed_name not in (names := names_of(wanted.namesake, scope)):
        one = no("name", wanted=" / ".join(sorted(names)))
        yield one if names else replace(one, says=replace(one.says, id="check.fits.unnamed"))
    missing = tuple(name for name in wanted.has if not has(thing, name, scope, wanted.known))
    if missing:
        yield no("has", wanted=missing)
    failed = [
        t.stat
        for t in wanted.where
        if not compare(stat_seen(thing, t.stat, scope), t.op, number(t.value, scope))
    ]  # fmt: skip
    if failed:
        yield no("where", wanted=tuple(failed))
