"""A declaration as rows over choices: every rule that speaks of what may be chosen, each under its label.

A *scene* is one choice of modes and X; in it every rule is a bound on how many of some choices are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.priced import modes_paid, targets_cost, x_in_cost
from lawful.model.ruleset import general
from lawful.model.selector import Selector
from lawful.model.slots import Text, acts, chooses_players, mode_names, parts, plain_text, refers, repeated
from lawful.model.verdict import Value, told
from lawful.solver.encode.announcing import announced
from lawful.solver.encode.bearing import Where
from lawful.solver.encode.due import DueKey
from lawful.solver.encode.literals import Label
from lawful.solver.encode.sight import Env, Sight

Choice = tuple[str, str]
"""A slot and an object; the object with a ``'`` behind is its being chosen again."""


NONE: frozenset[Choice] = frozenset()
FEW_TARGETS = 12


@dataclass(frozen=True, slots=True)
class Row:
    """A rule at one instance: of these choices at least `lo` and at most `hi` are made.

    Parameters
    ----------
    label : Label
        The rule.
    of : frozenset of Choice
        The choices; a row without any and with `lo` above 0 cannot be kept.
    lo, hi : int, optional
        The bounds.
    or_none : bool
        Whether none at all is allowed too.
    weights : mapping of Choice to int
        What choices count for that count for more than one; never less.
    params : mapping
        For its sentence.
    defines : bool
        Whether it is no rule but says which scene this is.
    """

    label: Label
    of: frozenset[Choice]
    lo: int = 0
    hi: int | None = None
    or_none: bool = False
    params: FrozenMap[str, Value] = FrozenMap()
    says: str = ""
    defines: bool = False
    weights: FrozenMap[Choice, int] = FrozenMap()

    def weight(self, choice: Choice) -> int:
        """Return for how many a choice counts."""
        return self.weights.get(choice, 1)

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same of rows that say the same."""
        return self.label, self.of, self.lo, self.hi, self.or_none, self.weights


@dataclass(frozen=True, slots=True)
class Demand:
    """A requirement: at least `n` of these choices.

    Parameters
    ----------
    key : pair of str
        What tells it from others: the norm and the object.
    """

    key: tuple[str, str]
    role: str
    holder: str
    of: frozenset[Choice]
    n: int = 1
    others: bool = False


@dataclass(slots=True)
class Seat:
    """A slot in a scene."""

    name: str
    selector: Selector
    verb: str
    target: bool
    where: Where
    env: Env
    procedure: str = ""
    choices: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Scene:
    """One choice of modes and X.

    Parameters
    ----------
    modes, x
        What is chosen; X is None where nothing here depends on it.
    seats : list of Seat
        The slots.
    rows : list of Row
        Every rule but those of requirements.
    demands : list of Demand
        Requirements.
    fixed : dict of Choice to int
        Choices that are declared: made, or not.
    n : int, optional
        How many targets are chosen; None where nothing depends on it.
    text : Text
        What is done with these modes.
    """

    modes: tuple[str, ...]
    x: int | None
    seats: list[Seat] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    fixed: dict[Choice, int] = field(default_factory=dict)
    n: int | None = None
    text: Text = Text()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Every slot with every object."""
        return tuple((seat.name, id) for seat in self.seats for id in seat.choices)


