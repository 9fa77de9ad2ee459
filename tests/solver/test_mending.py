"""A payment that was given and is wrong: the nearest ones that are right, against all payments that there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import lawful
from lawful.checking import check
from lawful.model.casefile import Case
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Claim, Payment, Use
from lawful.model.reading.casereader import read_case_text

CASE = """
case: a payment that is wrong
ruleset: {game}
cards:
  Zap:
    types: [Instant, event]
    cost: {cost}
    abilities: [{{resolve: {{do: [{{exhaust: {{type: Ally, how: target}}}}]}}}}]
  Bear: {{types: [Ally]}}
  Wolf: {{types: [Ally], abilities: [{{static: {{cannot: {{target: $self}}}}}}]}}
given: {{players: {{Ann: {{hand: [Zap, {hand}], {play}: [Bear, Wolf, Bear]}}, Bob: {{}}}}, turn: Ann}}
when: {{player: Ann, play: Zap, targets: {target}}}
then: {{verdict: illegal}}
"""


def drawn(seed: int) -> tuple[Case, Claim]:
    random = Random(seed)
    game, play, names = random.choice(
        [
            ("flesh-and-blood", "arena", ["red", "yellow", "blue"]),
            ("marvel-champions", "play", ["e", "m", "p", "w", "ee"]),
        ]
    )
    hand = [random.choice(names) for _ in range(random.randint(1, 4))]
    text = CASE.format(
        game=game,
        play=play,
        cost=f"{random.randint(1, 3)}r",
        hand=", ".join(hand),
        target=random.choice(["Bear", "Wolf"]),
    )
    case = read_case_text(text.replace("exhaust", "tap" if play == "arena" else "exhaust"))[0]
    things = [thing for thing in case.question.position.things if thing.card in names]
    picked = random.sample(things, random.randint(0, len(things)))
    source = case.question.ruleset.sources[0].name
    return case, Claim(tuple(Use(thing.id, "", source) for thing in picked))


def steps(payment: Payment) -> Claim:
    return Claim((*payment.uses, *payment.choices, *payment.spends), payment.x, payment.options)


@pytest.mark.parametrize("start", range(0, 32, 8))
def test_the_nearest_payments(start: int) -> None:
    several = 0
    for seed in range(start, start + 8):
        case, claim = drawn(seed)
        question = case.question
        verdict = check(question, claim)
        if verdict.status != "illegal":
            continue
        for repair in verdict.repairs:
            assert repair.payment is not None
            mended = replace(question, declaration=repair.declaration)
            assert check(mended, steps(repair.payment)).status == "legal", seed
        targets = {repair.declaration.targets for repair in verdict.repairs} or {FrozenMap({"target": ("Bear",)})}
        said = Counter(step.thing for step in claim.steps if isinstance(step, Use))
        cards = {thing.id: thing.card for thing in question.position.things}
        name = Counter(cards[id] for id in said.elements())
        far = []
        for one in targets:
            fixed = replace(question, declaration=replace(question.declaration, targets=one))
            for way in lawful.pay(fixed, level="sources").ways:
                used = Counter(cards[use.thing] for use in way.payment.uses)
                kept = (name & used).total()
                far.append(max(name.total() - kept, used.total() - kept))
        assert {repair.sources for repair in verdict.repairs} == ({min(far)} if far else set()), seed
        several += len(verdict.repairs) > 1
    assert several
