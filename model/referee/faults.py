"""Which rule a use of a source breaks, where it may not be made now."""

from __future__ import annotations

from lawful.model.payment import Use
from lawful.model.position import Thing
from lawful.model.referee.forbid import because
from lawful.model.referee.paying import covered, generates, gives_something, is_useful, waits
from lawful.model.referee.sources import Offer, Refusal, names, offer
from lawful.model.referee.table import Table
from lawful.model.ruleset import AssetRule
from lawful.model.verdict import Because

__all__ = ["examine"]


def examine(table: Table, use: Use, later: frozenset[str] = frozenset()) -> Offer | Because:
    """Look at a use that somebody claims.

    Parameters
    ----------
    table : Table
        The state in which it is claimed.
    use : Use
        The use; part and source may be left empty.
    later : frozenset of str
        Sources of the object that are claimed by name later: another one is meant, if there is one.

    Returns
    -------
    Offer or Because
        The source, if it may be used for the open part; else the rule that is broken. Where several are, first what is
        wrong with the object and its source, then with the order, then with the part.
    """
    thing = next((t for t in table.position.things if t.id == use.thing), None)
    if thing is None:
        # Also an object that a replacement has used up for good; one that never was is an unknown name.
        table.asked.opening.thing(use.thing)
        return _refused(table, use, Refusal("once", (use.thing,)))
    if use.source:
        return _look(table, use, offer(table, thing, use.source))
    return _any_source(table, use, thing, later)


def _any_source(table: Table, use: Use, thing: Thing, later: frozenset[str]) -> Offer | Because:
    """Take the source that fits where the claim names none."""
    known = sorted(names(table.asked, thing), key=lambda name: name in later) or ["source"]
    looked = [(name, _look(table, Use(use.thing, use.part, name), offer(table, thing, name))) for name in known]
    for _, found in looked:
        if isinstance(found, Offer):
            return found
    # The refusal that comes latest is nearest to a legal use.
    return max((found for _, found in looked if isinstance(found, Because)), key=_lateness)


def _lateness(found: Because) -> int:
    order = ("announced", "source", "once", "restriction", "full", "order", "generate", "useful", "stop")
    return order.index(found.role.partition(".")[0])


def _look(table: Table, use: Use, found: Offer | Refusal) -> Offer | Because:
    if isinstance(found, Refusal):
        return _refused(table, use, found)
    return _wrong_part(table, use, found) or found


def _refused(table: Table, use: Use, why: Refusal) -> Because:
    role = f"source.{use.source or 'source'}" if why.role == "source" else why.role
    return because(
        table.asked.ruleset,
        role,
        f"broken.{why.role}",
        why.about,
        thing=use.thing,
        source=use.source,
        by=why.about[-1],
        verb=use.source,
    )


def _wrong_part(table: Table, use: Use, offered: Offer) -> Because | None:
    """Return the rule that forbids using a source for the part that it is claimed for."""
    current = table.part
    if table.at_once and not use.part:
        return _not_at_once(table, offered)
    if use.part:
        named = table.asked.ruleset.asset(use.part)
        still = [asset.id for asset, _ in table.due.parts[table.paid :]]
        if current is not None and named.id in still and named is not current[0]:
            return _say(table, "order", named, offered, first=current[0].name)
        closed = named.id not in still
        return _wrong_for(table, named, offered, closed)
    if current is not None:
        return _wrong_for(table, current[0], offered, False)
    return _superfluous(table, offered)


def _not_at_once(table: Table, offered: Offer) -> Because | None:
    """Return the rule that forbids using a source for the parts that are paid at once."""
    asset = table.due.demands[0].asset
    if not generates(table):
        return _say(table, f"generate.{asset.id}", asset, offered)
    return None if gives_something(table, offered) else _say(table, f"useful.{asset.id}", asset, offered)


def _wrong_for(table: Table, asset: AssetRule, offered: Offer, closed: bool) -> Because | None:
    if asset.generate == "never":
        return _say(table, f"generate.{asset.id}", asset, offered)
    if not is_useful(asset, offered):
        return _say(table, f"useful.{asset.id}", asset, offered)
    if closed or (covered(table) and not waits(table)):
        return _say(table, f"stop.{asset.id}", asset, offered)
    return None


def _superfluous(table: Table, offered: Offer) -> Because:
    """Name the part that a source comes too late for, when all are paid: the last one that it could have been for."""
    parts = [asset for asset, _ in table.due.parts]
    fitting = [a for a in parts if a.generate != "never" and is_useful(a, offered)]
    generating = [a for a in parts if a.generate != "never"]
    for found in (fitting, generating, parts):
        if found:
            wrong = _wrong_for(table, found[-1], offered, True)
            assert wrong is not None
            return wrong
    return because(table.asked.ruleset, "stop", "broken.stop.nothing", (offered.thing,), thing=offered.thing)


def _say(table: Table, role: str, asset: AssetRule, offered: Offer, **more: str) -> Because:
    says = f"broken.{role.partition('.')[0]}"
    accepts = tuple(table.asked.ruleset.asset(id).name for id in asset.accepts)
    return because(
        table.asked.ruleset, role, says, (offered.thing,), thing=offered.thing, part=asset.name, accepts=accepts, **more
    )
