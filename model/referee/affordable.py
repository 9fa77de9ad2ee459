"""Whether a complete declaration can be paid for without spending what it chooses, and whether it is legal."""

from __future__ import annotations

from dataclasses import replace

from lawful.model.cost import ActTerm, terms
from lawful.model.declaration import Question
from lawful.model.effect import Source
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


def affordable(question: Question) -> Payment | None:
    """Return a payment of a complete declaration that spends none of its targets; None where there is none."""
    asked = to_pay(question)
    asked = replace(asked, declaration=replace(asked.declaration, x=x_to_pay(question)))
    for payment, _ in payments(asked):
        if not misspent(question, payment):
            return payment
    return None


def legal(question: Question) -> bool:
    """Tell whether a complete declaration is legal: nothing forbids it, and it can be paid."""
    if breaks(question):
        return False
    return question.declaration.resolving or affordable(question) is not None
