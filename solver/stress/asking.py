"""Questions about declaring a card of the group, in the positions to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import Literal, TypeAlias

from lawful.model.card import Card
from lawful.model.cost import ActTerm, terms
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Activated, Norm
from lawful.model.errors import LawfulError
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.position import Position
from lawful.model.selector import Selector
from lawful.model.walking import every
from lawful.solver.check import Checker, readings_of
from lawful.solver.encode.declaring import paying
from lawful.solver.explain import payable
from lawful.solver.stress.lazily import Lazily
from lawful.solver.stress.meeting import OTHER, YOU, Meeting, plainly
from lawful.solver.stress.needs import Mark, lying, marked, marks
from lawful.solver.stress.scene import Scene, staged
from lawful.solver.stress.scenery import Builder, counts_hand, floated, supplied
from lawful.solver.stress.scenes import Scenes, scenes

LIMITS = Limits(seconds=5.0, ways=2_000, nodes=20_000)
MOST_REAL = 4
Holds: TypeAlias = Callable[[Question], bool]


@dataclass(frozen=True, slots=True)
class Using:
    """Playing a card, or using one of its abilities.

    Parameters
    ----------
    card : Card
        Which.
    ability : Activated, optional
        The ability; None is playing the card.
    at_once : str, optional
        The ability that is used as the card is played, of a kind of card that does so.
    several : bool
        Whether it could be played for another one of its abilities as well.
    """

    card: Card
    ability: Activated | None = None
    at_once: str | None = None
    several: bool = False

    @property
    def name(self) -> str:
        """What it is called in a finding."""
        if self.ability is not None:
            return self.ability.name
        return f"play: {self.at_once}" if self.several else "play"


def uses(card: Card, meeting: Meeting) -> Iterator[Using]:
    """Yield what can be declared of a card; one that is played for one of several abilities, for each of them."""
    able = [ability for ability in card.abilities if isinstance(ability, Activated)]
    if card.cost is not None and able and set(card.types) & set(meeting.ruleset.resolves):
        yield from (Using(card, at_once=ability.name, several=len(able) > 1) for ability in able)
        return
    if card.cost is not None:
        yield Using(card)
    yield from (Using(card, ability) for ability in able)


def home(using: Using, meeting: Meeting) -> str:
    """Return where the card is when it is declared: in hand, or where its ability is used or its cost takes it from."""
    if using.ability is None:
        return meeting.ruleset.hand
    if using.ability.zone:
        return using.ability.zone[0]
    for term in terms(using.ability.cost):
        if isinstance(term, ActTerm) and Ref("self") in (term.act.what, term.act.of):
            for verb in meeting.ruleset.verbs:
                if verb.name == term.act.verb and verb.from_ and meeting.play not in verb.from_:
                    return verb.from_[0]
    return meeting.play


@dataclass(frozen=True, slots=True)
class Layout:
    """How the cards of a group lie there.

    Parameters
    ----------
    whose : str
        Who controls those that are not declared.
    more : frozenset of Mark
        What they have beside what their own costs need: what other texts of the group take from them, or ask of them.
    marked : bool
        Whether the one that is declared has the statuses that its text asks of itself.
    zone, face : str, optional
        Where it lies, and how; None is where it is at home, and as its text says.
    """

    whose: str = YOU
    more: frozenset[Mark] = frozenset()
    marked: bool = True
    zone: str | None = None
    face: Literal["up", "down"] | None = None


def layouts(meeting: Meeting) -> tuple[Layout, ...]:
    """Return how the cards of a group may lie there: the plain ways first, then with what other texts use of them."""
    sides = (YOU, OTHER) if len(meeting.cards) > 1 else (YOU,)
    return tuple(Layout(whose, more) for more in marked(meeting) for whose in sides)


def questions(using: Using, meeting: Meeting) -> Lazily[Question]:
    """Return the question whether it can be declared, in every class of positions; the fullest first.

    The other cards of the group are in play, under either player's control. Checks that follow each other ask the same:
    what was laid out for one is there for the next.
    """
    for known, one, found in kept:
        if known is meeting and (one is using or one == using):
            return found
    there = Lazily(_questions(using, meeting))
    kept.insert(0, (meeting, using, there))
    del kept[_MOST_KEPT:]
    return there


kept: list[tuple[Meeting, Using, Lazily[Question]]] = []
_MOST_KEPT = 8


def _questions(using: Using, meeting: Meeting) -> Iterator[Question]:
    rest = [card for card in meeting.cards if card is not using.card]
    bare, unmarked = counts_hand(meeting), bool(marks(using.card))
    for _, several in groupby(layouts(meeting), key=lambda layout: layout.more):
        found = [(layout, scenes_of(using, meeting, layout)) for layout in several]
        for row in zip_longest(*(there for _, there in found)):
            for (layout, _), scene in zip(found, row, strict=True):
                if scene is not None:
                    yield question(using, meeting, scene, rest, layout)
                    if bare:
                        yield question(using, meeting, scene, rest, layout, supply=False)
                    if unmarked:
                        yield question(using, meeting, scene, rest, replace(layout, marked=False))
        for zone, face in elsewhere(using, meeting):
            for layout, there in found:
                for scene in there:
                    laid = replace(layout, marked=False, zone=zone, face=face)
                    yield question(using, meeting, scene, rest, laid)


def elsewhere(using: Using, meeting: Meeting) -> tuple[tuple[str, Literal["up", "down"] | None], ...]:
    """Return where else, and how, the rules or a text of the group let it be declared: other zones than `home`."""
    if using.ability is not None:
        return tuple((zone, None) for zone in using.ability.zone[1:])
    terms = (meeting.ruleset.norms, *(card.abilities for card in meeting.cards))
    may = [norm for norm in every(terms, Norm) if norm.modality == "may" and norm.action.event == "play"]
    what = [norm.action.subject for norm in may if isinstance(norm.action.subject, Selector)]
    there = dict.fromkeys((zone, selector.face) for selector in what for zone in selector.zone)
    return tuple((zone, face) for zone, face in there if (zone, face or "up") != (meeting.ruleset.hand, "up"))


def scenes_of(using: Using, meeting: Meeting, layout: Layout = Layout()) -> Scenes:
    """Return what may lie about where a card is declared, and the others of the group are there."""
    builder = Builder(meeting)
    about = _group(builder, using, [card for card in meeting.cards if card is not using.card], layout)
    return scenes(meeting, builder.position(), about)


def _group(builder: Builder, using: Using, rest: Sequence[Card], layout: Layout) -> str:
    """Lay the cards of the group; return the id of the one that is declared."""
    meeting = builder.meeting
    own = lying(meeting, using.card, layout.more)
    where = layout.zone or home(using, meeting)
    there = where == meeting.play
    status = (own.status if there else frozenset()) | (marks(using.card) if layout.marked else frozenset())
    shown = layout.face or ("up" if using.ability is None else using.ability.face)
    kept = own.counters if there else FrozenMap[str, int]()
    about = builder.add(using.card, where, counters=kept, status=status, face=shown)
    for card in rest:
        builder.lay(card, lying(meeting, card, layout.more), layout.whose)
    return about


def question(
    using: Using,
    meeting: Meeting,
    scene: Scene,
    rest: Sequence[Card] = (),
    layout: Layout = Layout(),
    supply: bool = True,
) -> Question:
    """Return the question whether it can be declared in one position."""
    builder = Builder(meeting)
    about = _group(builder, using, rest, layout)
    staged(builder, scene, about)
    (supplied if supply else floated)(builder, meeting)
    kind = "play" if using.ability is None else "activate"
    name = using.at_once if using.ability is None else using.ability.name
    declared = Declaration(YOU, kind, about, name)  # type: ignore[arg-type]
    return Question(meeting.ruleset, builder.position(), declared)


def can_pay(asked: Question, limits: Limits = LIMITS) -> bool:
    """Say whether what is due can be paid, whatever is chosen."""
    return payable(replace(asked, declaration=paying(asked).declaration), limits=limits)


def pays(asked: Question, limits: Limits = LIMITS) -> bool:
    """Say whether it can be paid as it is declared: the conditions of an ability and norms in play count, too."""
    return payable(asked, limits=limits)


def can_declare(asked: Question, released: frozenset[str] = frozenset(), limits: Limits = LIMITS) -> bool:
    """Say whether some complete choice is legal and can be paid for, under some reading of which requirements bind."""
    for oblige in readings_of(asked, limits) or (None,):
        checker = Checker(asked, limits, released, oblige)
        if checker.possible({}):
            return True
    return False


def found_real(there: Iterable[Question], holds: Holds, meeting: Meeting) -> tuple[Question | None, bool]:
    """Return the first question of which something holds, and whether it also holds with objects that do what they do.

    Objects of the pool lie there without what they do. What can be only as long as they do nothing is in doubt.
    """
    first: Question | None = None
    tried = 0
    for asked in there:
        if not holds(asked):
            continue
        first = asked if first is None else first
        if as_they_are(asked, holds, meeting):
            return first, True
        tried += 1
        if tried == MOST_REAL:
            break
    return first, False


def as_they_are(asked: Question, holds: Holds, meeting: Meeting) -> bool:
    """Tell whether something holds of a question also where its objects do what they do."""
    there = {thing.card for thing in asked.position.things} & meeting.stripped
    if not there:
        return True
    known = {plainly(card.name): card for card in meeting.real}
    if not there <= set(known):
        return False  # what it does was not read whole
    cards = asked.position.cards
    for name in there:
        cards = cards.put(name, replace(known[name], name=name, called=known[name].printed_name))
    try:
        return holds(replace(asked, position=replace(asked.position, cards=cards)))
    except LawfulError:
        return False


def without(asked: Question, ids: frozenset[str]) -> Question:
    """Return the question without some objects, where it can be asked so."""
    position = asked.position
    left = tuple(thing for thing in position.things if thing.id not in ids)
    return replace(asked, position=tidy(replace(position, things=left)))


def tidy(position: Position) -> Position:
    """Return the position without cards that nothing is a copy of, and without relations to what is gone."""
    there = {thing.id for thing in position.things}
    things = tuple(
        replace(thing, relations=type(thing.relations)({k: v for k, v in thing.relations.items() if v in there}))
        for thing in position.things
    )
    used = {thing.card for thing in things}
    cards = type(position.cards)({name: card for name, card in position.cards.items() if name in used})
    return replace(position, things=things, cards=cards)
