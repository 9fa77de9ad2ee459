"""What a card does beside its cost: sources, modifiers, norms, triggers, replacements, preventions, abilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.model.act import Act
from lawful.model.cost import Cost, CostAll
from lawful.model.expression import Condition, Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.modes import Modes
from lawful.model.selector import Pattern, Selector

Operation: TypeAlias = Literal["set", "add", "subtract", "multiply"]
Modality: TypeAlias = Literal["must", "cannot", "may"]
Batch: TypeAlias = Literal["each", "once", "alone", "together"]
Kind: TypeAlias = Literal["self", "enters", "standard", "outcome"]


@dataclass(frozen=True, slots=True)
class Source:
    """An ability whose act gains assets.

    Parameters
    ----------
    name : str
        What players call it: `pitch`, `discard`, `resource ability`.
    of : Selector, optional
        Which objects have it. A ruleset gives sources to cards in this way; on a card None means the card itself.
    when : Condition, optional
        What must hold before.
    for_ : Selector, optional
        What it may pay for: the card or ability that the cost belongs to.
    ability : str, optional
        What it may pay for alone: an ability that has this among its types ("for your Optic Blast ability").
    cost : Cost
        Its own cost. ``{pitch: $self}``, ``{exhaust: $self}``, ``{remove: charge, of: $self}``.
    gain : mapping of str to Expression, Ref or Selector
        What it gives, in points of each asset. ``$self.yields`` is what the card itself says.
        A selector stands for what the first object that it finds yields.
    limit : int, optional
        How often while paying one cost, or in each `per`; None is as often as its cost allows.
    per : str, optional
        The span of the limit: ``round``, ``phase``. What is left of it stands in the position, under "object id/ability
        number"; where nothing stands there, nothing is used. None: it counts one payment.
    into : tuple of str
        Names of the costs that its points may pay, where several are due at once: `cost` is the printed one, `overpaid`
        the surplus; empty means any.
    printed : bool
        Whether its points count as printed.
    shared : bool
        Whether other players may use it while somebody pays, too.

    References
    ----------
    CR 1.14.3 (pitching).
    """

    gain: FrozenMap[str, Expression] | Ref | Selector
    cost: Cost = CostAll()
    name: str = "source"
    of: Selector | None = None
    when: Condition | None = None
    for_: Selector | None = None
    ability: str | None = None
    limit: int | None = None
    per: str | None = None
    into: tuple[str, ...] = ()
    printed: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Modifier:
    """Changes a number: a part of a cost (``cost.r``), a stat (``power``), a base value (``base.life``).

    Parameters
    ----------
    modify : str
        The path of the number.
    operation : {"set", "add", "subtract", "multiply"}
        What is done to it.
    amount : Expression
        By how much.
    stage : str
        One of the ruleset's stages; the ruleset orders them.
    of : Ref, Selector or Pattern, optional
        Whose number. A `declaration` pattern means the cost of what is being declared.
    while_ : Condition, optional
        It applies only while this holds.

    References
    ----------
    CR 5.1.6a (set, increase, reduce), 6.3.3.
    """

    modify: str
    operation: Operation
    amount: Expression
    stage: str
    of: Ref | Selector | Pattern | None = None
    while_: Condition | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """Changes what objects are: their types, and whether they have abilities.

    Parameters
    ----------
    stage : str
        One of the ruleset's stages.
    gain_types, lose_types : tuple of str
        Types that they get or lose.
    set_types : tuple of str, optional
        They have these types and no others.
    no_abilities : bool
        Whether they lose all their abilities.
    of : Ref or Selector, optional
        Which objects; None is the card itself.
    while_ : Condition, optional
        It applies only while this holds.

    References
    ----------
    CR 6.3.2 (stages 4 to 6).
    """

    stage: str
    gain_types: tuple[str, ...] = ()
    lose_types: tuple[str, ...] = ()
    set_types: tuple[str, ...] | None = None
    no_abilities: bool = False
    of: Ref | Selector | None = None
    while_: Condition | None = None


@dataclass(frozen=True, slots=True)
class Norm:
    """Says that an action must, cannot or may be done; also of a chosen set: not more, not fewer, at least so many.

    Parameters
    ----------
    modality : {"must", "cannot", "may"}
        A requirement, a restriction, an allowance.
    action : Pattern
        What: a verb, ``target``, ``choose``, ``play``, ``activate``, a label of abilities, a procedure of the ruleset;
        or an event. An event that cannot be does not happen; the rest of the text goes on.
    while_, unless : Condition, optional
        It is in force only while the first holds and the second does not.
    name : str
        What other texts call it (``guard``); also the part of the role that its rule may be cited by.
    more_than, fewer_than : Expression, optional
        Of a `cannot`: not more than so many are chosen; or not fewer, unless none. Of an event that is a number: what
        is more cannot be ("cannot get more than 1 wound").
    at_least : Expression, optional
        Of a `must`: so many in all. None: each that it is about has a requirement of its own.
    ignores : tuple of str
        Of a `may`: names of the restrictions that it sets aside, whatever ranks higher.

    References
    ----------
    CR 1.0.2 (restriction, requirement, allowance), 514.2, 515.1.
    """

    modality: Modality
    action: Pattern
    while_: Condition | None = None
    unless: Condition | None = None
    name: str = ""
    more_than: Expression | None = None
    fewer_than: Expression | None = None
    at_least: Expression | None = None
    ignores: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Static:
    """A static ability: it holds while its card is in play."""

    effect: Modifier | Norm | Grant


@dataclass(frozen=True, slots=True)
class Trigger:
    """A triggered ability. It is not queued where it needs a choice and there is none.

    Parameters
    ----------
    on : Pattern
        The event.
    do : tuple of Act
        The steps, in text order.
    when : Condition, optional
        What must hold as the event occurs.
    optional : bool
        Whether its controller may decline.
    batch : {"each", "once", "alone", "together"}
        What it hears of what happens at once: each event; the batch, once; an event that is the only one of its name in
        its batch; one that is not.
    limit : int, optional
        How often it can trigger; what is left is kept in the position.
    tier : str, optional
        One of the ruleset's tiers; None is the first that comes after the event.

    References
    ----------
    CR 6.6.5, 7.0.5e (alone, together).
    """

    on: Pattern
    do: tuple[Act, ...]
    when: Condition | None = None
    optional: bool = False
    batch: Batch = "each"
    limit: int | None = None
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class Replacement:
    """Something else happens instead. At most once for one original event.

    Parameters
    ----------
    on : Pattern
        The event.
    instead : tuple of Act
        What happens instead.
    when : Condition, optional
        What must hold as the event would occur.
    optional : bool
        Whether its controller may decline.
    kind : {"self", "enters", "standard", "outcome"}
        Part of the text that makes the event; what an object is or has as it arrives (the arrival itself stays); the
        usual; or of the outcome alone: the event occurs, and its change is replaced.
    n : Expression, optional
        How much of a number is replaced; the rest happens. None is all of it.
    tier : str, optional
        One of the ruleset's tiers; None is before all of them, as what is constant.

    References
    ----------
    CR 6.4.5, 6.4.7 to 6.4.11, 1.14.3c (a pitch can be replaced), 517.1 (wholly or partly).
    """

    on: Pattern
    instead: tuple[Act, ...]
    when: Condition | None = None
    optional: bool = False
    kind: Kind = "standard"
    n: Expression | None = None
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class Prevention:
    """Lowers a number of wounds.

    Parameters
    ----------
    on : Pattern
        The wounds it is about.
    n : Expression
        How many it prevents.
    per : {"event", "total", "one"}
        Each time; in all (what remains is kept in the position); or at one event, after which nothing remains.
    optional : bool
        Whether its controller may decline.
    tier : str, optional
        As for a replacement.

    References
    ----------
    CR 6.4.10, 516.1, 516.4.
    """

    on: Pattern
    n: Expression
    per: Literal["event", "total", "one"] = "event"
    optional: bool = False
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class Activated:
    """An activated ability: a cost, then what it does.

    Parameters
    ----------
    cost : Cost
        What is paid.
    do : tuple of Act
        What it does.
    name : str
        What it is called, where an object has several.
    types : tuple of str
        Its types.
    when : Condition, optional
        It may be activated only if this holds.
    limit : int, optional
        How often in each `per`; None is as often as its cost allows. What is left of a limit stands in the position,
        under "object id/ability number"; where nothing stands there, nothing is used.
    per : str
        The span of the limit: ``turn``, ``round``, ``phase``.
    face : {"up", "down"}
        How its object lies as it is used: what says "only while this is face-down" is used by whoever controls it.
    zone : tuple of str
        Where it is used. None said: in play, or where alone its cost can be paid.
    """

    cost: Cost
    do: tuple[Act, ...] = ()
    name: str = "ability"
    types: tuple[str, ...] = ()
    when: Condition | None = None
    modes: Modes | None = None
    limit: int | None = None
    per: str = "turn"
    face: Literal["up", "down"] = "up"
    zone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a card that is played does when it resolves, and when it may be played.

    References
    ----------
    CR 5.3.4 (resolution abilities).
    """

    do: tuple[Act, ...] = ()
    name: str = "text"
    types: tuple[str, ...] = ()
    when: Condition | None = None
    modes: Modes | None = None


