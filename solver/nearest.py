"""The nearest positions in which it would be legal, or could be paid: what would have to be otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from lawful.model.declaration import Question
from lawful.model.effect import Norm, Static
from lawful.model.errors import LimitReached
from lawful.model.expression import Some
from lawful.model.position import Position, Thing
from lawful.model.verdict import Lack, Reason, Shortfall

COPIES = 3
CHANGES = 3
MANY_TRIED = 40
MANY_LOOKED_AT = 1_000
NEVER = Some(())


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest positions.

    Parameters
    ----------
    shortfalls : tuple of Shortfall
        All that are equally near, each with what would have to be otherwise.
    complete : bool
        Whether all that are as near were looked at.
    """

    shortfalls: tuple[Shortfall, ...]
    complete: bool


def nearest(question: Question, reasons: Sequence[Reason], legal: Callable[[Question], bool], *, pays: bool) -> Near:
    """Return the nearest positions in which it would be legal.

    What is changed is what the reasons speak of: norms, the status and the face of objects; and, where a payment is
    lacking, the copies of a generic card in hand and the objects that could pay if they were ready.

    Parameters
    ----------
    question : Question
        What is not legal.
    reasons : sequence of Reason
        Why not.
    legal : callable
        Says whether a question is legal; each position that is returned was asked about.
    pays : bool
        Whether a payment is lacking.

    Returns
    -------
    Near
        Empty where no few changes of these kinds are enough.
    """
    lacks = tuple(dict.fromkeys((*_norms(question, reasons), *_states(question, reasons, pays))))
    cards = _cards(question) if pays else ()
    found: list[Shortfall] = []
    tried, most = 0, min(MANY_TRIED, max(10, MANY_LOOKED_AT // max(1, len(question.position.things))))
    for size in range(1, CHANGES + 1):
        for changes in _together(lacks, cards, size):
            tried += 1
            if tried > most:
                return Near(tuple(found), False)
            if _is_legal(changed(question, changes), legal):
                found.append(Shortfall(changes))
        if found:
            break
    return Near(tuple(found), True)


def _is_legal(question: Question, legal: Callable[[Question], bool]) -> bool:
    try:
        return legal(question)
    except LimitReached:
        return False


def _together(lacks: Sequence[Lack], cards: Sequence[str], size: int) -> Iterator[tuple[Lack, ...]]:
    """Yield the changes of some size; copies of one generic card, never of several, count one each."""
    for copies in range(min(size, COPIES), -1, -1):
        for name in cards if copies else ("",):
            card = (Lack("card", name, copies),) if copies else ()
            for rest in combinations(lacks, size - copies):
                if len({(lack.kind, lack.what, lack.number) for lack in rest}) == len(rest):
                    yield (*card, *rest)


def _cards(question: Question) -> tuple[str, ...]:
    return tuple(card.name for card in question.ruleset.cards if card.yields and any(card.yields.values()))


def _norms(question: Question, reasons: Sequence[Reason]) -> Iterator[Lack]:
    """Yield the norms that reasons speak of: by their key; by their holders; of what may pay, all that forbid."""
    position = question.position
    lasting = {effect.id for effect in position.lasting}
    things = {thing.id: thing for thing in position.things}
    for because in (b for reason in reasons for b in reason):
        holder, _, number = str(because.says.params.get("norm", "")).rpartition("/")
        if holder in lasting or holder in things:
            yield Lack("norm", holder, number=int(number))
            continue
        named = because.says.params.get("holders", ())
        holders = set(named) if isinstance(named, tuple) else {str(named)}
        for effect in position.lasting:
            if isinstance(effect.modifier, Norm) and (because.role == "restriction" or effect.id in holders):
                yield Lack("norm", effect.id)
        for id, thing in things.items():
            for n, ability in enumerate(position.card(thing).abilities):
                if isinstance(ability, Static) and isinstance(ability.effect, Norm):
                    forbids = because.role == "restriction" and ability.effect.modality == "cannot"
                    if forbids or (id in holders and ability.effect.modality == "must"):
                        yield Lack("norm", id, number=n)


def _states(question: Question, reasons: Sequence[Reason], pays: bool) -> Iterator[Lack]:
    """Yield what objects could be instead: of another status, turned over; and the payer's own that could be ready."""
    position, rules = question.position, question.ruleset
    verbs = [name for verb in rules.verbs for name in (verb.adds, verb.removes) if name is not None]
    known = tuple(dict.fromkeys(verbs))
    for because in (b for reason in reasons for b in reason):
        objects = because.says.params.get("object", ())
        named = {*because.about, *(objects if isinstance(objects, tuple) else (str(objects),))}
        wanted = because.says.params.get("wanted", ())
        for thing in position.things:
            if thing.id not in named:
                continue
            for status in sorted(thing.status.intersection(known)):
                yield Lack("status", thing.id, detail=status, number=0)
            if because.role.endswith(".status") and isinstance(wanted, tuple):
                for status in wanted:
                    if status in known and status not in thing.status:
                        yield Lack("status", thing.id, detail=status, number=1)
            if because.role in ("face", "blank", "from", "from.ability"):
                yield Lack("face", thing.id, detail="up" if thing.face == "down" else "down")
    for thing in position.things if pays else ():
        if thing.controller == question.declaration.player:
            for status in sorted(thing.status.intersection(known)):
                yield Lack("status", thing.id, detail=status, number=0)


def changed(question: Question, lacks: Sequence[Lack]) -> Question:
    """Return a question about the position with some things otherwise."""
    position = question.position
    for lack in lacks:
        position = _changed(question, position, lack)
    return replace(question, position=position)


def _changed(question: Question, position: Position, lack: Lack) -> Position:
    if lack.kind == "card":
        return _with_cards(question, position, lack.what, lack.n)
    if lack.kind == "norm":
        return _without(position, lack.what, lack.number)
    thing = position.thing(lack.what)
    if lack.kind == "face":
        return position.with_thing(replace(thing, face="up" if thing.face == "down" else "down"))
    status = thing.status | {lack.detail} if lack.number else thing.status - {lack.detail}
    return position.with_thing(replace(thing, status=frozenset(status)))


def _without(position: Position, holder: str, number: int) -> Position:
    """Return the position in which one norm is not in force; what stands beside it keeps its number."""
    if any(effect.id == holder for effect in position.lasting):
        return replace(position, lasting=tuple(e for e in position.lasting if e.id != holder))
    thing = position.thing(holder)
    card = position.card(thing)
    ability = card.abilities[number]
    assert isinstance(ability, Static)
    assert isinstance(ability.effect, Norm)
    idle = Static(replace(ability.effect, while_=NEVER))
    name = f"{thing.card} of {thing.id}"
    bare = replace(card, abilities=(*card.abilities[:number], idle, *card.abilities[number + 1 :]))
    return replace(position, cards=position.cards.put(name, bare)).with_thing(replace(thing, card=name))


def _with_cards(question: Question, position: Position, name: str, n: int) -> Position:
    player = question.declaration.player
    card = next(card for card in question.ruleset.cards if card.name == name)
    clock = position.clock
    more = tuple(
        Thing(f"{name} +{i + 1}", name, player, player, question.ruleset.hand, timestamp=clock + i) for i in range(n)
    )
    return replace(position, things=(*position.things, *more), cards=position.cards.put(name, card))
