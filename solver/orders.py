"""Ways where order matters: every sequence is a solution of its own; coarser levels are read off the sequences."""

from __future__ import annotations

from ortools.sat.python import cp_model

from lawful.model.payment import Choice, Outcome, Payment, Use
from lawful.solver.encode.sequence import Sequence
from lawful.solver.families import Reader
from lawful.solver.settle import settle
from lawful.solver.told import Told


class Orders(Told):
    """All sequences of one question.

    Parameters
    ----------
    model : Sequence
        The model that is enumerated.
    """

    def __init__(self, model: Sequence) -> None:
        f = model.f
        super().__init__(f.question, [(c.thing.id, c.source) for c in f.sources], [part.id for part in f.parts])
        self.model, self.f = model, f
        self.reader = Reader(model.f, model.effects)
        self.at = list(model.at.items())
        self.keys: list[cp_model.IntVar] = self.reader.keys + [variable for _, variable in self.at]


def read_sequence(orders: Orders, values: tuple[int, ...]) -> tuple[Payment, Outcome]:
    """Read a payment and what it leaves off a solution."""
    model, f = orders.model, orders.f
    start = len(orders.reader.keys)
    plan, x, picks, order = orders.reader.read(values[:start])
    uses: list[tuple[int, Use]] = []
    gained: list[dict[str, int]] = [{} for _ in f.parts]
    for ((t, o, k), _), value in zip(orders.at, values[start:], strict=True):
        if value:
            option = model.slots[t].options[o]
            replaced = tuple(effect.thing for effect in option.chain.replaced)
            uses.append((t, Use(option.candidate.thing.id, f.parts[k].id, option.candidate.source, replaced)))
            for asset, points in option.chain.gain:
                gained[k][asset] = gained[k].get(asset, 0) + points
    choices = tuple(Choice(i, picks[i]) for i in order)
    ordered = tuple(use for _, use in sorted(uses, key=lambda u: u[0]))
    payment = Payment(ordered, choices, x, f.plans[plan].options)
    return payment, settle(f, f.plans[plan], x, gained).outcome
