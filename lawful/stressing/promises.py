"""Reads the promises of a designer: a YAML file of invariants that every card is to keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawful.model.card import Card
from lawful.model.errors import BadInput
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.textfile import read_text
from lawful.model.reading.yamltext import Node, parse_yaml
from lawful.model.ruleset import Ruleset
from lawful.model.stress import Invariant

KEYS = {
    "exchange": ("asset", "for", "up_to"),
    "number": ("of", "allowed"),
    "hand": ("cost", "least"),
}


def read_promises(path: str, ruleset: Ruleset) -> tuple[Invariant, ...]:
    """Read a file of promises.

    Parameters
    ----------
    path : str
        Names to promises, each with one of the keys `exchange`, `number`, `hand`.
    ruleset : Ruleset
        Whose assets they speak of.

    Returns
    -------
    tuple of Invariant
        In the order written.

    Raises
    ------
    BadInput
        With every fault and its place.
    """
    faults = Faults(path)
    text = read_text(path, faults)
    documents = parse_yaml(text, faults) if text is not None else []
    desk = Desk(faults, Names.of(ruleset))
    found = [
        promise
        for document in documents
        for name, node in desk.mapping(document, "promises").items()
        for promise in _promise(desk, name, node, ruleset)
    ]
    if faults.found:
        raise BadInput(faults.found)
    return tuple(found)


def meant(promises: Sequence[Invariant], cards: Iterable[Card], file: str = "--promises") -> None:
    """Refuse promises about a number that none of the cards has: they would be kept whatever the cards say.

    Parameters
    ----------
    promises : sequence of Invariant
        The promises.
    cards : iterable of Card
        All cards of a sweep.
    file : str
        Where the promises stand.

    Raises
    ------
    BadInput
        All of them, each with the closest number that there is.
    """
    stats = sorted({stat for card in cards for stat in card.stats})
    faults = Faults(file)
    for promise in promises:
        head = promise.of.partition(".")[0]
        if promise.kind == "number" and head not in ("cost", "yields") and promise.of not in stats:
            faults.unknown("number", promise.of, ["cost", *stats], (0, 0))
    faults.stop()


def _promise(desk: Desk, name: str, node: Node, ruleset: Ruleset) -> list[Invariant]:
    fields = desk.fields(node, "a promise", tuple(KEYS))
    if len(fields) != 1:
        desk.faults.add(f"{name!r} is one of: {', '.join(KEYS)}", node)
        return []
    kind, inner = next(iter(fields.items()))
    given = desk.fields(inner, kind, KEYS[kind])
    for key in KEYS[kind]:
        if key not in given:
            desk.faults.add(f"{kind} needs {key!r}", inner)
            return []
    if kind == "exchange":
        assets = [a.id for a in ruleset.assets]
        said = [desk.text(given[key], key) for key in ("asset", "for")]
        for asset, key in zip(said, ("asset", "for"), strict=True):
            if asset not in assets:
                desk.faults.unknown("asset", asset, assets, given[key])
        most = desk.number(given["up_to"], "up_to")
        return [Invariant(name, "exchange", asset=said[0], other=said[1], most=most)]
    if kind == "number":
        allowed = tuple(desk.number(item, "a number") for item in desk.items(given["allowed"], "allowed"))
        of = desk.text(given["of"], "of")
        head, dot, asset = of.partition(".")
        if dot and head in ("cost", "yields") and asset not in (assets := [a.id for a in ruleset.assets]):
            desk.faults.unknown("asset", asset, assets, given["of"])
        if not allowed:
            desk.faults.add("allowed names no number", given["allowed"], "such as [0, 3]")
        return [Invariant(name, "number", of=of, allowed=allowed)]
    cost, least = (desk.number(given[key], key) for key in ("cost", "least"))
    return [Invariant(name, "hand", cost=cost, least=least)]
