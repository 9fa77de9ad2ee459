"""Whether an ability finds what it needs a target for: looked at before anything is paid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lawful.model.act import Act
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.demanded import forbidder, possible
from lawful.model.referee.evaluate import Scope, follow, holds, number
from lawful.model.referee.pick import CHOICES, there
from lawful.model.selector import Selector
from lawful.model.slots import numbered, text_used
from lawful.model.walking import every

__all__ = ["changing", "tried", "waiting", "without_target"]


def without_target(asked: Asked) -> Act | None:
    """Return the first act that chooses or targets and finds nothing, where no part of the ability finds anything.

    It is enough that one part of it can happen: to something that is found, or to nothing at all, as drawing a card;
    of each mode that is chosen, where the rules say so. Of modes that are not chosen yet, those that can happen do.

    Parameters
    ----------
    asked : Asked
        The question, with the position before paying.

    Returns
    -------
    Act, optional
        What `cannot` norms keep the verb from, and the verbs of acts that name what is chosen, is no target. A choice
        that depends on what an earlier step yields is not judged before.
    """
    text = text_used(asked.question)
    if tried(asked, (*text.types, *asked.question.declaration.types)):
        return None
    if text.modes is None:
        return _without(asked, text.do, text.do)
    ways = [(mode.name, _without(asked, (*text.do, *mode.do), mode.do)) for mode in text.modes.of]
    able = [name for name, act in ways if act is None]
    chosen, each = asked.question.declaration.modes, asked.ruleset.choosing.options == "each"
    if chosen is not None:
        here = set(numbered(chosen))
        known = [act for name, act in ways if name in here]
        idle = [act for act in known if act is not None]
        return idle[0] if idle and (each or len(idle) == len(known)) else None
    n = number(text.modes.n, asked.scope(asked.opening)) or 0
    most = 1 if text.modes.up_to or text.modes.repeat or not each else n
    return None if len(able) >= most else next((act for _, act in ways if act is not None), None)


def _without(asked: Asked, do: tuple[Act, ...], part: tuple[Act, ...]) -> Act | None:
    """Return the same of some acts, of which some part must be able to happen where modes are looked at each."""
    alone = part if asked.ruleset.choosing.options == "each" else do
    scope, without = asked.scope(asked.opening), list[Act]()
    unmet = waiting(asked, do, x=False)
    least = asked.ruleset.choosing.least
    for act in do:
        for wanted in (act.what, act.of):
            if not isinstance(wanted, Selector) or (act.verb != "choose" and wanted.how not in CHOICES):
                continue
            if (wanted.up_to and not least) or wanted.players:
                continue
            named = [act, *(a for a in do if act.as_ is not None and Ref(act.as_) in (a.what, a.of))]
            live = [a for a in named if a not in unmet and (len(named) == 1 or a.verb != "choose")]
            if not live or not _finds(asked, act, wanted, scope, live):
                without.append(act)
    needed = [act for act in without if act in alone]
    stopped = bool(needed) or (bool(alone) and asked.ruleset.choosing.unmet == "bars" and set(alone) <= set(unmet))
    if not stopped or _other_part(asked, do, alone, [*without, *unmet], scope):
        return None
    return needed[0] if needed else alone[0]


def idle(asked: Asked, act: Act, x: bool = True) -> bool:
    """Tell whether the condition of an act does not hold, where the rules look at that as it is declared.

    One that asks about what an earlier step yields is not read before; nor about X, unless it is known and wanted.
    """
    if act.when is None or asked.ruleset.choosing.unmet == "counts":
        return False
    scope = asked.scope(asked.opening).bind(declarer=asked.payer)
    names = {ref.name for ref in every(act.when, Ref)}
    if ("x" in names and not x) or any(follow(Ref(name), scope) is None for name in names):
        return False
    return not holds(act.when, scope)


def _other_part(asked: Asked, do: tuple[Act, ...], alone: tuple[Act, ...], without: list[Act], scope: Scope) -> bool:
    """Tell whether some part can happen that is none of those acts, and hangs on none of them."""
    names = {act.as_ for act in without if act.as_ is not None}
    for act in do:
        parts = (act.what, act.of)
        spoken = any(isinstance(part, Ref) and part.name in names for part in parts)
        asks = act.when is not None and any(ref.name in names for ref in every(act.when, Ref))
        if act in without or spoken or asks or act.given in names:
            # "If you do": what is done only if this was done cannot happen either.
            names |= set() if act.as_ is None else {act.as_}
            continue
        found = [part for part in parts if isinstance(part, Selector)]
        if act in alone and all(
            part.how in CHOICES or part.players or _finds(asked, act, part, scope, [act]) for part in found
        ):
            return True
    return False


def waiting(asked: Asked, do: Iterable[Act], x: bool = True) -> list[Act]:
    """Return the acts whose conditions do not hold, and those that go on from such an act ("if you do")."""
    found, names = list[Act](), set[str]()
    if asked.ruleset.choosing.unmet == "counts":
        return found
    for act in do:
        spoken = any(ref.name in names for ref in every((act.what, act.of, act.when), Ref))
        if spoken or act.given in names or idle(asked, act, x):
            found.append(act)
            names |= set() if act.as_ is None else {act.as_}
    return found


def changing(act: Act) -> Act:
    """Return an act that changes as little as it may: what takes 2 counters changes an object that has 1."""
    return act if act.n is None else replace(act, n=1)


def tried(asked: Asked, labels: tuple[str, ...]) -> bool:
    """Tell whether an ability with these labels may be declared though it finds nothing, as it is only tried."""
    scope = asked.scope(asked.opening).bind(declarer=asked.payer)
    return any(
        set(attempt.types) <= set(labels) and not set(attempt.without) & set(labels) and holds(attempt.while_, scope)
        for attempt in asked.ruleset.choosing.attempts
    )


def _finds(asked: Asked, act: Act, wanted: Selector, scope: Scope, acts: list[Act]) -> bool:
    if any(follow(Ref(ref.name), scope) is None for ref in every(wanted, Ref)):
        return True
    found = [asked.opening.thing(id) for id in there(wanted, act, scope)]
    return any(_free(asked, done, thing) and _changes(asked, done, thing, scope) for thing in found for done in acts)


def _free(asked: Asked, act: Act, thing: Thing) -> bool:
    """Tell whether no norm keeps an act from an object."""
    return forbidder(asked, asked.opening, act.verb, thing, what=act.what, ignores=act.ignores) is None


def _changes(asked: Asked, act: Act, thing: Thing, scope: Scope) -> bool:
    """Tell whether the act would change an object, where the rules ask for that."""
    verb = next((verb for verb in asked.ruleset.verbs if verb.name == act.verb), None)
    return not asked.ruleset.targets_change or verb is None or possible(verb, changing(act), thing, scope)
