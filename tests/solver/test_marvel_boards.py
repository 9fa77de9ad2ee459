"""Declarations in Marvel Champions: what `check` answers is what trying everything finds, on random boards."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from marvel import drawn, legal, written

from lawful.checking import check
from lawful.model.frozen import FrozenMap
from lawful.model.reading.casereader import read_case_text


@pytest.mark.parametrize("start", range(0, 32, 8))
def test_boards(start: int) -> None:
    """What may be chosen, how many choices there are; and one choice of targets, legal or not."""
    allowed = forbidden = 0
    for seed in range(start, start + 8):
        board = drawn(Random(seed))
        choices = legal(board)
        question = read_case_text(written(board))[0].question
        verdict = check(question)
        assert (verdict.status, verdict.count) == ("legal" if choices else "illegal", len(choices)), seed
        offered = {id for offer in verdict.offers.values() for id in offer.legal}
        assert offered == {id for chosen in choices for id in chosen}, seed
        allowed, forbidden = allowed + bool(choices), forbidden + (not choices)
        slot = next(iter(verdict.offers), None)
        if slot is not None:
            chosen = tuple(sorted(Random(seed).sample(sorted(board.cards), 2 if board.how == "two" else 1)))
            declared = replace(question.declaration, targets=FrozenMap({slot: chosen}))
            judged = check(replace(question, declaration=declared)).status
            assert (judged == "legal") == (set(chosen) in map(set, choices)), (seed, chosen)
    assert min(allowed, forbidden) >= 1
