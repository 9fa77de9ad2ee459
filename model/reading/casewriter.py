"""A question as a case file, for reports: it reads back as the same question."""

from __future__ import annotations

from lawful.model.declaration import Happening, OrderQuestion, Question
from lawful.model.effect import Activated, Source, Trigger
from lawful.model.payment import Choice, Claim, Pay, Spend
from lawful.model.position import Position, Thing
from lawful.model.reading.claimreader import effect_verbs
from lawful.model.reading.spelling_cards import dump_card
from lawful.model.reading.spelling_costs import dump_acts, dump_cost
from lawful.model.reading.spelling_statics import dump_effect
from lawful.model.reading.yamlout import to_yaml
from lawful.model.reading.yamltext import Data


def case_text(question: Question, claim: Claim | None, name: str) -> str:
    """Spell a question; see `lawful.model.casefile.write_case`."""
    case = _begun(question, name)
    case["when"] = {**_declared(question), **(_claimed(question, claim) if claim is not None else {})}
    return to_yaml(case)


def order_text(question: OrderQuestion, name: str) -> str:
    """Spell what happens; see `lawful.model.casefile.write_order`."""
    case = _begun(question, name)
    case["when"] = {"events": [_happening(event) for event in question.events]} if question.events else {"do": []}
    return to_yaml(case)


def _happening(event: Happening) -> Data:
    said: dict[str, Data] = {"player": event.by, "do": dump_acts(event.do)}
    if event.source is not None:
        said["source"] = event.source
    if event.cause is not None:
        said["cause"] = event.cause
    if event.bindings:
        said["with"] = {key: str(value) for key, value in event.bindings.items()}
    return said


def _begun(question: Question | OrderQuestion, name: str) -> dict[str, Data]:
    """Spell all of a case but what is asked."""
    ruleset, position = question.ruleset, question.position
    case: dict[str, Data] = {"case": name, "ruleset": ruleset.id}
    if ruleset.documents and ruleset.version != ruleset.documents[0].id:
        case["version"] = ruleset.version
    if ruleset.readings:
        case["readings"] = dict(ruleset.readings)
    cards: dict[str, Data] = {}
    for card in position.cards.values():
        if card not in ruleset.cards:
            cards[card.name] = {key: value for key, value in dump_card(card).items() if key != "name"}
    if cards:
        case["cards"] = cards
    given: dict[str, Data] = {"players": _players(question), "turn": position.turn, "started": str(position.started)}
    if position.lasting:
        given["lasting"] = [
            {
                "id": effect.id,
                "controller": effect.controller,
                "timestamp": str(effect.timestamp),
                **({"with": {key: str(n) for key, n in effect.bindings.items()}} if effect.bindings else {}),
                **({"until": effect.until} if effect.until is not None else {}),
                **({"uses": str(effect.uses)} if effect.uses is not None else {}),
                **dump_effect(effect.modifier),
            }
            for effect in position.lasting
        ]
    if question.ignore_unread:
        case["ignore_unread"] = "true"
    case["given"] = given
    return case


def _players(question: Question | OrderQuestion) -> dict[str, Data]:
    position = question.position
    players: dict[str, Data] = {}
    for player in position.players:
        said: dict[str, Data] = {"float": {asset: str(n) for asset, n in player.pool.items()}}
        if player.facts:
            said["facts"] = dict(player.facts)
        zones: dict[str, list[Data]] = {}
        for number, thing in enumerate(position.things):
            if thing.controller == player.name:
                zones.setdefault(thing.zone, []).append({**_thing(thing, number), **_used(position, thing)})
        players[player.name] = {**said, **zones}
    return players


def _used(position: Position, thing: Thing) -> dict[str, Data]:
    """Spell how often an object's limited abilities were used."""
    used: dict[str, Data] = {}
    for i, ability in enumerate(position.card(thing).abilities):
        if isinstance(ability, Activated | Source | Trigger) and ability.limit is not None:
            n = ability.limit - position.remaining.get(f"{thing.id}/{i}", ability.limit)
            used |= {str(i): str(n)} if n else {}
    return {"used": used} if used else {}


def _thing(thing: Thing, number: int) -> dict[str, Data]:
    data: dict[str, Data] = {"card": thing.card, "id": thing.id}
    if thing.owner != thing.controller:
        data["owner"] = thing.owner
    if thing.face != "up":
        data["face"] = thing.face
    if thing.status:
        data["status"] = [*sorted(thing.status)]
    for key, amounts in (("counters", thing.counters), ("base", thing.base)):
        if amounts:
            data[key] = {name: str(n) for name, n in amounts.items()}
    if thing.relations:
        data["relations"] = dict(thing.relations)
    data["timestamp"] = str(thing.timestamp)
    return data


def _declared(question: Question) -> dict[str, Data]:
    declaration = question.declaration
    when: dict[str, Data] = {"player": declaration.player}
    if declaration.kind == "declare":
        when["declare"] = declaration.ability
    elif declaration.kind != "cost":
        when[declaration.kind] = declaration.thing
    if declaration.do:
        when["ask"] = "check"  # not what happens when it is carried out
        when["do"] = dump_acts(declaration.do)
    if declaration.targets:
        there = {thing.id for thing in question.position.things}
        when["targets"] = {
            slot: [id if id in there else {"gone": id} for id in ids] for slot, ids in declaration.targets.items()
        }
    if declaration.modes is not None:
        when["modes"] = list(declaration.modes)
    if declaration.cost is not None:
        when["cost"] = dump_cost(declaration.cost)
    if declaration.ability is not None and declaration.kind != "declare":
        when["ability"] = declaration.ability
    if declaration.types:
        when["types"] = list(declaration.types)
    if declaration.x is not None:
        when["x"] = str(declaration.x)
    if declaration.options is not None:
        when["options"] = list(declaration.options)
    return {**when, **{key: "true" for key in ("free", "instant", "resolving") if getattr(declaration, key)}}


def _claimed(question: Question, claim: Claim) -> dict[str, Data]:
    verbs = effect_verbs(question, claim.options)
    steps: list[Data] = []
    for step in claim.steps:
        if isinstance(step, Pay):
            steps.append({"pay": step.part})
        elif isinstance(step, Choice):
            verb = verbs[step.term] if step.term < len(verbs) else str(step.term)
            steps.append({verb: [{"id": thing} for thing in step.things]})
        elif isinstance(step, Spend):
            where: dict[str, Data] = {"over": "true"} if step.part < 0 else {"on": str(step.part + 1)}
            steps.append({"spend": {step.as_: str(step.n)}, **where})
        else:
            more = {key: value for key, value in (("part", step.part), ("source", step.source)) if value}
            replaced: dict[str, Data] = (
                {"replaced": [{"id": thing} for thing in step.replaced]} if step.replaced else {}
            )
            steps.append({"id": step.thing, **more, **replaced})
    said: dict[str, Data] = {"pay": steps}
    if claim.pool is not None:
        said["pool"] = {asset: str(n) for asset, n in claim.pool.items()}
    return {**said, **({"started": "true"} if claim.started else {})}
