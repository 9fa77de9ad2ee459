"""Parts that are paid at once: how many points are given as what for each, without saying whose points they are.

Whose they are need not be said: points of one kind (what they are, printed or not, what they may be spent on) can cover
what is given iff, for every set of cells, the kinds that can go nowhere else fit into it (Hall), and all together there
are as many points as cells take. So the rows are linear, and every variable is a decision that can be observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import combinations

from ortools.sat.python import cp_model

from lawful.model.errors import LimitReached
from lawful.solver.encode.amount import Amount
from lawful.solver.encode.due import DemandDue, Plan
from lawful.solver.encode.frame import Frame
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.points import (
    LEFT,
    MANY_KINDS,
    NO_ORDER,
    PLACING,
    Ask,
    Cell,
    Kind,
    Order,
    Told,
    needed,
    unions,
)


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
    told : {"cells", "numbers", "sets", "shares"}
        What is told apart. Of sets there are no cells, and a row for every set of parts instead.
    orders : sequence of Order
        In which sources can be paid for; one of them has to do.

    Attributes
    ----------
    cells : dict of (int, str) to linear expression
        Points given for a part (its index in `f.demands`; -1 is left over) as an asset.
    variables : dict of (int, str) to IntVar
        These, where they are decisions.
    numbers : dict of int to IntVar
        How much is given for each part that leaves it open, where that is a decision.
    shares : dict of (int, str) to dict of Cell to IntVar
        What is given where of the points of one group (by its index; -1 is what floated) and one asset.
    """

    def __init__(
        self,
        f: Frame,
        required: bool = True,
        asks: tuple[Ask, ...] = (),
        told: Told = "cells",
        orders: Sequence[Order] = (NO_ORDER,),
    ) -> None:
        self.f, self.required, self.asks, self.told = f, required, asks, told
        # Under which literals an order holds: none where there is but one.
        names = [f"paid for in order {n}" for n in range(len(orders))] if len(orders) > 1 else []
        literals = [f.cp.new_bool_var(name) for name in names]
        self.orders = [(order, literals[n : n + 1]) for n, order in enumerate(orders)]
        if literals:
            f.cp.add_bool_or(literals)
        made = [DemandDue(("source", i), ask.cost, ask.term, Amount(0)) for i, ask in enumerate(asks)]
        self.demands = (*f.demands, *made)
        rules = f.question.ruleset
        self.common = f.common
        self.cells: dict[Cell, Linear] = {}
        self.variables: dict[Cell, cp_model.IntVar] = {}
        self.numbers: dict[int, cp_model.IntVar] = {}
        self.shares: dict[tuple[int, str], dict[Cell, cp_model.IntVar]] = {}
        self.spots: list[Cell] = []
        taken = {as_ for id in self.common for as_ in rules.asset(id).given_as}
        for j, demand in enumerate(self.demands):
            asset = rules.asset(demand.term.asset)
            only = demand.term.only
            for as_ in asset.accepts:
                if as_ in taken and (not only or as_ in only or not f.literals.holds("only")):
                    self._spot((j, as_), self.most(j), f"{as_} for {demand.cost} {asset.id}")
            if told in ("numbers", "sets") and demand.term.number != "exactly":
                self.numbers[j] = f.cp.new_int_var(0, self.most(j), f"how much for {demand.cost} {asset.id}")
        for as_ in dict.fromkeys((*self.common, *taken)):
            most = sum(f.supply[id] for id in self.common if as_ in (id, *rules.asset(id).given_as))
            self._spot((LEFT, as_), most, f"{as_} left over")
        self.due = self._due()
        self._extra = {j: self._imagined(j) for j in range(len(self.demands))}

    def _spot(self, cell: Cell, most: int, name: str) -> None:
        self.spots.append(cell)
        if self.told in ("cells", "numbers"):
            self.cells[cell] = self.variables[cell] = self.f.cp.new_int_var(0, most, name)

    def share(self, purses: dict[tuple[int, str], tuple[Kind, Linear, int]]) -> None:
        """Split the points of every source by itself, where it is told whose points they are.

        Parameters
        ----------
        purses : dict
            For a group and an asset: what the points are, how many there are, and how many at most.
        """
        self.cells = dict.fromkeys(self.spots, 0)
        for (g, asset), (kind, n, most) in purses.items():
            mine = self.shares[g, asset] = {}
            for cell in sorted(self.reach(kind, frozenset()), key=self.spots.index):
                limit = most if cell[0] == LEFT else min(most, self.most(cell[0]))
                mine[cell] = self.f.cp.new_int_var(0, limit, f"{asset} of {g} for {cell}")
                self.cells[cell] = self.cells[cell] + mine[cell]
            for order, literals in self.orders:
                for cell in mine.keys() - self.reach(kind, frozenset(), order):
                    self.f.cp.add(mine[cell] == 0).only_enforce_if(*literals)
            given = total(mine.values())
            if g >= 0:  # where nothing is due, it is not used
                self.f.cp.add(given == n)
                continue
            self.f.cp.add(given <= n)
            self.f.cp.add(given == n).only_enforce_if(self.due)
            self.f.cp.add(given == 0).only_enforce_if(self.due.negated())

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
        if self.told == "sets":
            self._projected(supply)
            return
        for cell in self.variables.values():
            self.f.cp.add(cell == 0).only_enforce_if(due.negated())
        for j, number in self.numbers.items():
            self.f.cp.add(number == self.given(j))
        for j, demand in enumerate(self.demands):
            self._amount(j, demand)
            self._alike(j, demand)
            self._needs(j, demand)
        if self.told == "shares":
            return
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
        plain = all(d.term.alike == "any" and not d.term.needs for d in self.demands)
        kept = any(self.f.question.ruleset.asset(id).surplus == "forbidden" for id in self.common)
        last = self.f.joint == len(self.f.parts) - 1 or all(
            not set(part.accepts) & set(self.common) for part in self.f.parts[(self.f.joint or 0) + 1 :]
        )
        return plain and not kept and last

    def _projected(self, supply: dict[Kind, Linear]) -> None:
        """For every set of parts, the points that could be given for some of them are enough for all (Hall)."""
        for j, number in self.numbers.items():
            self._open(j, number)
        for order, literals in self.orders:
            reach = {kind: frozenset(j for j, _ in self.reach(kind, frozenset(), order)) for kind in supply}
            for some in needed(range(len(self.demands)), reach.values()):
                there = total(k for kind, k in supply.items() if reach[kind] & some)
                row = there >= total(self.numbers.get(j, self.need(j)) for j in sorted(some))
                self.f.cp.add(row).only_enforce_if(*literals)

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
        least = f.question.ruleset.at_least
        self._open(j, given, literals.rule("at-least", asset=asset, least=least), part)

    def _open(self, j: int, given: Linear, *under: cp_model.IntVar) -> None:
        """How much is given for a part that leaves it open; `under` are the rules of the least and of the most."""
        cp, active = self.f.cp, self.f.active(j)
        cp.add(given >= self.f.question.ruleset.at_least * active).only_enforce_if(*under[:1])
        if self.demands[j].term.number == "up_to":
            cp.add(given <= self.need(j)).only_enforce_if(*under[1:])
        else:
            cp.add(given <= self.most(j) * active)

    def _alike(self, j: int, demand: DemandDue) -> None:
        cp, mine = self.f.cp, [(as_, cell) for (i, as_), cell in self.cells.items() if i == j]
        if demand.term.alike == "any":
            return
        rule = self.f.literals.rule("alike", asset=demand.term.asset, cost=demand.cost, alike=demand.term.alike)
        if demand.term.alike == "different":
            for _, cell in mine:
                if not isinstance(cell, int):
                    cp.add(cell <= 1).only_enforce_if(rule)
            return
        some = []
        for as_, cell in mine:
            if isinstance(cell, int):  # no source gives any
                continue
            literal = cp.new_bool_var(f"some {as_} for {demand.cost}")
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

    def reach(self, kind: Kind, dropped: Set[str], order: Order = NO_ORDER) -> frozenset[Cell]:
        """Return the cells that a point of a kind can go to, in an order or in some."""
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
                and not (kind.not_for in order and cost in order and order[cost] < order[kind.not_for])
            ):
                found.add((j, as_))
        return frozenset(found)

    def _rows(self, supply: dict[Kind, Linear], dropped: Set[str], under: Sequence[cp_model.IntVar]) -> None:
        """Every point goes to one cell: the kinds that fit into a set of cells only are no more than these take."""
        for order, literals in self.orders:
            self._rows_of({kind: self.reach(kind, dropped, order) for kind in supply}, supply, [*under, *literals])

    def _rows_of(
        self, reach: dict[Kind, frozenset[Cell]], supply: dict[Kind, Linear], under: Sequence[cp_model.IntVar]
    ) -> None:
        cp = self.f.cp
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
