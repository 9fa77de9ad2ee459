"""The abilities that work before anything is paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawful.model.effect import Ability
from lawful.model.position import Thing

if TYPE_CHECKING:
    from lawful.solver.encode.look import Look


def working(look: Look) -> tuple[tuple[Thing, int, Ability], ...]:
    """Return the abilities of face-up objects in play that are not mute, with their numbers, by timestamp."""
    play, mute = {zone.name for zone in look.question.ruleset.zones if zone.play}, look.made.mute
    things = [t for t in look.position.things if t.zone in play and t.face == "up" and t.id not in mute]
    things.sort(key=lambda t: t.timestamp)
    return tuple((t, n, ability) for t in things for n, ability in enumerate(look.position.card(t).abilities))
