"""The choices that a declaration asks for, as its text has them; who may be chosen is for others to say.

Nothing is evaluated here: this is how a text is taken apart, and what its choices are called.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass, replace

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Activated, Resolution
from lawful.model.errors import BadInput, Fault, UnknownName
from lawful.model.expression import Condition, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.modes import Modes
from lawful.model.procedure import Procedure
from lawful.model.selector import How, Selector, Test
from lawful.model.walking import every

PICKED: tuple[How, ...] = ("target", "choose")


@dataclass(frozen=True, slots=True)
class Text:
    """What a declaration does.

    Parameters
    ----------
    do : tuple of Act
        Its acts, in order.
    modes : Modes, optional
        What may be chosen to be done besides.
    types : tuple of str
        Labels of the ability; norms may speak of them (``attack``).
    when : Condition, optional
        What must hold for it to be declared.
    procedure : Procedure, optional
        The ruleset's, where it is one of its declarations.
    """

    do: tuple[Act, ...] = ()
    modes: Modes | None = None
    types: tuple[str, ...] = ()
    when: Condition | None = None
    procedure: Procedure | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """A choice that a text asks for.

    Parameters
    ----------
    name : str
        What players call it: the name that the text gives (``as``), or ``target``, ``target #2``, ``choice``.
    act : Act
        The act that it is part of.
    selector : Selector
        Who may be chosen.
    how : {"target", "choose"}
        Whether the text says "target".
    mode : str, optional
        The mode that it belongs to.
    """

    name: str
    act: Act
    selector: Selector
    how: How
    mode: str | None = None


def procedure_of(question: Question) -> Procedure:
    """Return the procedure that is declared.

    Raises
    ------
    UnknownName
        If the ruleset has no such procedure.
    """
    name, procedures = question.declaration.ability or "", question.ruleset.procedures
    for procedure in procedures:
        if procedure.name == name:
            return procedure
    raise UnknownName("declaration", name, [p.name for p in procedures])


def text_of(question: Question) -> Text:
    """Return what a declaration does, with the modes that it names more than once as often as it does.

    Raises
    ------
    BadInput
        If the object has several abilities and none is named.
    UnknownName
        If the object or the procedure does not exist.
    """
    return repeated(plain_text(question), question.declaration.modes or ())


def numbered(modes: tuple[str, ...]) -> tuple[str, ...]:
    """Return names for the modes chosen that tell a mode chosen again from the first time: ``hit``, ``hit (2)``.

    Examples
    --------
    >>> numbered(("hit", "heal", "hit"))
    ('hit', 'heal', 'hit (2)')
    """
    times = [modes[: at + 1].count(mode) for at, mode in enumerate(modes)]
    return tuple(mode if n == 1 else f"{mode} ({n})" for mode, n in zip(modes, times, strict=True))


def repeated(text: Text, modes: tuple[str, ...]) -> Text:
    """Return a text in which a mode that is chosen again stands again, behind all others, with slots of its own."""
    if text.modes is None or len(set(modes)) == len(modes):
        return text
    known = {mode.name: mode for mode in text.modes.of}
    again = [
        replace(known[mode], name=name, do=_again(known[mode].do, name.removeprefix(mode)))
        for mode, name in zip(modes, numbered(modes), strict=True)
        if name != mode and mode in known
    ]
    return replace(text, modes=replace(text.modes, of=(*text.modes.of, *again)))


def _again(do: tuple[Act, ...], mark: str) -> tuple[Act, ...]:
    """Return acts whose names are marked, and what speaks of them."""
    names = {act.as_ for act in do if act.as_ is not None}

    def marked(term: object) -> object:
        if isinstance(term, Ref):
            return replace(term, name=term.name + mark) if term.name in names else term
        if isinstance(term, FrozenMap):
            return FrozenMap({key: marked(value) for key, value in term.items()})
        if isinstance(term, tuple):
            return tuple(map(marked, term))
        if is_dataclass(term) and not isinstance(term, type):
            changed = {field.name: marked(getattr(term, field.name)) for field in fields(term) if field.init}
            if isinstance(term, Act):
                changed |= {key: f"{changed[key]}{mark}" for key in ("as_", "given") if changed[key] in names}
            return replace(term, **changed)
        return term

    return tuple(act for act in map(marked, do) if isinstance(act, Act))


def plain_text(question: Question) -> Text:
    """Return what a declaration does, every mode once.

    Raises
    ------
    BadInput
        If the object has several abilities and none is named.
    UnknownName
        If the object or the procedure does not exist.
    """
    declaration = question.declaration
    if declaration.kind == "declare":
        procedure = procedure_of(question)
        return Text(types=declaration.types, procedure=procedure)
    if declaration.thing is None or declaration.do:
        return Text(declaration.do, types=declaration.types)
    card = question.position.card(question.position.thing(declaration.thing))
    found: list[Resolution | Activated] = [
        a
        for a in card.abilities
        if isinstance(a, Resolution if declaration.kind == "play" else Activated)
        and declaration.ability in (None, a.name)
    ]
    if not found and declaration.kind == "play":
        found += used_in_playing(question)
    if len(found) > 1:
        raise _several(card, found)
    return Text(found[0].do, found[0].modes, found[0].types, found[0].when) if found else Text()


def text_used(question: Question) -> Text:
    """Return what a declaration that is paid for does: nothing where only a cost is said, or not of which ability.

    Its modes that are named more than once are there as often.
    """
    declaration = question.declaration
    if declaration.kind not in ("play", "activate") or declaration.thing is None:
        return Text()
    if declaration.kind == "activate" and declaration.cost is not None and not declaration.do:
        card = question.position.card(question.position.thing(declaration.thing))
        named = [a for a in card.abilities if isinstance(a, Activated) and declaration.ability in (None, a.name)]
        if len(named) != 1:
            return Text()
    return text_of(question)


def used_in_playing(question: Question) -> tuple[Activated, ...]:
    """Return the ability that a card uses as it is played, if the ruleset has cards of its kind do so.

    Raises
    ------
    BadInput
        If it has several and none of them is named: each is another declaration, with a cost and targets of its own.
    """
    declaration = question.declaration
    if declaration.kind != "play" or declaration.thing is None:
        return ()
    card = question.position.card(question.position.thing(declaration.thing))
    if not set(card.types) & set(question.ruleset.resolves):
        return ()
    able = tuple(a for a in card.abilities if isinstance(a, Activated) and declaration.ability in (None, a.name))
    if len(able) > 1:
        raise _several(card, able)
    return able


def _several(card: Card, found: Sequence[Resolution | Activated]) -> BadInput:
    names = ", ".join(repr(a.name) for a in found)
    return BadInput([Fault(f"{card.name!r} has several abilities", hint=f"name one of: {names}")])


def acts(text: Text) -> Iterator[tuple[Act, str | None]]:
    """Yield every act of a text with the mode that it belongs to, in order."""
    for act in text.do:
        yield act, None
    for mode in text.modes.of if text.modes is not None else ():
        for act in mode.do:
            yield act, mode.name


def parts(text: Text) -> Iterator[tuple[Act, str | None, Selector, Pick | None]]:
    """Yield every selector of a text's acts, with its act, its mode, and the choice that it is, if it is one."""
    counted: dict[str, int] = {}
    for act, mode in acts(text):
        for part in (act.what, act.of):
            if not isinstance(part, Selector):
                continue
            how: How = "choose" if act.verb == "choose" and part.how == "each" else part.how
            if how not in PICKED:
                yield act, mode, part, None
                continue
            word = act.as_ or ("target" if how == "target" else "choice")
            counted[word] = counted.get(word, 0) + 1
            name = word if counted[word] == 1 else f"{word} #{counted[word]}"
            yield act, mode, part, Pick(name, act, part, how, mode)