class Setting:
    """What all scenes of a declaration share."""

    def __init__(self, question: Question, most_x: int, released: Set[str] = frozenset()) -> None:
        self.question, self.rules, self.released = question, question.ruleset, released
        self.text: Text = plain_text(question)
        self.by_modes, self.by_targets = modes_paid(question), targets_cost(question)
        self.sight = Sight(announced(question), question.ruleset)
        seats = question.position.seats() if chooses_players(self.text) else ()
        self.candidates = {**self.sight.things, **{seat.id: seat for seat in seats}}
        self.most_x = most_x
        self.paid_x = x_in_cost(question)

    @cached_property
    def looks_at_x(self) -> bool:
        """Whether what may be chosen depends on X."""
        position = self.question.position
        norms = [a for card in position.cards.values() for a in card.abilities]
        selectors = tuple(part for _, _, part, _ in parts(self.text))
        modes = self.text.modes.n if self.text.modes is not None else 0
        lasting = tuple(effect.modifier for effect in position.lasting)
        whens = tuple(act.when for act, _ in acts(self.text) if self.rules.choosing.unmet != "counts")
        terms = (selectors, modes, self.text.when, whens, tuple(norms), lasting, self.rules.norms)
        return any("x" in refers(term) for term in (*terms[:4], *(n for n in norms), *lasting, *self.rules.norms))

    @cached_property
    def says_x(self) -> bool:
        """Whether X stands in the text and not in a cost, so that it is just declared."""
        return not self.paid_x and "x" in refers((self.text.do, self.text.modes))

    def scenes(self) -> list[Scene]:
        """Return every choice of modes and X that may be declared, or the one that is."""
        declared = self.question.declaration
        xs: list[int | None]
        if declared.x is not None:
            xs = [declared.x]
        elif not self.looks_at_x or not (self.paid_x or self.says_x):
            xs = [self.rules.x.least] if self.says_x else [None]
        elif self.paid_x:
            xs = list(range(self.most_x + 1))
        else:
            # Beyond what any number in the position can reach, a larger X tells nothing apart.
            top = max([len(self.sight.things), *self.sight.stats.values(), self._costs()], default=0) + 1
            xs = list(range(self.rules.x.least, max(top, self.rules.x.least) + 1))
        return [scene for x in xs for modes in self._modes(x) for scene in self._by_number(self._scene(modes, x))]

    def _by_number(self, scene: Scene) -> Iterator[Scene]:
        """Yield a scene for every number of targets, where what is due depends on that."""
        if not self.by_targets or self.question.declaration.resolving:
            yield scene
            return
        named = {seat.name for seat in scene.seats if seat.target}
        of = {choice for choice in (*scene.choices, *scene.fixed) if choice[0] in named}
        made = sum(n for choice, n in scene.fixed.items() if choice[0] in named)
        free = [choice for choice in of if choice not in scene.fixed]
        bans = [row for row in scene.rows if row.hi == 0 and len(row.of) == 1]
        refused = {next(iter(row.of)) for row in bans if self.released.isdisjoint(general(row.label.role))}
        # Choices that a rule refuses are in no legal choice, but a reason may speak of one.
        most = made + (len(free) if len(free) <= FEW_TARGETS else len(set(free) - refused))
        for n in range(made, most + 1):
            row = Row(label("targets"), frozenset(of), n, n, defines=True)
            yield replace(scene, rows=[*scene.rows, row], n=n)

    def due(self, scene: Scene) -> DueKey | None:
        """Return on what the cost depends besides X."""
        if not self.by_modes and not self.by_targets:
            return None
        return scene.modes if self.by_modes else None, scene.n if self.by_targets else None

    def _costs(self) -> int:
        found = [self.sight.stat(thing, "cost", {}) or 0 for thing in self.sight.position.things]
        return max(found, default=0)

    def _modes(self, x: int | None) -> Iterator[tuple[str, ...]]:
        declared, modes = self.question.declaration, self.text.modes
        if declared.modes is not None or modes is None:
            yield declared.modes or ()
            return
        n = self.sight.number(modes.n, self.env(x)) or 0
        names = mode_names(self.text)
        sizes = range(1, n + 1) if modes.up_to else (n,)
        pick = combinations_with_replacement if modes.repeat else combinations
        found = [chosen for size in sizes for chosen in pick(names, size)]
        yield from found or [()]

    def known(self, x: int | None) -> dict[str, str | int]:
        """Return what every text may refer to."""
        thing = self.question.declaration.thing
        found: dict[str, str | int] = {} if thing is None else {"paid": thing, "declared": thing}
        return found if x is None else {**found, "x": x}

    def env(self, x: int | None) -> Env:
        """Return what the declaration's own text refers to."""
        who, thing = self.question.declaration.player, self.question.declaration.thing
        own: dict[str, str | int] = {"controller": who, "chooser": who, "declarer": who}
        return {**own, **({} if thing is None else {"self": thing}), **self.known(x)}

    def _scene(self, modes: tuple[str, ...], x: int | None) -> Scene:
        scene = Scene(modes, x, text=repeated(self.text, modes))
        from lawful.solver.encode.rows import Rows  # it writes into what this module lays out

        Rows(self, scene).build()
        return scene


def label(role: str, about: tuple[str, ...] = (), slot: str = "", norm: str = "") -> Label:
    """Return the label of a rule at an instance, by what tells one from another (`lawful.model.verdict.told`).

    A norm is one rule wherever it forbids something; a test is one of its slot; a requirement, of whom it obliges.
    """
    told_role, whom, told_slot, told_norm = told(role, about, FrozenMap({"slot": slot, "norm": norm}))
    where = {"slot": told_slot, "norm": told_norm}
    return Label(told_role, False, FrozenMap({key: value for key, value in where.items() if value}), whom)


def scenes(question: Question, most_x: int = 0, released: Set[str] = frozenset()) -> tuple[Setting, list[Scene]]:
    """Return every choice of modes and X with the rows of its rules.

    Parameters
    ----------
    question : Question
        What is declared; what is left open is open.
    most_x : int
        The largest X that could be paid.
    released : set of str
        Roles of rules that do not bind.

    Returns
    -------
    pair of Setting and list of Scene
        Never empty.
    """
    setting = Setting(question, most_x, released)
    return setting, setting.scenes()


__all__ = ["Choice", "Demand", "Row", "Scene", "Seat", "Setting", "label", "scenes"]
