"""Has a finding confirmed: its case reads back and holds, and the referee, trying everything, finds the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, islice, product

from lawful.model.card import Card
from lawful.model.casefile import read_cases, write_case, write_order
from lawful.model.declaration import OrderQuestion, Question
from lawful.model.effect import Static
from lawful.model.errors import Disagreement, LimitReached, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.position import Position
from lawful.model.reading.yamlout import to_yaml
from lawful.model.reading.yamltext import Data
from lawful.model.slots import mode_names, text_of
from lawful.model.stress import Finding

LIMITS = Limits(seconds=10.0)
MOST_CHOICES = 20_000
STEPS = 1_000
MANY_STEPS = 150  # of what may never end
DECLARED = ("dead", "looks-legal", "deadlock")


def case_of(finding: Finding) -> str:
    """Write the witness of a finding as a case file that expects just that."""
    name = f"{finding.check}: {', '.join(finding.cards)} ({finding.item})"
    witness = finding.witness
    if isinstance(witness, OrderQuestion):
        text = write_order(witness, name)
    else:
        text = write_case(witness, name=name)
        if finding.check in DECLARED and "\n  ask: " not in text:
            text = text.replace("\nwhen:\n", "\nwhen:\n  ask: check\n", 1)
    expect = finding.expect
    if depends(finding):
        expect = expect.put("verdict", "undetermined")
    then: dict[str, Data] = {
        key: list(value) if isinstance(value, tuple) else str(value) for key, value in expect.items()
    }
    slot = _slot(finding)
    if slot:
        then["legal_targets"] = {slot: []}
    return text + to_yaml({"then": then}) if then else text


def depends(finding: Finding) -> bool:
    """Tell whether what a finding says of its witness depends on what the rules leave open."""
    witness = finding.witness
    said = finding.expect.get("verdict") in ("legal", "illegal")
    return isinstance(witness, Question) and said and _open(finding, witness)


def _open(finding: Finding, witness: Question) -> bool:
    """Tell whether the verdict on a witness is not the same under every reading of what the rules leave open."""
    from lawful.api import pay
    from lawful.checking import check

    if finding.check in DECLARED:
        return check(witness, limits=LIMITS).status == "undetermined"
    return pay(witness, limits=LIMITS).status == "undetermined"


def _slot(finding: Finding) -> str:
    return finding.item.removeprefix("slot ") if finding.item.startswith("slot ") else ""


def confirmed(finding: Finding, case: str) -> bool:
    """Say whether the referee confirms a finding; False where it was too much to try everything.

    Raises
    ------
    Disagreement
        If the referee finds something else: a bug of ours, never a finding.
    """
    from lawful.expectations import run

    (read,) = read_cases(case)
    failed = [str(check) for check in run(read, LIMITS) if not check.holds]
    if failed:
        raise Disagreement(f"the case of {finding.check} does not hold: {'; '.join(failed)}", finding.witness)
    try:
        holds = _holds(finding)
    except LimitReached:
        return False
    except UnknownName as error:
        raise Disagreement(f"the referee: {error}", finding.witness) from None
    if not holds:
        raise Disagreement(f"the referee does not find {finding.check}", finding.witness)
    return True


def _holds(finding: Finding) -> bool:
    witness = finding.witness
    beside = all(_beside(asked, said, witness) for asked, said in finding.beside)
    if isinstance(witness, OrderQuestion):
        return beside and _happens(finding, witness)
    if finding.check in DECLARED:
        return beside and _never(finding, witness)
    if finding.check == "wording":
        return beside  # payable under the one reading, and not under the other
    return beside and _payable(witness) == (finding.expect.get("verdict") != "illegal")


def _payable(asked: Question) -> bool:
    from lawful.model.referee import Effort, payments

    effort = Effort(seconds=LIMITS.seconds, merge=True)
    return next(iter(payments(asked, None, effort)), None) is not None


def _never(finding: Finding, witness: Question) -> bool:
    """Tell whether no choice is legal; of what looks legal, also whether one is where the one rule is dropped."""
    slot = _slot(finding)
    if slot:
        return not any(q.declaration.targets.get(slot) and _legal(q) for q in _choices(witness))
    if any(map(_legal, _choices(witness))):
        return False
    if finding.check != "looks-legal":
        return True
    dropped = frozenset({str(finding.says.params["role"])})
    return any(_legal(q, dropped) for q in _choices(witness, dropped))


def _legal(asked: Question, dropped: frozenset[str] = frozenset()) -> bool:
    from lawful.model import referee

    return referee.legal(asked, dropped)


def _beside(asked: Question | OrderQuestion, said: str, witness: Question | OrderQuestion) -> bool:
    if isinstance(asked, Question) and said == "forbidden":
        return all(map(_forbidden, _choices(asked)))
    if isinstance(asked, Question):
        return _payable(asked) == (said == "payable")
    assert isinstance(witness, OrderQuestion)
    ours, theirs = _outcomes(witness), _outcomes(asked)
    return ours != theirs or _quiet(witness) != _quiet(asked)


def _forbidden(asked: Question) -> bool:
    """Tell whether a complete choice breaks a rule, whatever is paid."""
    from lawful.model import referee

    return bool(referee.breaks(asked))


def _outcomes(asked: OrderQuestion) -> frozenset[object]:
    from lawful.model.referee.resolution import outcomes

    return frozenset(outcomes(asked, STEPS))


def _quiet(asked: OrderQuestion) -> str | None:
    """Return the verdict: what comes out may be the same, and who chooses it not."""
    from lawful.solver.order.answer import ordered

    return ordered(asked, LIMITS).status


def _choices(asked: Question, dropped: frozenset[str] = frozenset()) -> Iterator[Question]:
    """Yield every complete choice of modes, X and targets of a small question that no restriction forbids."""
    from lawful.model.referee.legal import Table

    text = text_of(asked)
    names = mode_names(text)
    declared = asked.declaration
    modes: list[tuple[str, ...]] = [()]
    if names:
        pick = combinations_with_replacement if text.modes is not None and text.modes.repeat else combinations
        modes = [m for n in range(1, len(names) + 1) for m in pick(names, n)]
    if declared.modes is not None:
        modes = [declared.modes]
    xs = [declared.x] if declared.x is not None else [None, *range(min(asked.ruleset.x.least, 1), 4)]
    tried = 0
    for mode, x in product(modes, xs):
        now = replace(asked, declaration=replace(declared, modes=mode if names else None, x=x))
        for chosen in Table(now, dropped).choices():
            tried += 1
            if tried > MOST_CHOICES:
                raise LimitReached("choices", MOST_CHOICES)
            yield replace(now, declaration=replace(now.declaration, targets=chosen))


def _happens(finding: Finding, witness: OrderQuestion) -> bool:
    from lawful.model.referee.resolution import come_out, outcomes, seen

    if finding.check == "endless":
        try:
            come_out(witness, MANY_STEPS)
        except LimitReached:
            return True
        return False
    if finding.check == "unordered":
        return len(outcomes(witness, STEPS)) > 1
    if finding.check == "circle":
        return _circle(finding, witness)
    if finding.check == "engine":
        return any(_more(witness.position, moment.position) for moment in come_out(witness, STEPS))
    return bool(islice((seen(m.position, witness) for m in come_out(witness, STEPS)), 1))


def _more(before: Position, after: Position) -> bool:
    """Tell whether a position is the same with more: points that float, counters, cards in hand."""
    gained = False
    if any(n < before.remaining.get(key, n + 1) for key, n in after.remaining.items()):
        return False  # something limited was used up
    for old, new in zip(before.players, after.players, strict=True):
        for asset in {*old.pool, *new.pool}:
            change = new.pool.get(asset, 0) - old.pool.get(asset, 0)
            if change < 0:
                return False
            gained = gained or change > 0
    for thing in before.things:
        now = after.thing(thing.id)
        if now.zone != thing.zone or now.face != thing.face or now.status - thing.status:
            return False
        for kind in {*thing.counters, *now.counters}:
            change = now.counters.get(kind, 0) - thing.counters.get(kind, 0)
            if change < 0:
                return False
            gained = gained or change > 0
    return gained or len(after.things) > len(before.things)


def _circle(finding: Finding, witness: OrderQuestion) -> bool:
    """Try every set of effects in force, by the referee's own layers; count those that fit their own conditions."""
    members = finding.says.params["members"]
    assert isinstance(members, tuple)
    fits = [on for on in _subsets(members) if _fits(on, members, witness)]
    return len(fits) == 0 if finding.item == "paradox" else len(fits) > 1


