"""Models whose number of solutions is known, counted in every way that answers are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from lawful.cli.doctoring import Finding, failure
from lawful.solver.ask import each_solution
from lawful.solver.certify import certify
from lawful.solver.diagram import Diagram, compile_model

PART = "self-test"
SECONDS, MOST = 20.0, 10_000
Built = tuple[cp_model.CpModel, Sequence[cp_model.IntVar]]


@dataclass(frozen=True, slots=True)
class Known:
    """A model, with the number of values that its decisions can take together."""

    name: str
    build: Callable[[], Built]
    solutions: int


def _choose() -> Built:
    """Choose 5 of 10: a binomial coefficient."""
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"x{i}") for i in range(10)]
    model.add(sum(chosen) == 5)
    return model, chosen


def _queens() -> Built:
    """Place 6 queens: four ways."""
    n = 6
    model = cp_model.CpModel()
    at = [[model.new_bool_var(f"q{r}{c}") for c in range(n)] for r in range(n)]
    for i in range(n):
        model.add_exactly_one(at[i])
        model.add_exactly_one(row[i] for row in at)
    for d in range(-n + 1, n):
        model.add_at_most_one(at[r][r - d] for r in range(n) if 0 <= r - d < n)
        model.add_at_most_one(at[r][n - 1 + d - r] for r in range(n) if 0 <= n - 1 + d - r < n)
    return model, [square for row in at for square in row]


def _enforced() -> Built:
    """A literal that says whether a number is at least 2, and two literals that together forbid 0."""
    model = cp_model.CpModel()
    n, high = model.new_int_var(0, 3, "n"), model.new_bool_var("high")
    one, two = model.new_bool_var("one"), model.new_bool_var("two")
    model.add(n >= 2).only_enforce_if(high)
    model.add(n <= 1).only_enforce_if(high.negated())
    model.add(n >= 1).only_enforce_if([one, two])
    return model, [n, high, one, two]


def _hidden() -> Built:
    """Two decisions under an auxiliary, their sum: it must not be counted as a decision."""
    model = cp_model.CpModel()
    a, b, total = (model.new_int_var(0, most, name) for name, most in (("a", 3), ("b", 3), ("sum", 6)))
    model.add(total == a + b)
    model.add(total <= 3)
    return model, [a, b]


def _impossible() -> Built:
    """Three things in two places."""
    model = cp_model.CpModel()
    at = [[model.new_bool_var(f"p{i}{j}") for j in range(2)] for i in range(3)]
    for row in at:
        model.add_exactly_one(row)
    for j in range(2):
        model.add_at_most_one(row[j] for row in at)
    return model, [place for row in at for place in row]


MODELS = (
    Known("choose 5 of 10", _choose, 252),
    Known("6 queens", _queens, 4),
    Known("conditions", _enforced, 15),
    Known("auxiliaries", _hidden, 10),
    Known("impossible", _impossible, 0),
)


def counted(models: Sequence[Known] | None = None) -> Iterator[Finding]:
    """Count the solutions of models in every way there is.

    Parameters
    ----------
    models : sequence of Known, optional
        The models; those of this file if None.

    Yields
    ------
    Finding
        One for each model and way of counting.
    """
    for known in MODELS if models is None else models:
        yield _check(known, "enumerated", enumerated)
        yield _check(known, "compiled", lambda built: compiled(built).count())
        yield _certified(known)


def _check(known: Known, how: str, count: Callable[[Built], int]) -> Finding:
    name = f"{known.name}, {how}"
    try:
        found = count(known.build())
    except Exception as error:
        return failure(PART, name, error)
    return _judge(name, found, known.solutions)


def _judge(name: str, found: int, expected: int) -> Finding:
    if found == expected:
        return Finding(PART, name, "ok", f"{found} solutions")
    return Finding(
        PART, name, "failed", f"{found} solutions instead of {expected}",
        "trust no answer of this installation; pip install -U ortools, and report it",
    )  # fmt: skip


def enumerated(built: Built) -> int:
    """Count by letting the solver hand over every solution."""
    model, decisions = built
    found: list[tuple[int, ...]] = []
    ended = each_solution(model, decisions, found.append, seconds=SECONDS, most=MOST)
    if not ended.complete:
        raise RuntimeError(f"the enumeration did not end (limit: {ended.limit})")
    return len(set(found))


def _layers(built: Built) -> list[list[tuple[int, bool]]]:
    return [[(decision.index, False)] for decision in built[1]]


def compiled(built: Built) -> Diagram:
    """Compile the diagram of all solutions."""
    return compile_model(built[0].proto, _layers(built), seconds=SECONDS)


def _certified(known: Known) -> Finding:
    """Let the solver prove the diagram."""
    name = f"{known.name}, proved"
    try:
        built = known.build()
        diagram = compiled(built)
        certificate = certify(built[0].proto, _layers(built), diagram, seconds=SECONDS)
    except Exception as error:
        return failure(PART, name, error)
    if not certificate.proved:
        return Finding(PART, name, "failed", "the proof failed", "trust no proof of this installation, and report it")
    return _judge(name, diagram.count(), known.solutions)
