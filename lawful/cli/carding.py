"""Shows what was read of card files: summaries, coverage, single cards."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import yaml

from lawful.cards.columns import map_of
from lawful.cards.coverage import Coverage, KindCoverage, cover
from lawful.cards.library import CardLibrary, read_libraries
from lawful.cards.skeleton import skeleton
from lawful.cli.progress import working
from lawful.model.errors import BadInput, Fault
from lawful.model.ruleset import Ruleset
from lawful.table import draw

FAULTY = 3
UNREADABLE = 3
HEADER = ("clauses", "found", "read", "not read", "%", "played")


def open_all(paths: Sequence[str], ruleset: Ruleset, columns: str | None = None) -> list[CardLibrary]:
    """Read card files, the first with a column map; see `lawful.cards.library.read_libraries`."""
    if columns is None:
        return read_libraries(paths, ruleset)
    return read_libraries(paths, ruleset, map_of(columns, ruleset))


def _faults(library: CardLibrary) -> int:
    """List the faults of rows; return the exit code."""
    for fault in library.faults:
        print(fault, file=sys.stderr)
    return FAULTY if library.faults else 0


def show_summary(library: CardLibrary, as_json: bool) -> int:
    """Show how many cards of which types there are, every fault, and what of the fields cannot be read.

    Parameters
    ----------
    library : CardLibrary
        The cards.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        0, or 3 if a row cannot be read.
    """
    from lawful.cards.building import card_of, types_of

    types: Counter[str] = Counter()
    faults = list(library.faults)
    assets = tuple(asset.id for asset in library.ruleset.assets)
    for record in library.records:
        types.update(types_of(record, library.layout)[:1])
        try:
            card_of(record, library.layout, assets)
        except BadInput as error:
            faults += error.faults
    if as_json:
        document = {
            "schema_version": 1,
            "file": library.file,
            "ruleset": library.ruleset.id,
            "cards": len(library),
            "rows": len(library.records),
            "types": dict(types.most_common()),
            "faults": [_fault(fault) for fault in faults],
        }
        print(json.dumps(document, ensure_ascii=False))
        return UNREADABLE if faults else 0
    print(f"{len(library)} cards in {len(library.records)} rows of {library.file} ({library.ruleset.name})")
    draw(("first type", "rows"), [(name, str(n)) for name, n in types.most_common(15)])
    if len(types) > 15:
        print(f"and {len(types) - 15} more types")
    for fault in faults:
        print(fault, file=sys.stderr)
    return UNREADABLE if faults else 0


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "message": fault.message, "file": fault.file, "line": fault.line, "column": fault.column, "hint": fault.hint,
    }  # fmt: skip


def show_coverage(library: CardLibrary, kind: str | None, by_type: bool, examples: int, as_json: bool) -> int:
    """Show how many clauses of every kind were found and read.

    Parameters
    ----------
    library : CardLibrary
        The cards.
    kind : str, optional
        List what was not read of this kind.
    by_type : bool
        A table for every first type as well.
    examples : int
        How many texts are listed.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        0, or 3 if a row cannot be read.
    """
    with working(library.file):
        covered = cover(library, None if kind is None else [kind])
    if as_json:
        print(json.dumps(covered.document(examples if kind is None else 10_000), ensure_ascii=False))
        return _faults(library)
    if kind is not None and kind not in covered.kinds:
        known = ", ".join(library.reader.rules.kinds) if library.reader is not None else ""
        raise BadInput([Fault(f"there is no kind {kind!r}", "--kind", hint=f"one of: {known}")])
    whole = f", {covered.whole} of them played whole" if kind is None else ""
    print(f"{covered.cards} cards, {covered.texts} with text{whole}. Distinct texts; in brackets: all there are.")
    draw(HEADER, _rows(covered.kinds.values()))
    if by_type:
        for name, kinds in sorted(covered.by_type.items()):
            print(f"\n{name}")
            draw(HEADER, _rows(kinds.values()))
    chosen = [covered.kinds[kind]] if kind is not None else list(covered.kinds.values())
    for one in chosen:
        _examples(one, examples if kind is None else len(one.found))
    _repairs(covered)
    return _faults(library)


def _rows(kinds: Any) -> list[tuple[str, ...]]:
    return [
        (
            one.kind,
            f"{len(one.found)} ({one.found.total()})",
            f"{len(one.read)} ({one.read.total()})",
            f"{len(one.found) - len(one.read)} ({one.found.total() - one.read.total()})",
            "-" if one.share is None else f"{100 * one.share:.1f}",
            f"{len(one.played)} ({one.played.total()})",
        )
        for one in kinds
    ]


def _examples(one: KindCoverage, most: int) -> None:
    unread = [text for text, _ in one.found.most_common() if text not in one.read][:most]
    if unread:
        print(f"\nnot read, {one.kind}:")
        for text in unread:
            print(f"  {text}\n    {one.example[text]}: {one.why[text]}")


def _repairs(covered: Coverage) -> None:
    if covered.repairs:
        print(f"\nput right in {len(covered.repairs)} texts:")
        for why, n in Counter(why for _, why in covered.repairs).most_common():
            example = next(card for card, reason in covered.repairs if reason == why)
            print(f"  {n} x {why} ({example})")


def show_cards(libraries: Sequence[CardLibrary], names: Sequence[str], as_json: bool) -> int:
    """Show cards as data, where they come from, and what of their text was not read.

    Parameters
    ----------
    libraries : sequence of CardLibrary
        Looked through in their order.
    names : sequence of str
        Which cards.
    as_json : bool
        As one JSON document.

    Returns
    -------
    int
        0, or 1 if a text was not read whole.
    """
    documents = []
    for name in names:
        library = next((one for one in libraries if name in one), libraries[0])
        documents.append(_card(library, name))
    if as_json:
        print(json.dumps({"schema_version": 1, "cards": documents}, ensure_ascii=False))
    else:
        print("\n".join(map(_shown, documents)))
    return int(any(document["not_read"] for document in documents))


def _card(library: CardLibrary, name: str) -> dict[str, Any]:
    from lawful.model.reading.spelling_cards import dump_card

    record = library.record(name)
    card, reading = library.find(name), library.reading(record)
    return {
        "name": card.name,
        "card": dump_card(card),
        "from": {"file": record.file, "line": record.line, "field": library.layout.text},
        "skeletons": [
            {"kind": read.clause.kind, **asdict(skeleton(read.meaning))}
            for read in reading.clauses
            if read.meaning is not None and not read.clause.phrase
        ],
        "not_read": [
            {"kind": read.clause.kind, "text": read.clause.text, "why": read.why}
            for read in reading.clauses
            if not read.played
        ],
        "repairs": list(reading.repairs),
    }


def _shown(document: dict[str, Any]) -> str:
    origin = document["from"]
    lines = [f"# {origin['file']}:{origin['line']}"]
    lines += [f"# put right: {why}" for why in document["repairs"]]
    lines += [
        f"# not read as terms, {read['kind']}: {read['text']}" + (f" ({read['why']})" if read["why"] else "")
        for read in document["not_read"]
    ]
    spelled = yaml.safe_dump(
        {document["name"]: document["card"]}, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None
    )
    return "\n".join([*lines, spelled])
