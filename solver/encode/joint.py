"""Parts that are paid at once: how many points are given as what for each, without saying whose points they are.

Whose they are need not be said: points of one kind (what they are, printed or not, what they may be spent on) can cover
what is given iff, for every set of cells, the kinds that can go nowhere else fit into it (Hall), and all together there
are as many points as cells take. So the rows are linear, and every variable is a decision that can be observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from ortools.sat.python import cp_model

from lawful.model.cost import AssetTerm
from lawful.model.errors import LimitReached
from lawful.model.ruleset import Ruleset
from lawful.solver.encode.amount import Amount
from lawful.solver.encode.due import DemandDue, Plan
from lawful.solver.encode.frame import Frame
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.sources import Candidate

LEFT = -1
MANY_KINDS = 12
Cell = tuple[int, str]
# Rules that say which points may go where; in an explanation each may be dropped.
PLACING = ("printed", "into", "only")


@dataclass(frozen=True, slots=True)
class Kind:
    """Points that are told apart by nothing but their source."""

    asset: str
    printed: bool = False
    into: tuple[str, ...] = ()
    not_for: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a source costs in an asset: a part that is paid at once with the others.

    Parameters
    ----------
    cost : str
        How the cost is called.
    term : AssetTerm
        What one use asks for.
    need : Linear
        How much all its uses ask for.
    most : int
        The most of it.
    place : int
        The source's place among all.
    """

    cost: str
    term: AssetTerm
    need: Linear
    most: int
    place: int


def kind_of(candidate: Candidate, asset: str, tells: bool) -> Kind:
    """Return the kind of a source's points; `tells` says whether being printed makes a difference."""
    return Kind(asset, candidate.printed and tells, candidate.into, candidate.use if candidate.asks else "")


def paid_first(asking: Sequence[Candidate], rules: Ruleset) -> None:
    """Make sure that sources which cost assets can be put in an order, whoever pays for whom.

    Raises
    ------
    LimitReached
        If some of them could pay for each other in a circle.
    """
    left = list(asking)
    while left:
        fed = [
            c
            for c in left
            if any(other is not c and _feeds(other, c, rules) for other in left) or (c.most > 1 and _feeds(c, c, rules))
        ]
        if len(fed) == len(left):
            raise LimitReached("sources", len(fed), "sources that could pay for each other in a circle are not solved")
        left = fed


def _feeds(one: Candidate, other: Candidate, rules: Ruleset) -> bool:
    gives = {as_ for asset, _ in one.gain for as_ in rules.asset(asset).given_as}
    return any(gives & set(rules.asset(asset).accepts) for asset, _ in other.asks)


