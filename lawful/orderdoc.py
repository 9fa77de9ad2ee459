"""What came out of what happens, as one JSON document; and what a position says at a path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lawful.citing import cite
from lawful.leftout import ignored_points, unread_document
from lawful.model.declaration import OrderQuestion
from lawful.model.effect import Grant, Modifier, Prevention
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text, word
from lawful.model.ordered import ComesOut, Graph, GraphEdge, Ordered
from lawful.model.position import Lasting, Position, Thing
from lawful.model.ruleset import Ruleset
from lawful.model.verdict import Message, Value
from lawful.solver.order.saying import effect_says

SCHEMA_VERSION = 1


def order_document(question: OrderQuestion, answer: Ordered, *, elapsed_ms: float = 0.0) -> dict[str, Any]:
    """Return the document of an answer.

    Parameters
    ----------
    question : OrderQuestion
        What was asked.
    answer : Ordered
        What was answered.
    elapsed_ms : float
        Time it took.

    Returns
    -------
    dict
        Of JSON types only. The `state` of an outcome is what is not as it was; `changed` has the rest.
    """
    ruleset = question.ruleset
    return {
        "schema_version": SCHEMA_VERSION,
        "ruleset": ruleset.id,
        "rules_version": ruleset.version,
        "verdict": answer.status,
        "complete": answer.complete,
        "confluent": answer.confluent,
        "count": len(answer.outcomes),
        "outcomes": [outcome_document(question, outcome) for outcome in answer.outcomes],
        "applied": list(answer.applied),
        "loops": [
            {"steps": list(loop.steps), "grows": dict(loop.grows), "optional": loop.optional} for loop in answer.loops
        ],
        "paradoxes": [_knot(knot) for knot in answer.knots if knot.kind == "paradox"],
        "ambiguities": [_knot(knot) for knot in answer.knots if knot.kind == "ambiguous"],
        "settled": [_knot(knot) for knot in answer.knots if knot.kind == "settled"],
        "unsolved": [_knot(knot) for knot in answer.knots if knot.kind == "unsolved"],
        "silences": [
            {"about": silence.about.partition(".")[2], "items": list(silence.items)} for silence in answer.silences
        ],
        "terminates": answer.terminates,
        "certificate": dict(answer.certificate),
        "graph": graph_document(ruleset, answer.graph),
        "states": answer.states,
        "orders": answer.orders,
        "confirmed": answer.confirmed,
        "limit": answer.limit,
        "assumed": [
            {"point": point.id, "about": word("about", point.about), "reading": answer.assumed[point.id]}
            for point in ruleset.open_points
            if point.id in answer.assumed
        ]
        + ignored_points(answer.unread, answer.as_read),
        "readings": {
            name: [outcome_document(question, outcome) for outcome in outcomes]
            for name, outcomes in answer.readings.items()
        },
        **unread_document(answer.unread, answer.as_read),
        "elapsed_ms": round(elapsed_ms, 1),
    }


def outcome_document(question: OrderQuestion, outcome: ComesOut) -> dict[str, Any]:
    """Return one outcome: what is not as it was, a witness order, and who chose it."""
    by = " and ".join(outcome.choosers) or None
    return {"state": changes(question, outcome.position), "order": list(outcome.order), "chosen_by": by}


def _knot(knot: Any) -> dict[str, Any]:
    return {
        "members": list(knot.members),
        "fixpoints": [list(one) for one in knot.fixpoints],
        "in_force": list(knot.in_force),
        "agrees": knot.agrees,
    }


def graph_document(ruleset: Ruleset, graph: Graph) -> dict[str, Any]:
    """Return the graph: nodes, and edges with their reasons and rules."""
    return {
        "nodes": [
            {"id": node.id, "kind": node.kind, "says": text(node.says), "about": node.about} for node in graph.nodes
        ],
        "edges": [
            {"from": e.from_, "to": e.to, "kind": e.kind, "sign": e.sign, "why": text(e.why), "rule": rule(ruleset, e)}
            for e in graph.edges
        ],
        "cycles": [list(cycle) for cycle in graph.cycles],
    }


def rule(ruleset: Ruleset, edge: GraphEdge) -> str | None:
    """Return the number of the rule that an edge rests on."""
    return None if edge.rule is None else cite(ruleset, edge.rule).number


def changes(question: OrderQuestion, position: Position) -> dict[str, Value]:
    """Return what differs from the start, by path: ``Bear.power``, ``Ann.pool.r``; and numbers that effects change.

    A relation that has ended is ``none``, a status that is gone ``false``. An effect that was laid, or that has ended,
    is told by itself where no number or type shows it.
    """
    laid = {effect.id for one in (question.position, position) for effect in one.lasting}
    before, after = facts(question, question.position), facts(question, position)
    differ = {path for path in {**before, **after} if before.get(path, absent(path)) != after.get(path, absent(path))}
    differ |= set(_changed(question, position))
    found = {path: after.get(path, absent(path)) for path in {**before, **after} if path in differ - laid}
    return found | _laid(question.position, position, found)


def absent(path: str) -> Value:
    """Return what stands at a path where nothing is."""
    parts = path.split(".")
    if "status" in parts:
        return "false"
    return 0 if {"counters", "pool", "left"} & set(parts) else "none"


def _laid(before: Position, after: Position, shown: Mapping[str, Value]) -> dict[str, Value]:
    """Return the effects that were laid or have ended, by their names, where nothing that is shown is their doing."""
    found: dict[str, Value] = {}
    for one, other, over in ((after, before, False), (before, after, True)):
        there = {effect.id for effect in other.lasting}
        for effect in one.lasting:
            if effect.id not in there and not _shows(effect, shown):
                found[effect.id] = text(Message("order.lasts.over")) if over else lasts(effect)
    return found


def _shows(effect: Lasting, shown: Mapping[str, Value]) -> bool:
    what, on = effect.modifier, effect.bindings.get("on")
    if isinstance(what, Modifier):
        return f"{on}.{what.modify}" in shown
    return isinstance(what, Grant) and not {f"{on}.types", f"{on}.abilities"}.isdisjoint(shown)


def lasts(effect: Lasting) -> str:
    """Say what a lasting effect does, on what, until when and how often."""
    parts = [text(effect_says(effect.modifier))]
    if "on" in effect.bindings:
        parts.append(text(Message("order.lasts.on", FrozenMap({"what": effect.bindings["on"]}))))
    if effect.until is not None:
        parts.append(text(Message("order.lasts.until", FrozenMap({"until": effect.until}))))
    if effect.uses is not None:
        parts.append(text(Message("order.lasts.uses", FrozenMap({"n": effect.uses}))))
    return ", ".join(parts)


def _changed(question: OrderQuestion, position: Position) -> Iterator[str]:
    """Yield the numbers and types that are not as printed, or as an effect changed them for good."""
    from lawful.model.referee.layers import layers
    from lawful.model.referee.scope import base

    now = layers(position, question.ruleset)
    for thing in position.things:
        for name in (*position.card(thing).stats, *thing.base):
            if now.table.get((thing.id, name)) not in (None, base(thing, name, position)):
                yield f"{thing.id}.{name}"
        if thing.id in now.types and now.types[thing.id] != frozenset(position.card(thing).types):
            yield f"{thing.id}.types"


def remains(question: OrderQuestion, position: Position, id: str) -> dict[int, int]:
    """Return what remains of an object's shields and limits, by the number of the ability; nothing out of play."""
    from lawful.model.referee.evaluate import Scope, number
    from lawful.model.referee.statics import own

    thing = position.thing(id)
    if not any(zone.play for zone in question.ruleset.zones if zone.name == thing.zone):
        return {}
    found = {}
    for i, ability in enumerate(position.card(thing).abilities):
        limit = getattr(ability, "limit", None)
        if isinstance(ability, Prevention) and ability.per != "event":
            # How much a shield that is all of a wounding prevents is only known as there is one.
            limit = number(ability.n, Scope(position, question.ruleset, own(thing)))
        left = position.remaining.get(f"{id}/{i}", limit)
        if left is not None:
            found[i] = left
    return found


