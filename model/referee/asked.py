"""What is asked, with X and the options settled, and the position that it is paid in."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lawful.model.declaration import Question
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position, Thing
from lawful.model.priced import targets_chosen
from lawful.model.referee.evaluate import Bound, Scope, matches, of_types
from lawful.model.referee.scope import types_of
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector

__all__ = ["Asked", "ask"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its X and options settled.

    Parameters
    ----------
    question : Question
        As it was put.
    x : int, optional
        The value of X.
    options : tuple of str
        What is declared, sorted.
    opening : Position
        The position before paying: the card announced has left, and the payer's pool names every asset.
    """

    question: Question
    x: int | None
    options: tuple[str, ...]
    opening: Position

    @property
    def payer(self) -> str:
        """The player who pays."""
        return self.question.declaration.player

    @property
    def ruleset(self) -> Ruleset:
        """The rules that it is paid by."""
        return self.question.ruleset

    @property
    def announced(self) -> str | None:
        """Id of the card that is being played, which is out of reach while it is paid for."""
        declaration = self.question.declaration
        return declaration.thing if declaration.kind == "play" else None

    @property
    def types(self) -> tuple[str, ...]:
        """Types of what is paid for."""
        declaration = self.question.declaration
        if declaration.thing is None:
            return declaration.types
        thing = self.opening.thing(declaration.thing)
        from lawful.model.referee.layers import granted  # what objects are is read by this module's own means

        if not granted(self.opening, self.ruleset):
            return self.opening.card(thing).types
        return tuple(sorted(types_of(thing, Scope(self.opening, self.ruleset))))

    @property
    def targets(self) -> int:
        """How many targets are chosen: ``$targets``."""
        return targets_chosen(self.question)

    def bindings(self) -> dict[str, Bound]:
        """Return what every text may refer to while this is paid."""
        thing, known = self.question.declaration.thing, dict[str, Bound](declarer=self.payer)
        known["targets"] = self.targets
        if thing is not None:
            known |= {"paid": thing, "declared": thing}
        return known if self.x is None else {**known, "x": self.x}

    def scope(self, position: Position) -> Scope:
        """Return where the texts of the cost itself are read: they are the payer's."""
        thing = self.question.declaration.thing
        own: dict[str, Bound] = {"controller": self.payer, "chooser": self.payer}
        if thing is not None:
            own["self"] = thing
        return Scope(position, self.ruleset, FrozenMap({**own, **self.bindings()}))

    def of_thing(self, position: Position, thing: Thing, controller: str | None = None) -> Scope:
        """Return where an object's text is read: ``$self`` is the object."""
        own: dict[str, Bound] = {
            "self": thing.id,
            "controller": controller or thing.controller,
            "owner": thing.owner,
        }
        return Scope(position, self.ruleset, FrozenMap({**self.bindings(), **own}))

    def suits(self, wanted: Ref | Selector, scope: Scope) -> bool:
        """Tell whether what is paid for is what a text asks for.

        A bare cost has no object: only a selector that asks for nothing but types can be told true of it.
        """
        declaration = self.question.declaration
        if declaration.thing is not None:
            return matches(wanted, self.opening.thing(declaration.thing), scope)
        if isinstance(wanted, Ref):
            return False
        bare = replace(wanted, type=(), how="each", n=None, up_to=False, by=None) == Selector()
        return bare and of_types(declaration.types, wanted.type)


def ask(question: Question, x: int | None, options: tuple[str, ...]) -> Asked:
    """Announce: the card that is played leaves first, and the pool is counted.

    Parameters
    ----------
    question : Question
        What is asked.
    x : int, optional
        The value of X.
    options : tuple of str
        What is declared.

    Returns
    -------
    Asked
        With the position before paying.

    Raises
    ------
    UnknownName
        If the player or the object does not exist.

    References
    ----------
    CR 5.1.2.
    """
    rules, declaration, position = question.ruleset, question.declaration, question.position
    payer = position.player(declaration.player)
    full = FrozenMap({asset.id: payer.pool.get(asset.id, asset.start) for asset in rules.assets})
    position = position.with_player(replace(payer, pool=full))
    if declaration.thing is not None:
        thing = position.thing(declaration.thing)
        if declaration.kind == "play" and rules.announced is not None:
            position = position.with_thing(replace(thing, zone=rules.announced))
    return Asked(question, x, tuple(sorted(set(options))), position)
