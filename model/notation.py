"""Costs as players write them: ``{c}{c}{c}{r}``, ``3c1r``, ``X``, ``2Xr``, ``1 & Xe``, ``2v``, ``1r | 3c``.

One grammar for all games. A number without an asset counts the ruleset's default asset; ``&`` stands between costs that
are due at the same time, ``|`` between alternatives; ``v`` after a number means per player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from lawful.model.cost import AssetTerm, Cost, CostAll, CostAny
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import Expression, PerPlayer, Ref, Sum, Times
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.notation_spelled import spell_cost

__all__ = ["parse_cost", "parse_pool", "spell_cost"]

MAX_TEXT = 2_000
X = Ref("x")


@dataclass(slots=True)
class _Amount:
    """What a group asks of one asset: a number, so many X, and the same per player."""

    n: int = 0
    x: int = 0
    per_n: int = 0
    per_x: int = 0

    def expression(self) -> Expression:
        plain, each = _terms(self.n, self.x), _terms(self.per_n, self.per_x)
        if each:
            plain.append(PerPlayer(_sum(each)))
        return _sum(plain)

    @property
    def largest(self) -> int:
        return max(self.n, self.x, self.per_n, self.per_x)


def _terms(n: int, x: int) -> list[Expression]:
    found: list[Expression] = []
    if x:
        found.append(X if x == 1 else Times(x, X))
    if n:
        found.append(n)
    return found


def _sum(found: list[Expression]) -> Expression:
    if not found:
        return 0
    return found[0] if len(found) == 1 else Sum(tuple(found))


@cache
def _grammar() -> Any:
    from lark import Lark

    text = files("lawful.model").joinpath("notation.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", start="either", propagate_positions=True)


class _Text:
    """A text of a cost, with its place in the input and the assets that it may name."""

    def __init__(self, text: str, assets: Sequence[str], default: str, file: str, line: int, column: int) -> None:
        self.text, self.assets, self.default = text, assets, default
        self.file, self.line, self.column = file, line or 1, column or 1
        self.faults: list[Fault] = []

    def fault(self, message: str, offset: int, hint: str = "") -> None:
        before = self.text[:offset]
        newlines = before.count("\n")
        column = offset - before.rfind("\n") if newlines else self.column + offset
        self.faults.append(Fault(message, self.file, self.line + newlines, column, hint))

    def tree(self) -> Any:
        """Parse, or raise the one fault that stops the parser."""
        from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput

        start = len(self.text) - len(self.text.lstrip())
        body = self.text.strip()
        if not body:
            self.fault("a cost is missing", 0, "a cost of zero is written 0")
        elif len(body) > MAX_TEXT:
            self.fault(f"a cost longer than {MAX_TEXT} letters", 0, "write 3c rather than {c}{c}{c}")
        if self.faults:
            raise BadInput(self.faults)
        if not any("x" in asset for asset in self.assets):
            body = body.replace("x", "X")
        try:
            return _grammar().parse(body), start
        except UnexpectedInput as error:
            at = error.pos_in_stream
            ends = isinstance(error, UnexpectedEOF) or at is None or at < 0 or at >= len(body)
            if not ends and not isinstance(error, UnexpectedCharacters):
                ends = getattr(getattr(error, "token", None), "type", "") == "$END"
            offset = len(body) if ends or at is None else at
            here = body[offset : offset + 1]
            message = (
                f"not a cost: {here!r} is not expected here" if here else "not a cost: something is missing at the end"
            )
            self.fault(message, start + offset, self.advice(body, offset))
            raise BadInput(self.faults) from None

    def advice(self, body: str, offset: int) -> str:
        here = body[offset : offset + 1]
        if here == "-":
            return "amounts cannot be negative"
        if here in "{}":
            return "an asset in braces is written {" + (self.default or "r") + "}"
        if here.isalpha():
            return f"write 1{here} or {{{here}}}"
        return "costs look like {c}{r}, 3c1r, X, 1 & Xe"

    def either(self, tree: Any, start: int) -> Cost:
        choices = [self.both(part, start) for part in tree.children if getattr(part, "data", "") == "both"]
        return choices[0] if len(choices) == 1 else CostAny(tuple(choices))

    def both(self, tree: Any, start: int) -> Cost:
        groups = [part for part in tree.children if getattr(part, "data", "") == "group"]
        costs = [
            CostAll(tuple(AssetTerm(asset, a.expression()) for asset, a in self.group(g, start).items() if a.largest))
            for g in groups
        ]
        return costs[0] if len(costs) == 1 else CostAll(tuple(costs))

    def group(self, tree: Any, start: int) -> dict[str, _Amount]:
        """Add up a group by asset."""
        found: dict[str, _Amount] = {}
        for term in tree.children:
            if not hasattr(term, "data"):
                continue
            x, n, word, at = _parts(term)
            offset = term.meta.start_pos
            asset, per, braced_x = self.word(word, start + (offset if at is None else at), term.data == "one")
            per = per or any(getattr(part, "type", "") == "PER" for part in term.children)
            x += braced_x
            if term.data == "one" and word[1:-1].isdigit():
                n = self.number(word[1:-1], start + offset)
            elif term.data == "one" and not braced_x:
                n = 1
            else:
                n = self.number(n, start + offset) if isinstance(n, str) else n
            if asset is None:
                continue
            amount = found.setdefault(asset, _Amount())
            if per:
                amount.per_n, amount.per_x = amount.per_n + n, amount.per_x + x
            else:
                amount.n, amount.x = amount.n + n, amount.x + x
            if amount.largest > Limits().amount:
                self.fault(f"more than {Limits().amount} points (limit: amount)", start + offset)
        return found

    def number(self, digits: str, offset: int) -> int:
        if len(digits.lstrip("0")) > 9:
            self.fault(f"more than {Limits().amount} points (limit: amount)", offset)
            return 0
        return int(digits)

    def word(self, word: str, offset: int, alone: bool) -> tuple[str | None, bool, int]:
        """Say which asset a word names, whether it says per player, and whether it is an X in braces."""
        braced = word.startswith("{")
        name = word[1:-1].strip() if braced else word
        if name in self.assets:
            return name, False, 0
        if alone and braced and name == "X":
            return self.bare(offset), False, 1
        if (alone and braced and name.isdigit()) or (not name and not braced):
            return self.bare(offset), False, 0
        if not braced and name == "v":
            return self.bare(offset), True, 0
        if not braced and name.startswith("v") and name[1:] in self.assets:
            return name[1:], True, 0
        near = get_close_matches(name, self.assets, n=1)
        known = f"did you mean {near[0]!r}?" if near else "assets: " + ", ".join(self.assets)
        self.fault(f"unknown asset {name!r}", offset, known)
        return None, False, 0

    def bare(self, offset: int) -> str | None:
        if self.default:
            return self.default
        self.fault("an amount without an asset", offset, "assets: " + ", ".join(self.assets))
        return None


def _parts(term: Any) -> tuple[int, Any, str, int | None]:
    """Take a term apart: how many X, the number's digits, the word after it, where that starts."""
    x, n, word, at = 0, 0, "", None
    for part in term.children:
        if hasattr(part, "data"):
            x, n = _amount_of(part)
        else:
            word, at = str(part), part.start_pos
    return x, n, word, at


