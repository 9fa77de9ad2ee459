"""Reads the promises of a designer: a YAML file of invariants that every card is to keep."""

from __future__ import annotations

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
        return [Invariant(name, "number", of=desk.text(given["of"], "of"), allowed=allowed)]
    cost, least = (desk.number(given[key], key) for key in ("cost", "least"))
    return [Invariant(name, "hand", cost=cost, least=least)]
