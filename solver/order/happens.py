"""What happens to one object or player: the events that effects hear, replace, prevent and forbid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.position import Position


@dataclass(frozen=True, slots=True)
class Happens:
    """An event: what is done to one object or player. Events of one batch are at the same time."""

    name: str
    verb: str
    subject: str
    by: str
    source: str = ""
    amount: int = 1
    to: str | int | None = None
    cause: str | None = None
    assets: Mapping[str, int] | None = None
    detail: object = None
    beside: tuple[object, ...] = ()
    idle: bool = False
    partly: bool = False
    chosen: bool = False
    place: tuple[str, int] | None = None
    takes: str = ""
    crosses: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What texts may call it: of counters taken away the verb with their kind, and going into play or out of it."""
        more = ((f"{self.verb}_{self.takes}",) if self.takes else ()) + ((self.crosses,) if self.crosses else ())
        return (self.name, self.verb, *more)

    @property
    def act(self) -> Act:
        """What is done."""
        found = self.detail[0] if isinstance(self.detail, tuple) else self.detail
        assert isinstance(found, Act)
        return found

    def can_be(self, position: Position, play: frozenset[str]) -> bool:
        """Tell whether its subject is still the object that it was about: what went elsewhere is another."""
        if self.place is None:
            return True
        (zone, since), thing = self.place, next((t for t in position.things if t.id == self.subject), None)
        same = thing is not None and thing.timestamp == since
        return same and thing is not None and (thing.zone == zone or {thing.zone, zone} <= play)
