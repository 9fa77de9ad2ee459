"""Which objects, and which events, a text speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from lawful.model.expression import Comparison, Expression, Ref
from lawful.model.frozen import FrozenMap

How: TypeAlias = Literal["each", "choose", "target", "random", "top", "count"]


@dataclass(frozen=True, slots=True)
class Test:
    """A property of the object compared with a number, spelled ``where: {power: {ge: 3}}``."""

    __test__: ClassVar[bool] = False  # pytest takes what is called so for a class of tests

    stat: str
    op: Comparison
    value: Expression


@dataclass(frozen=True, slots=True)
class Selector:
    """Picks objects of a position.

    Parameters
    ----------
    zone : tuple of str
        Any of these zones; empty means any zone.
    type : tuple of str
        All of these types.
    name : str, optional
        The card's name.
    controller, owner : Ref, optional
        Who controls or owns the object. None means anybody.
    face : {"up", "down"}, optional
        None sees face-up objects only, as a blank card answers to nothing; a text that asks for face-down says so.
    status : tuple of str
        All of these: `exhausted`, `defending`, ...
    counters : mapping of str to int
        At least so many counters of each kind.
    relations : mapping of str to Ref
        ``{defends: $self}``: the object is in that relation to the one referred to.
    near : mapping of str to Selector
        ``relations: {engaged: {type: hero}}``: the object is in that relation to one that the selector finds.
    bears : mapping of str to Selector
        ``{attached: {type: upgrade}}``: one that the selector finds is in that relation to the object.
    highest, lowest : str, optional
        Of all that the rest of the selector finds, those with the most, or the least, of this property.
    shares : Selector, optional
        It has a trait in common with one that this finds: a type that is not among the ruleset's `no_traits`.
    until : Selector, optional
        With ``how: top``: all from the top to the first that this finds, however many they are.
    among : Expression, optional
        With ``how: top``: the `n` are chosen among so many from the top ("look at the top 2 cards, discard 1 of them").
    total : tuple of Test
        Tests of the sum of a property over all that are picked ("with a combined cost of 3 or more"); what lacks it
        adds nothing.
    where : tuple of Test
        Tests of the object's properties. A property that the object lacks fails every test.
    has : tuple of str
        Properties that the object must have, whatever their value (``has: [pitch]``; no cost is not cost 0).
    words : str, optional
        Words that are in the card's name ("with Moon in its name").
    any_of : tuple of Selector
        One of these finds the object too ("an ally or support"); empty means no such test.
    none_of : tuple of Selector
        None of these finds it ("a non-attack action card").
    not_ : Ref, optional
        Not this object ("another").
    is_ : Ref, optional
        This very object: with `count`, whether it is of that kind.
    whose : {"yours", "chosen", "friendly"}
        In an effect-cost, where the ruleset limits costs to what the payer controls: the payer's own, or of the payer's
        choice, or any that a player of the same side controls.
    how : {"each", "choose", "target", "random", "top", "count"}
        How the objects are picked.
    n : Expression, optional
        How many. None means all that match when `how` is `each`, one otherwise.
    up_to : bool
        Whether fewer than `n` may be picked.
    by : Ref, optional
        Who picks; None is the controller of the text.
    spent : bool
        Whether the text lets a card be picked that is spent to pay for it.
    player : bool
        It finds players, not objects: by `controller` (the player themself), `is_`, `not_`, and by nothing else.
        Players are chosen by declarations and spoken of by norms.
    known : bool
        Who does it may look at what lies face down ("a face-down arrow in your arsenal"): with ``face: down`` it is
        tested as what is printed on it, not as blank.
    namesake : Ref or Selector, optional
        It has the name of the object referred to, or of one that the selector finds; or the name that a reference
        stands for ("the named card").

    References
    ----------
    CR 1.8.5a, 1.8.6b: private objects are neither targeted nor chosen unless a text says so.
    """

    zone: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    name: str | None = None
    controller: Ref | None = None
    owner: Ref | None = None
    face: Literal["up", "down"] | None = None
    status: tuple[str, ...] = ()
    counters: FrozenMap[str, int] = FrozenMap()
    relations: FrozenMap[str, Ref] = FrozenMap()
    near: FrozenMap[str, Selector] = FrozenMap()
    bears: FrozenMap[str, Selector] = FrozenMap()
    highest: str | None = None
    lowest: str | None = None
    shares: Selector | None = None
    until: Selector | None = None
    among: Expression | None = None
    total: tuple[Test, ...] = ()
    where: tuple[Test, ...] = ()
    has: tuple[str, ...] = ()
    words: str | None = None
    any_of: tuple[Selector, ...] = ()
    none_of: tuple[Selector, ...] = ()
    not_: Ref | None = None
    is_: Ref | None = None
    whose: Literal["yours", "chosen", "friendly"] = "yours"
    how: How = "each"
    n: Expression | None = None
    up_to: bool = False
    by: Ref | None = None
    spent: bool = False
    player: bool = False
    namesake: Ref | Selector | None = None
    known: bool = False

    @property
    def players(self) -> bool:
        """Whether it may find a player: it says so, or one of its descriptions does."""
        return self.player or any(part.players for part in self.any_of)

    def finds_kind(self, seat: bool) -> bool:
        """Tell whether it may find a player, or an object."""
        if self.player:
            return seat
        return any(part.finds_kind(seat) for part in self.any_of) if self.any_of else not seat


@dataclass(frozen=True, slots=True)
class Pattern:
    """Picks events, or declarations, spelled ``{wounds: {type: creature, controller: $controller}}``.

    Parameters
    ----------
    event : str
        The event's name: `declared`, `declaration`, `played`, `wounds`, `gains`, `defends`, a verb, ...
    subject : Ref or Selector, optional
        Whom the event happens to. None means anyone.
    by : Ref, optional
        Whose event it is: who declares, plays, gains. None means anyone's.
    cause : str, optional
        The verb that caused it, as `pitch` causes a gain.
    assets : mapping of str to int, optional
        Exactly what is gained.
    source : Ref or Selector, optional
        The object whose text it is: the card that is played or whose ability is used. None means any, also the rules.
    on : Ref or Selector, optional
        What it is done to beside its subject: what is attacked, what is blocked. Of a `declaration`: a target that is
        chosen. None means anything.
    asset : str, optional
        What is gained, however much of it.
    chosen : bool
        Of an event: only where its subject was chosen, or targeted, by the text that does it.
    """

    event: str
    subject: Ref | Selector | None = None
    by: Ref | None = None
    cause: str | None = None
    assets: FrozenMap[str, int] | None = None
    source: Ref | Selector | None = None
    on: Ref | Selector | None = None
    asset: str | None = None
    chosen: bool = False
