"""Between the form and the case file: what one says, the other says too, or it is not offered."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import Any

from lawful.model.casefile import build_question, write_case
from lawful.model.declaration import Question
from lawful.model.errors import LawfulError
from lawful.model.notation import spell_cost
from lawful.model.reading.casereader import read_card_text
from lawful.model.reading.spelling_cards import dump_card
from lawful.model.reading.yamlout import to_yaml
from lawful.text import amounts
from lawful.web.questions import Asked


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
    return write_case(asked.question, asked.claim, "from the form")


def fields_of(question: Question) -> dict[str, str] | None:
    """Return the form's fields that ask the same; None where the form cannot say it all.

    Parameters
    ----------
    question : Question
        What is asked.

    Returns
    -------
    dict, optional
        Fields of `lawful.web.state.State`.
    """
    declaration, position, ruleset = question.declaration, question.position, question.ruleset
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
        "target": ", ".join(
            f"{slot}={id}" if n else id for n, (slot, ids) in enumerate(declaration.targets.items()) for id in ids
        ),
        "mode": ", ".join(declaration.modes or ()),
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
        )
        targets = [part.strip() for part in fields["target"].split(",") if part.strip()]
        modes = [part.strip() for part in fields["mode"].split(",") if part.strip()]
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
    """Return names by commas, one with a comma in quotes."""
    from io import StringIO

    counted: dict[str, int] = {}
    for name in cards:
        counted[name] = counted.get(name, 0) + 1
    words = [name if n == 1 else f"{name} x{n}" for name, n in counted.items()]
    out = StringIO()
    csv.writer(out, lineterminator="").writerow(words)
    return out.getvalue().replace(",", ", ") if not any("," in word for word in words) else out.getvalue()
