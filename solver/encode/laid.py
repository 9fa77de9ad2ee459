"""Norms that forbid an act: those of objects, and those that lie on none, of lasting effects and of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawful.model.act import Act
from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.solver.encode.sight import Sight

if TYPE_CHECKING:
    from lawful.solver.encode.look import Look


@dataclass(frozen=True, slots=True)
class Said:
    """A norm in force about an act on an object: whose it is, and since when."""

    norm: Norm
    holder: str
    timestamp: int


def said(
    look: Look, verb: str, thing: Thing, user: str | None = None, *, named: bool = False, what: object = None
) -> tuple[Said, ...]:
    """Return the norms in force that are about a verb on an object."""
    known = next((v for v in look.question.ruleset.verbs if v.name == verb), None)
    events = frozenset({verb}) if known is None else known.events(what, named=named)
    return (*printed_on(look, events, thing, user), *laid(look, events, thing, user))


def printed_on(look: Look, events: Set[str], thing: Thing, user: str | None) -> Iterator[Said]:
    """Yield what objects in play say of a verb on an object."""
    for source, _, ability in look.in_play():
        if not isinstance(ability, Static) or not isinstance(ability.effect, Norm):
            continue
        norm, who, sid = ability.effect, source.controller, source.id
        action = norm.action
        if not speaks(norm, events) or not look.holds(norm.while_, who, sid):
            continue
        if action.source is not None and not look.spoken_of(action.source, who, sid):
            continue
        if norm.unless is not None and look.holds(norm.unless, who, sid):
            continue
        if action.by is not None and look.who(action.by, who, sid) != (user or look.question.declaration.player):
            continue
        if look.about(action.subject, thing, who, sid):
            yield Said(norm, source.id, source.timestamp)


def laid(look: Look, events: Set[str], thing: Thing, user: str | None) -> Iterator[Said]:
    """Yield what is said of a verb on an object by what lies on no object."""
    declaration, rules = look.question.declaration, look.question.ruleset
    known: dict[str, str | int] = {"declarer": declaration.player}
    known |= {} if declaration.thing is None else {"paid": declaration.thing, "declared": declaration.thing}
    there = [
        (
            Said(effect.modifier, effect.id, effect.timestamp),
            {**known, **effect.bindings, "controller": effect.controller},
        )
        for effect in look.position.lasting
        if isinstance(effect.modifier, Norm)
    ]
    own = [(Said(norm, norm.name, -1), {**known, "controller": declaration.player}) for norm in rules.norms]
    sight = Sight(look.position, rules)
    for one, env in (*there, *own):
        norm = one.norm
        if not speaks(norm, events):
            continue
        action = norm.action
        if not sight.holds(norm.while_, env) or (norm.unless is not None and sight.holds(norm.unless, env)):
            continue
        if action.by is not None and sight.what(action.by, env) != (user or declaration.player):
            continue
        if action.source is not None and not _of_declared(look, sight, action.source, env):
            continue
        if action.subject is None or sight.means(action.subject, thing, {**env, "subject": thing.id}):
            yield one


def unanswered(rules: Ruleset, bans: Iterable[Said], there: Sequence[Said], ignores: tuple[str, ...]) -> Iterator[str]:
    """Yield the holders of restrictions that an act does not ignore, and nothing else that is said goes before."""
    norming = rules.norming
    above = norming.rank[: norming.rank.index("cannot")]
    for ban in bans:
        norm = ban.norm
        if norm.modality != "cannot" or norm.more_than is not None or norm.fewer_than is not None:
            continue  # one that speaks of a number is about declarations, not about a single act
        if norm.name and norm.name in ignores:
            continue
        leave = [s for s in there if s.norm.modality != "cannot"]
        if norm.name and any(norm.name in s.norm.ignores for s in leave):
            continue
        if norming.conflict == "rank":
            beaten = any(s.norm.modality in above for s in leave)
        else:
            beaten = any((s.timestamp, s.norm.modality in above) > (ban.timestamp, False) for s in leave)
        if not beaten:
            yield ban.holder


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


def speaks(norm: Norm, events: Set[str]) -> bool:
    """Say whether a norm is about a verb, by any of these names; not one that asks what something is done to."""
    return norm.action.event in events and norm.action.on is None
