"""A moment of play: the position, what the text being done refers to, and what has happened so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Position
from lawful.model.referee.scope import Bound, Scope
from lawful.model.ruleset import Ruleset
from lawful.model.verdict import Message, Value

if TYPE_CHECKING:
    from lawful.model.referee.event import Event


@dataclass(frozen=True, slots=True)
class Moment:
    """Where play has come to. Frozen: whatever is done gives new moments, one for every way it can go.

    Parameters
    ----------
    scope : Scope
        Position, rules, and what the references of the text being done stand for.
    trace : tuple of Message
        What happened, in order.
    used : frozenset of str
        Replacements that were applied to the event being done; each applies once to one original event.
    cause : str, optional
        What the text being done is (``attack``): what it does, and what happens instead, is caused by that.
    done : mapping of str to frozenset of str
        How far each named step of the text was done, as `Success` says it.
    happened : tuple of Event
        What happened last.
    zeroed : bool
        Whether wounds were to be given then, and all of some were prevented or could not be.
    chosen : frozenset of str
        The names under which the text being done knows what was chosen.
    """

    scope: Scope
    trace: tuple[Message, ...] = ()
    used: frozenset[str] = frozenset()
    cause: str | None = None
    done: FrozenMap[str, frozenset[str]] = FrozenMap()
    happened: tuple[Event, ...] = ()
    zeroed: bool = False
    chosen: frozenset[str] = frozenset()

    @property
    def position(self) -> Position:
        """The position."""
        return self.scope.position

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""
        return self.scope.ruleset

    def at(self, position: Position) -> Moment:
        """Return the moment with another position."""
        return replace(self, scope=self.scope.at(position))

    def text(self, bindings: FrozenMap[str, Bound], like: Moment | None = None) -> Moment:
        """Return the moment as another text sees it; as far as that one was done before, where it goes on."""
        known = (FrozenMap[str, frozenset[str]](), frozenset[str]()) if like is None else (like.done, like.chosen)
        return replace(self, scope=replace(self.scope, bindings=bindings), done=known[0], chosen=known[1])

    def yields(self, name: str | None, *found: Bound) -> Moment:
        """Return the moment with what a step yielded under its name: ``pick``, then ``pick 2``, ``pick 3``."""
        if name is None or not found:
            return self
        more = {name if i == 0 else f"{name} {i + 1}": what for i, what in enumerate(found)}
        return replace(self, scope=self.scope.bind(**more))

    def did(self, name: str | None, *levels: str) -> Moment:
        """Return the moment that remembers how far a step was done."""
        return self if name is None else replace(self, done=self.done.put(name, frozenset(levels)))

    def says(self, id: str, **params: Value) -> Moment:
        """Return the moment with one more line in its trace."""
        return replace(self, trace=(*self.trace, Message(id, FrozenMap(params))))


def start(position: Position, ruleset: Ruleset) -> Moment:
    """Return the moment before anything is done."""
    return Moment(Scope(position, ruleset))


def distinct(moments: Iterable[Moment]) -> Iterator[Moment]:
    """Yield the first of the moments that differ in nothing but the way there."""
    seen: set[object] = set()
    for moment in moments:
        key = (moment.position, moment.scope.bindings, moment.used, moment.done, moment.chosen)
        known = len(seen)
        seen.add(key)
        if len(seen) > known:
            yield moment
