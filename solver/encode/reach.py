"""What keeps an act from being a cost that is paid: whose object it is, what would prevent it, what has no target."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from lawful.model.act import Act, Success
from lawful.model.declaration import Question
from lawful.model.effect import Prevention, Replacement
from lawful.model.expression import Ref
from lawful.model.position import Thing
from lawful.model.selector import Pattern, Selector
from lawful.model.slots import numbered, refers, text_used
from lawful.solver.encode.acts import done
from lawful.solver.encode.amount import Unreadable
from lawful.solver.encode.look import Look

CHOICES = ("choose", "target")

# Who prevents where it is the rules themselves.
RULES = ""


def not_his(question: Question, who: Ref | Selector | None, thing: Thing) -> str | None:
    """Return the role of the rule by which an effect-cost is not paid with an object of another player, or None."""
    rules, player = question.ruleset, question.declaration.player
    if rules.costs_of == "anybody" or not isinstance(who, Selector):
        return None
    if thing.zone in {zone.name for zone in rules.zones if zone.play}:
        if player == thing.controller or who.whose == "chosen":
            return None
        if who.whose == "yours" or not rules.friendly:
            return "control"
        side = {p.name: p.facts.get(rules.side) for p in question.position.players}
        return None if side[player] == side[thing.controller] else "friendly"
    if thing.owner == player or (who.whose == "chosen" and rules.chosen_zones == "all"):
        return None
    return "zones"


def preventers(look: Look, act: Act, success: Success, thing: Thing) -> tuple[str, ...]:
    """Return who would keep an act from being done in full, if it has to be; `RULES` for the rules themselves."""
    rules = look.question.ruleset
    verb = rules.verb(act.verb)
    needed = verb.success if success is Success.CHANGED else success.value
    amount = 1 if act.n is None else look.fixed(act.n, thing.controller, thing.id)
    if needed != "full" or amount <= 0:
        return ()
    found = []
    for holder, number, ability in _all(look):
        if ability.optional and rules.may_decline:
            continue
        sees = thing if holder is None else holder
        if _about(look, ability.on, verb.event or verb.name, sees, thing) and _works(
            look, ability, sees, holder, number
        ):
            found.append(RULES if holder is None else holder.id)
    return tuple(dict.fromkeys(found))


def _all(look: Look) -> Iterator[tuple[Thing | None, int, Prevention | Replacement]]:
    for number, given in enumerate(look.question.ruleset.preventions):
        yield None, number, given
    for thing, number, ability in look.in_play():
        if isinstance(ability, Prevention | Replacement):
            yield thing, number, ability


def _about(look: Look, on: Pattern, event: str, sees: Thing, thing: Thing) -> bool:
    if on.event != event or (on.by is not None and look.who(on.by, sees.controller, sees.id) != thing.controller):
        return False
    return look.about(on.subject, thing, sees.controller, sees.id)


def _works(look: Look, ability: Prevention | Replacement, sees: Thing, holder: Thing | None, number: int) -> bool:
    if isinstance(ability, Replacement):
        return look.holds(ability.when, sees.controller, sees.id)
    if isinstance(ability.n, Ref) and ability.n == Ref("event"):
        return True
    left = look.fixed(ability.n, sees.controller, sees.id)
    if ability.per == "total" and holder is not None:
        left = look.position.remaining.get(f"{holder.id}/{number}", left)
    return left > 0


def has_changed(before: Thing, after: Thing) -> bool:
    """Say whether an object left its zone, or was turned or exhausted."""
    return before.zone != after.zone or before.face != after.face or bool(after.status - before.status)


def no_target(look: Look) -> str | None:
    """Return the verb of the first act that chooses or targets and finds nothing that it can affect.

    None where another part of the text can happen: something is found for it, or it needs nothing. Where each mode has
    to do something, a part of each mode; of modes that are not declared, as many as are chosen.
    """
    text, rules = text_used(look.question), look.question.ruleset
    declaration, each = look.question.declaration, rules.choosing.options == "each"
    if tried(look, (*text.types, *declaration.types)):
        return None
    if text.modes is None:
        return _stopped(look, text.do, text.do)
    found = {}
    for mode in text.modes.of:
        found[mode.name] = _stopped(look, text.do + mode.do, mode.do if each else text.do + mode.do)
    if declaration.modes is None:
        n = 1
        if each and not text.modes.up_to and not text.modes.repeat:
            n = look.fixed(text.modes.n, declaration.player, declaration.thing)
        lost = [verb for verb in found.values() if verb is not None]
        return lost[0] if lost and len(found) - len(lost) < n else None
    chosen = numbered(declaration.modes)
    lost = [verb for name, verb in found.items() if name in chosen and verb is not None]
    lives = any(found[name] is None for name in chosen if name in found)
    return lost[0] if lost and (each or not lives) else None


def _stopped(look: Look, do: tuple[Act, ...], part: tuple[Act, ...]) -> str | None:
    """Return the same of acts, of which some of a part must be able to happen."""
    choosing = look.question.ruleset.choosing
    unmet: list[Act] = []
    for act in do:
        after = {a.as_ for a in unmet if a.as_ is not None}
        if ({act.given} | refers((act.what, act.of, act.when))) & after or _unmet(look, act):
            unmet.append(act)
    idle = [act for act in do if not all(_finds(look, act, wanted, do, unmet) for wanted in _chosen(look, act))]
    lost = {act.as_ for act in (*idle, *unmet) if act.as_ is not None}
    lives = False
    for act in do:
        hangs = {p.name for p in (act.what, act.of) if isinstance(p, Ref)} | {act.given} | refers(act.when)
        if act in idle or act in unmet or hangs & lost:
            lost |= set() if act.as_ is None else {act.as_}
        elif act in part:
            lives |= all(_finds(look, act, wanted, (act,), ()) for wanted in _looked_for(act))
    wanting = [act.verb for act in idle if act in part]
    if choosing.unmet == "bars" and part and all(act in unmet for act in part):
        wanting.append(part[0].verb)
    return wanting[0] if wanting and not lives else None


def _unmet(look: Look, act: Act) -> bool:
    """Say whether what an act waits for is not so; what depends on earlier steps, or on X, is not known yet."""
    choosing, declaration = look.question.ruleset.choosing, look.question.declaration
    if choosing.unmet == "counts" or act.when is None or "x" in refers(act.when):
        return False
    try:
        return not look.holds(act.when, declaration.player, declaration.thing)
    except Unreadable:
        return False


def _chosen(look: Look, act: Act) -> list[Selector]:
    """Return what an act chooses or targets; players aside, and what may be none."""
    least = look.question.ruleset.choosing.least
    found = [part for part in (act.what, act.of) if isinstance(part, Selector) and not part.players]
    return [p for p in found if (least or not p.up_to) and (act.verb == "choose" or p.how in CHOICES)]


def _looked_for(act: Act) -> list[Selector]:
    """Return what else an act looks for; players aside."""
    found = [part for part in (act.what, act.of) if isinstance(part, Selector) and not part.players]
    return [part for part in found if part.how not in CHOICES]


def _finds(look: Look, act: Act, wanted: Selector, do: tuple[Act, ...], unmet: Collection[Act]) -> bool:
    """Say whether there is something that the act, or one that names what it chooses, can affect."""
    rules, declaration = look.question.ruleset, look.question.declaration
    player, self_id = declaration.player, declaration.thing
    verb = next((verb for verb in rules.verbs if verb.name == act.verb), None)
    zones = wanted.zone or (verb.from_ if verb is not None else ()) or tuple(z.name for z in rules.zones if z.play)
    try:
        there = [t for t in look.position.things if t.zone in zones and look.finds(wanted, t, player, self_id)]
    except Unreadable:
        return True  # it depends on what an earlier step yields
    others = [a for a in do if act.as_ is not None and Ref(act.as_) in (a.what, a.of)]
    # Choosing by itself does nothing to what is chosen, where something else is to be done to it.
    acts = [a for a in (act, *others) if a not in unmet and (not others or a.verb != "choose")]
    return any(_affects(look, one, thing, player) for thing in there for one in acts)


def tried(look: Look, labels: Collection[str]) -> bool:
    """Say whether an ability with these labels may be declared though it finds nothing, as it is only tried."""
    declaration, there = look.question.declaration, set(labels)
    return any(
        there.issuperset(attempt.types)
        and there.isdisjoint(attempt.without)
        and look.holds(attempt.while_, declaration.player, declaration.thing)
        for attempt in look.question.ruleset.choosing.attempts
    )


def _affects(look: Look, act: Act, thing: Thing, player: str) -> bool:
    """Say whether an act can happen to an object: no norm forbids it, and it changes it where rules ask for that."""
    rules = look.question.ruleset
    if look.forbidden(act.verb, thing, what=act.what, ignores=act.ignores):
        return False
    known = any(verb.name == act.verb for verb in rules.verbs)
    least = act if act.n is None else replace(act, n=1)  # what takes 2 counters changes an object that has 1
    return not rules.targets_change or not known or done(look.question, least, thing, look, player) is not None
