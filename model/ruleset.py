"""A ruleset is a value: which assets exist, in which order they are paid, who accepts whom, what the rules leave open.

Encoders and referee read these parameters one by one. No code branches on a game's name or on one "mode", so that a
ruleset with any mixture of them works.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import Cost
from lawful.model.effect import Source
from lawful.model.errors import UnknownName
from lawful.model.frozen import FrozenMap

Generate: TypeAlias = Literal["while_short", "freely", "never"]
Surplus: TypeAlias = Literal["floats", "lost", "forbidden"]


@dataclass(frozen=True, slots=True)
class AssetRule:
    """How one asset is paid.

    A part of a cost is the amount due of one asset. Parts are paid in the order of their phases, each in full before
    the next.

    Parameters
    ----------
    id : str
        As in a cost: ``c``.
    name : str
        As players say it: ``chi``.
    phase : int
        Parts with a lower phase are paid first. Phases are distinct.
    accepts : tuple of str
        The assets that can pay it, in the order in which they leave the pool.
    generate : {"while_short", "freely", "never"}
        When a source may be used for this part: only while what the pool holds of the accepted assets is less than
        the amount due; at any time until the part is paid; or never.
    useful : bool
        Whether only a source that gives an accepted asset may be used for this part.
    surplus : {"floats", "lost", "forbidden"}
        What happens, when the whole cost is paid, to points of this asset beyond those that floated before: they
        float, they are lost (*overpaid*), or the payment is not legal.
    keep : int
        The least that must be left of this asset when its part is paid, in points.
    start : int
        What a player has where a position does not say.
    """

    id: str
    name: str
    phase: int
    accepts: tuple[str, ...]
    generate: Generate = "while_short"
    useful: bool = True
    surplus: Surplus = "floats"
    keep: int = 0
    start: int = 0


@dataclass(frozen=True, slots=True)
class XRule:
    """Which X may be declared.

    Parameters
    ----------
    least : int
        The least X of a cost that is paid.
    on_free : {"zero", "illegal", "keep"}
        Where the printed cost that has X is not paid: X is 0, it cannot be declared, or X is free.

    References
    ----------
    CR 5.1.3a.
    """

    least: int = 0
    on_free: Literal["zero", "illegal", "keep"] = "zero"


@dataclass(frozen=True, slots=True)
class Stage:
    """A step in calculating an amount due; `floor` is the least that each of its modifiers leaves."""

    name: str
    floor: int | None = None


@dataclass(frozen=True, slots=True)
class Verb:
    """What doing a verb to an object needs and changes. Words, not code: a game's verbs are data.

    Parameters
    ----------
    name : str
        The verb.
    from_ : tuple of str
        The object must be in one of these zones; empty means any.
    to : str, optional
        The zone it goes to.
    adds, removes : str, optional
        The status that the object gets or loses. It cannot be done to an object that has it (or lacks it) already.
    face : {"up", "down"}, optional
        How the object is turned. It cannot be done to one that is turned so already.
    counters : bool
        Whether it takes counters away: ``{remove: charge, of: $self, n: 1}``.
    """

    name: str
    from_: tuple[str, ...] = ()
    to: str | None = None
    adds: str | None = None
    removes: str | None = None
    face: Literal["up", "down"] | None = None
    counters: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone. Objects in a `private` one are seen by their owner only; abilities work where it is `play`."""

    name: str
    private: bool = False
    play: bool = False


@dataclass(frozen=True, slots=True)
class Charge:
    """A cost that the rules themselves add to playing a card of these types.

    References
    ----------
    CR 5.1.6b (the action point).
    """

    cost: Cost
    types: tuple[str, ...]
    unless_instant: bool = True


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule sentence, in our own words, with its number in each document that has it.

    Parameters
    ----------
    id : str
        Stable id, also the key of its translations.
    says : str
        What it says, in players' words.
    roles : tuple of str
        The constraints that are this rule: ``part.c``, ``stop.c``, ``useful.c``, ``source.pitch``, ... See
        `Ruleset.rule`.
    cites : mapping of str to str
        Document id -> rule number.
    rows : tuple of str
        Statements of the inventory that it stands for.
    implied_by : tuple of str
        Rules that already imply it, so that releasing this one alone changes no verdict.
    """

    id: str
    says: str
    roles: tuple[str, ...] = ()
    cites: FrozenMap[str, str] = FrozenMap()
    rows: tuple[str, ...] = ()
    implied_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A statement of the inventory: what it says, what kind it is, and which sides need a case."""

    id: str
    says: str
    kind: str
    sides: str = "+-"


