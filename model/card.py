"""A card, as data: what it costs, what it gives, what it is, what it does."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.cost import Cost
from lawful.model.effect import Ability
from lawful.model.frozen import FrozenMap

QUESTIONS = ("pay", "check", "order")


@dataclass(frozen=True, slots=True)
class Unread:
    """A clause of a card's text that its abilities do not say, and the questions on which it bears.

    Parameters
    ----------
    text : str
        The clause.
    kind : str
        What kind of clause it is; empty where that is not known.
    place : str
        Where it stands: the card file and the line.
    own : tuple of str
        Questions (`pay`, `check`, `order`) on which it bears where they are about this card: it is played, its ability
        is used, its text is what happens.
    play : tuple of str
        Those on which it bears wherever the card lies in play.
    hand : tuple of str
        Those on which it bears while the card is in the hand of whoever pays.
    used : bool
        Whether it is part of an ability that is used by itself: then `own` is about using it.
    ability : tuple of str
        Names of the abilities of which it is part; it does not bear on using another one that is named.
    stats : tuple of str
        Numbers that it may change while the card lies in play: it bears on paying and declaring that ask for one.
    """

    text: str
    kind: str = ""
    place: str = ""
    own: tuple[str, ...] = QUESTIONS
    play: tuple[str, ...] = QUESTIONS
    hand: tuple[str, ...] = ("pay", "check")
    used: bool = False
    ability: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """What is printed. What changes at run time lives in the position, never here.

    Parameters
    ----------
    name : str
        The card's name.
    types : tuple of str
        Types, subtypes, classes: everything that a selector may ask for.
    cost : Cost, optional
        The printed cost. None is *no cost*, which is not a cost of 0.
    yields : mapping of str to int, optional
        What the card gives when it is used as the ruleset's own kind of source, in points of each asset. None means
        that it lacks the property; a printed 0 is a property with the value 0.
    stats : mapping of str to int
        Printed numbers: `power`, `life`, `defense`.
    props : mapping of str to str
        Printed words: `color`.
    abilities : tuple of Ability
        What it does.
    called : str
        The name that is printed, where `name` says more to tell cards of one name apart; empty is `name`.
    unread : tuple of Unread
        What its text says beside its abilities: it was not read.

    References
    ----------
    CR 1.14.3a (only a card with the pitch property), 1.8.7 (no cost is not cost 0).
    """

    name: str
    types: tuple[str, ...] = ()
    cost: Cost | None = None
    yields: FrozenMap[str, int] | None = None
    stats: FrozenMap[str, int] = FrozenMap()
    props: FrozenMap[str, str] = FrozenMap()
    abilities: tuple[Ability, ...] = ()
    called: str = ""
    unread: tuple[Unread, ...] = ()

    @property
    def printed_name(self) -> str:
        """The name that texts speak of."""
        return self.called or self.name
