"""What a ruleset says of declaring: how objects are chosen, how norms rank, which declarations there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lawful.model.cost import Cost, CostAll
from lawful.model.expression import Condition
from lawful.model.selector import How, Selector


@dataclass(frozen=True, slots=True)
class Attempt:
    """A declaration that may be made though it finds nothing: it is only tried, and something else happens instead.

    Parameters
    ----------
    types : tuple of str
        Labels that the ability has, all of them.
    without : tuple of str
        Labels that it has none of.
    while_ : Condition
        When that is so.
    """

    types: tuple[str, ...]
    while_: Condition
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choosing:
    """How objects are chosen. The meaning of each is in ``docs/checking.md``.

    Parameters
    ----------
    declared : tuple of {"target", "choose", ...}
        Which picks of a text are made as it is declared; the others are made as it resolves.
    zones : tuple of str
        Where a text looks that names no zone; empty means the zones of play.
    least : int
        The least number that is chosen of "up to" and "any number".
    gate : {"none", "any", "every"}
        What must have something to happen to before a text is declared: nothing, any of its acts, every one.
    unmet : {"counts", "idle", "bars"}
        What a part is whose condition does not hold as it is declared, for the gate and before paying: a part like any
        other; one that nothing happens by; or that too, and a text of nothing but such parts cannot be declared.
    options : {"together", "each"}
        Whether, for the gate and before paying, the modes chosen are looked at together or each must do something.
    affected : {"ignored", "any"}
        Whether an object that nothing of the text can affect may be chosen still.
    targets : {"exact", "available"}
        Whether exactly as many targets are chosen as the text says, or as many as there are, if those are fewer.
    spent : {"barred", "allowed"}
        Whether a card that is spent as a source may be chosen by the text that it pays for.
    hidden : tuple of str
        Zones in which objects are private however they lie: they are no targets.
    outside : {"cost", "never"}
        Whether an ability of an object out of play may be used where alone its cost can be done to that object.
    attempts : tuple of Attempt
        What may be declared though nothing is chosen.
    """

    declared: tuple[How, ...] = ("target",)
    zones: tuple[str, ...] = ()
    least: int = 0
    gate: Literal["none", "any", "every"] = "none"
    unmet: Literal["counts", "idle", "bars"] = "counts"
    options: Literal["together", "each"] = "together"
    affected: Literal["ignored", "any"] = "ignored"
    targets: Literal["exact", "available"] = "exact"
    spent: Literal["barred", "allowed"] = "barred"
    hidden: tuple[str, ...] = ()
    outside: Literal["cost", "never"] = "cost"
    attempts: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class Norming:
    """How norms rank, and what a requirement does. The meaning of each is in ``docs/checking.md``.

    Parameters
    ----------
    rank : tuple of str
        Modalities, the strongest first.
    conflict : {"rank", "latest"}
        Whether the rank decides between two norms, or the timestamp, and the rank only where that is equal.
    must : {"hard", "any", "most", "maximal"}
        What requirements do: all bind; at least one binds, if it can; as many as can be; or the rules do not say
        which, and every largest set of them is a reading.
    others : {"exclusive", "include"}
        Whether "must be chosen" keeps others from being chosen. Of `hard` only.
    barred : {"void", "blocks"}
        Whether a requirement to be chosen is void where a restriction bars choosing the object, or binds still.
    """

    rank: tuple[str, ...] = ("cannot", "must", "may")
    conflict: Literal["rank", "latest"] = "rank"
    must: Literal["hard", "any", "most", "maximal"] = "hard"
    others: Literal["exclusive", "include"] = "exclusive"
    barred: Literal["void", "blocks"] = "void"


@dataclass(frozen=True, slots=True)
class Slot:
    """A choice that a procedure asks for: any number of what `of` finds, unless it says how many.

    Parameters
    ----------
    name : str
        ``defenders``.
    of : Selector
        Who may be chosen. ``$controller`` is the player who declares, ``$on`` the object of `each`.
    each : Selector, optional
        The slot is there once for every object that this finds: what is blocked, what is attacked.
    event : str
        What norms call being chosen here; empty is the procedure's name.
    """

    name: str
    of: Selector
    each: Selector | None = None
    event: str = ""


@dataclass(frozen=True, slots=True)
class Procedure:
    """A declaration that the rules themselves give: of attackers, of defenders.

    Parameters
    ----------
    name : str
        ``defend``. Norms speak of it by this name.
    slots : tuple of Slot
        What is chosen.
    once : bool
        Whether an object may be chosen in one of its slots only.
    cost : Cost
        What is due for it.
    """

    name: str
    slots: tuple[Slot, ...]
    once: bool = True
    cost: Cost = CostAll()
