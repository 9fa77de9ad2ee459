"""From what a clause means to what the referee plays: abilities of the vocabulary, or nothing."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from lawful.cards.binding import Bound, told
from lawful.cards.granting import NotSo, as_own
from lawful.cards.lying import looked_at
from lawful.model.act import Act
from lawful.model.cost import ActTerm, Cost, terms
from lawful.model.effect import Ability, Activated, Additional, Alternative, Modifier, Source
from lawful.model.expression import Condition, Ref
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.spelling_abilities import READERS, read_ability
from lawful.model.reading.spelling_terms import read_condition, read_selector
from lawful.model.reading.yamltext import Node
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Pattern, Selector, Test
from lawful.model.unplayed import to_players
from lawful.model.walking import every, parts, walk

KNOWN = {"declarer", "self", "controller", "owner", "chooser", "subject", "event", "paid", "declared", "x", "opponent"}
WORDS = {"target": "target", "choose": "choice"}  # what is chosen, and what texts call it
NORMS = ("cannot", "must", "may")
GRANTS = ("gain_types", "lose_types", "set_types", "no_abilities")
MODIFIER = ("modify", "stage", "set", "add", "subtract", "multiply", "of", "when")


class NotPlayed(Exception):
    """A meaning that no term of the vocabulary says."""


def node_of(data: Any) -> Node:
    """Return plain data as the readers of the spelling want it."""
    if isinstance(data, Mapping):
        return Node(
            {str(key): node_of(item) for key, item in data.items()}, 1, 1, dict.fromkeys(map(str, data), (1, 1))
        )
    if isinstance(data, list | tuple):
        return Node([node_of(item) for item in data], 1, 1)
    return Node(None if data is None else str(data), 1, 1)


class Terms:
    """Turns meanings into terms under a ruleset.

    Parameters
    ----------
    ruleset : Ruleset
        Says which words there are.
    resolving : mapping
        What an effect without an event of its own is triggered by.
    labels : container of str
        What cards and abilities may be called by, in small letters.
    """

    def __init__(self, ruleset: Ruleset, resolving: Mapping[str, Any], labels: Container[str] = ()) -> None:
        self.ruleset, self.resolving = ruleset, resolving
        self.bound = Bound(ruleset, labels)
        self.names, self.declared = Names.of(ruleset), ruleset.choosing.declared
        self.turning = {verb.name for verb in ruleset.verbs if verb.face == "up"}
        self.joining = [verb.name for verb in ruleset.verbs if verb.joins]
        self.facts = {verb.name: verb.fact for verb in ruleset.verbs if verb.fact is not None}
        self.verbs = {verb.name for verb in ruleset.verbs if verb.fact is None} | {"gain"}

    def abilities(self, meaning: Any) -> tuple[Ability, ...]:
        """Return the abilities that a meaning is.

        Raises
        ------
        NotPlayed
            If it says more than the vocabulary can.
        """
        return tuple(self._ability(data) for data in self._spelled(meaning))

    def _ability(self, data: dict[str, Any]) -> Ability:
        faults = Faults()
        ability = read_ability(Desk(faults, self.names), node_of(told(looked_at(data, self.turning), self.facts)))
        if faults.found or ability is None:
            raise NotPlayed(str(faults.found[0]) if faults.found else "no ability")
        self._known(ability)
        if any(map(to_players, every(ability, Act))):
            raise NotPlayed("what is done to players who are picked")
        self._declared(ability)
        for act in every(ability, Act):
            if isinstance(act.what, Selector) and act.what.zone and self.never_from(act.verb, act.what.zone):
                raise NotPlayed(f"nothing there is {act.verb!r}")
        if idle := next(self.bound.idle(ability), None):
            raise NotPlayed(f"nothing that is done is {idle!r}")
        for cost in _costs(ability):
            for term in terms(cost):
                if isinstance(term, ActTerm) and term.act.verb not in self.verbs:
                    raise NotPlayed(f"no cost can be {term.act.verb!r}")
        return ability

    def never_from(self, verb: str, zones: Sequence[str]) -> bool:
        """Tell whether the rules let a verb take nothing from any of these zones."""
        from_ = next((known.from_ for known in self.ruleset.verbs if known.name == verb), ())
        return bool(from_) and not set(from_) & set(zones)

    def _declared(self, term: Any) -> None:
        """Refuse a cost of "attacks": what is declared is no attack yet, and not all that a weapon does is one."""
        for part in walk(term):
            if isinstance(part, Modifier) and part.modify.startswith("cost.") and isinstance(part.of, Pattern):
                subject = part.of.subject
                if isinstance(subject, Selector) and "attacking" in subject.status:
                    raise NotPlayed("what an attack costs, before it is one")

    def _granted(
        self, bonus: dict[str, Any], meaning: dict[str, Any], rest: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        if len(bonus) > 1 or set(rest) - {"when"}:
            raise NotPlayed("abilities that are given, and more")
        try:
            said = list(as_own(bonus["grant"], meaning["of"], rest.get("when")))
        except NotSo:
            raise NotPlayed("an ability that is given") from None
        for one in said:
            yield from self._spelled(one)

    def joined(self, doing: Sequence[Any]) -> list[Any]:
        """Return steps in which what a card is put into a relation to is chosen."""
        return [self._to_chosen(act) if self._joins({"do": [act]}) else act for act in doing]

    @staticmethod
    def _to_chosen(act: dict[str, Any]) -> dict[str, Any]:
        (verb,) = (key for key in act if key != "to")
        return {verb: act[verb], "of": {"zone": "play", **act["to"], "how": "target"}}

    def _joins(self, meaning: dict[str, Any]) -> bool:
        """Tell whether a card is put into a relation to something, and no more: that is chosen as it is played."""
        doing: Any = meaning["do"] if list(meaning) == ["do"] else ()
        return (
            len(doing) == 1
            and isinstance(doing[0], dict)
            and isinstance(doing[0].get("to"), dict)
            and any(len(doing[0]) == 2 and doing[0].get(verb) == "$self" for verb in self.joining)
        )

    def condition(self, data: Any) -> Condition:
        """Return a condition."""
        faults = Faults()
        found = read_condition(Desk(faults, self.names), node_of(data))
        if faults.found:
            raise NotPlayed(str(faults.found[0]))
        self._known(found)
        return found

    def selector(self, data: Any, bound: Container[str] = ()) -> Selector:
        """Return a selector, which may speak of what these names stand for."""
        faults = Faults()
        found = read_selector(Desk(faults, self.names), node_of(data))
        if faults.found:
            raise NotPlayed(str(faults.found[0]))
        self._known(found, bound)
        return found

    def _known(self, term: Any, bound: Container[str] = ()) -> None:
        named = set(_named(term))
        for ref in _refs(term):
            if (ref.name not in KNOWN | named and ref.name not in bound) or (ref.name == "event" and ref.path):
                raise NotPlayed(f"nothing is bound to {ref}")

    def _spelled(self, meaning: Any) -> Iterator[dict[str, Any]]:
        """Yield the spelling of each ability that a meaning is."""
        if isinstance(meaning, list):
            for one in meaning:
                yield from self._spelled(one)
            return
        if not isinstance(meaning, dict):
            raise NotPlayed("no ability")
        kinds = [key for key in meaning if key in READERS]
        if kinds:
            if len(meaning) > 1:
                raise NotPlayed("more than an ability: " + ", ".join(key for key in meaning if key not in kinds))
            data = meaning[kinds[0]]
            doing = list(laid(data.get("do", ()))) if isinstance(data, dict) else []
            yield {kinds[0]: {**data, "do": doing}} if doing else meaning
        elif "modify" in meaning:
            yield {"static": _renamed(meaning, MODIFIER)}
        elif any(norm in meaning for norm in NORMS):
            yield {"static": _renamed(meaning, (*NORMS, "when", "unless", "at_least", "more_than", "fewer_than"))}
        elif "stage" in meaning and any(grant in meaning for grant in GRANTS):
            yield {"static": _renamed(meaning, (*GRANTS, "stage", "of", "when"))}
        elif "stats" in meaning:
            rest = {key: meaning[key] for key in meaning if key not in ("stats", "of")}
            for bonus in meaning["stats"]:
                if "grant" in bonus:
                    yield from self._granted(bonus, meaning, rest)
                    continue
                yield {"static": _renamed({**bonus, "of": meaning["of"], **rest}, MODIFIER)}
        elif self._joins(meaning):
            yield {"resolve": {"do": self.joined(meaning["do"])}}
        elif "do" in meaning:
            allowed = ("on", "when", "do", "optional")
            if left := [key for key in meaning if key not in allowed]:
                raise NotPlayed("an effect that says " + ", ".join(left))
            doing = list(laid(meaning["do"]))
            yield {"trigger": {**(self.resolving if "on" not in meaning else {}), **meaning, "do": doing}}
        else:
            raise NotPlayed("no term says " + ", ".join(meaning))


def laid(steps: Sequence[Any]) -> Iterator[Any]:
    """Yield steps; one that lays several effects on something is several, and what it targets is chosen before them."""
    taken = {step["as"] for step in steps if isinstance(step, dict) and "as" in step}
    for step in steps:
        if isinstance(step, dict) and step.get("choose") == "modes":
            raise NotPlayed("what is chosen among stands elsewhere")
        if not isinstance(step, dict) or "lay" not in step:
            yield step
            continue
        of = step.get("of")
        chosen = WORDS.get(of.get("how", "")) if isinstance(of, dict) else None
        if chosen is not None and not {"as", "given", "unless", "when"} & set(step):
            name = next(name for n in count(1) if (name := f"{chosen}{n}" if n > 1 else chosen) not in taken)
            taken.add(name)
            yield {"as": name, "choose": of}
            step = {**step, "of": f"${name}"}
        yield from _each_laid(step)


def _each_laid(step: dict[str, Any]) -> Iterator[Any]:
    """Yield a step that lays effects, one by one."""
    effects = step["lay"] if isinstance(step["lay"], list) else [step["lay"]]
    rest = {key: item for key, item in step.items() if key not in ("lay", "of")}
    for effect in effects:
        cost = str(effect.get("modify", "")).startswith("cost.")
        declared = "modify" in effect and isinstance(step.get("of"), dict) and list(step["of"]) == ["declaration"]
        if "n" in step and not cost and not declared:
            raise NotPlayed("what counts for the next ones only")
        yield {"lay": {**effect, **({"of": step["of"]} if "of" in step else {})}, **rest}


def _renamed(meaning: dict[str, Any], allowed: tuple[str, ...]) -> dict[str, Any]:
    if left := [key for key in meaning if key not in allowed]:
        raise NotPlayed("no term says " + ", ".join(left))
    return {"while" if key == "when" else key: item for key, item in meaning.items()}


def _costs(ability: Ability) -> Iterator[Cost]:
    if isinstance(ability, Activated | Additional | Alternative | Source):
        yield ability.cost


def _refs(term: Any) -> Iterator[Ref]:
    """Yield references; without ``$it`` in a test, which is the object tested."""
    if isinstance(term, Ref):
        yield term
    elif isinstance(term, Test):  # the object that is tested is always bound
        yield from (ref for ref in _refs(term.value) if ref.name != "it")
    else:
        for part in parts(term):
            yield from _refs(part)


def _named(term: Any) -> Iterator[str]:
    name = getattr(term, "as_", None)
    if isinstance(name, str):
        yield name
    for part in parts(term):
        yield from _named(part)
