"""Other cards that make possible what one card never can: tried in play, and, for a proof, left out of what it asks.

What helpers change is what the card asks for: numbers, types, costs, norms. First all of them lie in play at once, then
each, in more and more copies. Where none of that helps, what they could change is taken out of the text altogether:
what even then cannot be, no number of helpers makes possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.effect import Additional, Modifier, Norm, Static
from lawful.model.errors import LawfulError
from lawful.model.expression import Compare, Fact, Not, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector
from lawful.model.stress import Bound, Finding, Looked
from lawful.model.verdict import Message, Value
from lawful.model.walking import every
from lawful.solver.stress import unpayable
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.unpayable import Doubts

MOST_COPIES = (2, 4, 8)
COPIED = 2  # helpers of which there is more than one copy: those that change most
ALWAYS = Compare(0, "eq", 0)
NEVER = Compare(0, "gt", 0)


@dataclass(frozen=True, slots=True)
class Helpers:
    """Cards with which a single one may be able to do what alone it never can.

    Parameters
    ----------
    cards : tuple of Card
        Those that are tried.
    objects : tuple of Card
        What their texts speak of, and that of the card.
    left : int
        How many there are beside these.
    loose : Card, optional
        The card without what helpers could change; None where that cannot be told.
    loose_objects : tuple of Card
        What its text speaks of.
    """

    cards: tuple[Card, ...]
    objects: tuple[Card, ...]
    left: int = 0
    loose: Card | None = None
    loose_objects: tuple[Card, ...] = ()


def helped(looked: Looked, meeting: Meeting, helpers: Helpers) -> Looked:
    """Return what is left of the findings of a single card that other ones could help.

    Parameters
    ----------
    looked : Looked
        With what the card never can.
    meeting : Meeting
        The card.
    helpers : Helpers
        Cards that change what its text asks for.

    Returns
    -------
    Looked
        Clean where it can with some of them: then it says with which. Not checked where those that were tried do not
        help, and yet some others, or what some do, might.
    """
    left = looked.findings
    why = looked.why
    tried = 0
    unanswered, doubts = 0, list[str]()
    for group in _groups(helpers.cards):
        if not left:
            break
        tried = max(tried, len(group))
        can = _can(left, meeting, group, helpers, doubts)
        if can is None:  # that is no answer, and above all not that they do not help
            unanswered += 1
            continue
        if can:
            with_ = _fewest(can[0], meeting, group, helpers)
            names = ", ".join(dict.fromkeys(card.name for card in with_))
            why = Message("stress.helped", FrozenMap({"what": can[0].item, "card": names}))
            left = tuple(finding for finding in left if finding not in can)
    most = looked.bound.most.put("helpers", len(helpers.cards)).put("helpers at once", tried)
    if not left:
        bound = replace(looked.bound, saturated=False, why="stress.bound.plain") if doubts else looked.bound
        return replace(looked, outcome="clean", findings=(), why=why, bound=bound)
    never = _never(left, meeting, helpers)
    if never:
        bound = Bound(most.put("helpers left out", helpers.left), looked.bound.saturated, looked.bound.why)
        return replace(looked, outcome="finding", findings=never, why=why, bound=bound)
    params: dict[str, Value] = {"card": ", ".join(card.name for card in helpers.cards[:3]), "left": helpers.left}
    why = Message("stress.not.helped", FrozenMap(params))
    if unanswered:
        why = Message("stress.not.helped.asked", FrozenMap({**params, "n": unanswered}))
    bound = Bound(most.put("helpers left out", helpers.left))
    return replace(looked, outcome="not checked", findings=(), why=why, bound=bound)


def _groups(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield what is in play together: all, each alone, two of all, more copies of those that change most."""
    if len(cards) > 1:
        yield tuple(cards)
    for card in cards:
        yield (card,)
    if len(cards) > 1:
        yield tuple(cards) * 2
    for n in MOST_COPIES:
        for card in cards[:COPIED]:
            if any(isinstance(ability, Static) for ability in card.abilities):
                yield (card,) * n


def _can(
    findings: Sequence[Finding], meeting: Meeting, group: Sequence[Card], helpers: Helpers, doubts: Doubts
) -> tuple[Finding, ...] | None:
    """Return which of what a card never can it can with these in play; None where that was not answered.

    What it can only if the objects that lie about do nothing is added to the doubts.
    """
    both = replace(meeting, cards=(*meeting.cards, *group), objects=helpers.objects)
    doubted: Doubts = []
    never = _items(findings[0].check, both, doubted)
    if never is None:
        return None
    can = tuple(finding for finding in findings if finding.item not in never)
    doubts += [finding.item for finding in can if finding.item in doubted]
    return can


