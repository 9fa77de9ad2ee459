"""What can never be paid, and what can be paid and yet never be declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from lawful.model.declaration import Question
from lawful.model.effect import Activated, Resolution
from lawful.model.errors import BadInput, LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.priced import x_in_cost
from lawful.model.slots import picks, text_of
from lawful.model.stress import Bound, Finding, Said
from lawful.model.verdict import Message
from lawful.solver.check import Checker
from lawful.solver.encode.declaring import paying
from lawful.solver.encode.due import plans
from lawful.solver.explain import why_not
from lawful.solver.stress.asking import (
    LIMITS,
    Using,
    can_declare,
    can_pay,
    found_real,
    question,
    questions,
    scenes_of,
    uses,
)  # fmt: skip
from lawful.solver.stress.lazily import Lazily
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.needs import MOST_COPIES, needs
from lawful.solver.stress.scenery import MOST_SOURCES, copies
from lawful.solver.stress.smallest import shrunk, size_of

# Rules of the game that a text cannot say on its own: a declaration that only one of them forbids looks legal.
MOST_REFEREED = 4
HIDDEN_RULES = (
    "zone", "cannot", "face", "blank", "gate", "affected", "spent", "must", "from", "restriction", "x.least", "x.free",
)  # fmt: skip


Narrow: TypeAlias = Callable[[Question], Question]


def bound(meeting: Meeting) -> Bound:
    """Return how far positions are looked at for payments."""
    there = [scenes_of(using, meeting) for using in uses(meeting.cards[0], meeting)]
    positions = max((some.count for some in there), default=1)
    most = FrozenMap({"copies of a source": copies(meeting), "positions": positions})
    enough = meeting.due <= MOST_SOURCES and all(some.whole for some in there)
    there_too = needs(meeting)[0]
    enough = enough and not meeting.cut and all(need.n < MOST_COPIES for need in there_too)
    enough = enough and not any(need.near or need.bears for need in there_too)
    return Bound(most, enough, "stress.bound.paying" if enough else "stress.bound.open")


Doubts: TypeAlias = list[str]
"""What of the first card can be only if the objects that lie about do nothing."""


def unpayable(meeting: Meeting, doubts: Doubts | None = None) -> Iterator[Finding]:
    """Yield what of the first card cannot be paid in any position.

    Every kind of source lies in hand as often as points are due; how many of each are there and used are variables of
    the one model, as are the floating points. So each position of the bound is a part of one that is asked about.
    """
    for using in never_payable(meeting, doubts):
        yield _never_paid(using, meeting)


def never_payable(meeting: Meeting, doubts: Doubts | None = None) -> Iterator[Using]:
    """Yield what of the first card cannot be paid in any position."""
    for using in uses(meeting.cards[0], meeting):
        found, sure = found_real(questions(using, meeting), can_pay, meeting)
        if found is None:
            yield using
        elif not sure and doubts is not None:
            doubts.append(using.name)


def _never_paid(using: Using, meeting: Meeting) -> Finding:
    first = next(iter(questions(using, meeting)))
    reason = _roles(first)
    others = {card.name for card in meeting.cards[1:]}

    def shows(asked: Question) -> bool:
        there = {thing.card for thing in asked.position.things}
        return others <= there and not can_pay(asked) and _roles(asked) == reason

    small = shrunk(first, shows)
    says = Message("stress.unpayable", Said({"what": using.name, "card": using.card.name}))
    then = Said({"verdict": "illegal"})
    return Finding("unpayable", meeting.names, using.name, says, small, then, size_of(small, len(meeting.cards)))


def _roles(asked: Question) -> frozenset[str]:
    """Return the rules of one minimal reason."""
    found = why_not(replace(asked, declaration=paying(asked).declaration), limits=LIMITS)
    return frozenset(because.role for because in found or () if because.rule is not None)


def undeclarable(meeting: Meeting, doubts: Doubts | None = None) -> Iterator[Finding]:
    """Yield what of the first card can be paid, but never be declared: itself, a mode, an option, a slot, an X.

    Where one rule of the game is what forbids it, it looks legal; else it is dead.
    """
    for using, item, there, slot in never_declarable(meeting, doubts):
        yield _forbidden(using, item, there, meeting, slot)


def never_declarable(
    meeting: Meeting, doubts: Doubts | None = None
) -> Iterator[tuple[Using, str, Lazily[Question], str]]:
    """Yield what of the first card can be paid, but never be declared, with the questions that were asked."""
    doubts = [] if doubts is None else doubts
    for using in uses(meeting.cards[0], meeting):
        there = questions(using, meeting)
        if not any(map(can_pay, there)):
            continue  # told by `unpayable`
        legal, sure = found_real(there, can_declare, meeting)
        if legal is None:
            yield using, "", there, ""
            continue
        doubts += [] if sure else [using.name]
        for item, narrowed in _parts(using, legal, meeting):
            options = Lazily(map(narrowed, there))
            found, sure = found_real(options, can_declare, meeting)
            if found is None:
                yield using, item, options, ""
            doubts += [] if found is None or sure else [item]
        for item in _slots(legal):
            found, sure = found_real(there, partial(_fills, slot=item), meeting)
            if found is None:
                yield using, f"slot {item}", there, item
            doubts += [] if found is None or sure else [item]


def _parts(using: Using, asked: Question, meeting: Meeting) -> Iterator[tuple[str, Narrow]]:
    """Yield modes, options and X above 0 with how a question is narrowed to them."""
    for mode in _modes(using):
        yield f"mode {mode}", partial(_narrowed, modes=(mode,))
    names = {option for plan in plans(paying(asked)) for option in plan.options}
    for name in sorted(names):
        found = [plan.options for plan in plans(paying(asked)) if name in plan.options]
        for options in found[:1]:
            yield f"option {name}", partial(_narrowed, options=options)
    if x_in_cost(asked):
        yield "X above 0", partial(_narrowed, x=1)


def _narrowed(asked: Question, **declared: Any) -> Question:
    return replace(asked, declaration=replace(asked.declaration, **declared))


def _modes(using: Using) -> tuple[str, ...]:
    """Return the modes that may be chosen alone."""
    for ability in using.card.abilities if using.ability is None else (using.ability,):
        modes = ability.modes if isinstance(ability, Resolution | Activated) else None
        if modes is not None and (modes.n == 1 or modes.up_to):
            return tuple(mode.name for mode in modes.of)
    return ()


def _slots(asked: Question) -> tuple[str, ...]:
    """Return the slots that may be left empty; of the others the whole declaration speaks."""
    text = text_of(asked)
    return tuple(pick.name for pick in picks(text) if pick.selector.up_to or pick.how == "choose")


def _fills(asked: Question, slot: str) -> bool:
    checker = Checker(asked, LIMITS)
    if slot not in checker.slot_names():
        return True
    return any(checker.possible({(slot, id): 1}) for id in checker.setting.sight.things)


def _everywhere(using: Using, there: Lazily[Question], meeting: Meeting) -> tuple[tuple[Question, str], ...]:
    """Return what the referee is to find forbidden as well: the declaration in mixtures, whatever is paid."""
    rest = [card for card in meeting.cards if card is not using.card]
    found = []
    for scene in islice(scenes_of(using, meeting), MOST_REFEREED):
        most = 2 if len(scene.wanted) <= 2 else 1  # the referee tries every choice of these
        few = replace(scene, wanted=tuple(replace(need, n=min(need.n, most)) for need in scene.wanted))
        bare = question(using, meeting, few, rest, supply=False)
        declared = replace(next(iter(there)).declaration, targets=bare.declaration.targets)
        found.append((replace(bare, declaration=declared), "forbidden"))
    return tuple(found)


def _forbidden(using: Using, item: str, there: Lazily[Question], meeting: Meeting, slot: str) -> Finding:
    names = meeting.names
    title = item or using.name
    others = {card.name for card in meeting.cards[1:]}
    for role in HIDDEN_RULES if not slot else ():
        released = frozenset({role})
        for asked in there:
            if can_declare(asked, released):

                def shows(q: Question, released: frozenset[str] = released) -> bool:
                    meets = others <= {thing.card for thing in q.position.things}
                    return meets and not can_declare(q) and can_declare(q, released)

                small = shrunk(asked, shows)
                rule = meeting.ruleset.rule(role)
                says = Message(
                    "stress.looks-legal",
                    Said({"what": title, "card": using.card.name, "role": role, "rule": rule.says}),
                )
                size = size_of(small, len(names))
                # A restriction that only keeps it from being paid is no matter of what is chosen.
                beside = () if role == "restriction" else _everywhere(using, there, meeting)
                return Finding("looks-legal", names, title, says, small, Said({"verdict": "illegal"}), size, beside)
    says = Message("stress.dead", Said({"what": title, "card": using.card.name}))

    def dead(q: Question) -> bool:
        meets = others <= {thing.card for thing in q.position.things}
        return meets and can_pay(q) and (not _fills(q, slot) if slot else not can_declare(q))

    first = next(iter(there))
    small = shrunk(first, dead) if _dead_here(dead, first) else first
    expect = Said({"verdict": "illegal"}) if not slot else Said({"verdict": "legal"})
    beside = () if slot else _everywhere(using, there, meeting)
    return Finding("dead", names, title, says, small, expect, size_of(small, len(names)), beside)


def _dead_here(dead: Callable[[Question], bool], asked: Question) -> bool:
    try:
        return dead(asked)
    except (BadInput, LimitReached):
        return False
