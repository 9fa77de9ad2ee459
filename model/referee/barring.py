"""Norms as something happens or is chosen while it resolves: what they bar, and what they oblige to choose.

A choice is judged as it is made. What is declared beforehand is judged by `legal`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.effect import Norm
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Position
from lawful.model.referee.evaluate import Bound, Scope, follow, holds, matches, number
from lawful.model.referee.norms import sets_aside
from lawful.model.referee.statics import norms
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector

RULES = -1
Found = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class There:
    """A norm in force, since when, and where its text is read."""

    norm: Norm
    scope: Scope
    timestamp: int


def in_force(position: Position, ruleset: Ruleset, doer: str) -> list[There]:
    """Return the norms in force while a player does something: those of objects, those that last, the ruleset's.

    Parameters
    ----------
    position, ruleset : Position, Ruleset
        Where they are looked for.
    doer : str
        ``$declarer``, and ``$controller`` of the ruleset's own.
    """
    found = []
    for a in norms(position, ruleset):
        assert isinstance(a.modifier, Norm)
        found.append(There(a.modifier, Scope(position, ruleset, a.bindings.put("declarer", doer)), a.timestamp))
    own: FrozenMap[str, Bound] = FrozenMap({"controller": doer, "declarer": doer})
    found += [There(norm, Scope(position, ruleset, own), RULES) for norm in ruleset.norms]
    return [t for t in found if _holds(t)]


def _holds(there: There) -> bool:
    norm = there.norm
    return (norm.while_ is None or holds(norm.while_, there.scope)) and (
        norm.unless is None or not holds(norm.unless, there.scope)
    )


def stands(ban: There, others: Sequence[There], ruleset: Ruleset) -> bool:
    """Tell whether no other norm about the same thing goes before a restriction (CR 1.0.2; 513.2)."""
    return not any(sets_aside(other, ban, ruleset.norming) for other in others if other is not ban)


class Picking:
    """One choice, as norms ask about it.

    Parameters
    ----------
    wanted : Selector
        What is looked for; ``how`` says whether it is a target.
    act : Act
        What it is chosen for.
    scope : Scope
        The text that asks for it.
    """

    def __init__(self, wanted: Selector, act: Act, scope: Scope) -> None:
        self.scope, self.target = scope, wanted.how == "target"
        doer = follow(Ref("controller"), scope)
        who = follow(wanted.by or Ref("chooser"), scope)
        self.chooser = who if isinstance(who, str) else ""
        self.norms = in_force(scope.position, scope.ruleset, doer if isinstance(doer, str) else scope.position.turn)
        self.norms = [t for t in self.norms if self._asks(t)]

    def _asks(self, there: There) -> bool:
        """Tell whether a norm is about this choice at all, whoever is chosen."""
        action = there.norm.action
        source = self.scope.bindings.get("self")
        thing = next((t for t in self.scope.position.things if t.id == source), None)
        return (
            (action.event == "choose" or (action.event == "target" and self.target))
            and action.on is None
            and (action.by is None or follow(action.by, there.scope) == self.chooser)
            and (action.source is None or (thing is not None and matches(action.source, thing, there.scope)))
        )

    def about(self, there: There, id: str) -> bool:
        """Tell whether a norm is about choosing an object here."""
        subject = there.norm.action.subject
        return subject is None or matches(subject, self.scope.position.thing(id), there.scope)

    def barred(self, id: str) -> bool:
        """Tell whether a restriction bars choosing an object, and nothing sets it aside."""
        here = [t for t in self.norms if self.about(t, id)]
        return any(
            t.norm.modality == "cannot" and t.norm.more_than is None and t.norm.fewer_than is None
            and stands(t, here, self.scope.ruleset)
            for t in here
        )  # fmt: skip

    def ways(self, there: Found, choices: Sequence[Found]) -> Iterator[Found]:
        """Yield the choices that norms allow, of those whose members are not barred; nobody where there is none.

        Parameters
        ----------
        there : tuple of str
            All that the text finds, barred or not.
        choices : sequence of tuple of str
            Without what is barred.

        References
        ----------
        514.1 (who must be chosen keeps others from it; where they contradict each other nobody is).
        """
        rules = self.scope.ruleset.norming
        numbers = [t for t in self.norms if t.norm.modality == "cannot" and not _plain(t.norm)]
        choices = [c for c in choices if all(self._within(t, c) for t in numbers)]
        single, several = self._requirements(there)
        if single and rules.must == "hard" and rules.others == "exclusive":
            choices = [c for c in choices if set(c) <= single]
        met = [
            frozenset(c) & single | {f"#{n}" for n, (k, ids) in enumerate(several) if len(ids.intersection(c)) >= k}
            for c in choices
        ]
        many, most = len(single) + len(several), max(map(len, met), default=0)

        def kept(m: frozenset[str]) -> bool:
            if rules.must == "hard":
                return len(m) == many
            if rules.must == "any":
                return bool(m) or most == 0
            return len(m) == most if rules.must == "most" else not any(m < other for other in met)

        found = [c for c, m in zip(choices, met, strict=True) if kept(m)]
        yield from found or [()]

    def _within(self, there: There, chosen: Found) -> bool:
        """Tell whether a choice is not more, or not fewer, than a norm lets be chosen."""
        n = sum(1 for id in chosen if self.about(there, id))
        norm = there.norm
        most = None if norm.more_than is None else number(norm.more_than, there.scope) or 0
        least = None if norm.fewer_than is None else number(norm.fewer_than, there.scope) or 0
        return (most is None or n <= most) and (least is None or n == 0 or n >= least)

    def _requirements(self, there: Found) -> tuple[set[str], list[tuple[int, set[str]]]]:
        """Return who must be chosen, and of which sets so many must be."""
        binds = self.scope.ruleset.norming.barred == "blocks"
        single: set[str] = set()
        several: list[tuple[int, set[str]]] = []
        for t in self.norms:
            if t.norm.modality == "must":
                ids = {id for id in there if self.about(t, id) and (binds or not self.barred(id))}
                if t.norm.at_least is None:
                    single |= ids
                elif ids and (n := number(t.norm.at_least, t.scope) or 0) > 0:
                    several.append((n, ids))
        return single, several


def _plain(norm: Norm) -> bool:
    return norm.more_than is None and norm.fewer_than is None
