"""What a declaration costs, as its texts have it: which costs there are, and on what of it they depend.

Nothing is evaluated here: amounts are for the referee and for the encoders to read.
"""

from __future__ import annotations

from dataclasses import replace

from lawful.model.cost import Cost, CostAll
from lawful.model.declaration import Question
from lawful.model.effect import Activated, Additional, Alternative, Modifier, Static
from lawful.model.errors import BadInput, Fault
from lawful.model.slots import numbered, picks, plain_text, procedure_of, refers, text_of, used_in_playing


def mode_costs(question: Question) -> tuple[tuple[str, Cost], ...]:
    """Return what the modes that are declared cost, by name, each as often as it is chosen."""
    declaration = question.declaration
    if not declaration.modes or declaration.thing is None or declaration.do or declaration.kind == "cost":
        return ()
    text = plain_text(question)
    known = {mode.name: mode.cost for mode in text.modes.of} if text.modes is not None else {}
    due = [(name, known.get(mode)) for mode, name in zip(declaration.modes, numbered(declaration.modes), strict=True)]
    return tuple((f"mode {name}", cost) for name, cost in due if cost is not None)


def modes_cost(question: Question) -> bool:
    """Tell whether what is due depends on the modes that are chosen."""
    declaration = question.declaration
    if declaration.thing is None or declaration.do or declaration.kind not in ("play", "activate"):
        return False
    modes = plain_text(question).modes
    return modes is not None and any(mode.cost is not None for mode in modes.of)


def modes_paid(question: Question) -> bool:
    """Tell whether what is due, or whether anything may be paid at all, depends on the modes that are chosen."""
    aims = question.ruleset.targets_first and question.declaration.kind in ("play", "activate")
    return modes_cost(question) or (aims and plain_text(question).modes is not None)


def targets_cost(question: Question) -> bool:
    """Tell whether what is due depends on how many targets are chosen: whether a cost or a modifier speaks of that."""
    position, rules = question.position, question.ruleset
    play = {zone.name for zone in rules.zones if zone.play}
    laid = [effect.modifier for effect in position.lasting]
    for thing in position.things:
        if (thing.zone in play and thing.face == "up") or thing.id == question.declaration.thing:
            found = (a.effect if isinstance(a, Static) else a for a in position.card(thing).abilities)
            laid += [a for a in found if isinstance(a, Modifier | Additional)]  # type: ignore[misc]
    costs = [one for one in laid if isinstance(one, Additional) or _of_cost(one)]
    return "targets" in refers((*costs_of(question), *costs))


def _of_cost(one: object) -> bool:
    return isinstance(one, Modifier) and one.modify.startswith("cost.")


def targets_chosen(question: Question) -> int:
    """Return how many targets are chosen: for slots that say target, of the modes that are declared."""
    declaration = question.declaration
    if declaration.chosen is not None:
        return declaration.chosen
    if not declaration.targets:
        return 0
    named = {pick.name for pick in picks(text_of(question)) if pick.how == "target"}
    return sum(len(ids) for slot, ids in declaration.targets.items() if slot in named)


def undeclared(question: Question) -> tuple[str, ...]:
    """Return what a payment cannot be asked about without: modes, targets, where what is due depends on them."""
    declaration = question.declaration
    found = ("modes",) if declaration.modes is None and modes_cost(question) else ()
    if declaration.chosen is not None or not targets_cost(question):
        return found
    here = set(numbered(declaration.modes or ()))
    wanted = [p for p in picks(text_of(question)) if p.how == "target" and (p.mode is None or p.mode in here)]
    return (*found, "targets") if any(p.name not in declaration.targets for p in wanted) else found


def costs_of(question: Question) -> tuple[Cost, ...]:
    """Return the costs that may be due for a declaration, optional ones included; those of the rules left out."""
    asked = to_pay(question).declaration
    if asked.thing is None:
        return () if asked.cost is None else (asked.cost,)
    card = question.position.card(question.position.thing(asked.thing))
    if asked.kind == "activate":
        own = [a.cost for a in card.abilities if isinstance(a, Activated) and asked.ability in (None, a.name)]
        return ((asked.cost,) if asked.cost is not None else tuple(own[:1])) + _of_modes(question)
    printed = card.cost if asked.cost is None else asked.cost
    more = tuple(a.cost for a in card.abilities if isinstance(a, Additional | Alternative)) + _of_modes(question)
    more += tuple(a.cost for a in used_in_playing(question))
    return more if printed is None else (printed, *more)


def _of_modes(question: Question) -> tuple[Cost, ...]:
    """Return what modes cost, chosen or not."""
    if not modes_cost(question):
        return ()
    modes = plain_text(question).modes
    return tuple(mode.cost for mode in modes.of if mode.cost is not None) if modes is not None else ()


def x_in_cost(question: Question) -> bool:
    """Tell whether a cost of the declaration has X; where only the text has it, X is just declared."""
    return "x" in refers(costs_of(question))


def to_pay(question: Question) -> Question:
    """Return the question of how a declaration is paid for: a text without a cost costs nothing."""
    declaration = replace(question.declaration, judged=True, chosen=targets_chosen(question))
    if declaration.kind == "declare":
        cost = declaration.cost or procedure_of(question).cost
        named = (*declaration.types, declaration.ability or "")
        declaration = replace(declaration, kind="cost", ability=None, cost=cost, types=named)
    elif declaration.kind == "cost" and declaration.cost is None:
        declaration = replace(declaration, cost=CostAll())
    return replace(question, declaration=declaration)


def x_to_pay(question: Question) -> int | None:
    """Return the X that paying is asked about: what is declared, if a cost has X.

    Where only the text has it, its bounds are a matter of declaring, and any that is large enough is paid alike.
    """
    declaration = question.declaration
    if x_in_cost(question):
        return declaration.x
    if (declaration.kind == "activate" or used_in_playing(question)) and "x" in refers(text_of(question).do):
        return max(declaration.x or 0, question.ruleset.x.least)
    return None


def refuse_undeclared(question: Question) -> None:
    """Refuse a question of which it is not said what is due.

    Raises
    ------
    BadInput
        If the cost depends on modes or on the number of targets, and these are not declared; or if the rules
        themselves give the declaration, as of defenders.
    """
    if question.declaration.kind == "declare":
        raise BadInput([Fault("what is declared here is no card and no ability", hint="ask check")])
    if found := undeclared(question):
        what = " and ".join(found)
        raise BadInput([Fault(f"what is due depends on the {what}", hint=f"say the {what}, or ask check")])
