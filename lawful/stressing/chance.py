"""Beyond the bounds: random positions, drawn by Hypothesis from a seed, shrunk by it, then made as small as can be."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lawful.model.declaration import OrderQuestion
from lawful.model.errors import BadInput, Fault, LawfulError
from lawful.model.frozen import FrozenMap
from lawful.model.stress import Bound, Looked
from lawful.solver.stress import effects
from lawful.solver.stress.happening import answered, trials
from lawful.solver.stress.meeting import OTHER, YOU, Meeting
from lawful.solver.stress.scenery import Builder
from lawful.solver.stress.smallest import shrunk

MOST_OBJECTS = 4
CHECKS: dict[str, Callable[[OrderQuestion], bool]] = {
    "circle": lambda q: not q.events and bool(effects.bad_knots(q)),
    "unordered": lambda q: effects.shows("unordered", q),
    "endless": lambda q: effects.shows("endless", q),
}


def drawn(meeting: Meeting, looked: Looked, examples: int, seed: int) -> Looked:
    """Try random positions of a check that found nothing within its bounds.

    Parameters
    ----------
    meeting : Meeting
        The cards.
    looked : Looked
        What was found so far: nothing.
    examples : int
        How many positions are drawn.
    seed : int
        What they depend on.

    Returns
    -------
    Looked
        With a finding, if one was drawn; never saturated.
    """
    if looked.check not in CHECKS or looked.bound.saturated:
        return looked
    found, unanswered = _falsified(meeting, looked.check, examples, seed)
    # What was drawn and not answered says nothing: it is not counted as looked at.
    bound = Bound(looked.bound.most.put("random positions", max(0, examples - unanswered)), False, looked.bound.why)
    if found is None:
        return replace(looked, bound=bound)
    names = {card.name for card in meeting.cards}

    def whole(question: OrderQuestion) -> bool:
        there = {thing.card for thing in question.position.things}
        return names <= there and CHECKS[looked.check](question)

    small = shrunk(found, whole)
    findings = effects.findings_of(looked.check, meeting, small)
    return replace(looked, outcome="finding" if findings else looked.outcome, findings=findings, bound=bound)


def _falsified(meeting: Meeting, check: str, examples: int, seed: int) -> tuple[OrderQuestion | None, int]:
    """Return a position that shows it, if one was drawn, and how many of those drawn were not answered."""
    try:
        from hypothesis import HealthCheck, given, settings
        from hypothesis import seed as seeded
        from hypothesis import strategies as st
    except ImportError:
        raise BadInput(
            [Fault("random positions need the extra stress", "--random", hint="pip install 'lawful[stress]'")]
        ) from None
    begun = list(trials(meeting))[:12]
    if not begun:
        return None, examples
    unanswered = 0
    last: list[OrderQuestion] = []
    cards = (*meeting.cards, *meeting.objects)

    @seeded(seed)
    @settings(
        max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False
    )
    @given(st.data())
    def trial(data: Any) -> None:
        base = begun[data.draw(st.integers(0, len(begun) - 1))]
        builder = Builder(meeting, list(base.position.things), dict(base.position.cards))
        for _ in range(data.draw(st.integers(0, MOST_OBJECTS))):
            card = cards[data.draw(st.integers(0, len(cards) - 1))]
            whose = data.draw(st.sampled_from((YOU, OTHER)))
            kinds = {kind for thing in base.position.things for kind in thing.counters}
            counters = {kind: data.draw(st.integers(1, 4)) for kind in sorted(kinds) if data.draw(st.booleans())}
            builder.add(card, meeting.play, whose, counters=FrozenMap(counters))
        nonlocal unanswered
        position = replace(
            base.position, things=tuple(builder.things), cards=FrozenMap(builder.cards), clock=len(builder.things)
        )
        asked = replace(base, position=position)
        try:
            broke = CHECKS[check](asked)
            whole = broke or check == "circle" or answered(asked).complete
        except LawfulError:
            broke = whole = False
        unanswered += not whole
        if broke:
            last.append(asked)
            raise AssertionError

    state = random.getstate()
    try:
        trial()
    except AssertionError:
        return last[-1], unanswered
    finally:
        random.setstate(state)
    return None, unanswered
