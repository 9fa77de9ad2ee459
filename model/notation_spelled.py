"""Costs written as players write them: what `lawful.model.notation` reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawful.model.act import Act
from lawful.model.cost import ActTerm, AssetTerm, Cost, CostAll, CostAny
from lawful.model.expression import Expression, PerPlayer, Ref, Sum, Times
from lawful.model.selector import Selector

X = Ref("x")


def spell_cost(cost: Cost) -> str:
    """Write a cost so that `parse_cost` reads it back as the same cost.

    Parameters
    ----------
    cost : Cost
        A cost.

    Returns
    -------
    str
        ``3c1r``, ``Xr``, ``1e & Xe``, ``0``. Effect-costs, and amounts other than numbers and X, are not in the
        notation: they are written to be read by people only.

    Examples
    --------
    >>> spell_cost(CostAll(()))
    '0'
    """
    if isinstance(cost, CostAny):
        return " | ".join(_spell_both(choice) for choice in cost.choices)
    return _spell_both(cost)


def _spell_both(cost: Cost) -> str:
    if isinstance(cost, CostAll) and cost.terms and all(isinstance(t, CostAll) for t in cost.terms):
        return " & ".join(_spell_group(part) for part in cost.terms)
    return _spell_group(cost)


def _spell_group(cost: Cost) -> str:
    found = cost.terms if isinstance(cost, CostAll) else (cost,)
    joined = _joined([part for term in found if isinstance(term, AssetTerm) for part in _spell_term(term)])
    others = [_spell_other(term) for term in found if not isinstance(term, AssetTerm)]
    return ", ".join([joined, *others] if joined else others) or "0"


def _joined(parts: Sequence[str]) -> str:
    """Write a plus sign only where it is needed: ``3c1r``, but ``Xr+X``."""
    joined = ""
    for part in parts:
        plain = part[0].isdigit() and (joined[-1:] == "}" or (joined[-1:].isalpha() and joined[-1:] != "X"))
        joined += part if not joined or plain else "+" + part
    return joined


def _spell_term(term: AssetTerm) -> Iterator[str]:
    plain_word = term.asset.isalpha() and "X" not in term.asset and not term.asset.startswith("v")
    word = term.asset if plain_word else "{" + term.asset + "}"
    parts = term.amount.terms if isinstance(term.amount, Sum) else (term.amount,)
    plain = [part for part in parts if not isinstance(part, PerPlayer)]
    if plain:
        yield _spell_number(plain) + word
    for part in parts:
        if isinstance(part, PerPlayer):
            each = part.of.terms if isinstance(part.of, Sum) else (part.of,)
            yield _spell_number(each) + "v" + word


def _spell_number(parts: Sequence[Expression]) -> str:
    spelled = ""
    for part in parts:
        if part == X:
            spelled += "X"
        elif isinstance(part, Times) and part.of == X and part.factor > 0:
            spelled += "X" * part.factor if part.factor <= 3 else f"{part.factor}X"
        else:
            spelled += str(part) if isinstance(part, int) and part >= 0 else "?"
    return spelled


def _spell_other(term: Cost) -> str:
    return _spell_act(term.act) if isinstance(term, ActTerm) else f"({spell_cost(term)})"


def _spell_act(act: Act) -> str:
    named = act.of if act.of is not None else act.what
    words = [act.verb]
    if isinstance(act.what, str):
        # An amount of something done to something: "take 2 damage: 1 hero".
        words += [_spell_number([act.n if act.n is not None else 1]), act.what + (":" if isinstance(named, Selector) else "")]
    if isinstance(named, Selector):
        n = named.n if named.n is not None else "all" if named.how == "each" else 1
        words += [str(n) if isinstance(n, int | str) else "?", *named.type, named.name or "", *named.zone]
        words.append({"random": "at random", "top": "from the top"}.get(named.how, ""))
    return " ".join(word for word in words if word)
