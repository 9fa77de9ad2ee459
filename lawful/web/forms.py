"""Between the form and the case file: what one says, the other says too, or it is not offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawful.model.casefile import build_question, parse_claim, write_case
from lawful.model.declaration import Question
from lawful.model.errors import LawfulError
from lawful.model.notation import spell_cost
from lawful.model.payment import Claim, Use
from lawful.model.reading.casereader import read_card_text
from lawful.model.reading.spelling_cards import dump_card
from lawful.model.reading.yamlout import to_yaml
from lawful.text import amounts
from lawful.web.questions import Asked
from lawful.web.state import listed, named


def case_of(asked: Asked, request: Mapping[str, Any]) -> str:
    """Return the case file that asks the same.

    Parameters
    ----------
    asked : Asked
        What is asked.
    request : mapping
        As it was asked: a case stays as its author wrote it.

    Returns
    -------
    str
        YAML.
    """
    if request.get("case") is not None:
        return str(request["case"])
    # Only a case says what happens: the form asks for payments and declarations.
    return write_case(asked.question, asked.claim, "from the form")


def fields_of(question: Question, claim: Claim | None = None) -> dict[str, str] | None:
    """Return the form's fields that ask the same; None where the form cannot say it all.

    Parameters
    ----------
    question : Question
        What is asked.
    claim : Claim, optional
        One payment that is judged.

    Returns
    -------
    dict, optional
        Fields of `lawful.web.state.State`.
    """
    declaration, position, ruleset = question.declaration, question.position, question.ruleset
    steps = _steps(question, claim)
    if steps is None or ruleset.readings or ruleset.version != ruleset.documents[0].id:
        return None
    play = next((zone.name for zone in ruleset.zones if zone.play), ruleset.hand)
    others = [player.name for player in position.players if player.name != declaration.player]
    mine, theirs = declaration.player, others[0] if others else ""

    def there(player: str, zone: str) -> str:
        return _names([t.card for t in position.things if (t.controller, t.zone) == (player, zone)])

    payer = next(player for player in position.players if player.name == mine)
    floating = {asset: n for asset, n in payer.pool.items() if n}
    own = {c.name: dump_card(c) for c in position.cards.values() if c not in ruleset.cards}
    cards = to_yaml({name: {k: v for k, v in said.items() if k != "name"} for name, said in own.items()}) if own else ""
    thing = position.thing(declaration.thing).card if declaration.thing is not None else ""
    stock = next((one for one in ruleset.stock if one.name == "coins"), None)
    coins = sum(
        stock is not None and (t.controller, t.zone, t.card) == (mine, stock.zone, stock.card) for t in position.things
    )
    fields = {
        "game": ruleset.id,
        "hand": there(mine, ruleset.hand),
        "in_play": there(mine, play) if play != ruleset.hand else "",
        "opposing": there(theirs, play) if theirs else "",
        "float": amounts(floating),
        "cost": spell_cost(declaration.cost) if declaration.cost is not None else "",
        "play": thing if declaration.kind == "play" else "",
        "activate": thing if declaration.kind == "activate" else "",
        "ability": declaration.ability or "",
        "x": "" if declaration.x is None else str(declaration.x),
        "players": str(position.started) if position.started != 1 else "",
        "free": "on" if declaration.free else "",
        "player": mine if mine != "player" else "",
        "cards": cards,
        "target": named(
            [f"{slot}={id}" if n else id for n, (slot, ids) in enumerate(declaration.targets.items()) for id in ids]
        ),
        "mode": named(declaration.modes or ()),
        "steps": steps,
        "coins": str(coins) if coins else "",
    }
    return fields if _same(fields, question) else None


def _same(fields: Mapping[str, str], question: Question) -> bool:
    from dataclasses import replace

    from lawful.model.casefile import choose

    ruleset, was = question.ruleset, question.position
    try:
        asked = build_question(
            ruleset,
            cost=fields["cost"] or None,
            hand=fields["hand"],
            in_play=fields["in_play"],
            opposing=fields["opposing"],
            float_=fields["float"] or None,
            play=fields["play"] or None,
            activate=fields["activate"] or None,
            ability=fields["ability"] or None,
            x=int(fields["x"]) if fields["x"] else None,
            players=int(fields["players"] or 1),
            free=bool(fields["free"]),
            cards=read_card_text(fields["cards"], ruleset),
            player=question.declaration.player,
            stock={"coins": int(fields["coins"])} if fields["coins"] else {},
        )
        targets, modes = listed(fields["target"]), listed(fields["mode"])
        if targets or modes:
            asked = choose(asked, targets, modes or None)
    except (LawfulError, ValueError, StopIteration):
        return False
    now = asked.position
    stamped = [[replace(thing, timestamp=0) for thing in position.things] for position in (was, now)]
    stamps = [[t.id for t in sorted(p.things, key=lambda t: t.timestamp)] for p in (was, now)]
    same_players = sorted(map(repr, was.players)) == sorted(map(repr, now.players)) and was.turn == now.turn
    rest = (was.lasting, was.started) == (now.lasting, now.started)
    return (
        same_players and rest and asked.declaration == question.declaration
        and sorted(map(repr, stamped[0])) == sorted(map(repr, stamped[1])) and stamps[0] == stamps[1]
    )  # fmt: skip


def _names(cards: list[str]) -> str:
    """Return names by commas, equal ones counted."""
    counted: dict[str, int] = {}
    for name in cards:
        counted[name] = counted.get(name, 0) + 1
    return named(name if n == 1 else f"{name} x{n}" for name, n in counted.items())


def _steps(question: Question, claim: Claim | None) -> str | None:
    """Return a claim as the form says it; None where it cannot."""
    if claim is None:
        return ""
    said = " > ".join(step.thing if isinstance(step, Use) else "" for step in claim.steps)
    try:
        return said if said and parse_claim(said, question) == claim else None
    except LawfulError:
        return None