@dataclass(frozen=True, slots=True)
class Additional:
    """An additional cost to play the card; an optional one is declared before paying.

    Parameters
    ----------
    cost : Cost
        What is due beside all else.
    name : str
        What it is declared by, and what its parts are called.
    optional : bool
        Whether it is declared or not.
    to : Pattern, optional
        What an object in play adds it to: declarations of that kind. None is playing this very card.
    types : tuple of str
        With `to`: only declarations that have all these labels (``[attack, basic]``), by themselves, by the card that
        is played, by the ability that is used; a bare text has the verbs of its acts, too.
    when : Condition, optional
        With `to`: only while this holds.

    References
    ----------
    CR 5.1.3b, 5.4.4a.
    """

    cost: Cost
    name: str = "additional cost"
    optional: bool = False
    to: Pattern | None = None
    types: tuple[str, ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative cost: it is paid rather than the parts of the printed cost that it replaces.

    References
    ----------
    CR 5.1.3c (at most one), 5.1.6c (the replaced part becomes 0; increases still apply), 5.4.4b.
    """

    cost: Cost
    replaces: tuple[str, ...]
    name: str = "alternative cost"


Ability: TypeAlias = (
    Static | Trigger | Source | Replacement | Prevention | Activated | Resolution | Additional | Alternative
)
