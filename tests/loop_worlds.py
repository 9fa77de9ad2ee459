"""Small worlds of effects that set each other off in circles, and often do so for ever."""

# ruff: noqa: E501 - a text is one line
from __future__ import annotations

import random

EVENTS = ("{add: $self}", "{remove: $self}", "{add: {type: beast}}", "{remove: {type: beast}}", "{wounds: $self}",
          "{heal: $self}", "{LEAVE: $self}", "{LEAVE: {type: beast}}", "{move: $self}", "{TAP: $self}", "{RIGHT: $self}")  # fmt: skip
ACTS = ("{add: gold, of: WHOM}", "{remove: gold, of: WHOM}", "{remove: gold, of: WHOM, n: 2}", "{add: rust, of: WHOM}",
        "{remove: rust, of: WHOM}", "{wound: WHOM}", "{heal: WHOM}", "{LEAVE: WHOM}", "{move: WHOM, to: PLAY}",
        "{TAP: WHOM}", "{RIGHT: WHOM}", "{set: counters.gold, of: WHOM, to: 2}", "{remove: gold, of: WHOM, as: x}, {add: rust, of: WHOM, given: x}")  # fmt: skip
GAMES = {
    "berserk-heroes": {"LEAVE": "die", "TAP": "close", "RIGHT": "open", "PLAY": "arena"},
    "marvel-champions": {"LEAVE": "defeat", "TAP": "exhaust", "RIGHT": "ready", "PLAY": "play"},
    "flesh-and-blood": {"LEAVE": "destroy", "TAP": "tap", "RIGHT": "untap", "PLAY": "arena"},
}
TIERS = ("would", "forced interrupt", "interrupt", "forced response", "response")


def _condition(dice: random.Random) -> str:
    kind = dice.choice(("gold", "gold", "rust", "wounds"))
    one = f"{{value: $self.counters.{kind}, {dice.choice(('ge: 1', 'ge: 2', 'lt: 3', 'lt: 9', 'le: $self.counters.rust'))}}}"
    other = f"{{value: $self.counters.{kind}, {dice.choice(('gt: 12', 'gt: 20', 'lt: 5', 'ge: $self.counters.gold'))}}}"
    return dice.choice((one, one, f"{{some: [{one}, {other}]}}", f"{{every: [{one}, {other}]}}"))


def _ability(dice: random.Random, game: str) -> str:
    on = dice.choice(EVENTS)
    chosen = [dice.choice(ACTS).replace("WHOM", dice.choice(("$self", "$self", "{type: beast, how: each}")))
              for _ in range(dice.choice((1, 1, 1, 2)))]  # fmt: skip
    do = ", ".join(chosen)
    kind = dice.choice(("trigger", "trigger", "trigger", "replace", "replace", "prevent", "static", "bar"))
    more = dice.choice(("", "", "", "optional: true, "))
    tier = f"tier: {dice.choice(TIERS)}, " if game == "marvel-champions" and dice.random() < 0.5 else ""
    if kind == "trigger":
        limit = dice.choice(("", "", "", "limit: 1, ", "limit: 2, "))
        when = dice.choice(("", "", "", f"when: {_condition(dice)}, "))
        batch = dice.choice(("", "", "batch: once, ", "batch: alone, "))
        return f"{{trigger: {{on: {on}, {more}{tier}{limit}{when}{batch}do: [{do}]}}}}"
    if kind == "replace":
        if "respon" in tier:
            tier = ""
        sort = dice.choice(("", "", "kind: outcome, ", "kind: self, ", "n: 1, "))
        return f"{{replace: {{on: {on}, {more}{tier}{sort}instead: [{do}]}}}}"
    if kind == "prevent":
        return f"{{prevent: {{on: {{wounds: $self}}, n: {dice.randint(1, 3)}, per: {dice.choice(('event', 'total', 'one'))}}}}}"
    if kind == "bar":
        return f"{{static: {{cannot: {on}}}}}"
    return "{static: {modify: life, STAGEadd: 1, of: {type: beast}, while: {value: $self.counters.gold, ge: 1}}}"


def text(dice: random.Random) -> str:
    """Return a case in which up to three objects set each other off."""
    game = dice.choice(tuple(GAMES))
    names = "ABC"[: dice.randint(1, 3)]
    cards, there = [], []
    for name in names:
        able = ", ".join(_ability(dice, game) for _ in range(dice.randint(1, 3)))
        life = dice.choice((0, 0, 1, 2))
        kinds = "[beast, creature, minion]"
        cards.append(f"  {name}: {{types: {kinds}, life: {life}, hit_points: {life}, abilities: [{able}]}}")
        counters = f"{{gold: {dice.randint(0, 2)}, rust: {dice.randint(0, 1)}, damage: {dice.randint(0, 1)}}}"
        there.append(f"{{card: {name}, counters: {counters}}}")
    do = dice.choice(ACTS).replace("WHOM", "{type: beast, how: each}")
    found = (
        f"case: circle\nruleset: {game}\ncards:\n" + "\n".join(cards)
        + f"\ngiven: {{players: {{Ann: {{PLAY: [{', '.join(there)}]}}, Bob: {{}}}}, turn: Ann}}\nwhen: {{do: [{do}]}}\n"
    )  # fmt: skip
    stage = "stage: increase, " if game == "flesh-and-blood" else "stage: change, "
    for word, to in {**GAMES[game], "STAGE": stage}.items():
        found = found.replace(word, to)
    return found


def growing(dice: random.Random) -> str:
    """Return a case in which counters call for counters, as long as some condition on them holds."""
    able = [
        f"{{trigger: {{on: {{add: $self}}, when: {_condition(dice)}, do: [{{add: {dice.choice(('gold', 'rust'))}, of: $self, n: {dice.randint(1, 2)}}}]}}}}"
        for _ in range(dice.choice((1, 1, 2)))
    ]
    there = f"{{card: A, counters: {{gold: {dice.randint(0, 3)}, rust: {dice.randint(0, 3)}}}}}"
    return (
        f"case: growing\nruleset: flesh-and-blood\ncards:\n  A: {{types: [beast], abilities: [{', '.join(able)}]}}\n"
        f"given: {{players: {{Ann: {{arena: [{there}]}}, Bob: {{}}}}, turn: Ann}}\nwhen: {{do: [{{add: gold, of: {{type: beast, how: each}}}}]}}\n"
    )
