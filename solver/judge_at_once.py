"""Judge one given payment where parts are paid at once: its sources are fixed, and what is said of the split."""

from __future__ import annotations

from collections import Counter

from lawful.model.errors import LimitReached
from lawful.model.payment import Choice, Claim, Pay, Spend, Use
from lawful.solver.encode.allocation import Allocation
from lawful.solver.encode.frame import Frame
from lawful.solver.encode.literals import Linear, total


def allocate(f: Frame, claim: Claim) -> Allocation:
    """Return the model of a claim.

    Parameters
    ----------
    f : Frame
        With sources that are claimed as candidates, whatever the rules say.
    claim : Claim
        The payment.

    Returns
    -------
    Allocation
        With the claim as hard rows and the rules as assumptions.

    Raises
    ------
    LimitReached
        If some parts are paid in order with sources, and others at once: then the order given would have to be judged.
    """
    in_order = [part for k, part in enumerate(f.parts) if k != f.joint and part.generate != "never"]
    if in_order or f.in_order:
        raise LimitReached("parts", 0, "a payment partly in order and partly at once is not judged step by step")
    uses = [step for step in claim.steps if isinstance(step, Use)]
    times = Counter(use.thing for use in uses)
    said = any(isinstance(step, Choice | Spend) or (isinstance(step, Use) and step.part) for step in claim.steps)
    model = Allocation(f, claimed=times, required=not claim.started or said)
    _uses(model, uses)
    _splits(model, [step for step in claim.steps if isinstance(step, Spend)])
    _order(model, [step.part for step in claim.steps if isinstance(step, Pay)])
    return model


def _uses(model: Allocation, uses: list[Use]) -> None:
    """Every object is used as often as it is said to be, as the source that is named."""
    f, cp = model.f, model.f.cp
    for id in dict.fromkeys(c.thing.id for c in f.sources):
        mine = [use for use in uses if use.thing == id]
        groups = [g for g, group in enumerate(model.groups) if any(m.thing.id == id for m in group.members)]
        if not mine:
            # What nobody claims stands in a group of its own kind; none of it is used.
            for g in groups:
                if all(member.thing.id not in model.claimed for member in model.groups[g].members):
                    for k in range(len(f.parts)):
                        cp.add(model.used[g, k] == 0)
            continue
        every: Linear = total(model.used[g, k] for g in groups for k in range(len(f.parts)))
        cp.add(every == len(mine))
        for source in {use.source for use in mine if use.source}:
            named = [g for g in groups if model.groups[g].members[0].source == source]
            times = sum(use.source == source for use in mine)
            cp.add(total(model.used[g, k] for g in named for k in range(len(f.parts))) >= times)
        for part in {use.part for use in mine if use.part}:
            for g in groups:
                for k in range(len(f.parts)):
                    if f.parts[k].id != part:
                        cp.add(model.used[g, k] == 0).only_enforce_if(f.literals.rule("order"))
    if any(use.thing not in {c.thing.id for c in f.sources} for use in uses):
        cp.add(f.literals.rule("source", what="?") == 0)
    if model.joint is not None and uses:
        cp.add(model.joint.due == 1).only_enforce_if(f.literals.rule("stop", asset=f.demands[0].term.asset))


def _splits(model: Allocation, spends: list[Spend]) -> None:
    """What is said of a part is all that is given for it."""
    f, cp, joint = model.f, model.f.cp, model.joint
    assert joint is not None
    places = {place: j for j, place in f.places(f.plans[0], f.question.declaration.x).items()}
    for said in {spend.part for spend in spends}:
        given: Counter[str] = Counter()
        for spend in spends:
            if spend.part == said:
                given[spend.as_] += spend.n
        if said not in places and said >= 0:
            cp.add(f.literals.rule("part", asset=f.demands[0].term.asset, amount=0) == 0)
            continue
        part = places.get(said, said)
        for as_, n in given.items():
            if n and (part, as_) not in joint.cells:
                asset = f.demands[part].term.asset if part >= 0 else as_
                cp.add(f.literals.rule(f"part.{asset}", asset=asset, amount=n) == 0)
        for (j, as_), cell in joint.cells.items():
            if j == part:
                most = given[as_]
                if j >= 0 and most > f.most_demanded(j):
                    asset = f.demands[j].term.asset
                    cp.add(f.literals.rule("overpaid", asset=asset) == 0)
                else:
                    cp.add(cell == most)


def _order(model: Allocation, pays: list[str]) -> None:
    """Parts that are said to be paid are paid in their order."""
    f = model.f
    places = {part.id: k for k, part in enumerate(f.parts)}
    found = [places[asset] for asset in pays if asset in places]
    if found != sorted(set(found)):
        f.cp.add(f.literals.rule("order") == 0)
