"""The verdicts of several readings as one: what holds in all; what holds in one of them is said of that one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from lawful.checking import Offer, Verdict
from lawful.model.declaration import Declaration
from lawful.model.frozen import FrozenMap
from lawful.model.verdict import Reason

if TYPE_CHECKING:
    from lawful.solver.repair import Repair

MANY_TRIED = 20


def together(found: Mapping[str, Verdict], legal: Callable[[Declaration], bool]) -> Verdict:
    """Return one verdict for several readings of the rules.

    Parameters
    ----------
    found : mapping of str to Verdict
        The verdict in each reading, by its name.
    legal : callable
        Says whether a declaration is legal in all of them.

    Returns
    -------
    Verdict
        Its reasons are those of all readings in which it is not legal, each reading with its own beside. Objects are
        legal for a slot if they are in every reading, and refused if in some. Repairs, and the example, are legal in
        every reading.
    """
    from lawful.solver.grounds import ranked

    verdicts = list(found.values())
    first = verdicts[0]
    alike = len({v.status for v in verdicts}) == 1
    same = len({v.witness for v in verdicts}) == 1
    against = [v for v in verdicts if v.status != "legal"]
    counts = {v.count for v in verdicts}
    repairs, complete = _repairs(against, legal)
    fewest = min((len(s.changes) for v in against for s in v.shortfalls), default=0)
    examples = [v for v in verdicts if v.witness is not None and (same or legal(v.witness))]
    example = examples[0] if examples else replace(first, witness=None, payment=None, replay=None)
    offers = {slot: _offer([v.offers[slot] for v in verdicts if slot in v.offers]) for slot in _slots(verdicts)}
    return replace(
        first,
        status=first.status if alike else "undetermined",
        count=first.count if len(counts) == 1 else None,
        complete=all(v.complete for v in verdicts),
        reasons=ranked([reason for v in against for reason in v.reasons]),
        offers=FrozenMap(offers),
        witness=example.witness,
        payment=example.payment,
        replay=example.replay if example.witness is not None else first.replay if first.witness is None else None,
        repairs=repairs,
        repairs_complete=complete,
        shortfalls=tuple(dict.fromkeys(s for v in against for s in v.shortfalls if len(s.changes) == fewest)),
        near_complete=all(v.near_complete for v in against),
        readings=FrozenMap(found),
    )


def _slots(verdicts: list[Verdict]) -> list[str]:
    return list(dict.fromkeys(slot for v in verdicts for slot in v.offers))


def _offer(offers: list[Offer]) -> Offer:
    """Return who may be chosen in every reading, and who not in some, with the reasons there."""
    from lawful.solver.grounds import ranked

    refused: dict[str, list[Reason]] = {}
    for offer in offers:
        for id, reasons in offer.refused.items():
            refused.setdefault(id, []).extend(reasons)
    legal = tuple(id for id in offers[0].legal if id not in refused)
    return Offer(legal, FrozenMap({id: ranked(reasons) for id, reasons in refused.items()}))


def _repairs(against: list[Verdict], legal: Callable[[Declaration], bool]) -> tuple[tuple[Repair, ...], bool]:
    """Return the nearest repairs that are legal in every reading, of those of each; and whether these are all."""
    every = sorted(dict.fromkeys(r for v in against for r in v.repairs), key=lambda repair: repair.distance)
    kept = [repair for repair in every[:MANY_TRIED] if legal(repair.declaration)]
    nearest = tuple(repair for repair in kept if repair.distance == kept[0].distance)
    return nearest, len(nearest) == len(every) and all(v.repairs_complete for v in against)