def _subsets(members: tuple[str, ...]) -> Iterator[frozenset[str]]:
    for n in range(len(members) + 1):
        for chosen in combinations(members, n):
            yield frozenset(chosen)


def _fits(on: frozenset[str], members: tuple[str, ...], witness: OrderQuestion) -> bool:
    """Tell whether exactly these effects have conditions that hold while exactly these are in force."""
    from lawful.model.referee.evaluate import Scope, holds

    position = _forced(on, members, witness.position)
    for key in members:
        id, _, number = key.rpartition("/")
        thing = witness.position.thing(id)
        ability = witness.position.card(thing).abilities[int(number)]
        assert isinstance(ability, Static)
        condition = getattr(ability.effect, "while_", None)
        scope = Scope(
            position, witness.ruleset, FrozenMap({"self": id, "controller": thing.controller, "owner": thing.owner})
        )
        there = condition is None or holds(condition, scope)
        if there != (key in on):
            return False
    return True


def _forced(on: frozenset[str], members: tuple[str, ...], position: Position) -> Position:
    """Return the position with a card of its own for each object: its effects unconditional, or not there."""
    cards: dict[str, Card] = dict(position.cards)
    things = []
    for thing in position.things:
        card = position.card(thing)
        kept = []
        for n, ability in enumerate(card.abilities):
            key = f"{thing.id}/{n}"
            if key not in members:
                kept.append(ability)
            elif key in on and isinstance(ability, Static):
                kept.append(Static(replace(ability.effect, while_=None)))
        name = f"{card.name} as {thing.id}"
        cards[name] = replace(card, name=name, abilities=tuple(kept))
        things.append(replace(thing, card=name))
    return replace(position, things=tuple(things), cards=FrozenMap(cards))