def _items(check: str, meeting: Meeting, doubts: Doubts) -> frozenset[str] | None:
    """Return what the first card never can; None where that was not answered."""
    try:
        found = {using.name for using in unpayable.never_payable(meeting, doubts)}
        if check != "unpayable":
            found |= {item or using.name for using, item, _, _ in unpayable.never_declarable(meeting, doubts)}
    except LawfulError:
        return None
    return frozenset(found)


def _fewest(finding: Finding, meeting: Meeting, group: Sequence[Card], helpers: Helpers) -> tuple[Card, ...]:
    """Return as few of the helpers as are enough."""
    kept = list(group)
    for at in reversed(range(len(kept))):
        fewer = kept[:at] + kept[at + 1 :]
        if fewer and _can((finding,), meeting, fewer, helpers, []):
            kept = fewer
    return tuple(kept)


def _never(findings: Sequence[Finding], meeting: Meeting, helpers: Helpers) -> tuple[Finding, ...]:
    """Return what cannot be even if nothing is asked that helpers could change."""
    if helpers.loose is None:
        return ()
    loose = replace(meeting, cards=(helpers.loose,), objects=helpers.loose_objects)
    never = _items(findings[0].check, loose, [])
    return () if never is None else tuple(finding for finding in findings if finding.item in never)


def loosened(card: Card, keys: Collection[tuple[str, str]]) -> Card | None:
    """Return a card that asks for nothing that others could change; None where that cannot be told.

    Parameters
    ----------
    card : Card
        It asks for these.
    keys : collection of pairs of str
        What others write of what it reads; see `lawful.solver.stress.touching.Touches`.
    """
    if any(kind == "norm" for kind, _ in keys):
        return None
    said = [name.partition(" ") for kind, name in keys if kind == "seen"]
    stats = frozenset(word for kind, _, word in said if kind == "stat")
    types = frozenset(word for kind, _, word in said if kind == "type")
    loose = _Loose(stats, types, any(kind == "cost" for kind, _ in keys))
    if any(map(loose.speaks, _tightening(card))):
        return None
    return loose.of(card)  # type: ignore[return-value]


def _tightening(card: Card) -> Iterator[object]:
    """Yield the parts of a text that may ask for more, not less, where what they ask for is always so.

    A cost that is higher while something holds, or by how many there are, a requirement, an end of a permission.
    """
    text = (card.cost, card.abilities)
    yield from every(text, Modifier)
    yield from every(text, Additional)
    yield from (norm for norm in every(text, Norm) if norm.modality != "cannot")
    yield from (term.amount for term in every(text, AssetTerm))
    yield from (act.n for act in every(text, Act))
    yield from (selector.n for selector in every(text, Selector))


@dataclass(frozen=True, slots=True)
class _Loose:
    """Takes out of a text what asks for some numbers, types, or points."""

    stats: frozenset[str]
    types: frozenset[str]
    free: bool

    def of(self, term: object) -> object:
        if isinstance(term, Selector):
            return self._selector(term)
        if isinstance(term, Compare | Fact | Not) and self.speaks(term):
            return ALWAYS
        if isinstance(term, Norm) and term.modality == "cannot" and self.speaks(term):
            return replace(term, while_=NEVER)
        if self.free and isinstance(term, AssetTerm):
            return CostAll()
        if isinstance(term, tuple):
            return tuple(self.of(part) for part in term)
        if isinstance(term, FrozenMap):
            return FrozenMap({key: self.of(value) for key, value in term.items()})
        if is_dataclass(term) and not isinstance(term, type):
            return replace(term, **{f.name: self.of(getattr(term, f.name)) for f in fields(term) if f.init})
        return term

    def _selector(self, term: Selector) -> Selector:
        return replace(
            term,
            where=tuple(test for test in term.where if test.stat not in self.stats),
            has=tuple(prop for prop in term.has if prop not in self.stats),
            type=tuple(word for word in term.type if word.casefold() not in self.types),
            any_of=() if any(map(self.speaks, term.any_of)) else term.any_of,
            none_of=() if any(map(self.speaks, term.none_of)) else term.none_of,
        )

    def speaks(self, term: object) -> bool:
        """Tell whether a term asks for what is taken out."""
        if any(ref.path and ref.path[-1] in self.stats for ref in every(term, Ref)):
            return True
        return any(
            {test.stat for test in one.where} & self.stats
            or set(one.has) & self.stats
            or {word.casefold() for word in one.type} & self.types
            for one in every(term, Selector)
        )
