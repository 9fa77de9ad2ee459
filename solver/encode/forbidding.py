"""What forbids a declaration itself, before anything is paid."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.declaration import Question
from lawful.model.effect import Activated, Norm
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.solver.encode.announcing import labels
from lawful.solver.encode.laid import Said, said, unanswered
from lawful.solver.encode.look import Look


def forbidden(question: Question, look: Look) -> Iterator[tuple[str, str]]:
    """Yield what forbids the declaration itself: norms, the condition and the limit of an ability."""
    declaration = question.declaration
    if declaration.thing is None or declaration.kind == "cost":
        return
    thing = look.position.thing(declaration.thing)
    who, id = thing.controller, thing.id
    by: list[str] = []
    for name in (declaration.kind, *sorted(labels(question))):
        there = said(look, name, thing)
        own = tuple(_own(look, thing)) if name == "play" else ()
        bans = own if declaration.judged else (*there, *own)
        by += unanswered(question.ruleset, bans, (*there, *own), ())
    if by:
        yield "restriction", by[0]
    elif declaration.kind == "activate" and not declaration.judged and id in look.made.mute:
        yield "restriction", id
    elif declaration.kind == "play" or declaration.cost is None:
        able = [
            (number, ability)
            for number, ability in enumerate(look.position.card(thing).abilities if _uses_one(look, thing) else ())
            if isinstance(ability, Activated) and declaration.ability in (None, ability.name)
        ]
        if not able:
            return
        number, ability = able[0]
        if not declaration.judged and not look.holds(ability.when, who, id):
            yield "restriction", id
        elif ability.limit is not None and look.position.remaining.get(f"{id}/{number}", ability.limit) <= 0:
            yield "limit", id


def _uses_one(look: Look, thing: Thing) -> bool:
    """Tell whether an ability is used: one that is activated, or that a card of this kind uses as it is played."""
    at_once = {kind.casefold() for kind in look.question.ruleset.resolves}
    return look.question.declaration.kind == "activate" or bool(at_once & {t.casefold() for t in look.types(thing)})


def _own(look: Look, thing: Thing) -> Iterator[Said]:
    """Yield what the card that is played says of being played; it is in no zone of play."""
    who, id = thing.controller, thing.id
    for _, static in look.of_announced():
        if isinstance(static, Norm) and static.action.event == "play" and static.action.subject == Ref("self"):
            released = static.unless is not None and look.holds(static.unless, who, id)
            if look.holds(static.while_, who, id) and not released:
                yield Said(static, id, thing.timestamp)
