"""What came out of what happens, in players' words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lawful.graphtext import to_lines
from lawful.leftout import say_left_out
from lawful.model.declaration import OrderQuestion
from lawful.model.messages import word
from lawful.model.ordered import ComesOut, Knot, Loop, Ordered
from lawful.model.verdict import Value
from lawful.orderdoc import changes
from lawful.text import say

KNOTS = {"paradox": "order.paradox", "ambiguous": "order.ambiguous", "settled": "order.settled",
         "unsolved": "order.unsolved"}  # fmt: skip


def order_lines(question: OrderQuestion, answer: Ordered, graph: bool = False) -> Iterator[str]:
    """Yield an answer, line by line.

    Parameters
    ----------
    question : OrderQuestion
        What was asked.
    answer : Ordered
        What was answered.
    graph : bool
        Whether the graph follows.

    Yields
    ------
    str
        A line.
    """
    yield _title(answer)
    yield from say_left_out(answer.unread, answer.as_read)
    if (answer.as_read or answer.status) == "undetermined":
        yield say("order.undetermined")
    for n, outcome in enumerate(answer.outcomes, 1):
        yield ""
        yield from _outcome(question, outcome, f"{n}. " if len(answer.outcomes) > 1 else "")
    yield ""
    for silence in answer.silences:
        yield say("order.silence", items=silence.items)
    for loop in answer.loops:
        yield from _loop(loop)
    for knot in answer.knots:
        yield _knot(knot)
    if answer.applied:
        yield say("order.applied", ids=answer.applied)
    plain = answer.terminates == "proved" and not answer.certificate
    cut = answer.terminates == "bounded" and answer.limit is not None
    yield say(f"order.terminates.{'straight' if plain else 'cut' if cut else answer.terminates}")
    if answer.orders > 1:
        yield say("order.agree", orders=answer.orders, states=answer.states)
    else:
        yield say("order.states", states=answer.states)
    if (answer.complete or answer.as_read is not None) and not answer.loops:
        yield say("order.confirmed" if answer.confirmed else "order.unconfirmed")
    yield from _readings(question, answer)
    if graph:
        yield ""
        yield from to_lines(answer.graph, question.ruleset)


def _title(answer: Ordered) -> str:
    if answer.as_read is not None:
        return say("face.unread", found=_title(replace(answer, as_read=None)))
    n = len(answer.outcomes)
    if answer.limit is not None:
        return say("order.title.cut", n=n, limit=answer.limit)
    if n == 0:
        return say("order.title.none")
    return say("order.title.several", n=n)


def _outcome(question: OrderQuestion, outcome: ComesOut, number: str) -> Iterator[str]:
    state = changes(question, outcome.position)
    shown = ", ".join(f"{path} {_value(value)}" for path, value in state.items())
    yield f"{number}{shown or say('order.same')}"
    if outcome.order:
        yield f"   {steps_text(outcome.order)}"
    if chosen := chosen_text(outcome):
        yield f"   {chosen}"


def chosen_text(outcome: ComesOut) -> str:
    """Say who chose the order of an outcome; empty where there was nothing to choose."""
    if outcome.choosers == ("nobody",):
        return say("order.nobody")
    return say("order.chosen", by=outcome.choosers) if outcome.choosers else ""


def steps_text(steps: Sequence[str]) -> str:
    """Say what happened, one step after another."""
    return " > ".join(word("step", step) for step in steps)


def _value(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _loop(loop: Loop) -> Iterator[str]:
    steps = steps_text(loop.steps)
    if loop.grows:
        grows = ", ".join(f"{what} +{n}" for what, n in loop.grows.items())
        yield say("order.loop.grows", steps=steps, grows=grows)
    else:
        yield say("order.loop", steps=steps)
    yield f"  {say('order.loop.optional' if loop.optional else 'order.loop.forced')}"


def _knot(knot: Knot) -> str:
    sets, ours = tuple(map(_set, knot.fixpoints)), _set(knot.in_force)
    return say(KNOTS[knot.kind], members=knot.members, sets=sets, ours=ours)


def _set(members: Sequence[str]) -> str:
    return "{" + ", ".join(members) + "}" if members else say("order.none")


def _readings(question: OrderQuestion, answer: Ordered) -> Iterator[str]:
    points = {point.id: point for point in question.ruleset.open_points}
    for id, name in answer.assumed.items():
        point = points[id]
        says = next(reading.says for reading in point.readings if reading.name == name)
        yield say("face.assumed", point=id, about=point.about, says=says)
    for name, outcomes in answer.readings.items():
        for outcome in outcomes:
            state = changes(question, outcome.position)
            yield f"{name}: {', '.join(f'{p} {_value(v)}' for p, v in state.items()) or say('order.same')}"
