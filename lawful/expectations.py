"""Checks what a case expects against the document of its answer. The command and the pytest plug-in share it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lawful.comparing import paired, said
from lawful.model.errors import Disagreement, LawfulError
from lawful.model.limits import Limits

if TYPE_CHECKING:
    from lawful.model.casefile import Case
    from lawful.model.declaration import OrderQuestion

SCALARS = ("verdict", "complete", "level", "count", "count_by_name", "minimal")


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation and what came of it.

    Parameters
    ----------
    what : str
        What is expected of: `verdict`, `count`, `ways`, ...
    expected, got : str
        As text.
    holds : bool
        Whether it came true.
    """

    what: str
    expected: str
    got: str
    holds: bool

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.what}: expected {self.expected}, got {self.got}"


def run(case: Case, limits: Limits = Limits()) -> tuple[Check, ...]:
    """Answer a case's question and check everything that it expects.

    Parameters
    ----------
    case : Case
        The case.
    limits : Limits
        What the answer may cost.

    Returns
    -------
    tuple of Check
        One for every expectation. Where there is no answer, one that says why and does not hold.

    Raises
    ------
    Disagreement
        If referee and solver disagree: no expectation of a case, a bug of ours.
    """
    from lawful.api import judge, pay
    from lawful.checked import checked
    from lawful.checking import check
    from lawful.document import answered, judged

    then = case.expect.data
    if case.order is not None:
        return _run_order(case.order, then, limits)
    try:
        if case.ask == "check":
            document = checked(case.question, check(case.question, case.claim, limits))
        elif case.claim is not None:
            document = judged(case.question, judge(case.question, case.claim, limits))
        else:
            answer = pay(case.question, then.get("level"), limits, by_name="count_by_name" in then)
            document = answered(case.question, answer, by_name="count_by_name" in then)
    except Disagreement:
        raise
    except LawfulError as error:
        return (Check("answer", "one", str(error), False),)
    return (*compare(then, document), *_beside(case, document, limits))


def _run_order(question: OrderQuestion, then: Mapping[str, Any], limits: Limits) -> tuple[Check, ...]:
    """Answer what comes out of what happens, and check what is expected of that."""
    from lawful.api import order
    from lawful.orderchecks import compare_order

    try:
        answer = order(question, limits)
    except Disagreement:
        raise
    except LawfulError as error:
        return (Check("answer", "one", str(error), False),)
    return tuple(Check(*checked) for checked in compare_order(question, answer, then))


def _beside(case: Case, document: Mapping[str, Any], limits: Limits) -> Iterator[Check]:
    """Check what is expected beside the document: what is due, open points and their readings, single payments."""
    from lawful.api import judge
    from lawful.document import judged
    from lawful.model.referee.amounts import due

    expect = case.expect
    if expect.due is not None:
        declaration = case.question.declaration
        all_due = due(case.question, declaration.x, declaration.options or ())
        owed = {part.id: n for part, n in all_due.parts}
        for demand in all_due.demands:
            owed[demand.asset.id] = owed.get(demand.asset.id, 0) + demand.amount
        yield Check("due", said(expect.due), said(owed), {k: n for k, n in expect.due.items() if n} == owed)
    if expect.assumed is not None:
        points = [assumed["point"] for assumed in document["assumed"]]
        yield Check("assumed", said(expect.assumed), said(points), sorted(points) == sorted(expect.assumed))
    for name, then in (expect.readings or {}).items():
        found = {key: value for key, value in document["readings"].items() if name in (key, key.partition(": ")[2])}
        if not found:
            yield Check(f"readings {name}", said(then), "none that differs", False)
        for reading in found.values():
            for check in compare(then, reading):
                yield Check(f"readings {name} {check.what}", check.expected, check.got, check.holds)
    for payment in expect.payments:
        wanted = "legal" if payment.legal else "illegal"
        one = judged(case.question, judge(case.question, payment.claim, limits))
        yield Check(f"{wanted} payment in line {payment.line}", wanted, one["verdict"], one["verdict"] == wanted)
        if payment.broken is not None:
            got = (one["broken"] or {}).get("rule")
            yield Check(f"broken in line {payment.line}", payment.broken, said(got), _same(payment.broken, got))


