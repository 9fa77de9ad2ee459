"""Whether a complete declaration can be paid for without spending what it chooses, and whether it is legal."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from lawful.model.cost import ActTerm, terms
from lawful.model.declaration import Question
from lawful.model.effect import Ability, Norm, Source, Static
from lawful.model.expression import Compare
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Payment
from lawful.model.priced import to_pay, x_to_pay
from lawful.model.referee.forbid import because
from lawful.model.referee.legal import Table, breaks
from lawful.model.referee.listing import payments
from lawful.model.verdict import Because


def spent(question: Question, payment: Payment) -> frozenset[str]:
    """Return the objects that a payment spends as sources: those that it moves to another zone."""
    rules = question.ruleset
    own = {source.name: source for source in rules.sources}
    found = set()
    for use in payment.uses:
        card = question.position.card(question.position.thing(use.thing))
        source = own.get(use.source) or next(
            (a for a in card.abilities if isinstance(a, Source) and a.name == use.source), None
        )
        for term in terms(source.cost) if source is not None else ():
            if isinstance(term, ActTerm) and any(v.name == term.act.verb and v.to is not None for v in rules.verbs):
                found.add(use.thing)
    return frozenset(found)


def misspent(question: Question, payment: Payment) -> tuple[Because, ...]:
    """Return the targets that a payment spends though it must not."""
    if question.ruleset.choosing.spent == "allowed" or question.declaration.resolving:
        return ()
    table, gone = Table(question), spent(question, payment)
    return tuple(
        because(question.ruleset, "spent", "check.spent", (id,), object=id)
        for place in table.places
        if not place.selector.spent
        for id in question.declaration.targets.get(place.name, ())
        if id in gone
    )


def affordable(question: Question, dropped: Set[str] = frozenset()) -> Payment | None:
    """Return a payment of a complete declaration that spends none of its targets; None where there is none.

    Of the rules that may be dropped, those are about paying that keep targets from being spent, that say what X is, and
    what objects in play forbid.
    """
    asked = to_pay(_without(question, dropped))
    asked = replace(asked, declaration=replace(asked.declaration, x=x_to_pay(question)))
    for payment, _ in payments(asked):
        if "spent" in dropped or not misspent(question, payment):
            return payment
    return None


def _without(question: Question, dropped: Set[str]) -> Question:
    """Return a question whose payment is not kept by what is dropped: norms that never hold, X as it is said."""
    rules, position = question.ruleset, question.position
    if "x.free" in dropped:
        rules = replace(rules, x=replace(rules.x, on_free="keep"))
    if "x.least" in dropped:
        rules = replace(rules, x=replace(rules.x, least=0))
    if "restriction" in dropped:
        rules = replace(rules, norms=tuple(map(_idle, rules.norms)))
        quiet = {name: replace(c, abilities=tuple(map(_quiet, c.abilities))) for name, c in position.cards.items()}
        laid = tuple(
            replace(one, modifier=_idle(one.modifier)) if isinstance(one.modifier, Norm) else one
            for one in position.lasting
        )
        position = replace(position, cards=FrozenMap(quiet), lasting=laid)
    return replace(question, ruleset=rules, position=position)


def _quiet(ability: Ability) -> Ability:
    if isinstance(ability, Static) and isinstance(ability.effect, Norm):
        return replace(ability, effect=_idle(ability.effect))
    return ability


def _idle(norm: Norm) -> Norm:
    """Return a restriction that never holds, in its place: what is counted by number stays where it is."""
    return replace(norm, while_=Compare(0, "gt", 0)) if norm.modality == "cannot" else norm


def legal(question: Question, dropped: Set[str] = frozenset()) -> bool:
    """Tell whether a complete declaration is legal: nothing forbids it, and it can be paid.

    Parameters
    ----------
    question : Question
        It says everything but how it is paid.
    dropped : set of str
        Roles of rules that are not asked: would it be legal without them?
    """
    if breaks(question, dropped=dropped):
        return False
    return question.declaration.resolving or affordable(question, dropped) is not None
