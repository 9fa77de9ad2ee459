"""Whether an ability finds what it needs a target for: looked at before anything is paid."""

from __future__ import annotations

from lawful.model.act import Act
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.demanded import forbidder, possible
from lawful.model.referee.evaluate import Scope, follow, holds
from lawful.model.referee.pick import CHOICES, references, there
from lawful.model.selector import Selector

__all__ = ["tried", "without_target"]


def without_target(asked: Asked, do: tuple[Act, ...]) -> Act | None:
    """Return the first act that chooses or targets and finds nothing, where no part of the ability finds anything.

    It is enough that one part of it can happen: to something that is found, or to nothing at all, as drawing a card.

    Parameters
    ----------
    asked : Asked
        The question, with the position before paying.
    do : tuple of Act
        What the ability does.

    Returns
    -------
    Act, optional
        What `cannot` norms keep the verb from, and the verbs of acts that name what is chosen, is no target. A choice
        that depends on what an earlier step yields is not judged before.
    """
    scope, without = asked.scope(asked.opening), list[Act]()
    for act in do:
        for wanted in (act.what, act.of):
            if not isinstance(wanted, Selector) or (act.verb != "choose" and wanted.how not in CHOICES):
                continue
            if wanted.up_to or wanted.players:
                continue
            named = [act, *(a for a in do if act.as_ is not None and Ref(act.as_) in (a.what, a.of))]
            if not _finds(asked, act, wanted, scope, named):
                without.append(act)
    if not without or _other_part(asked, do, without, scope):
        return None
    return without[0]


def _other_part(asked: Asked, do: tuple[Act, ...], without: list[Act], scope: Scope) -> bool:
    """Tell whether some part can happen that is none of those acts, and hangs on none of them."""
    names = {act.as_ for act in without if act.as_ is not None}
    for act in do:
        parts = (act.what, act.of)
        spoken = any(isinstance(part, Ref) and part.name in names for part in parts)
        if act in without or spoken or act.given in names:
            # "If you do": what is done only if this was done cannot happen either.
            names |= set() if act.as_ is None else {act.as_}
            continue
        found = [part for part in parts if isinstance(part, Selector)]
        if all(part.how in CHOICES or part.players or _finds(asked, act, part, scope, [act]) for part in found):
            return True
    return False


def tried(asked: Asked, labels: tuple[str, ...]) -> bool:
    """Tell whether an ability with these labels may be declared though it finds nothing, as it is only tried."""
    scope = asked.scope(asked.opening).bind(declarer=asked.payer)
    return any(
        set(attempt.types) <= set(labels) and not set(attempt.without) & set(labels) and holds(attempt.while_, scope)
        for attempt in asked.ruleset.choosing.attempts
    )


def _finds(asked: Asked, act: Act, wanted: Selector, scope: Scope, acts: list[Act]) -> bool:
    if any(follow(Ref(ref.name), scope) is None for ref in references(wanted)):
        return True
    found = [asked.opening.thing(id) for id in there(wanted, act, scope)]
    return any(_free(asked, done, thing) and _changes(asked, done, thing, scope) for thing in found for done in acts)


def _free(asked: Asked, act: Act, thing: Thing) -> bool:
    """Tell whether no norm keeps an act from an object."""
    return forbidder(asked, asked.opening, act.verb, thing, what=act.what, ignores=act.ignores) is None


def _changes(asked: Asked, act: Act, thing: Thing, scope: Scope) -> bool:
    """Tell whether the act would change an object, where the rules ask for that."""
    verb = next((verb for verb in asked.ruleset.verbs if verb.name == act.verb), None)
    return not asked.ruleset.targets_change or verb is None or possible(verb, act, thing, scope)
