"""Ruleset files: one game, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawful.model.cost import ActTerm, Cost, terms
from lawful.model.errors import UnknownName
from lawful.model.reading.desk import COMMON_VERBS, Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.openpoints import completed, parameter, read
from lawful.model.reading.structure import build, check, dump, structure
from lawful.model.reading.textfile import read_text
from lawful.model.reading.yamltext import Data, Node, parse_yaml
from lawful.model.ruleset import ROLES, Ruleset

# The file says `ruleset` for the id; the version is chosen when it is used, the first document is the default.
KEYS = (("id", "ruleset"), ("readings", ""))


def read_ruleset_file(path: str | Path) -> Ruleset:
    """Read a ruleset file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Ruleset
        The rules.

    Raises
    ------
    BadInput
        With every fault and its place.
    """
    faults = Faults(str(path))
    text = read_text(path, faults)
    faults.stop()
    assert text is not None
    return read_ruleset(text, str(path))


def read_ruleset(text: str, file: str = "") -> Ruleset:
    """Read the text of a ruleset file.

    Parameters
    ----------
    text : str
        YAML.
    file : str
        Its name, for faults.

    Returns
    -------
    Ruleset
        The rules.

    Raises
    ------
    BadInput
        With every fault and its place.
    """
    faults = Faults(file)
    documents = parse_yaml(text, faults)
    if len(documents) > 1:
        faults.add("a ruleset file has one document", documents[1])
    if not documents:
        faults.stop()
    node = documents[0]
    first = node.find("documents", 0, "id")
    if first is not None and isinstance(node.value, dict):
        node.value.setdefault("version", first)
    model = check(structure(Ruleset, KEYS), node, faults, "a ruleset")
    names = _names(node)
    desk = Desk(faults, names)
    if model is None:
        _read_free_parts(node, desk)
        faults.stop()
        raise AssertionError("a structure that does not fit has faults")
    ruleset: Ruleset = build(Ruleset, model, node, desk)
    for message, place, known in _wrong(ruleset):
        faults.add(message, node.at(place), known)
    faults.stop()
    return completed(ruleset)


def dump_ruleset(ruleset: Ruleset) -> dict[str, Data]:
    """Spell a ruleset, so that it reads back as the same ruleset.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.

    Returns
    -------
    dict
        YAML data.
    """
    return dump(ruleset, dict(KEYS))


def _named(node: Node, key: str, name: str) -> tuple[str, ...]:
    """Return the names in a list of mappings, of a file that may be wrong elsewhere."""
    return tuple(item[name] for item in _items(node, key) if isinstance(item.get(name), str))


def _items(node: Node, key: str) -> list[dict[str, Any]]:
    found = node.value.get(key) if isinstance(node.value, dict) else None
    items = found.value if found is not None and isinstance(found.value, list) else []
    return [{k: v.value for k, v in item.value.items()} for item in items if isinstance(item.value, dict)]


def _names(node: Node) -> Names:
    """Return the words that the file itself defines; as in `default_asset`, before there is a ruleset."""
    verbs = (*_named(node, "verbs", "name"), *COMMON_VERBS)
    assets, zones, stages = _named(node, "assets", "id"), _named(node, "zones", "name"), _named(node, "stages", "name")
    generated = [a["id"] for a in _items(node, "assets") if a.get("generate") != "never" and a.get("id") in assets]
    counted = node.find("card_file", "cost_asset")
    default = counted.value if counted is not None else ""
    if not isinstance(default, str) or default not in assets:
        default = next(iter((*generated, *assets)), "")
    tiers = node.find("ordering", "tiers")
    named = tiers.value if tiers is not None and isinstance(tiers.value, list) else []
    words = [name.value for item in named if (name := item.find("name")) is not None]
    tier_names = tuple(word for word in words if isinstance(word, str))
    return Names(assets, default, tuple(dict.fromkeys(verbs)), stages, zones, tier_names)


def _read_free_parts(node: Node, desk: Desk) -> None:
    """Find the faults of cards and sources also where the structure has faults."""
    from lawful.model.reading.spelling_abilities import read_source
    from lawful.model.reading.spelling_cards import read_card

    for key, reader in (("sources", read_source), ("cards", read_card)):
        found = node.value.get(key) if isinstance(node.value, dict) else None
        for item in found.value if found is not None and isinstance(found.value, list) else []:
            reader(desk, item)


Wrong = tuple[str, tuple[str | int, ...], str]


def _wrong(ruleset: Ruleset) -> Iterator[Wrong]:
    """Yield what does not fit together: message, place, hint."""
    assets = [asset.id for asset in ruleset.assets]
    if not assets:
        yield "a ruleset needs at least one asset", ("assets",), ""
        return
    yield from _twice(ruleset)
    if not ruleset.id:
        yield "a ruleset needs an id", ("ruleset",), ""
    for at, asset in enumerate(ruleset.assets):
        if asset.keep and asset.generate != "never":
            yield (
                f"{asset.id!r} keeps {asset.keep}, and can be generated while it is paid",
                ("assets", at, "keep"),
                "an asset that keeps points has `generate: never`",
            )
        for other, count in Counter(asset.accepts).items():
            if count > 1:
                yield f"{other!r} stands twice in accepts", ("assets", at, "accepts"), ""
        for n, other in enumerate(asset.accepts):
            if other not in assets:
                yield _unknown("asset", other, assets, ("assets", at, "accepts", n))
        for n, other in enumerate(asset.declares):
            if other not in assets:
                yield _unknown("asset", other, assets, ("assets", at, "declares", n))
    yield from _splits(ruleset)
    yield from _places(ruleset)
    documents = [document.id for document in ruleset.documents]
    if not documents:
        yield "a ruleset needs at least one document", ("documents",), ""
    elif ruleset.version not in documents:
        yield _unknown("document", ruleset.version, documents, ("version",))
    rows = [row.id for row in ruleset.rows]
    rules = [rule.id for rule in ruleset.rules]
    for at, rule in enumerate(ruleset.rules):
        for name in rule.cites:
            if name not in documents:
                yield _unknown("document", name, documents, ("rules", at, "cites", name))
        for n, row in enumerate(rule.rows):
            if row not in rows:
                yield _unknown("row", row, rows, ("rules", at, "rows", n))
        for n, other in enumerate(rule.implied_by):
            if other not in rules:
                yield _unknown("rule", other, rules, ("rules", at, "implied_by", n))
    yield from _open_points(ruleset)


def _splits(ruleset: Ruleset) -> Iterator[Wrong]:
    """Assets that are split are paid at once: in one phase, with sources used at any time until then."""
    first = next((asset for asset in ruleset.assets if asset.split), None)
    for at, asset in enumerate(ruleset.assets):
        if asset.split and first is not None and asset.phase != first.phase:
            yield f"{asset.id!r} is split, and not in the phase of {first.id!r}", ("assets", at, "phase"), ""
        if asset.split and asset.generate == "while_short":
            yield f"{asset.id!r} is split, so nothing is short before the end", ("assets", at), "say generate: freely"
        if asset.split and asset.keep:
            yield f"{asset.id!r} is split, and cannot have a 'keep'", ("assets", at, "keep"), ""
        if asset.declares and first is None:
            yield f"{asset.id!r} declares, and no asset is split", ("assets", at, "declares"), ""
    for at, stock in enumerate(ruleset.stock):
        zones = [zone.name for zone in ruleset.zones]
        if stock.zone not in zones:
            yield _unknown("zone", stock.zone, zones, ("stock", at, "zone"))
        names = [card.name for card in ruleset.cards]
        if stock.card not in names:
            yield _unknown("card", stock.card, names, ("stock", at, "card"))
    for at, document in enumerate(ruleset.documents):
        for path, text in document.changes.items():
            try:
                read(text, parameter(ruleset, path)[1])
            except (UnknownName, ValueError) as error:
                yield f"{path}: {error}", ("documents", at, "changes", path), ""


def _unknown(kind: str, name: str, known: list[str], at: tuple[str | int, ...]) -> Wrong:
    faults = Faults()
    faults.unknown(kind, name, known, (0, 0))
    return faults.found[0].message, at, faults.found[0].hint


def _twice(ruleset: Ruleset) -> Iterator[Wrong]:
    lists = {
        "assets": ([a.id for a in ruleset.assets], "id"),
        "verbs": ([v.name for v in ruleset.verbs], "name"),
        "zones": ([z.name for z in ruleset.zones], "name"),
        "stages": ([s.name for s in ruleset.stages], "name"),
        "rules": ([r.id for r in ruleset.rules], "id"),
        "rows": ([r.id for r in ruleset.rows], "id"),
        "documents": ([d.id for d in ruleset.documents], "id"),
        "open_points": ([p.id for p in ruleset.open_points], "id"),
        "cards": ([c.name for c in ruleset.cards], "name"),
    }
    for key, (names, field) in lists.items():
        for name, count in Counter(names).items():
            if count > 1:
                at = len(names) - 1 - names[::-1].index(name)
                yield f"{name!r} stands twice in {key}", (key, at, field), ""
    phases: dict[int, str] = {}
    split = [asset.id for asset in ruleset.assets if asset.split]
    for at, asset in enumerate(ruleset.assets):
        if asset.phase in phases and not (asset.split and phases[asset.phase] in split):
            yield (
                f"{asset.id!r} has the phase of {phases[asset.phase]!r}",
                ("assets", at, "phase"),
                "phases are distinct",
            )
        phases.setdefault(asset.phase, asset.id)
    roles: dict[str, str] = {}
    known = [*ROLES, *(procedure.name for procedure in ruleset.procedures), *(norm.name for norm in ruleset.norms)]
    for at, rule in enumerate(ruleset.rules):
        for n, role in enumerate(rule.roles):
            if role.partition(".")[0] not in known:
                yield _unknown("role", role, known, ("rules", at, "roles", n))
            if role in roles:
                yield f"{role!r} is played by rule {roles[role]!r} already", ("rules", at, "roles", n), ""
            roles.setdefault(role, rule.id)


def _places(ruleset: Ruleset) -> Iterator[Wrong]:
    """Zones and verbs that are named must be there."""
    zones, verbs = [zone.name for zone in ruleset.zones], [verb.name for verb in ruleset.verbs]
    if zones and ruleset.hand not in zones:
        yield _unknown("zone", ruleset.hand, zones, ("hand",))
    if ruleset.announced is not None and ruleset.announced not in zones:
        yield _unknown("zone", ruleset.announced, zones, ("announced",))
    for at, verb in enumerate(ruleset.verbs):
        for n, zone in enumerate(verb.from_):
            if zone not in zones:
                yield _unknown("zone", zone, zones, ("verbs", at, "from", n))
        if verb.to is not None and verb.to not in zones:
            yield _unknown("zone", verb.to, zones, ("verbs", at, "to"))
        if verb.cancels and not ruleset.stages:
            yield "what loses its abilities needs a stage", ("verbs", at, "cancels"), "name one in 'stages'"
    costs: list[tuple[Cost, tuple[str | int, ...]]] = []
    costs += [(source.cost, ("sources", at, "cost")) for at, source in enumerate(ruleset.sources)]
    costs += [(charge.cost, ("charges", at, "cost")) for at, charge in enumerate(ruleset.charges)]
    for cost, place in costs:
        for term in terms(cost):
            if isinstance(term, ActTerm) and term.act.verb not in verbs:
                yield _unknown("verb", term.act.verb, verbs, place)


def _open_points(ruleset: Ruleset) -> Iterator[Wrong]:
    for at, point in enumerate(ruleset.open_points):
        names = [reading.name for reading in point.readings]
        if point.default not in names:
            yield _unknown("reading", point.default, names, ("open_points", at, "default"))
        texts = [document.id for document in ruleset.documents]
        for n, text in enumerate(point.documents):
            if text not in texts:
                yield _unknown("document", text, texts, ("open_points", at, "documents", n))
        for n, reading in enumerate(point.readings):
            for path, text in reading.changes.items():
                place = ("open_points", at, "readings", n, "changes", path)
                try:
                    read(text, parameter(ruleset, path)[1])
                except UnknownName as error:
                    yield f"{path}: {error}", place, ""
                except ValueError as error:
                    yield f"{path}: {error}", place, ""