def _amount_of(tree: Any) -> tuple[int, Any]:
    letters = [token for token in tree.children if token.type == "X"]
    if not letters:
        return 0, str(tree.children[0])
    first, last = tree.children[0], tree.children[-1]
    factor = int(str(first)[:9]) if first.type == "NUM" else 1
    return len(letters) * factor, str(last) if last.type == "NUM" else 0


def parse_cost(text: str, assets: Sequence[str], default: str, file: str = "", line: int = 0, column: int = 0) -> Cost:
    """Read a cost as players write it.

    Parameters
    ----------
    text : str
        ``{c}{c}{c}{r}``, ``3c1r``, ``3c+1r``, ``X``, ``XX``, ``X3``, ``2Xr``, ``1 & Xe``, ``2v``, ``3c | 1r``, ``0``.
    assets : sequence of str
        Ids of the assets that there are.
    default : str
        The asset that a number alone counts; empty if there is none.
    file : str
        The name of the input.
    line, column : int
        Where the text starts in it, counted from 1.

    Returns
    -------
    Cost
        What is asked; equal assets of one cost are added up, and the cost of zero has no terms.

    Raises
    ------
    BadInput
        If it is no cost, names an unknown asset or asks for too much; with the column.

    Examples
    --------
    >>> spell_cost(parse_cost("{c}{c}{c}{r}", "cr", "r"))
    '3c1r'
    >>> parse_cost("X3", "cr", "r").terms[0].amount
    Sum(terms=(Ref(name='x', path=()), 3))
    """
    reader = _Text(text, assets, default, file, line, column)
    tree, start = reader.tree()
    cost = reader.either(tree, start)
    if reader.faults:
        raise BadInput(reader.faults)
    return cost


def parse_pool(
    text: str, assets: Sequence[str], default: str = "", file: str = "", line: int = 0, column: int = 0
) -> FrozenMap[str, int]:
    """Read floating points: ``0c2r``.

    Parameters
    ----------
    text, assets, default, file, line, column
        As in `parse_cost`.

    Returns
    -------
    mapping of str to int
        The assets that are named, those with 0 too.

    Raises
    ------
    BadInput
        If it is not a list of amounts.

    Examples
    --------
    >>> parse_pool("0c2r", "cr")
    FrozenMap({'c': 0, 'r': 2})
    """
    reader = _Text(text, assets, default, file, line, column)
    tree, start = reader.tree()
    groups = list(tree.find_data("group"))
    found = reader.group(groups[0], start)
    if len(groups) > 1 or any(a.x or a.per_n or a.per_x for a in found.values()):
        reader.fault("points that float are plain numbers", start, "write 0c2r, for example")
    if reader.faults:
        raise BadInput(reader.faults)
    return FrozenMap({asset: amount.n for asset, amount in found.items()})
