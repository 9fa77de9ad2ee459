"""Norms as the encoder reads them: which are in force, which choice each bears on, which goes before which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lawful.model.declaration import Question
from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.solver.encode.sight import Env, Sight


@dataclass(frozen=True, slots=True)
class Bearing:
    """A norm in force.

    Parameters
    ----------
    norm : Norm
        What it says.
    key, holder : str
        What tells it from others; the object or effect that it comes from.
    env : mapping
        What its text refers to.
    timestamp : int
        Since when.
    """

    norm: Norm
    key: str
    holder: str
    env: Env
    timestamp: int

    @property
    def role(self) -> str:
        """The role of its rule."""
        return self.norm.modality + (f".{self.norm.name}" if self.norm.name else "")

    @property
    def single(self) -> bool:
        """Whether it is a restriction on each object by itself."""
        return self.norm.modality == "cannot" and self.norm.more_than is None and self.norm.fewer_than is None


@dataclass(frozen=True, slots=True)
class Where:
    """A slot, or an act, as norms ask about it."""

    events: frozenset[str]
    chooser: str
    on: str | None = None
    joins: frozenset[str] = frozenset()


class Bearings:
    """All norms in force on one declaration.

    Parameters
    ----------
    question : Question
        What is declared.
    sight : Sight
        On the position after the card declared has left.
    known : mapping
        What every text may refer to: ``declared``, ``paid``, ``x``.
    """

    def __init__(self, question: Question, sight: Sight, known: Env) -> None:
        self.question, self.sight = question, sight
        self.norms = tuple(b for b in self._all(known) if self._in_force(b))
        self._subjects: dict[tuple[str, str], bool] = {}
        self._spoken: dict[frozenset[str], list[Bearing]] = {}

    def _all(self, known: Env) -> Iterator[Bearing]:
        who = self.question.declaration.player
        for thing, number, ability in self.sight.abilities():
            if isinstance(ability, Static) and isinstance(ability.effect, Norm):
                own = {"self": thing.id, "controller": thing.controller, "owner": thing.owner, "declarer": who}
                key = f"{thing.id}/{number}"
                yield Bearing(ability.effect, key, thing.id, {**known, **own}, thing.timestamp)
        in_play = {zone.name for zone in self.question.ruleset.zones if zone.play}
        for thing in self.sight.position.things:
            if thing.zone in in_play or thing.face != "up":
                continue
            for number, ability in enumerate(self.sight.position.card(thing).abilities):
                norm = ability.effect if isinstance(ability, Static) else None
                if not isinstance(norm, Norm) or norm.modality != "cannot" or norm.action.subject != Ref("self"):
                    continue
                if norm.action.event != "play":  # that is said of the card that has left its zone
                    own = {"self": thing.id, "controller": thing.controller, "owner": thing.owner, "declarer": who}
                    yield Bearing(norm, f"{thing.id}/{number}", thing.id, {**known, **own}, thing.timestamp)
        for effect in self.sight.position.lasting:
            if isinstance(effect.modifier, Norm):
                env = {**known, **effect.bindings, "controller": effect.controller, "declarer": who}
                yield Bearing(effect.modifier, f"{effect.id}/0", effect.id, env, effect.timestamp)
        for number, norm in enumerate(self.question.ruleset.norms):
            yield Bearing(norm, f"/{number}", norm.name, {**known, "controller": who, "declarer": who}, -1)

    def _in_force(self, b: Bearing) -> bool:
        if not self.sight.holds(b.norm.while_, b.env):
            return False
        return b.norm.unless is None or not self.sight.holds(b.norm.unless, b.env)

    def bears(self, b: Bearing, where: Where, thing: Thing | None) -> bool:
        """Say whether a norm is about choosing an object there; no object is only what norms without a subject mean."""
        action, sight = b.norm.action, self.sight
        if action.event not in where.events:
            return False
        if action.by is not None and sight.what(action.by, b.env) != where.chooser:
            return False
        if action.event in where.joins:  # said of what is declared and of what is chosen for it
            mine = action.subject is None or self._from(action.subject, b.env)
            there = action.on is None or (thing is not None and sight.means(action.on, thing, b.env))
            return mine and there and (action.source is None or self._from(action.source, b.env))
        if action.subject is not None and (thing is None or not self._subject(b, action.subject, thing)):
            return False
        if action.on is not None and (where.on is None or not sight.means(action.on, sight.things[where.on], b.env)):
            return False
        return action.source is None or self._from(action.source, b.env)

    def _subject(self, b: Bearing, wanted: Ref | Selector, thing: Thing) -> bool:
        """Say whether an object is one that a norm speaks of; each is looked at once."""
        key = b.key, thing.id
        if key not in self._subjects:
            self._subjects[key] = self.sight.means(wanted, thing, b.env)
        return self._subjects[key]

    def _from(self, wanted: Ref | Selector, env: Env) -> bool:
        declaration = self.question.declaration
        if declaration.thing is not None:
            return self.sight.means(wanted, self.sight.things[declaration.thing], env)
        if isinstance(wanted, Ref):
            return False
        # A text without an object is known by its types only.
        plain = replace(wanted, type=(), how="each", n=None, up_to=False, by=None) == Selector()
        types = {word.casefold() for word in declaration.types}
        return plain and {word.casefold() for word in wanted.type} <= types

    def bans(self, where: Where, thing: Thing | None) -> list[Bearing]:
        """Return the restrictions there that nothing sets aside."""
        if where.events not in self._spoken:
            self._spoken[where.events] = [b for b in self.norms if b.norm.action.event in where.events]
        here = [b for b in self._spoken[where.events] if self.bears(b, where, thing)]
        return [b for b in here if b.single and not any(self._before(other, b) for other in here)]

    def _before(self, other: Bearing, ban: Bearing) -> bool:
        """Say whether a norm goes before a restriction about the same choice."""
        norming = self.question.ruleset.norming
        if other.norm.modality == "cannot":
            return False
        if ban.norm.name and ban.norm.name in other.norm.ignores:
            return True
        stronger = norming.rank.index(other.norm.modality) < norming.rank.index("cannot")
        if norming.conflict == "rank":
            return stronger
        return (other.timestamp, stronger) > (ban.timestamp, False)

    def lets(self, where: Where, thing: Thing) -> bool:
        """Say whether an allowance is about choosing an object there."""
        return any(b.norm.modality == "may" and self.bears(b, where, thing) for b in self.norms)

    def ignored(self, b: Bearing) -> bool:
        """Say whether some allowance sets a norm aside by its name."""
        return bool(b.norm.name) and any(b.norm.name in other.norm.ignores for other in self.norms)