class Joint:
    """The parts that are paid at once.

    Parameters
    ----------
    f : Frame
        The frame; its part number `f.joint` is where these parts are paid.
    required : bool
        Whether they have to be paid; not in a payment that is only begun.
    asks : tuple of Ask
        What sources cost in assets; these parts follow those that are due.
    sets : bool
        Whether only source sets are told apart: then there are no cells, and a row for every set of parts instead.

    Attributes
    ----------
    cells : dict of (int, str) to IntVar
        Points given for a part (its index in `f.demands`; -1 is left over) as an asset.
    """

    def __init__(self, f: Frame, required: bool = True, asks: tuple[Ask, ...] = (), sets: bool = False) -> None:
        self.f, self.required, self.asks, self.sets = f, required, asks, sets
        made = [DemandDue(("source", i), ask.cost, ask.term, Amount(0)) for i, ask in enumerate(asks)]
        self.demands = (*f.demands, *made)
        rules = f.question.ruleset
        self.common = f.common
        self.cells: dict[Cell, cp_model.IntVar] = {}
        self.spots: list[Cell] = []
        taken = {as_ for id in self.common for as_ in rules.asset(id).given_as}
        for j, demand in enumerate(self.demands):
            asset = rules.asset(demand.term.asset)
            only = demand.term.only
            for as_ in asset.accepts:
                if as_ in taken and (not only or as_ in only or not f.literals.holds("only")):
                    self.spots.append((j, as_))
                    if sets:
                        continue
                    self.cells[j, as_] = f.cp.new_int_var(0, self.most(j), f"{as_} for {demand.cost} {asset.id}")
        for as_ in dict.fromkeys((*self.common, *taken)):
            self.spots.append((LEFT, as_))
            if sets:
                continue
            most = sum(f.supply[id] for id in self.common if as_ in (id, *rules.asset(id).given_as))
            self.cells[LEFT, as_] = f.cp.new_int_var(0, most, f"{as_} left over")
        self.due = self._due()
        self._extra = {j: self._imagined(j) for j in range(len(self.demands))}

    def need(self, j: int) -> Linear:
        """Return the amount of a part."""
        return self.f.demanded(j) if j < len(self.f.demands) else self.asks[j - len(self.f.demands)].need

    def most(self, j: int) -> int:
        """Return the most that can be given for a part."""
        return self.f.most_demanded(j) if j < len(self.f.demands) else self.asks[j - len(self.f.demands)].most

    def places(self, plan: Plan, x: int | None, used: Set[int]) -> dict[int, int]:
        """Return which parts there are in a payment, with their numbers in it; `used` are places of sources."""
        found = self.f.places(plan, x)
        last = len(self.f.demands)
        asked = sorted((ask.place, i) for i, ask in enumerate(self.asks) if ask.place in used)
        return {**found, **{last + i: len(found) + n for n, (_, i) in enumerate(asked)}}

    def given(self, j: int) -> Linear:
        """Return how many points are given for a part, imagined ones included."""
        return total(cell for (i, _), cell in self.cells.items() if i == j) + self._extra[j]

    def _due(self) -> cp_model.IntVar:
        """The literal of "something is paid at once"."""
        f = self.f
        due = f.cp.new_bool_var("paid at once")
        always = [p for plan, p in zip(f.plans, f.plan, strict=True) if any(d.always for d in plan.demands)]
        asked = total(f.demanded(j) for j, d in enumerate(f.demands) if not d.always) + total(always)
        f.cp.add(asked >= 1).only_enforce_if(due)
        f.cp.add(asked <= 0).only_enforce_if(due.negated())
        return due

    def _imagined(self, j: int) -> Linear:
        """Points that a further source would give for a part: none, and that is a fact."""
        f, demand = self.f, self.demands[j]
        asset = f.question.ruleset.asset(demand.term.asset)
        if not f.literals.explains or asset.generate == "never":
            return 0
        extra = f.cp.new_int_var(0, self.most(j), f"further points for {demand.cost}")
        gives = [(self.gives(c.points, j) * c.most, c.thing.id) for c in f.sources if not c.barred]
        fact = f.literals.fact(
            f"hand.{asset.id}",
            asset=asset.id,
            accepts=tuple(dict.fromkeys(as_ for i, as_ in self.cells if i == j)),
            gives=sum(n for n, _ in gives),
            cost=demand.cost,
            about=tuple(id for n, id in gives if n),
        )
        f.cp.add(extra == 0).only_enforce_if(fact)
        return extra

    def gives(self, points: dict[str, int], j: int) -> int:
        """Return how many of some points could be given for a part."""
        rules = self.f.question.ruleset
        mine = {as_ for i, as_ in self.cells if i == j}
        return sum(n for id, n in points.items() if mine & set(rules.asset(id).given_as))

    def build(self, supply: dict[Kind, Linear], about: tuple[str, ...]) -> None:
        """Add the rows.

        Parameters
        ----------
        supply : dict
            How many points there are of each kind.
        about : tuple of str
            Objects that are sources.
        """
        literals, due = self.f.literals, self.due
        if self.sets:
            self._projected(supply)
            return
        for cell in self.cells.values():
            self.f.cp.add(cell == 0).only_enforce_if(due.negated())
        for j, demand in enumerate(self.demands):
            self._amount(j, demand)
            self._alike(j, demand)
            self._needs(j, demand)
        if literals.mode == "hold" and not literals.releases("split"):
            self._rows(supply, {role for role in PLACING if literals.releases(role)}, [])
            return
        # What one point pays, it does not pay twice; without that rule each part is looked at alone.
        self._alone(supply)
        rule = literals.rule("split", about=about)
        for dropped in self._droppable():
            kept = [literals.rule(role) for role in PLACING if role in self._placing() and role not in dropped]
            self._rows(supply, set(dropped), [rule, *kept])

    @property
    def projects(self) -> bool:
        """Whether source sets can be told without cells: amounts only are asked for, and what is left may be left."""
        plain = all(d.term.number == "exactly" and d.term.alike == "any" and not d.term.needs for d in self.demands)
        kept = any(self.f.question.ruleset.asset(id).surplus == "forbidden" for id in self.common)
        last = self.f.joint == len(self.f.parts) - 1 or all(
            not set(part.accepts) & set(self.common) for part in self.f.parts[(self.f.joint or 0) + 1 :]
        )
        return plain and not kept and last and not self.asks

    def _projected(self, supply: dict[Kind, Linear]) -> None:
        """For every set of parts, the points that could be given for some of them are enough for all (Hall)."""
        reach = {kind: {j for j, _ in self.reach(kind, frozenset())} for kind in supply}
        every = range(len(self.demands))
        for n in range(1, len(self.demands) + 1):
            for some in combinations(every, n):
                there = total(k for kind, k in supply.items() if reach[kind] & set(some))
                self.f.cp.add(there >= total(self.need(j) for j in some))

    def _placing(self) -> list[str]:
        """Return the rules of placing that make a difference here."""
        terms = [demand.term for demand in self.f.demands]
        said = {
            "printed": any(term.printed for term in terms),
            "only": any(term.only for term in terms),
            "into": any(c.into for c in self.f.sources),
        }
        return [role for role in PLACING if said[role]]

    def _droppable(self) -> Iterable[Set[str]]:
        here = self._placing()
        for n in range(len(here) + 1):
            for dropped in combinations(here, n):
                yield frozenset(dropped)

    def _amount(self, j: int, demand: DemandDue) -> None:
        """A part is paid with just what it asks for."""
        if not self.required:
            return
        f, cp, literals = self.f, self.f.cp, self.f.literals
        asset, given, need = demand.term.asset, self.given(j), self.need(j)
        most = self.most(j)
        # Its place tells a part in a reason; what a source costs has none there.
        place = j if j < len(f.demands) else -1
        part = literals.rule(f"part.{asset}", asset=asset, amount=most, cost=demand.cost, place=place)
        if demand.term.number == "exactly":
            if literals.mode == "hold" and not literals.releases("part") and not literals.releases("overpaid"):
                cp.add(given == need)
                return
            cp.add(given <= need).only_enforce_if(literals.rule("overpaid", asset=asset))
            cp.add(given >= need).only_enforce_if(part)
            return
        least, active = f.question.ruleset.at_least, f.active(j)
        cp.add(given >= least * active).only_enforce_if(literals.rule("at-least", asset=asset, least=least))
        if demand.term.number == "up_to":
            cp.add(given <= need).only_enforce_if(part)
        else:
            cp.add(given <= most * active)

    def _alike(self, j: int, demand: DemandDue) -> None:
        cp, mine = self.f.cp, [cell for (i, _), cell in self.cells.items() if i == j]
        if demand.term.alike == "any":
            return
        rule = self.f.literals.rule("alike", asset=demand.term.asset, cost=demand.cost, alike=demand.term.alike)
        if demand.term.alike == "different":
            for cell in mine:
                cp.add(cell <= 1).only_enforce_if(rule)
            return
        some = []
        for cell in mine:
            literal = cp.new_bool_var(f"{cell.name} some")
            cp.add(cell >= 1).only_enforce_if(literal)
            cp.add(cell == 0).only_enforce_if(literal.negated())
            some.append(literal)
        cp.add(total(some) <= 1).only_enforce_if(rule)

    def _needs(self, j: int, demand: DemandDue) -> None:
        needs = demand.term.needs
        active = self.f.active(j) if needs else 0
        for as_ in dict.fromkeys(needs):
            rule = self.f.literals.rule("needs", what=", ".join(needs), cost=demand.cost)
            cell: Linear = self.cells.get((j, as_), 0)
            if self.f.question.ruleset.needs_from == "spent":
                cell = cell + self.cells.get((LEFT, as_), 0)
            row = cell >= needs.count(as_) * active
            if self.required and isinstance(row, bool):
                self.f.cp.add(rule == 0) if not row else None
            elif self.required:
                self.f.cp.add(row).only_enforce_if(rule)

    def reach(self, kind: Kind, dropped: Set[str]) -> frozenset[Cell]:
        """Return the cells that a point of a kind can go to."""
        rules = self.f.question.ruleset
        asset = rules.asset(kind.asset)
        found: set[Cell] = set()
        for j, as_ in self.spots:
            if j == LEFT:
                if as_ in (asset.given_as if asset.surplus != "floats" else (asset.id,)):
                    found.add((j, as_))
                continue
            term, cost = self.demands[j].term, self.demands[j].cost
            if (
                as_ in asset.given_as
                and ("only" in dropped or not term.only or as_ in term.only)
                and ("printed" in dropped or not term.printed or (kind.printed and as_ == asset.id))
                and ("into" in dropped or not kind.into or cost in kind.into)
                and not (kind.not_for and kind.not_for == cost)
            ):
                found.add((j, as_))
        return frozenset(found)

    def _rows(self, supply: dict[Kind, Linear], dropped: Set[str], under: Sequence[cp_model.IntVar]) -> None:
        """Every point goes to one cell: the kinds that fit into a set of cells only are no more than these take."""
        cp = self.f.cp
        reach = {kind: self.reach(kind, dropped) for kind in supply}
        if len(set(reach.values())) > MANY_KINDS:
            raise LimitReached("kinds of points", MANY_KINDS, "fewer kinds of sources can be split")
        for union in unions(reach.values()):
            inside = total(n for kind, n in supply.items() if reach[kind] <= union)
            cells = total(self.cells[cell] for cell in sorted(union))
            everything = all(kinds <= union for kinds in reach.values())
            row = cp.add(cells == inside) if everything else cp.add(cells >= inside)
            row.only_enforce_if(self.due, *under)
        nowhere = set(self.cells) - set().union(*reach.values())
        for cell in sorted(nowhere):
            cp.add(self.cells[cell] == 0).only_enforce_if(self.due, *under)

    def _alone(self, supply: dict[Kind, Linear]) -> None:
        """A part could be paid, were it the only one."""
        everything = frozenset(PLACING)
        for j in range(len(self.demands)):
            mine = sorted(as_ for i, as_ in self.cells if i == j)
            for n in range(1, len(mine) + 1):
                for some in combinations(mine, n):
                    cells = {(j, as_) for as_ in some}
                    there = total(k for kind, k in supply.items() if self.reach(kind, everything) & cells)
                    self.f.cp.add(total(self.cells[cell] for cell in sorted(cells)) <= there)


def unions(sets: Iterable[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """Return every union of some of the sets, the empty one left out; all other rows follow from these."""
    found: set[frozenset[Cell]] = set()
    for one in set(sets):
        found |= {one} | {one | other for other in found}
    return sorted(found, key=lambda union: (len(union), sorted(union)))
