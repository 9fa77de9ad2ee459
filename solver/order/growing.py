"""Numbers that only grow: whether a way comes to where it was, but for what is more each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from lawful.model.declaration import OrderQuestion
from lawful.model.effect import Grant, Modifier, Prevention
from lawful.model.expression import Compare, Greatest, Holds, Least, Ref, Times
from lawful.model.frozen import replace
from lawful.model.position import Queued
from lawful.model.selector import Selector, Test
from lawful.model.walking import walk
from lawful.solver.order.comparing import HEARD
from lawful.solver.order.frames import State
from lawful.solver.order.view import Key

if TYPE_CHECKING:
    from lawful.solver.order.explore import Explorer, Place


NEAR = 16
"""So many places where the same waits are looked at, from the last one back."""
FAR = 10**9
"""So many rounds on, any number that grows is beyond whatever a text can compare it with."""


def grows(n: int, places: Sequence[Place], explorer: Explorer) -> bool:
    """Tell whether a place is one that came thrice before on the way, but for numbers that go on growing.

    Nothing on the way reads those numbers; or all that is read of them are comparisons, of numbers that grow by the
    same each round, and the same round is gone as well far on: then it is gone at any time between, and ever after.
    """
    place = places[n]
    if not place.state.idle:
        return False
    # Cheap first: whether the same abilities waited on the way; only then whether all else was alike.
    waiting, at = _sources(place.state), place.state.next
    alike, steps, last = [n], 0, n
    while place.before is not None and steps < 400 and len(alike) < NEAR:
        last, steps = place.before[0], steps + 1
        place = places[last]
        if place.state.idle and place.state.next == at and _sources(place.state) == waiting:
            alike.append(last)
    if len(alike) < 4:
        return False
    shape = shape_of(places[n].state)
    trail = list(islice((i for i in alike if shape_of(places[i].state) == shape), 4))
    if len(trail) < 4:
        return False
    numbers = [numbers_of(places[i].state) for i in trail]
    gains = [_gain(new, old) for new, old in pairwise(numbers)]
    if any(gain != gains[0] for gain in gains) or any(v < 0 for v in gains[0].values()):
        return False
    read = _read_between(trail[0], trail[-1], places) & set(gains[0])
    if not read:
        return True
    if not explorer.straight_texts or n < explorer.again:
        return False
    on = _goes_on(trail[1], n, places, {key: gains[0][key] for key in read}, explorer)
    explorer.again = 0 if on else 2 * n
    return on


def _goes_on(start: int, end: int, places: Sequence[Place], by: Mapping[Key, int], explorer: Explorer) -> bool:
    """Tell whether the way from one place to another is gone far on, too, and everything compared comes out the same.

    Of two numbers that grow by the same each round, the difference does, too: if one is more than the other now and
    far on, then always. So it is compared what every single comparison comes to, by explorers that remember nothing.
    """
    if any(key[1] != "counters" and key[0] != "pool" for key in by):
        return False
    path = [end]
    while path[0] != start:
        before = places[path[0]].before
        assert before is not None
        path.insert(0, before[0])
    near = _walked(places[start].state, path, places, explorer)
    far = _walked(_far(places[start].state, by), path, places, explorer)
    if near is None or far is None or near[1] != far[1]:
        return False
    then, now = numbers_of(_far(places[end].state, by)), numbers_of(far[0])
    return shape_of(far[0]) == shape_of(places[end].state) and all(now[key] == then[key] for key in by)


def _walked(
    state: State, path: Sequence[int], places: Sequence[Place], explorer: Explorer
) -> tuple[State, list[bool]] | None:
    """Return where the same steps lead from a state, and what every comparison came to; None where they cannot be."""
    fresh, heard = explorer.fresh(), list[bool]()
    token = HEARD.set(heard)
    try:
        for one, other in pairwise(path):
            place, before = places[one], places[other].before
            assert before is not None
            options = fresh.options(state)
            if len(options) != len(place.ways):
                return None
            steps, state = options[before[1]]
            if steps != place.ways[before[1]][0]:
                return None
    finally:
        HEARD.reset(token)
    return state, heard


def _far(state: State, by: Mapping[Key, int]) -> State:
    """Return a state in which numbers are what they are many rounds on."""
    position = state.position
    for key, n in by.items():
        if key[0] == "pool":
            player = position.player(str(key[1]))
            pool = player.pool.put(str(key[2]), player.pool.get(str(key[2]), 0) + FAR * n)
            position = position.with_player(replace(player, pool=pool))
        else:
            thing = position.thing(str(key[0]))
            counters = thing.counters.put(str(key[2]), thing.counters.get(str(key[2]), 0) + FAR * n)
            position = position.with_thing(replace(thing, counters=counters))
    return replace(state, position=position)


def straight(question: OrderQuestion) -> bool:
    """Tell whether no text makes anything of numbers but sums, and compares them by nothing but more and less."""
    position, rules = question.position, question.ruleset
    texts = (
        tuple(card.abilities for card in position.cards.values()), tuple(e.modifier for e in position.lasting),
        position.queue, question.events, rules.checks, rules.replacements, rules.preventions, rules.norms,
    )  # fmt: skip
    return not any(_bends(part) for part in walk(texts))


def _bends(part: object) -> bool:
    if isinstance(part, Compare | Test):
        return part.op in ("eq", "ne")
    if isinstance(part, Modifier):
        plain = part.while_ is None and isinstance(part.amount, int)
        return not part.modify.startswith("cost") and not (plain and _plain(part.of))
    if isinstance(part, Prevention):
        return not isinstance(part.n, int) and part.n != Ref("event")
    if isinstance(part, Selector):
        return bool(part.total or part.counters or part.highest or part.lowest)
    if isinstance(part, Grant):
        return part.while_ is not None or not _plain(part.of)
    return isinstance(part, Times | Least | Greatest | Holds)


def _plain(of: object) -> bool:
    return not (isinstance(of, Selector) and of.where)


def _sources(state: State) -> tuple[str, ...]:
    """Return whose abilities wait; of equal ones alone, how many is a number like any other."""
    sources = tuple(ability.source for ability in state.position.queue)
    return sources[:1] if _uniform(state.position.queue) else sources


def _uniform(queue: tuple[Queued, ...]) -> bool:
    """Tell whether several wait, and all are the same but for when they triggered."""
    return len({(q.source, q.controller, q.do, q.bindings, q.optional, q.tier) for q in queue}) == 1


def _read_between(last: int, first: int, places: Sequence[Place]) -> set[Key]:
    """Return what was read on the way from one place to another."""
    reads: set[Key] = set()
    while last != first:
        before = places[last].before
        assert before is not None
        last = before[0]
        reads |= places[last].reads
    return reads


def shape_of(state: State) -> object:
    """Return a state without its numbers and times."""
    position = state.position
    things = tuple(replace(t, counters=type(t.counters)(), timestamp=0) for t in position.things)
    players = tuple(replace(p, pool=type(p.pool)()) for p in position.players)
    lasting = frozenset((e.controller, e.modifier, e.bindings, e.until) for e in position.lasting)
    queue = tuple((q.source, q.do, q.tier) for q in position.queue)
    queue = queue[:1] if _uniform(position.queue) else queue
    ages = tuple(t.id for t in sorted(position.things, key=lambda t: t.timestamp))
    return things, players, lasting, queue, ages, () if state.idle else state.stack, state.next


def numbers_of(state: State) -> dict[Key, int]:
    """Return the numbers of a state: counters, pools, what is left of shields and limits."""
    position = state.position
    found: dict[Key, int] = {("remaining", key): n for key, n in position.remaining.items()}
    found |= {(t.id, "counters", kind): n for t in position.things for kind, n in t.counters.items()}
    found |= {("pool", p.name, asset): n for p in position.players for asset, n in p.pool.items()}
    if position.lasting:
        found[("lasting",)] = len(position.lasting)
    if _uniform(position.queue):
        found[("waiting", position.queue[0].source)] = len(position.queue)
    return found


def _gain(new: dict[Key, int], old: dict[Key, int]) -> dict[Key, int]:
    keys = {*new, *old}
    return {key: d for key in keys if (d := new.get(key, 0) - old.get(key, 0))}
