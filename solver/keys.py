"""The stable keys of ways."""

from __future__ import annotations

from lawful.model.declaration import Question
from lawful.model.payment import Level, Outcome, Payment, Use


class Keys:
    """Spells keys: what can be told of a way at its level, in canonical spelling.

    Parameters
    ----------
    question : Question
        Orders the objects by the position.
    """

    def __init__(self, question: Question) -> None:
        self._place = {thing.id: i for i, thing in enumerate(question.position.things)}
        self._plain = question.ruleset.sources[0].name if question.ruleset.sources else ""

    def of(self, payment: Payment, level: Level, outcome: Outcome) -> str:
        """Return the key of a way.

        Parameters
        ----------
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
        place = self._place
        uses = payment.uses if level == "sequences" else sorted(payment.uses, key=lambda u: (u.source, place[u.thing]))
        if level == "sources":
            parts.append("[" + ", ".join(map(self._use, uses)) + "]")
        else:
            for part in dict.fromkeys(u.part for u in payment.uses):
                named = []
                for use in uses:
                    if use.part == part:
                        marks = "".join(f" ~{id}" for id in use.replaced) if level == "sequences" else ""
                        named.append(self._use(use) + marks)
                parts.append(f"{part}[" + ", ".join(named) + "]")
        parts += _spent(payment, level) if payment.spends else []
        if level != "sequences":
            parts += [f"~{thing}" for thing in sorted({thing for use in payment.uses for thing in use.replaced})]
        choices = payment.choices if level == "sequences" else sorted(payment.choices, key=lambda c: c.term)
        parts += [f"{c.term}({', '.join(c.things)})" for c in choices]
        return " ".join(parts) or "nothing"

    def _use(self, use: Use) -> str:
        return use.thing if use.source == self._plain else f"{use.thing}/{use.source}"


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
