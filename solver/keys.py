"""The stable key of a way."""

from __future__ import annotations

from lawful.model.declaration import Question
from lawful.model.payment import Level, Outcome, Payment


def way_key(question: Question, payment: Payment, level: Level, outcome: Outcome) -> str:
    """Return the key of a way: what can be told of it at its level, in canonical spelling.

    Parameters
    ----------
    question : Question
        Orders the objects by the position.
    payment : Payment
        A witness.
    level : {"outcomes", "sources", "allocations", "sequences"}
        The level.
    outcome : Outcome
        What is left.

    Returns
    -------
    str
        ``c[k] r[b]`` for an allocation.
    """
    parts = [f"+{option}" for option in payment.options]
    if payment.x is not None:
        parts.append(f"X={payment.x}")
    if level == "outcomes":
        parts += [f"{n}{asset}" for asset, n in outcome.pool.items()]
        parts += [f"lost {n}{asset}" for asset, n in outcome.overpaid.items()]
        return " ".join(parts)
    place = {thing.id: i for i, thing in enumerate(question.position.things)}
    uses = payment.uses if level == "sequences" else sorted(payment.uses, key=lambda u: (u.source, place[u.thing]))
    if level == "sources":
        parts.append("[" + ", ".join(_use(u.thing, u.source, question) for u in uses) + "]")
        parts += _spent(payment, level)
    else:
        for part in dict.fromkeys(u.part for u in payment.uses):
            named = []
            for use in (u for u in uses if u.part == part):
                marks = "".join(f" ~{id}" for id in use.replaced) if level == "sequences" else ""
                named.append(_use(use.thing, use.source, question) + marks)
            parts.append(f"{part}[" + ", ".join(named) + "]")
        parts += _spent(payment, level)
    if level != "sequences":
        gone = sorted({thing for use in payment.uses for thing in use.replaced})
        parts += [f"~{thing}" for thing in gone]
    choices = payment.choices if level == "sequences" else sorted(payment.choices, key=lambda c: c.term)
    parts += [f"{c.term}({', '.join(c.things)})" for c in choices]
    return " ".join(parts) or "nothing"


def _spent(payment: Payment, level: Level) -> list[str]:
    """Spell what was given for parts that are paid at once, as far as the level tells it."""
    found: dict[tuple[int, str, str], int] = {}
    for spend in payment.spends:
        if spend.part >= 0 or level != "sources":
            whose = f"{spend.thing}/{spend.source}/{spend.asset}" if level == "sequences" else ""
            key = spend.part, "" if level == "sources" else spend.as_, whose
            found[key] = found.get(key, 0) + spend.n
    spelled = []
    for (part, as_, whose), n in found.items():
        spelled.append(f"{part + 1 or 'over'}:{n}{as_}" + (f" of {whose}" if whose else ""))
    return spelled


def _use(thing: str, source: str, question: Question) -> str:
    plain = question.ruleset.sources[0].name if question.ruleset.sources else ""
    return thing if source == plain else f"{thing}/{source}"
