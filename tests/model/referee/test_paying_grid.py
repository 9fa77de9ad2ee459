"""The exhaustive grid, played move by move: how many states there are, how many cannot be paid, how many ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from worlds import cost, question, ruleset

from lawful.model.declaration import Question
from lawful.model.payment import Payment
from lawful.model.referee import payments

COPIES = {"red": 2, "yellow": 1, "blue": 2, "chi": 2, "k2": 1}
RULES = ruleset()


def states() -> Iterator[Question]:
    for copies in product(*(range(n + 1) for n in COPIES.values())):
        hand = [kind for kind, n in zip(COPIES, copies, strict=True) for _ in range(n)]
        if len(hand) <= 4:
            for c, r, chi, resource in product(range(4), range(6), range(4), range(4)):
                yield question(cost(c=c, r=r), hand, {"c": chi, "r": resource}, rules=RULES)


def by_kind_and_part(payment: Payment) -> frozenset[tuple[tuple[str, str], int]]:
    return frozenset(Counter((use.thing.partition(" #")[0], use.part) for use in payment.uses).items())


def test_the_whole_grid() -> None:
    ways = [len({by_kind_and_part(payment) for payment, _ in payments(asked)}) for asked in states()]
    assert (len(ways), ways.count(0), sum(ways)) == (25_728, 3_448, 39_980)
