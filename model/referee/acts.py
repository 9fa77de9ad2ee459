"""Doing an act: what would happen, what is replaced, what is prevented, what changes, what triggers."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.act import Act
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.expression import Expression, Ref
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Position
from lawful.model.referee.alter import altered
from lawful.model.referee.doing import doing, drawn, operand, plan
from lawful.model.referee.evaluate import follow, holds, number
from lawful.model.referee.event import Event
from lawful.model.referee.layers import applied
from lawful.model.referee.moment import Moment, distinct
from lawful.model.referee.pick import pick
from lawful.model.referee.scope import Bound
from lawful.model.referee.shields import Batch
from lawful.model.referee.tolls import paid, tolled
from lawful.model.referee.triggers import triggered
from lawful.model.selector import Selector
from lawful.model.unplayed import refuse_chosen_players
from lawful.model.verdict import Value

DONE = ("attempted", "changed", "full", "yielded")


def do(act: Act, moment: Moment) -> Iterator[Moment]:
    """Do an act.

    Parameters
    ----------
    act : Act
        What is done.
    moment : Moment
        Before.

    Yields
    ------
    Moment
        One for every way it can go: each choice, each order of replacements and preventions. A step that can do
        nothing is passed over; what it would have yielded is absent for the steps after it.

    Raises
    ------
    UnknownName
        If there is no such verb.
    LimitReached
        If it is done to a player who is chosen.

    References
    ----------
    CR 1.8.9 (the rest goes on); 514.3 ("and thereby" needs a change).
    """
    unmet = act.given is not None and act.success.value not in moment.done.get(act.given, frozenset())
    unmet = unmet or (act.unless is not None and "changed" in moment.done.get(act.unless, frozenset()))
    if unmet or (act.when is not None and not holds(act.when, moment.scope)):
        yield moment.says("effect.skipped", verb=act.verb).did(act.as_)
        return
    refuse_chosen_players((act,))
    if act.verb == "pay":
        yield from _pay(act, moment)
        return
    for subjects, then in _subjects(act, moment):
        if act.verb == "choose":
            yield then.yields(act.as_, *subjects).did(act.as_, *(DONE if subjects else ()))
            continue
        batch = _planned(act, subjects, then)
        if not batch:
            yield then.says("effect.nothing", verb=act.verb).did(act.as_, *(("attempted",) if subjects else ()))
            continue
        for due, at in tolled(batch, then):
            for after in happen(due, at, act.as_) if due else (at.says("effect.nothing", verb=act.verb),):
                levels = _levels(act, batch, after) if due else ("attempted",)
                yield after.did(act.as_, *levels)


def _planned(act: Act, subjects: tuple[str, ...], moment: Moment) -> Batch:
    """Return what doing an act would be; what its text chose is noted."""
    whom = operand(act)
    named = isinstance(whom, Ref) and not whom.path and whom.name.partition(" ")[0] in moment.chosen
    chosen = named or _chooses(act)
    return tuple(replace(event, chosen=chosen) for event in plan(act, subjects, moment))


def _chooses(act: Act) -> bool:
    wanted = operand(act)
    return isinstance(wanted, Selector) and (act.verb == "choose" or wanted.how in ("choose", "target"))


def _pay(act: Act, moment: Moment) -> Iterator[Moment]:
    """Let a player pay or not; what is paid is paid in full, in every way, the sources that they have included.

    References
    ----------
    CR 1.14.2, 5.1.6 (an effect-cost of an effect is paid as any other).
    """
    yield moment.says("effect.nothing", verb=act.verb).did(act.as_)
    payer = operand(act)
    who = follow(payer, moment.scope) if isinstance(payer, Ref) else None
    if not isinstance(who, str) or not isinstance(act.what, FrozenMap):
        return
    due = CostAll(tuple(AssetTerm(asset, number(n, moment.scope) or 0) for asset, n in act.what.items()))
    for after in paid(due, who, moment):
        yield after.says("effect.paid", by=who, cost=_spelled(act.what, moment)).did(act.as_, *DONE)


def _spelled(amounts: FrozenMap[str, Expression], moment: Moment) -> str:
    return "".join(f"{number(n, moment.scope) or 0}{asset}" for asset, n in amounts.items())


def _levels(act: Act, batch: Batch, after: Moment) -> tuple[str, ...]:
    """Return how far a step was done: what happened of its batch was noted on the way."""
    happened = after.happened
    found = ["attempted"]
    if happened:
        found += ["changed", "yielded"]
    elif after.zeroed and after.ruleset.ordering.thereby == "zeroed":
        found += ["changed"]
    asked = (
        number(act.n, after.scope) if act.n is not None and batch[0].act.verb in ("wound", "remove", "heal") else None
    )
    whole = all(e.amount >= (asked or e.amount) for e in batch)
    if whole and [(e.subject, e.amount) for e in happened] == [(e.subject, e.amount) for e in batch]:
        found.append("full")
    return tuple(found)


def _subjects(act: Act, moment: Moment) -> Iterator[tuple[tuple[str, ...], Moment]]:
    if act.verb == "draw":
        return iter([(drawn(act, moment), moment)])
    if act.as_ is not None and _chooses(act):
        moment = replace(moment, chosen=moment.chosen | {act.as_})
    return pick(operand(act), act, moment)


def do_all(acts: tuple[Act, ...], moment: Moment) -> Iterator[Moment]:
    """Do several acts in text order, each in every way; see `do`."""
    if not acts:
        yield moment
        return
    many = adding(acts) if moment.ruleset.ordering.adding == "together" else 1
    for then in _added(acts[:many], moment, ()) if many > 1 else do(acts[0], moment):
        yield from do_all(acts[many:], then)


def adding(acts: tuple[Act, ...]) -> int:
    """Return how many acts at the beginning of a text put objects into one relation, whatever else happens; at least 1.

    References
    ----------
    Rules Reprise 20 (added at the same time), where it is read so that one effect adds all its cards at the same time.
    """
    plain = [act.verb == "put" and act.given is None and act.unless is None and act.when is None for act in acts]
    same = [all(plain[: n + 1]) and act.to == acts[0].to for n, act in enumerate(acts)]
    return max(1, same.index(False) if False in same else len(same))


def _added(acts: tuple[Act, ...], moment: Moment, known: tuple[tuple[Act, Batch], ...]) -> Iterator[Moment]:
    """Do several acts as one batch: pick for each in turn, none twice, then let all happen at once."""
    if acts:
        taken = {event.subject for _, part in known for event in part}
        ways = [(tuple(id for id in ids if id not in taken), ids, then) for ids, then in _subjects(acts[0], moment)]
        another = any(fresh == ids for fresh, ids, _ in ways)
        for fresh, then in [(fresh, then) for fresh, ids, then in ways if fresh == ids or not another]:
            part = _planned(acts[0], fresh, then)
            yield from _added(acts[1:], then.yields(acts[0].as_, *fresh), (*known, (acts[0], part)))
        return
    batch = tuple(event for _, part in known for event in part)
    for after in happen(batch, moment) if batch else [moment]:
        happened = after.happened if batch else ()
        for act, part in known:
            own = tuple(event for event in happened if event.subject in {e.subject for e in part})
            after = after.did(act.as_, *(_levels(act, part, replace(after, happened=own)) if part else ()))
        yield after


def happen(batch: Batch, moment: Moment, as_: str | None = None) -> Iterator[Moment]:
    """Let a batch of events happen at once.

    Parameters
    ----------
    batch : tuple of Event
        What would happen.
    moment : Moment
        Before.
    as_ : str, optional
        The name for what it yields.

    Yields
    ------
    Moment
        After replacements, preventions, the change of the position, and then the look for triggers: never before,
        so that they see what the change made of the static abilities.
    """
    for left, at in altered(batch, moment, do_all):
        yield from _commit(left, at, as_)


def _commit(batch: Batch, moment: Moment, as_: str | None) -> Iterator[Moment]:
    before, position = moment.position, moment.position
    for event in batch:
        if not event.idle:
            position = doing(event.act.verb, moment.ruleset).commit(event, position, moment.ruleset)
    after = moment.at(position)
    for event in batch:
        after = after.says("effect.happens", **_told(event))
    for then in _beside(batch, after):
        noted = then.at(noted_since(before, then.position, then))
        told = replace(noted.yields(as_, *map(_yielded, batch)), happened=batch, zeroed=moment.zeroed)
        yield from triggered(batch, before, told)


def noted_since(before: Position, position: Position, moment: Moment) -> Position:
    """Return the position that knows since when an effect is on an object, where that is only since now."""
    if moment.ruleset.ordering.contradiction != "latest":
        return position
    was, now = applied(before, moment.ruleset), applied(position, moment.ruleset)
    there = {thing.id for thing in before.things}
    laid = dict(position.laid)
    for key, ids in now.items():
        for id in ids:
            if key in was and id in there and id not in was[key]:
                laid[f"{key} on {id}"] = position.clock
    if laid == dict(position.laid):
        return position
    return replace(position, laid=FrozenMap(laid), clock=position.clock + 1)


def _beside(batch: Batch, moment: Moment) -> Iterator[Moment]:
    """Do what replacements do as part of the events, in the order in which they were applied."""
    parts = [part for event in batch for part in event.beside]
    moments = [moment]
    for part in parts:
        moments = [
            replace(after.text(moment.scope.bindings, moment), used=moment.used)
            for at in moments
            for after in do_all(part.do, replace(at, used=at.used | {part.key}).text(part.bindings))
        ]
    yield from moments


def _told(event: Event) -> dict[str, Value]:
    said: dict[str, Value] = {"event": event.name, "subject": event.subject, "by": event.by, "n": event.amount}
    if event.assets is not None:
        said["n"] = "".join(f"{n}{asset}" for asset, n in event.assets.items())
    return said


def _yielded(event: Event) -> Bound:
    """Return what a step that did this yields: the wounds given, else the object it was done to."""
    return event.amount if event.act.verb == "wound" else event.subject


def perform(acts: tuple[Act, ...], moment: Moment, /, **bindings: Bound) -> tuple[Moment, ...]:
    """Do acts as the text of somebody, and return every distinct result.

    Parameters
    ----------
    acts : tuple of Act
        What is done, in text order.
    moment : Moment
        Before.
    **bindings : str or int
        What the text refers to: ``controller``, ``self``, ...

    Returns
    -------
    tuple of Moment
        With the references of `moment` again.
    """
    told = replace(moment, scope=moment.scope.bind(**bindings))
    return tuple(distinct(after.text(moment.scope.bindings) for after in do_all(acts, told)))
