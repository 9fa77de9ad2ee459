"""Whether triggers can go on for ever: weights of what every turn of a circle uses up are a proof that they cannot."""

from __future__ import annotations

from collections.abc import Iterable

from lawful.model.act import Act
from lawful.model.effect import Replacement, Trigger
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern
from lawful.solver.order.board import Boards
from lawful.solver.order.graph import acts_of, events_of

HEAVIEST = 1_000


def certificate(boards: Boards, position: Position) -> FrozenMap[str, int] | None:
    """Return weights that prove that triggers end, None where none were found.

    Parameters
    ----------
    boards : Boards
        The rules.
    position : Position
        Its cards, wherever they are, may all come to trigger.

    Returns
    -------
    mapping of str to int, or None
        By what is used up: ``counters gold``, ``pool r``, ``in play``. Empty where no trigger can set off a circle.

    Notes
    -----
    There is a circle where an act of one ability is an event that another hears. Every act that leads around a circle
    must lower the weighted sum; nothing that any ability does may raise it. A sum of numbers that are not negative
    cannot fall for ever.
    """
    import networkx as nx

    able = {
        f"{name}/{i}": ability
        for name, card in position.cards.items()
        for i, ability in enumerate(card.abilities)
        if isinstance(ability, Trigger | Replacement)
    }
    checks = {f"check {n}": Trigger(_never(), (act,)) for n, act in enumerate(boards.rules.checks)}
    doers: dict[str, Trigger | Replacement] = {**able, **checks}
    hear: dict[str, list[str]] = {}
    # An object that leaves play and comes back is a new one, whose limits are unused.
    returns = any(_change(act, boards.rules).get("in play", 0) > 0 for doer in doers.values() for act in acts_of(doer))
    for id, ability in able.items():
        if returns or not _once(ability):
            hear.setdefault(ability.on.event, []).append(id)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(doers)
    leads: dict[tuple[str, str], list[Act]] = {}
    for id, ability in doers.items():
        for act in acts_of(ability):
            for name in set(events_of(act, boards.rules)):
                for other in hear.get(name, ()):
                    graph.add_edge(id, other)
                    leads.setdefault((id, other), []).append(act)
    # A check can be set off by anything at all, so it hangs together with whatever it leads to.
    for check in checks:
        graph.add_edges_from((id, check) for id in able)
    parts = [set(p) for p in nx.strongly_connected_components(graph)]
    ringed = [p for p in parts if len(p) > 1 or any(graph.has_edge(n, n) for n in p)]
    # A replacement applies once to one original event, so that a circle of replacements alone is gone around once.
    ringed = [p for p in ringed if not all(isinstance(doers[n], Replacement) for n in p)]
    turning = [acts for (a, b), acts in leads.items() if any(a in p and b in p for p in ringed)]
    if not turning:
        return FrozenMap()
    return _weights([act for acts in turning for act in acts], doers.values(), boards.rules)


def _never() -> Pattern:
    return Pattern("")


def _once(ability: Trigger | Replacement) -> bool:
    """Tell whether an ability can be set off only so many times, whatever happens."""
    return isinstance(ability, Trigger) and ability.limit is not None


def _weights(
    turning: Iterable[Act], doers: Iterable[Trigger | Replacement], rules: Ruleset
) -> FrozenMap[str, int] | None:
    """Find weights by CP-SAT: each act of a circle lowers the sum, no act raises it."""
    from ortools.sat.python import cp_model

    from lawful.solver.ask import each_solution

    acts = [act for doer in doers for act in acts_of(doer)]
    changes = [_change(act, rules) for act in acts]
    round_ = [_change(act, rules) for act in turning]
    names = sorted({name for change in (*changes, *round_) for name in change})
    if not names or any(not change for change in round_):
        return None
    model = cp_model.CpModel()
    weight = {name: model.new_int_var(0, HEAVIEST, name) for name in names}
    for change in round_:
        model.add(sum(weight[name] * n for name, n in change.items()) <= -1)
    for change in changes:
        model.add(sum(weight[name] * n for name, n in change.items() if n > 0) <= 0)
    found: list[tuple[int, ...]] = []
    each_solution(model, list(weight.values()), found.append, seconds=5, most=1)
    if not found:
        return None
    return FrozenMap({name: n for name, n in zip(names, found[0], strict=True) if n})


def _change(act: Act, rules: Ruleset) -> dict[str, int]:
    """Return by how much an act that does something changes each sum: at most where up, at least where down."""
    verb = next((v for v in rules.verbs if v.name == act.verb), None)
    if act.verb in ("add", "remove") or (verb is not None and verb.counters):
        return {f"counters {act.what}": 1 if act.verb == "add" else -1} if isinstance(act.what, str) else {}
    if act.verb in ("wound", "heal"):
        return {"counters wounds": 1 if act.verb == "wound" else -1}
    if act.verb in ("gain", "lose"):
        return {"pool": 1 if act.verb == "gain" else -1}
    if act.verb == "set" and isinstance(act.what, str) and act.what.startswith("counters."):
        return {f"counters {act.what.removeprefix('counters.')}": 1}
    play = {zone.name for zone in rules.zones if zone.play}
    if verb is not None:
        found: dict[str, int] = {}
        if verb.adds and verb.from_ and set(verb.from_) <= play:
            found[f"not {verb.adds}"] = -1
        if verb.removes:
            found[f"not {verb.removes}"] = 1
        if verb.to is not None:
            into, out = verb.to in play, bool(verb.from_) and set(verb.from_) <= play
            found["in play"] = 1 if into else -1 if out else 0
            # Leaving or entering play makes a new object: whatever its status was is gone.
            if into or not out:
                found |= {f"not {v.adds}": 1 for v in rules.verbs if v.adds}
        return {name: n for name, n in found.items() if n}
    fresh = {f"not {v.adds}": 1 for v in rules.verbs if v.adds}
    if act.verb in ("move", "play", "draw"):
        to = rules.hand if act.verb == "draw" else act.to
        # What goes anywhere but into play does not come into it; there it is a new object.
        return fresh if to not in play else {"in play": 1, **fresh}
    if act.verb == "put":
        return {"in play": 1, **{f"not {v.adds}": 1 for v in rules.verbs if v.adds}}
    return {}
