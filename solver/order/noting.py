"""What a text knows of its steps: how far each was done, what it yielded, and what is to happen at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lawful.model.act import Act
from lawful.model.frozen import FrozenMap, replace
from lawful.solver.order.change import planned
from lawful.solver.order.frames import Acts, Look, Node, State
from lawful.solver.order.picking import chooses, of_step, picked
from lawful.solver.order.view import View

if TYPE_CHECKING:
    from lawful.solver.order.machine import Machine


def levels(act: Act, frame: Look, view: View) -> tuple[str, ...]:
    """Return how far a step was done."""
    found = ["attempted", *(("changed", "yielded") if frame.batch else ("changed",) if frame.zeroed else ())]
    asked = view.number(act.n) if act.n is not None and act.verb in ("wound", "remove", "heal") else None
    reached = [(e.subject, e.amount) for e in frame.batch] == [(e.subject, e.amount) for e in frame.planned]
    if reached and all(e.amount >= (asked or e.amount) for e in frame.planned):
        found.append("full")
    return tuple(found)


def did(frame: Acts, act: Act, *reached: str) -> Acts:
    """Return a text that notes how far a step was done, where it has a name."""
    return frame if act.as_ is None else replace(frame, done=frame.done.put(act.as_, frozenset(reached)))


def yields(frame: Acts, act: Act, found: Sequence[str | int]) -> Acts:
    """Return a text that knows under the step's name what it yielded."""
    if act.as_ is None or not found:
        return frame
    more = {act.as_ if i == 0 else f"{act.as_} {i + 1}": what for i, what in enumerate(found)}
    return replace(frame, bound=FrozenMap({**frame.bound, **more}))


def continues(act: Act, rest: Sequence[Act]) -> bool:
    """Tell whether a step puts something into a relation, and so does the next, whatever else happens."""
    return bool(rest) and _plain(act) and _plain(rest[0]) and act.to == rest[0].to


def _plain(act: Act) -> bool:
    return act.verb == "put" and act.given is None and act.unless is None and act.when is None


def gather(machine: Machine, frame: Acts, below: State, view: View) -> Node:
    """Return the ways to pick for one step of several that happen at once; with the last, they are about to happen.

    Nothing is picked twice, as long as there is something else.
    """
    act, rest = frame.acts[0], replace(frame, acts=frame.acts[1:])
    by, answers = picked(act, view)
    taken = {event.subject for _, events in frame.gathered for event in events}
    fresh = [ids for ids in answers if taken.isdisjoint(ids)]
    fresh = fresh or [tuple(id for id in ids if id not in taken) for ids in answers]
    chosen = chooses(act)
    if chosen and act.as_ is not None:
        rest = replace(rest, chosen=rest.chosen | {act.as_})
    options = []
    for ids in fresh:
        events = planned(act, ids, view, frame.cause)
        if chosen or of_step(act) in frame.chosen:
            events = tuple(replace(event, chosen=True) for event in events)
        after = replace(yields(rest, act, ids), gathered=(*frame.gathered, (act, events)))
        label = f"{act.verb} {', '.join(ids)}"
        options.append((label, _onward(machine, act, after, below, view)))
    return Node(by, "pick" if len(options) > 1 else "", options, view.reads, tuple(o[0] for o in options))


def _onward(machine: Machine, act: Act, frame: Acts, below: State, view: View) -> State:
    state = replace(below, stack=(*below.stack, frame))
    if continues(act, frame.acts):
        return state
    batch = tuple(event for _, events in frame.gathered for event in events)
    if batch:
        return machine.begin(batch, act, frame.used, state, view.reads, frame.cause)
    done = replace(frame, gathered=())
    for step, _ in frame.gathered:
        done = did(done, step)
    return replace(below, stack=(*below.stack, done))


def told(frame: Acts, look: Look, view: View) -> Acts:
    """Return a text that notes how far each of its steps was done that happened at once."""
    for act, events in frame.gathered:
        own = {event.subject for event in events}
        batch, meant = (tuple(e for e in part if e.subject in own) for part in (look.batch, look.planned))
        frame = did(frame, act, *(levels(act, replace(look, batch=batch, planned=meant), view) if events else ()))
    return replace(frame, gathered=())
