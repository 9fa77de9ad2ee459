"""A ruleset is a value: which assets exist, in which order they are paid, who accepts whom, what the rules leave open.

Encoders and referee read these parameters one by one. No code branches on a game's name or on one "mode", so that a
ruleset with any mixture of them works.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lawful.model.act import Act
from lawful.model.assets import AssetRule, Generate, Stage, Surplus, XRule
from lawful.model.card import Card
from lawful.model.cardfile import CardFile
from lawful.model.cost import Cost
from lawful.model.effect import Norm, Prevention, Replacement, Source
from lawful.model.errors import LimitReached, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.policy import EffectRules
from lawful.model.procedure import Choosing, Norming, Procedure
from lawful.model.selector import Selector
from lawful.model.sentences import Document, Example, OpenPoint, Reading, Row, Rule

__all__ = [
    "AssetRule",
    "CardFile",
    "Charge",
    "Document",
    "Example",
    "Generate",
    "OpenPoint",
    "Reading",
    "Row",
    "Rule",
    "Ruleset",
    "Stage",
    "Stock",
    "Surplus",
    "Verb",
    "XRule",
    "Zone",
    "general",
]


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
    puts : bool
        Whether it puts counters on it: ``{add: rust, of: $self, n: 1}``.
    places : str, optional
        The kind of counter that it places: ``{take: damage, of: $self, n: 2}``.
    room : str, optional
        The stat of the object that is the most such counters that it can have.
    event : str, optional
        What it is to preventions and replacements; None is its name.
    relates : str, optional
        The relation to whoever does it that the object gets: a minion put into play ``engaged`` with a player.
    joins : str, optional
        The relation to what stands after `of` that the object gets: an upgrade that is ``attached`` to a minion. Norms
        on the verb, of such a choice, have the object as their `subject` and what is chosen for it as `on`.
    fact : str, optional
        The fact of a player that it sets, to what stands after `to`, else to the next of `values`: a verb that is done
        to players (of an object, to its controller), who are those that do it.
    values : tuple of str
        What `fact` can be, in their order; empty where only a text can say it.
    cancels : bool
        Whether what waits of the object is done no more, and it has no abilities from then on.
    success : {"changed", "full", "attempted"}
        When it is done as a cost, where the cost does not say: when it can be done; when nothing is prevented or
        replaced of it; when it is tried.
    """

    name: str
    from_: tuple[str, ...] = ()
    to: str | None = None
    adds: str | None = None
    removes: str | None = None
    face: Literal["up", "down"] | None = None
    counters: bool = False
    puts: bool = False
    places: str | None = None
    room: str | None = None
    event: str | None = None
    relates: str | None = None
    joins: str | None = None
    fact: str | None = None
    values: tuple[str, ...] = ()
    cancels: bool = False
    success: Literal["changed", "full", "attempted"] = "changed"

    @property
    def leaves_as_is(self) -> bool:
        """Whether the object is afterwards as it was: what is done is only written down elsewhere, or shown."""
        moves = (self.to, self.adds, self.removes, self.face, self.places, self.relates, self.joins, self.fact)
        counts = self.counters or self.puts or self.cancels
        return not self.from_ and not counts and moves == (None,) * len(moves)

    def turned(self, now: str | None, to: object) -> str:
        """Return what the fact that it sets becomes.

        Parameters
        ----------
        now : str, optional
            What it is.
        to : object
            What the act says; where that is no word, it is the next of the values.

        Raises
        ------
        LimitReached
            Where neither the act nor the position says enough to know.

        Examples
        --------
        >>> Verb("turn", fact="side", values=("front", "back")).turned("front", None)
        'back'
        """
        if isinstance(to, str):
            return to
        if now not in self.values:
            raise LimitReached("untold facts", 0, f"say what {self.fact!r} of the player is")
        return self.values[(self.values.index(now) + 1) % len(self.values)]

    @property
    def takes_played(self) -> bool:
        """Whether a card that is being played can be taken with it as its own cost: from wherever it is."""
        return not self.from_ and self.to is not None

    def events(self, what: object = None, *, named: bool = False) -> frozenset[str]:
        """Return what norms may call it being done: its name, what it is to preventions, and what it takes away.

        Parameters
        ----------
        what : object
            Of an act that takes counters away: their kind. What cannot have threat removed from it (``remove_threat``)
            does not pay ``{remove: threat}``.
        named : bool
            Whether the text names the object that it is done to, so that nobody chooses it. Where it is enough that
            the verb is tried, only a norm on the verb itself keeps it from that object.
        """
        found = {self.name}
        if self.event is not None and not (named and self.success == "attempted"):
            found.add(self.event)
        if self.counters and isinstance(what, str):
            found.add(f"{self.name}_{what}")
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone. Objects in a `private` one are seen by their owner only; abilities work where it is `play`.

    What goes into one of play from elsewhere is also an event of the name `entering`, what goes elsewhere from there
    one of the name `leaving`.
    """

    name: str
    private: bool = False
    play: bool = False
    entering: str | None = None
    leaving: str | None = None


@dataclass(frozen=True, slots=True)
class Charge:
    """A cost that the rules themselves add to playing a card, or activating an ability, of these types.

    References
    ----------
    CR 5.1.6b, 8.1.1 (the action point).
    """

    cost: Cost
    types: tuple[str, ...]
    unless_instant: bool = True


@dataclass(frozen=True, slots=True)
class Stock:
    """Copies of a card that a player has beside the hand: ``--coins 3`` lays three of `card` into `zone`."""

    name: str
    card: str
    zone: str


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
    choosing : Choosing
        How objects are chosen.
    norming : Norming
        How norms rank.
    norms : tuple of Norm
        Norms of the rules themselves; ``$controller`` is the player who declares.
    procedures : tuple of Procedure
        Declarations that the rules themselves give.
    relations : tuple of str
        Relations that texts put objects into (`put`), which is an event of that name.
    at_once : {"each", "whole"}
        What one act does to several objects at once: one event for each of them, or one event in all.
    checks : tuple of Act
        What the rules themselves do when no triggered ability waits, to all objects found at once, until none is found.
    ordering : EffectRules
        In which order effects apply, and who chooses where no rule says it.
    at_least : int
        The least that is paid of a cost that says "up to" or "any number".
    no_traits : str
        A pattern of the types that are no traits; two cards do not share them ("that shares a trait with ...").
    effects : {"after", "at_once"}
        Whether effect-costs are paid after every asset part, one after the other, or at the same time as all else: what
        they and sources look for is then read on the position before paying.
    costs_of : {"anybody", "own"}
        Whose objects an effect-cost may be paid with: anybody's that it finds; or in play those that the payer controls
        and elsewhere those that the payer owns, but for `Selector.whose`.
    chosen_zones : {"play", "all"}
        With ``costs_of: own``, where an effect-cost with ``whose: chosen`` reaches other players' objects.
    side : str
        The fact of a player that says on which side they are: "friendly" means the same.
    friendly : bool
        Whether an effect-cost with ``whose: friendly`` reaches what others of that side control.
    helped : Selector, optional
        What other players may help to pay for: their sources may be used as well.
    preventions : tuple of Prevention
        Preventions that the rules themselves give.
    replacements : tuple of Replacement
        Replacements that the rules themselves make as effects are played; they come before those preventions.
    may_decline : bool
        Whether a prevention that is optional may be left unused so that a cost is paid in full.
    leaving_prevents : bool
        Whether a prevention counts whose object leaves, is turned down or exhausted in the same payment.
    choice_ignores_norms : bool
        Whether an effect-cost with ``whose: chosen`` is paid with an object that a `cannot` norm protects.
    needs_from : {"paid", "spent"}
        Whether points that a part `needs` have to be paid for it, or may be left over.
    labels : mapping of str to tuple of str
        What norms call a declaration that has several labels: a ``basic attack`` has ``basic`` and ``attack``.
    resolves : tuple of str
        Types of cards whose activated ability is used as they are played: its cost is one more cost due at once.
    targets_first : bool
        Whether nothing may be paid for an ability that needs a target and has none.
    targets_change : bool
        Whether, for that, only what the ability's act would change is a target.
    view : {"all", "minimal"}
        Whether a table shows every way, or those without a superfluous source.
    stock : tuple of Stock
        What a player has beside the hand, for questions in a few words.
    spelled : tuple of str
        Assets that spell generic cards: with ``[e, m]`` the card `em` yields one of each.
    examples : tuple of Example
        Questions to begin with, as pages offer them.
    cards : tuple of Card
        Generic cards that need no library.
    card_file : CardFile, optional
        How a published card file is read.
    uncovered : tuple of str
        What of the game no question is about, in players' words.
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
    choosing: Choosing = Choosing()
    norming: Norming = Norming()
    norms: tuple[Norm, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    relations: tuple[str, ...] = ()
    at_once: Literal["each", "whole"] = "each"
    checks: tuple[Act, ...] = ()
    ordering: EffectRules = EffectRules()
    at_least: int = 1
    no_traits: str = ""
    effects: Literal["after", "at_once"] = "after"
    costs_of: Literal["anybody", "own"] = "anybody"
    chosen_zones: Literal["play", "all"] = "play"
    side: str = "side"
    friendly: bool = True
    helped: Selector | None = None
    preventions: tuple[Prevention, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    may_decline: bool = True
    leaving_prevents: bool = True
    choice_ignores_norms: bool = False
    needs_from: Literal["paid", "spent"] = "paid"
    labels: FrozenMap[str, tuple[str, ...]] = FrozenMap()
    resolves: tuple[str, ...] = ()
    targets_first: bool = False
    targets_change: bool = False
    view: Literal["all", "minimal"] = "all"
    stock: tuple[Stock, ...] = ()
    spelled: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    cards: tuple[Card, ...] = ()
    card_file: CardFile | None = None
    uncovered: tuple[str, ...] = ()
    readings: FrozenMap[str, str] = FrozenMap()

    @property
    def left_open(self) -> tuple[OpenPoint, ...]:
        """The open points of the text that is followed: without what that one settles."""
        return tuple(p for p in self.open_points if not p.documents or self.version in p.documents)

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
        """Return the rule that plays a role, or its general form: ``x.least.play``, else ``x.least``, else ``x``.

        Where a ruleset names none, the role itself is the rule, uncited: a generated ruleset needs no texts.
        """
        for wanted in general(role):
            for rule in self.rules:
                if wanted in rule.roles:
                    return rule
        return Rule(role, role, (role,))


ROLES = (
    "affected", "alike", "alternative", "amount", "announced", "at-least", "atomic", "attempted", "blank", "cannot",
    "control", "distinct", "draw", "effect", "effects", "face", "few", "fits", "friendly", "from", "full", "gate",
    "generate", "gone", "hand", "into", "limit", "many", "modes", "must", "needs", "no-cost", "once", "only",
    "option", "order", "overpaid", "part", "printed", "provenance", "replacement", "restriction", "slot", "source",
    "spent", "split", "splitting", "stop", "surplus", "target", "useful", "when", "x", "zone", "zones",
)  # fmt: skip
"""What a rule may be cited for, in its general form; the rest is made of names that the ruleset gives."""


def general(role: str) -> Iterator[str]:
    """Yield a role and its more general forms.

    Examples
    --------
    >>> list(general("x.least.play"))
    ['x.least.play', 'x.least', 'x']
    """
    while role:
        yield role
        role = role.rpartition(".")[0]
