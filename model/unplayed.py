"""What a position may hold that playing a payment does not look at: better no answer than one that passes it over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm, terms
from lawful.model.declaration import Question
from lawful.model.effect import Activated, Norm, Resolution, Source, Static, Trigger
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.priced import costs_of
from lawful.model.selector import Selector
from lawful.model.slots import PICKED, picks, plain_text, refers
from lawful.model.walking import parts


def refuse_unplayed(question: Question) -> None:
    """Refuse a question with a norm on a gain that may come while paying, or with a requirement to use a source.

    So is one whose cost would set a fact of a player.

    Parameters
    ----------
    question : Question
        What is to be paid.

    Raises
    ------
    LimitReached
        If such a norm is printed on an object, lasts, or is one of the ruleset; or for such a cost.
    """
    facts = {verb.name for verb in question.ruleset.verbs if verb.fact is not None}
    due = (term for cost in costs_of(question) for term in terms(cost)) if facts else ()
    if any(isinstance(term, ActTerm) and term.act.verb in facts for term in due):
        raise LimitReached("effect-costs", 0, "a payment that only spends assets can be followed")
    verbs = set(_source_verbs(question))
    for norm, where in _norms(question):
        event = norm.action.event
        if event == "gains" and norm.action.asset in (None, *_given(question)):
            raise LimitReached("norms on what is gained", 0, f"{where} has one, and a payment does not look at it")
        if norm.modality == "must" and event in verbs:
            raise LimitReached("requirements to use a source", 0, f"{where} has one, and a payment does not look at it")


def refuse_chosen_players(acts: Iterable[Act]) -> None:
    """Refuse what happens to a player who is chosen: it is not played out.

    Parameters
    ----------
    acts : iterable of Act
        What happens.

    Raises
    ------
    LimitReached
        If one of them chooses players.
    """
    if any(to_players(act) for act in acts):
        raise LimitReached("choices of players", 0, "what happens to a player who is chosen is not played out")


def to_players(act: Act) -> bool:
    """Tell whether an act is done to players who are picked: as players, or by the hero that each of them has."""
    if any(isinstance(part, Selector) and part.players for part in (act.what, act.of)):
        return True
    return isinstance(act.of, Selector) and (act.verb in OF_PLAYERS or (act.verb in OF_DECKS and act.what is None))


OF_PLAYERS = ("gain", "lose", "end", "pay", "draw")
OF_DECKS = ("look", "search", "shuffle")


def refuse_totals(question: Question) -> None:
    """Refuse a declaration whose text compares the sum of what is chosen with what another choice says.

    Parameters
    ----------
    question : Question
        What is declared.

    Raises
    ------
    LimitReached
        If a slot's selector says such a `total`.
    """
    when = PICKED if question.declaration.resolving else question.ruleset.choosing.declared
    slots = [pick for pick in picks(plain_text(question)) if pick.how in when]
    names = {pick.name for pick in slots}
    if any(refers(test.value) & names for pick in slots for test in pick.selector.total):
        raise LimitReached("totals of what is chosen", 0, "a sum is compared with what is known before choosing only")


def _given(question: Question) -> set[str]:
    """Return the assets that sources, costs and what replaces a gain can give: what triggers do comes after paying."""
    position, found = question.position, set[str]()
    texts: list[object] = [position.card(thing) for thing in position.things]
    for term in _every((*texts, question.declaration, question.ruleset, position.lasting)):
        if isinstance(term, Card) and term.yields:
            found |= set(term.yields)
        elif isinstance(term, Source) and isinstance(term.gain, Ref) and term.gain.path == ("yields",):
            continue  # what cards yield is counted above
        elif isinstance(term, Source):  # what is not said by name may be any
            found |= set(term.gain) if isinstance(term.gain, FrozenMap) else {a.id for a in question.ruleset.assets}
        elif isinstance(term, Act) and term.verb == "gain":
            found |= set(term.what) if isinstance(term.what, FrozenMap) else {a.id for a in question.ruleset.assets}
    return found


def _every(term: object) -> Iterator[object]:
    if isinstance(term, Trigger | Resolution):
        return
    yield term
    for part in (term.cost,) if isinstance(term, Activated) else parts(term):
        yield from _every(part)


def _norms(question: Question) -> Iterator[tuple[Norm, str]]:
    position = question.position
    for thing in position.things:
        for ability in position.card(thing).abilities:
            if isinstance(ability, Static) and isinstance(ability.effect, Norm):
                yield ability.effect, thing.id
    for laid in position.lasting:
        if isinstance(laid.modifier, Norm):
            yield laid.modifier, laid.id
    for norm in question.ruleset.norms:
        yield norm, question.ruleset.name


def _source_verbs(question: Question) -> Iterator[str]:
    position = question.position
    for source in question.ruleset.sources:
        yield from (term.act.verb for term in terms(source.cost) if isinstance(term, ActTerm))
    for thing in position.things:
        for ability in position.card(thing).abilities:
            if isinstance(ability, Source):
                yield from (term.act.verb for term in terms(ability.cost) if isinstance(term, ActTerm))
