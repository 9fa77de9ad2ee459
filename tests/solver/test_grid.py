"""The exhaustive grid, by the referee and by CP-SAT: the same figures and the same sets."""

from __future__ import annotations

from grid import STATES, UNPAYABLE, WAYS, asked, by_solver, costs, hands

from lawful.model.payment import Payment
from lawful.model.referee import payments


def kinds(payment: Payment) -> tuple[tuple[str, ...], tuple[str, ...]]:
    def part(asset: str) -> tuple[str, ...]:
        return tuple(sorted(use.thing.partition(" #")[0] for use in payment.uses if use.part == asset))

    return part("c"), part("r")


def test_referee_and_solver_agree_on_every_state_of_the_grid() -> None:
    states = unpayable = ways = 0
    for hand in hands():
        for chi, resource in costs():
            for state, found in by_solver(hand, chi, resource).items():
                played = {kinds(payment) for payment, _ in payments(asked(state))}
                assert found == played, state
                states, unpayable, ways = states + 1, unpayable + (not found), ways + len(found)
    assert (states, unpayable, ways) == (STATES, UNPAYABLE, WAYS)