def _left(question: OrderQuestion, position: Position) -> dict[str, Value]:
    """Return what remains of shields and limits, by path."""
    found: dict[str, Value] = {}
    for thing in position.things:
        left = remains(question, position, thing.id)
        found |= {f"{thing.id}.left" + (f".{i}" if len(left) > 1 else ""): n for i, n in left.items()}
    return found


def facts(question: OrderQuestion, position: Position) -> dict[str, Value]:
    """Return all that a position says, by path."""
    from lawful.model.referee.layers import layers

    now = layers(position, question.ruleset)
    found: dict[str, Value] = _left(question, position)
    for thing in position.things:
        found |= {f"{thing.id}.{key}": value for key, value in _thing(thing).items()}
        found[f"{thing.id}.types"] = tuple(sorted(now.types.get(thing.id, ())))
        found[f"{thing.id}.abilities"] = "lost" if thing.id in now.mute else "there"
    for (id, name), n in now.table.items():
        found[f"{id}.{name}"] = n
    for player in position.players:
        found |= {f"{player.name}.pool.{asset}": n for asset, n in player.pool.items()}
        found |= {f"{player.name}.{key}": value for key, value in player.facts.items()}
    found |= {effect.id: lasts(effect) for effect in position.lasting}
    return found


def _thing(thing: Thing) -> dict[str, Value]:
    found: dict[str, Value] = {"zone": thing.zone, "face": thing.face, "controller": thing.controller}
    found |= {f"counters.{kind}": n for kind, n in thing.counters.items()}
    found |= {f"status.{word}": "true" for word in thing.status}
    return {**found, **thing.relations}


def at_path(question: OrderQuestion, position: Position, path: str) -> str:
    """Return what a position says at a path, as a case file writes it; what is not there is 0, false or none.

    Examples
    --------
    ``Bear.power``, ``Bear.counters.gold``, ``Bear.status.tapped``, ``Bear.types.beast``, ``Ann.pool.r``, ``Bear.left``
    (what remains of its shields and limits; of its second ability alone ``Bear.left.1``).
    """
    known = facts(question, position)
    owner = max((t.id for t in position.things if path.startswith(f"{t.id}.")), key=len, default="")
    rest = path.removeprefix(f"{owner}.")
    if owner and rest.partition(".")[0] == "left":
        left, which = remains(question, position, owner), rest.partition(".")[2]
        return str(left.get(int(which), 0) if which.isdecimal() else sum(left.values()))
    if owner and rest.startswith("types."):
        types = known[f"{owner}.types"]
        return str(isinstance(types, tuple) and rest.removeprefix("types.") in types).lower()
    if path in known:
        value = known[path]
        return ", ".join(value) if isinstance(value, tuple) else str(value)
    return str(absent(path if ".pool." in path else rest))
