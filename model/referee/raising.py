"""What cannot be raised: norms on ``raise.power`` are rules about effects, and are looked at before these apply."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.model.effect import Norm
from lawful.model.position import Thing
from lawful.model.referee.evaluate import Scope, follow, holds, matches
from lawful.model.referee.statics import Active
from lawful.model.selector import Pattern

RAISE = "raise."


def bars(there: Sequence[Active]) -> tuple[Active, ...]:
    """Return the norms that keep numbers from being raised, in force or not.

    References
    ----------
    CR 6.3.1 (what modifies rules applies before what modifies objects).
    """
    return tuple(a for a in there if isinstance(a.modifier, Norm) and _bars(a.modifier))


def _bars(norm: Norm) -> bool:
    return norm.modality == "cannot" and norm.action.event.startswith(RAISE)


def barred(there: Sequence[Active], by: Active, thing: Thing, name: str, scope: Scope, mute: set[str]) -> bool:
    """Tell whether one of these norms keeps an effect from raising a number of an object.

    Parameters
    ----------
    there : sequence of Active
        The norms.
    by : Active
        The effect.
    thing : Thing
        Whose number.
    name : str
        Which.
    scope : Scope
        The position, with numbers and types as they are so far.
    mute : set of str
        Objects that have lost their abilities.
    """
    for a in there:
        norm = a.modifier
        assert isinstance(norm, Norm)
        if norm.action.event != RAISE + name or (a.source in mute and not a.lasting):
            continue
        told = Scope(scope.position, scope.ruleset, a.bindings.put("subject", thing.id), scope.stats, scope.types)
        if norm.while_ is not None and not holds(norm.while_, told):
            continue
        if norm.unless is not None and holds(norm.unless, told):
            continue
        if _about(norm.action, by, thing, told):
            return True
    return False


def _about(action: Pattern, by: Active, thing: Thing, scope: Scope) -> bool:
    if action.subject is not None and not matches(action.subject, thing, scope):
        return False
    if action.by is not None and follow(action.by, scope) != by.bindings.get("controller"):
        return False
    if action.source is None:
        return True
    source = by.bindings.get("self") if by.lasting else by.source
    found = next((t for t in scope.position.things if t.id == source), None)
    return found is not None and matches(action.source, found, scope)