@dataclass(frozen=True, slots=True)
class Document:
    """A text of rules in one version."""

    id: str
    title: str
    version: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what the rules leave open, as changes of ruleset parameters: ``{"assets.h.keep": "1"}``."""

    name: str
    says: str
    changes: FrozenMap[str, str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """What the rules do not say, or say in two ways. `default` is the name of one of its readings."""

    id: str
    about: str
    default: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class CardFile:
    """How to read a published card file of this game: which column is which property.

    Parameters
    ----------
    delimiter : str
        Of the table.
    name, cost, types, yields : str
        Columns.
    title : str
        How a row is named, with column names in braces: ``"{Name} ({Color})"``.
    asset : str
        The asset that a number in the column `yields` counts.
    asset_by_type : mapping of str to str
        For cards of a type, another asset.
    cost_asset : str
        The asset that a plain number in the column `cost` counts.
    stats, props : mapping of str to str
        Column -> name of the stat or property.
    """

    delimiter: str
    name: str
    title: str
    cost: str
    cost_asset: str
    types: str
    yields: str
    asset: str
    asset_by_type: FrozenMap[str, str] = FrozenMap()
    stats: FrozenMap[str, str] = FrozenMap()
    props: FrozenMap[str, str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that a game supplies.

    Parameters
    ----------
    id, name : str
        ``flesh``, and the name in full.
    aliases : tuple of str
        Short names.
    documents : tuple of Document
        The first is the default version.
    version : str
        Id of the document that is cited.
    level : {"outcomes", "sources", "allocations", "sequences"}
        The level of ways that is observable in this game.
    assets : tuple of AssetRule
        In the order of phases.
    zones, verbs, stages, sources, charges, rules, rows, open_points
        See the classes.
    hand, announced : str
        The zone of inline hands; the zone where a card is while it is being played.
    additional_stage : str
        The stage in which asset parts of additional costs are added.
    source_abilities : bool
        Whether abilities of cards may be used to gain assets while a cost is being paid.
    x : XRule
        Which X may be declared.
    costs_of : {"anybody", "own"}
        Whose objects effect-costs pick: anybody's, or in `play` zones what the payer controls, elsewhere what the
        payer owns.
    at_once : {"each", "whole"}
        What one act does to several objects at once: one event for each of them, or one event in all.
    checks : tuple of Act
        What the rules themselves do when no triggered ability waits, to all objects found at once, until none is found.
    cards : tuple of Card
        Generic cards that need no library.
    card_file : CardFile, optional
        How a published card file is read.
    readings : mapping of str to str
        The readings of open points that this value was made under; see `under`.
    """

    id: str
    name: str
    documents: tuple[Document, ...]
    version: str
    assets: tuple[AssetRule, ...]
    aliases: tuple[str, ...] = ()
    level: Literal["outcomes", "sources", "allocations", "sequences"] = "sources"
    zones: tuple[Zone, ...] = ()
    verbs: tuple[Verb, ...] = ()
    stages: tuple[Stage, ...] = ()
    sources: tuple[Source, ...] = ()
    charges: tuple[Charge, ...] = ()
    rules: tuple[Rule, ...] = ()
    rows: tuple[Row, ...] = ()
    open_points: tuple[OpenPoint, ...] = ()
    hand: str = "hand"
    announced: str | None = None
    additional_stage: str = "increase"
    source_abilities: bool = False
    x: XRule = XRule()
    costs_of: Literal["anybody", "own"] = "anybody"
    at_once: Literal["each", "whole"] = "each"
    checks: tuple[Act, ...] = ()
    cards: tuple[Card, ...] = ()
    card_file: CardFile | None = None
    readings: FrozenMap[str, str] = FrozenMap()

    def asset(self, id: str) -> AssetRule:
        """Return the rules of an asset.

        Raises
        ------
        UnknownName
            If the ruleset has no such asset.
        """
        for asset in self.assets:
            if asset.id == id:
                return asset
        raise UnknownName("asset", id, [a.id for a in self.assets])

    def verb(self, name: str) -> Verb:
        """Return a verb.

        Raises
        ------
        UnknownName
            If the ruleset has no such verb.
        """
        for verb in self.verbs:
            if verb.name == name:
                return verb
        raise UnknownName("verb", name, [v.name for v in self.verbs])

    def rule(self, role: str) -> Rule:
        """Return the rule that plays a role, or its general form: ``stop.c``, else ``stop``.

        Where a ruleset names none, the role itself is the rule, uncited: a generated ruleset needs no texts.
        """
        for wanted in (role, role.partition(".")[0]):
            for rule in self.rules:
                if wanted in rule.roles:
                    return rule
        return Rule(role, role, (role,))
