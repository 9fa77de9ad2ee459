"""The exhaustive grid: hands of up to four cards, floating assets, costs; and its ways by card kind and phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from worlds import cost, question, ruleset

from lawful.model.declaration import Question
from lawful.solver.ask import each_solution
from lawful.solver.diagram import compile_model
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import frame

COPIES = {"red": 2, "yellow": 1, "blue": 2, "chi": 2, "k2": 1}
FLOATING = range(4)
CHI_COSTS, RESOURCE_COSTS = range(4), range(6)
STATES, UNPAYABLE, WAYS = 25_728, 3_448, 39_980

State = tuple[tuple[str, ...], int, int, int, int]  # hand, chi cost, resource cost, floating chi, floating resource
Kinds = tuple[tuple[str, ...], tuple[str, ...]]  # card kinds used for the chi part, for the resource part
RULES = ruleset()


def hands() -> Iterator[tuple[str, ...]]:
    """Yield every hand of up to four cards, sorted by kind."""
    for counts in product(*(range(n + 1) for n in COPIES.values())):
        if sum(counts) <= 4:
            yield tuple(kind for kind, n in zip(COPIES, counts, strict=True) for _ in range(n))


def costs() -> Iterator[tuple[int, int]]:
    """Yield every pair of chi and resource cost."""
    yield from product(CHI_COSTS, RESOURCE_COSTS)


def asked(state: State) -> Question:
    """Return the question of one state of the grid."""
    hand, chi, resource, c, r = state
    return question(cost(c=chi, r=resource), hand, {"c": c, "r": r}, rules=RULES)


def by_solver(hand: tuple[str, ...], chi: int, resource: int) -> dict[State, set[Kinds]]:
    """Return the ways of all sixteen pools from one CP-SAT model in which the pool is a variable.

    The model is enumerated and compiled to a diagram, and both must give the same.
    """
    f = frame(question(cost(c=chi, r=resource), hand, rules=RULES))
    pool = {asset: f.cp.new_int_var(0, max(FLOATING), f"floating {asset}") for asset in ("c", "r")}
    f.start.update(pool)
    model = Allocation(f)
    kinds = [group.members[0].thing.card for group in model.groups]
    keys = [*pool.values(), *model.used.values()]
    found: dict[State, set[Kinds]] = {(hand, chi, resource, c, r): set() for c in FLOATING for r in FLOATING}

    def take(values: tuple[int, ...]) -> None:
        placed: Counter[tuple[str, str]] = Counter()
        for (g, k), n in zip(model.used, values[2:], strict=True):
            placed[f.parts[k].id, kinds[g]] += n
        way = tuple(
            tuple(sorted(kind for (p, kind), n in placed.items() if p == part for _ in range(n))) for part in "cr"
        )
        state = (hand, chi, resource, values[0], values[1])
        assert way not in found[state], "a way was found twice"
        found[state].add((way[0], way[1]))

    assert each_solution(f.cp, keys, take, seconds=60, most=100_000).complete
    diagram = compile_model(f.cp.proto, [[(key.index, False)] for key in keys if key not in f.plan])
    read = found
    found = {state: set() for state in read}
    for path in diagram.paths():
        decided = diagram.values(path)
        take(tuple(decided[key.index] for key in keys))
    assert found == read, "the diagram does not hold what was enumerated"
    return found