def picks(text: Text) -> tuple[Pick, ...]:
    """Return the choices that a text asks for, of all its modes.

    Examples
    --------
    >>> [pick.name for pick in picks(Text((Act("destroy", Selector(how="target")),) * 2))]
    ['target', 'target #2']
    """
    return tuple(pick for _, _, _, pick in parts(text) if pick is not None)


def chooses_players(text: Text) -> bool:
    """Tell whether a text may choose players."""
    if text.procedure is not None:
        return any(slot.of.players for slot in text.procedure.slots)
    return any(part.players for _, _, part, _ in parts(text))


def mode_names(text: Text) -> tuple[str, ...]:
    """Return the names of a text's modes."""
    return tuple(mode.name for mode in text.modes.of) if text.modes is not None else ()


def called(types: Iterable[str], labels: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """Return what norms may call a declaration by its labels: each, and what the ruleset calls several together.

    Examples
    --------
    >>> sorted(called(["basic", "attack"], {"basic attack": ("basic", "attack"), "feint": ("basic", "trick")}))
    ['attack', 'basic', 'basic attack']
    """
    found = frozenset(types)
    return found | {name for name, parts in labels.items() if found.issuperset(parts)}


def declares(declaration: Declaration) -> str:
    """Return the word by which norms speak of the declaration itself: ``play``, ``activate``, or a procedure's name."""
    return (declaration.ability or "") if declaration.kind == "declare" else declaration.kind


_KNOWN: OrderedDict[int, tuple[object, frozenset[str]]] = OrderedDict()
KEPT = 4096


def refers(term: object) -> frozenset[str]:
    """Return the names that a term refers to: ``self`` for ``$self.power``.

    Terms never change, and the same ones are asked about again and again: what was found is kept for a while.
    """
    known = _KNOWN.get(id(term))
    # An id may be given again to another object: what is kept is kept with its term.
    if known is not None and known[0] is term:
        return known[1]
    found = frozenset(ref.name for ref in every(term, Ref))
    _KNOWN[id(term)] = (term, found)
    if len(_KNOWN) > KEPT:
        _KNOWN.popitem(last=False)
    return found


def alone(selector: Selector, names: Set[str]) -> Selector:
    """Return a selector without the tests that depend on what is chosen for other slots."""

    def kept(ref: Ref | None) -> Ref | None:
        return None if ref is not None and ref.name in names else ref

    tests: tuple[Test, ...] = tuple(test for test in selector.where if not refers(test.value) & names)
    return replace(
        selector,
        not_=kept(selector.not_),
        is_=kept(selector.is_),
        controller=kept(selector.controller),
        owner=kept(selector.owner),
        relations=FrozenMap({key: ref for key, ref in selector.relations.items() if ref.name not in names}),
        near=FrozenMap({key: near for key, near in selector.near.items() if not refers(near) & names}),
        bears=FrozenMap({key: borne for key, borne in selector.bears.items() if not refers(borne) & names}),
        where=tests,
        namesake=None if refers(selector.namesake) & names else selector.namesake,
        shares=None if selector.shares is not None and refers(selector.shares) & names else selector.shares,
    )