def compare(then: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[Check]:
    """Compare what is expected with the document of an answer.

    Parameters
    ----------
    then : mapping
        Any of: `verdict`, `complete`, `level`, `count`, `count_by_name`, `minimal`; `counts`, `pool` (of those named);
        `ways` (the complete set, each by some of its keys); `outcomes` (the complete set of what is left);
        `reasons` (rule numbers, each a member of some reason; a list: all members of one); `broken` (a rule number);
        `legal_targets` (by slot, all of them), `refused` (by object, rules as in `reasons`), `repairs` (all of them).
    document : mapping
        As `lawful.document` makes it.

    Yields
    ------
    Check
        One for each, in the order written.

    Examples
    --------
    >>> [str(check) for check in compare({"count": 2}, {"count": 3}) if not check.holds]
    ['count: expected 2, got 3']
    """
    for what, expected in then.items():
        if what in SCALARS:
            got = document.get(what)
            yield Check(what, said(expected), said(got), _same(expected, got))
        elif what == "counts":
            have = document.get(what) or {}
            yield Check(what, said(expected), said(have), _part_of(expected, have))
        elif what == "pool":
            yield _pool(expected, document)
        elif what == "ways":
            yield _ways(expected, document)
        elif what == "outcomes":
            yield _outcomes(expected, document)
        elif what == "reasons":
            yield from _reasons(expected, document)
        elif what == "legal_targets":
            yield from _legal_targets(expected, document)
        elif what == "refused":
            yield from _refused(expected, document)
        elif what == "repairs":
            yield _repairs(expected, document)
        elif what == "broken":
            got = (document.get("broken") or {}).get("rule")
            yield Check(what, said(expected), said(got), _same(expected, got))
        else:
            yield Check(what, said(expected), "nothing of that name", False)


def _pool(expected: Mapping[str, Any], document: Mapping[str, Any]) -> Check:
    """Compare what floats afterwards: after the payment that was judged, or in every way that there is."""
    if "ways" not in document:
        have = document.get("pool") or {}
        return Check("pool", said(expected), said(have), _part_of(expected, have))
    pools = list({said(way["pool"]): way["pool"] for way in document["ways"]}.values())
    listed = sum(int(way["copies"]) for way in document["ways"])
    whole = bool(document.get("complete")) and document.get("count") == listed
    got = pools[0] if len(pools) == 1 and whole else [*pools, *(["... (not all ways are listed)"] * (not whole))]
    return Check("pool", said(expected), said(got), whole and bool(pools) and all(_part_of(expected, p) for p in pools))


def _ways(expected: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Check:
    """Pair every expected way with one that was found, and none left over on either side."""
    ways = list(document.get("ways", ()))
    ordered = document.get("level") == "sequences"
    fits = [[at for at, way in enumerate(ways) if _fits(one, way, ordered)] for one in expected]
    found: list[Any] = [_short(way) for way in ways]
    whole = document.get("count") == len(ways) and bool(document.get("complete"))
    if not whole:
        found.append("... (not all ways are listed)")
    return Check("ways", said(list(map(dict, expected))), said(found), whole and paired(fits, len(ways)))


def _fits(expected: Mapping[str, Any], way: Mapping[str, Any], ordered: bool) -> bool:
    return all(_key_fits(key, value, way, ordered) for key, value in expected.items())


def _key_fits(key: str, value: Any, way: Mapping[str, Any], ordered: bool) -> bool:
    if key == "sources":
        return _names(value, ordered) == _names(way["sources"], ordered)
    if key == "given":
        given = [step["as"] for step in way["steps"] if "as" in step]
        return len(value) == len(given) and all(dict(one) == two for one, two in zip(value, given, strict=True))
    if key == "steps":
        return len(value) == len(way["steps"]) and all(
            _same(one.get("pay", step["pay"]), step["pay"])
            and _names(one.get("with", step["with"]), ordered) == _names(step["with"], ordered)
            for one, step in zip(value, way["steps"], strict=True)
        )
    if key in ("pool", "overpaid", "x"):
        return _part_of(value, way[key])
    if key in ("options", "copies", "key"):
        return _same(value, way[key])
    # Any other key is a part of the cost, by its asset, or an effect-cost, by its verb.
    verb = key.replace("_", " ")
    steps = [
        step["with"]
        for step in way["steps"]
        if step["pay"].lstrip("0123456789") == key or f"{step['pay']} ".startswith(f"{verb} ")
    ]
    return _names(value, ordered) == _names([name for step in steps for name in step], ordered)


def _outcomes(expected: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Check:
    """Compare what may be left, each outcome once."""
    left: list[Mapping[str, Any]] = []
    for way in document.get("ways", ()):
        outcome = {"pool": way["pool"], "overpaid": way["overpaid"], "x": way["x"], "options": way["options"]}
        if outcome not in left:
            left.append(outcome)
    fits = [
        [at for at, one in enumerate(left) if all(_key_fits(k, v, one, False) for k, v in wanted.items())]
        for wanted in expected
    ]
    return Check("outcomes", said(list(map(dict, expected))), said(left), paired(fits, len(left)))


def _reasons(expected: Sequence[Any], document: Mapping[str, Any]) -> Iterator[Check]:
    reasons = [{str(member["rule"]) for member in reason if member["rule"]} for reason in document.get("reasons", ())]
    got = said([sorted(reason) for reason in reasons])
    if not expected:
        yield Check("reasons", "none", got, not reasons)
    for wanted in [expected] if isinstance(expected, str) else expected:
        rules = {wanted} if isinstance(wanted, str) else set(map(str, wanted))
        yield Check("reasons", said(wanted), got, any(rules <= reason for reason in reasons))


def _legal_targets(expected: Mapping[str, Sequence[str]], document: Mapping[str, Any]) -> Iterator[Check]:
    """Compare who may be chosen, slot by slot; the empty name is the first slot."""
    offered = document.get("legal_targets") or {}
    for slot, things in expected.items():
        got = offered.get(slot, []) if slot else next(iter(offered.values()), [])
        yield Check(f"legal_targets {slot}".strip(), said(things), said(got), sorted(things) == sorted(got))


def _refused(expected: Mapping[str, Sequence[Any]], document: Mapping[str, Any]) -> Iterator[Check]:
    """Compare why objects are refused: each rule named is a member of some reason, a list is all of one reason."""
    refused = document.get("refused") or {}
    for thing, wanted in expected.items():
        reasons = [set(map(str, reason)) for reason in refused.get(thing, ())]
        got = said([sorted(reason) for reason in reasons])
        if not wanted:
            yield Check(f"refused {thing}", "not refused", got, thing not in refused)
        for one in wanted:
            rules = {one} if isinstance(one, str) else set(map(str, one))
            yield Check(f"refused {thing}", said(one), got, any(rules <= reason for reason in reasons))


def _repairs(expected: Sequence[Mapping[str, str]], document: Mapping[str, Any]) -> Check:
    got = [{key: str(value) for key, value in one.items()} for one in document.get("repairs", ())]
    fits = [[at for at, one in enumerate(got) if wanted.items() <= one.items()] for wanted in expected]
    return Check("repairs", said(list(map(dict, expected))), said(got), paired(fits, len(got)))


def _names(names: Any, ordered: bool) -> list[str]:
    found = [names] if isinstance(names, str) else list(map(str, names or ()))
    return found if ordered else sorted(found)


def _part_of(expected: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    """Tell whether all that is expected is there; what is not named is not compared, and absent is 0."""
    return all(_same(value, got.get(key, 0)) for key, value in expected.items())


def _same(expected: Any, got: Any) -> bool:
    return said(expected) == said(got)


def _short(way: Mapping[str, Any]) -> dict[str, Any]:
    short: dict[str, Any] = {}
    for step in way["steps"]:
        short[step["pay"].lstrip("0123456789")] = step["with"]
    if way["x"]:
        short["x"] = way["x"]
    if way["options"]:
        short["options"] = way["options"]
    return {**short, "pool": way["pool"]}
