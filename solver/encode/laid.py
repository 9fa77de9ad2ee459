"""Norms that forbid an act: those of objects, and those that lie on none, of lasting effects and of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING

from lawful.model.act import Act
from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.solver.encode.sight import Sight

if TYPE_CHECKING:
    from lawful.solver.encode.look import Look


def printed_on(
    look: Look, events: Set[str], thing: Thing, user: str | None, ignores: tuple[str, ...] = ()
) -> Iterator[str]:  # fmt: skip
    """Yield the objects in play whose norms forbid a verb on an object."""
    for source, _, ability in look.in_play():
        if not isinstance(ability, Static) or not isinstance(ability.effect, Norm):
            continue
        norm, who, sid = ability.effect, source.controller, source.id
        action = norm.action
        if not bars(norm, events) or norm.name in ignores or not look.holds(norm.while_, who, sid):
            continue
        if action.source is not None and not look.spoken_of(action.source, who, sid):
            continue
        if norm.unless is not None and look.holds(norm.unless, who, sid):
            continue
        if action.by is not None and look.who(action.by, who, sid) != (user or look.question.declaration.player):
            continue
        if look.about(action.subject, thing, who, sid):
            yield source.id


def laid(
    look: Look, events: Set[str], thing: Thing, user: str | None, ignores: tuple[str, ...] = ()
) -> Iterator[str]:  # fmt: skip
    """Yield the holders of norms that lie on no object and forbid a verb on an object."""
    declaration, rules = look.question.declaration, look.question.ruleset
    known: dict[str, str | int] = {"declarer": declaration.player}
    known |= {} if declaration.thing is None else {"paid": declaration.thing, "declared": declaration.thing}
    there = [
        (effect.id, effect.modifier, {**known, **effect.bindings, "controller": effect.controller})
        for effect in look.position.lasting
    ]
    own = [(norm.name, norm, {**known, "controller": declaration.player}) for norm in rules.norms]
    sight = Sight(look.position, rules)
    for holder, norm, env in (*there, *own):
        if not isinstance(norm, Norm) or not bars(norm, events) or norm.name in ignores:
            continue
        action = norm.action
        if not sight.holds(norm.while_, env) or (norm.unless is not None and sight.holds(norm.unless, env)):
            continue
        if action.by is not None and sight.what(action.by, env) != (user or declaration.player):
            continue
        if action.source is not None and not _of_declared(look, sight, action.source, env):
            continue
        if action.subject is None or sight.means(action.subject, thing, {**env, "subject": thing.id}):
            yield holder


def _of_declared(look: Look, sight: Sight, wanted: Ref | Selector, env: Mapping[str, str | int]) -> bool:
    declaration = look.question.declaration
    if declaration.thing is not None:
        return sight.means(wanted, look.position.thing(declaration.thing), env)
    if isinstance(wanted, Ref) or wanted != Selector(type=wanted.type):
        return False
    return {t.casefold() for t in wanted.type} <= {t.casefold() for t in declaration.types}


def barred(look: Look, act: Act, thing: Thing, user: str | None = None) -> tuple[str, ...]:
    """Return the holders of norms that keep an act from being done to an object as a cost."""
    named = isinstance(act.of if act.of is not None else act.what, Ref)
    return look.forbidden(act.verb, thing, user, named=named, what=act.what, ignores=act.ignores)


def bars(norm: Norm, events: Set[str]) -> bool:
    """Say whether a norm, where it is in force, forbids a verb, by any of these names, on some object.

    One that speaks of a number, or of what it is done to, is about declarations, not about a single act.
    """
    whole = norm.more_than is None and norm.fewer_than is None and norm.action.on is None
    return norm.modality == "cannot" and norm.action.event in events and whole
