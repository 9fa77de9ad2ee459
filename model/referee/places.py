"""The slots of a declaration as they are asked for in a position: who chooses, how many, and who is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.referee.asked import Asked
from lawful.model.referee.evaluate import Scope, follow, number, select
from lawful.model.referee.forbid import because
from lawful.model.referee.norms import Spot
from lawful.model.referee.suits import refused
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.model.slots import PICKED, Text, acts, alone, called, mode_names, numbered, picks, plain_text, text_of
from lawful.model.verdict import Because

Chosen = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Place:
    """A slot of this declaration.

    Parameters
    ----------
    spot : Spot
        What norms ask about it.
    selector : Selector
        Who may be chosen.
    verb : str
        What is done to who is chosen; empty in a procedure.
    target : bool
        Whether the text says "target".
    scope : Scope
        Where the selector is read.
    procedure : str
        The procedure that it is of; empty in a text.
    """

    spot: Spot
    selector: Selector
    verb: str
    target: bool
    scope: Scope
    procedure: str = ""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.spot.slot


def chosen_modes(asked: Asked, text: Text) -> tuple[str, ...]:
    """Return the modes that a complete choice names; one that it names again, by a name of its own."""
    return numbered(asked.question.declaration.modes or ())


def wrong_modes(asked: Asked, text: Text) -> Because | None:
    """Return the rule that the choice of modes breaks."""
    known, chosen = mode_names(plain_text(asked.question)), asked.question.declaration.modes or ()
    if text.modes is None:
        return _modes(asked.ruleset, chosen, 0, (), False) if chosen else None
    n = number(text.modes.n, asked.scope(asked.opening)) or 0
    fits = 1 <= len(chosen) <= n if text.modes.up_to else len(chosen) == n
    distinct = text.modes.repeat or len(set(chosen)) == len(chosen)
    if fits and distinct and set(chosen) <= set(known):
        return None
    return _modes(asked.ruleset, chosen, n, known, text.modes.up_to)


def _modes(rules: Ruleset, modes: tuple[str, ...], n: int, known: tuple[str, ...], up_to: bool) -> Because:
    says = "check.modes.up-to" if up_to else "check.modes"
    return because(rules, "modes", says, modes=modes, n=n, known=known)


def places(asked: Asked, text: Text) -> tuple[Place, ...]:
    """Return the slots of a complete choice of modes and X."""
    if text.procedure is not None:
        return tuple(_of_procedure(asked, text))
    scope = asked.scope(asked.opening).bind(declarer=asked.payer)
    modes = chosen_modes(asked, text)
    declaration = asked.question.declaration
    when = PICKED if declaration.resolving else asked.ruleset.choosing.declared
    found = []
    for pick in picks(text):
        if pick.how in when and (pick.mode is None or pick.mode in modes):
            chooser = asked.payer if pick.selector.by is None else str(follow(pick.selector.by, scope))
            events = {"choose", *text.types, *declaration.types, *(("target",) if pick.how == "target" else ())}
            joins = next((v.name for v in asked.ruleset.verbs if v.name == pick.act.verb and v.joins), None)
            spot = Spot(pick.name, called(events, asked.ruleset.labels), chooser, joins=joins)
            found.append(Place(spot, pick.selector, pick.act.verb, pick.how == "target", scope))
    return tuple(found)


def _of_procedure(asked: Asked, text: Text) -> Iterator[Place]:
    assert text.procedure is not None
    scope = asked.scope(asked.opening).bind(declarer=asked.payer)
    for slot in text.procedure.slots:
        events = frozenset({slot.event or text.procedure.name, *text.types})
        chooser = asked.payer if slot.of.by is None else str(follow(slot.of.by, scope))
        if slot.each is None:
            yield Place(Spot(slot.name, events, chooser), slot.of, "", False, scope, text.procedure.name)
            continue
        for thing in select(slot.each, scope):
            spot = Spot(f"{slot.name} > {thing.id}", events, chooser, thing.id)
            yield Place(spot, slot.of, "", False, scope.bind(on=thing.id), text.procedure.name)


def done_to(asked: Asked, text: Text, place: Place) -> tuple[Act, ...]:
    """Return the acts of a text that are done to who is chosen for a slot: its own, and those that name it."""
    modes = chosen_modes(asked, text)

    def names(act: Act) -> bool:
        return any(isinstance(part, Ref) and part.name == place.name and not part.path for part in (act.what, act.of))

    own = tuple(pick.act for pick in picks(text) if pick.name == place.name and place.verb not in ("", "choose"))
    return own + tuple(a for a, mode in acts(text) if (mode is None or mode in modes) and names(a))


def most(place: Place) -> int | None:
    """Return how many may be chosen at most; None is any number."""
    selector = place.selector
    if place.procedure and selector.n is None and selector.how == "each":
        return None
    return max(0, 1 if selector.n is None else number(selector.n, place.scope) or 0)


def kind_refused(place: Place, thing: Thing, asked: Asked, chosen: Chosen = FrozenMap()) -> tuple[Because, ...]:
    """Return the rules by which an object is not what a slot asks for; norms are not looked at.

    A reference to another slot, one that takes one object, stands for what was chosen for it; where there is nothing,
    tests that need it are left out.
    """
    names = frozenset(pick.name for pick in picks(text_of(asked.question)))
    kind = place.procedure or "fits"
    found = list(refused(place.name, place.verb, alone(place.selector, names), thing, place.scope, kind))
    for name, ids in chosen.items():
        for id in ids if name != place.name and name in names else ():
            selector = alone(place.selector, names - {name})
            found += refused(place.name, place.verb, selector, thing, place.scope.bind(**{name: id}), kind)
    return tuple(dict.fromkeys(found))
