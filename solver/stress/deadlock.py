"""Boards on which what must be chosen leaves nothing that may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from ortools.sat.python import cp_model

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Norm
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector
from lawful.model.slots import picks, text_of
from lawful.model.stress import Bound, Finding, Said
from lawful.model.verdict import Message
from lawful.solver.ask import each_solution
from lawful.solver.stress.asking import LIMITS, Using, can_declare, can_pay, scenes_of, uses
from lawful.solver.stress.asking import question as question_of
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.needs import own_state
from lawful.solver.stress.scenery import Builder
from lawful.solver.stress.scenes import Scene
from lawful.solver.stress.smallest import shrunk, size_of
from lawful.solver.stress.terms import norms, selectors

MOST = 4
CHOSEN = ("target", "choose")


Asker: TypeAlias = Callable[[dict[Card, int], str], Question | None]


def obliging(card: Card) -> tuple[Norm, ...]:
    """Return the norms by which something must be chosen."""
    return tuple(norm for norm in norms(card) if norm.modality == "must" and norm.action.event in CHOSEN)


def bound(meeting: Meeting) -> Bound:
    """Return how far boards are looked at: one copy more than there are places is enough."""
    places = max((s.n if isinstance(s.n, int) else 1 for card in meeting.cards for s in selectors(card)), default=1)
    most = FrozenMap({"copies on the board": MOST})
    return Bound(most, places < MOST, "stress.bound.board" if places < MOST else "stress.bound.open")


def deadlocked(meeting: Meeting) -> Iterator[Finding]:
    """Yield the smallest board on which requirements leave no legal choice, though without them there is one.

    How many of each card lie there is a variable; boards are asked about from the smallest on.
    """
    rules = meeting.ruleset
    musts = [card for card in meeting.cards if obliging(card)]
    if not musts or rules.norming.must != "hard":
        return
    for title, ask in _askers(meeting, musts):
        for counts in _boards(len(musts)):
            copies = dict(zip(musts, counts, strict=True))
            for whose in (OTHER, YOU):
                asked = ask(copies, whose)
                if asked is None or not _stuck(asked):
                    continue
                kinds = {card.name for card in meeting.cards}

                def shows(q: Question, kinds: set[str] = kinds) -> bool:
                    return kinds <= {t.card for t in q.position.things} and _stuck(q)

                if not shows(asked):
                    continue
                small = shrunk(asked, shows)
                said = {"card": ", ".join(meeting.names), "what": title}
                size = size_of(small, len(meeting.cards))
                yield Finding(
                    "deadlock", meeting.names, title, Message("stress.deadlock", Said(said)), small,
                    Said({"verdict": "illegal"}), size,
                )  # fmt: skip
                break
            else:
                continue
            break


def _stuck(asked: Question) -> bool:
    if asked.declaration.kind != "cost" and not can_pay(asked):
        return False
    return not can_declare(asked) and can_declare(asked, frozenset({"must"}))


def _boards(kinds: int) -> Iterator[tuple[int, ...]]:
    """Yield how many copies of each lie there, the fewest in all first: each solution of one small model."""
    model = cp_model.CpModel()
    counts = [model.new_int_var(1, MOST, f"copies {n}") for n in range(kinds)]
    found: list[tuple[int, ...]] = []
    ended = each_solution(model, counts, found.append, seconds=LIMITS.seconds, most=MOST**kinds + 1)
    if not ended.complete:
        raise LimitReached(ended.limit or "seconds", LIMITS.seconds)
    yield from sorted(found, key=lambda board: (sum(board), board))


def _askers(meeting: Meeting, musts: list[Card]) -> Iterator[tuple[str, Asker]]:
    """Yield texts that choose: those of the cards, else one target of the kind that must be chosen."""
    texts = [using for card in meeting.cards for using in uses(card, meeting)]
    some = False
    for using in texts:
        first = question_of(using, meeting, Scene(()), supply=False)
        if picks(text_of(first)):
            some = True
            yield using.name, partial(_with_text, using, meeting)
    if not some:
        yield "a target", partial(_bare, meeting, musts)


def _with_text(using: Using, meeting: Meeting, copies: dict[Card, int], whose: str) -> Question:
    base = question_of(using, meeting, next(iter(scenes_of(using, meeting))))
    return _plus(base, meeting, copies, whose)


def _plus(base: Question, meeting: Meeting, copies: dict[Card, int], whose: str) -> Question:
    builder = Builder(meeting, list(base.position.things), dict(base.position.cards))
    for card, n in copies.items():
        counters, status = own_state(meeting, card)
        for _ in range(n):
            builder.add(card, meeting.play, whose, counters=counters, status=status)
    position = replace(
        base.position, things=tuple(builder.things), cards=FrozenMap(builder.cards), clock=len(builder.things)
    )
    return replace(base, position=position)


def _bare(meeting: Meeting, musts: list[Card], copies: dict[Card, int], whose: str) -> Question | None:
    kinds = set(musts[0].types)
    for card in musts:
        kinds &= set(card.types)
    event = obliging(musts[0])[0].action.event
    wanted = Selector(type=tuple(sorted(kinds))[:1], how="target" if event == "target" else "choose", n=1)
    verb = next((v.name for v in meeting.ruleset.verbs if v.from_ and meeting.play in v.from_), None)
    if verb is None:
        return None
    builder = Builder(meeting)
    declaration = Declaration(YOU, do=(Act(verb, wanted),), types=_label(musts))
    return _plus(Question(meeting.ruleset, builder.position(), declaration), meeting, copies, whose)


def _label(musts: list[Card]) -> tuple[str, ...]:
    """Return the types that a source must have for the requirements to speak of it."""
    source = obliging(musts[0])[0].action.source
    return source.type if isinstance(source, Selector) else ()
