"""A diagram inside a CP-SAT model: which node a path is at, before every layer, and what sums have come to there.

Every sum that a linear constraint is about is added up layer by layer, and at each node it lies between the least and
the greatest value that the paths to that node give it. These ranges follow from the diagram (every edge is checked),
so they take no solution away; they let CP-SAT see at a node what is left to be shown, whatever came before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ortools.sat.python import cp_model

from lawful.solver.dd.building import Row
from lawful.solver.dd.negation import linear
from lawful.solver.dd.planning import Layer
from lawful.solver.diagram import Diagram

Nodes: TypeAlias = list[list[cp_model.IntVar]]
Range: TypeAlias = tuple[int, int]
Given: TypeAlias = list[list[list[tuple[int, int]]]]


class Path:
    """A path through a diagram, as literals of a model.

    Parameters
    ----------
    model : CpModel
        The model.
    variables : sequence of IntVar
        Its variables, by index.
    diagram : Diagram
        The diagram, alive.
    leaves : bool
        Whether the path has to leave the diagram, instead of staying in it.

    Attributes
    ----------
    at : list of list of BoolVar
        Before each layer, and at the end, which node the path is at.
    """

    def __init__(
        self, model: cp_model.CpModel, variables: Sequence[cp_model.IntVar], diagram: Diagram, leaves: bool
    ) -> None:
        self.model, self.variables, self.diagram = model, variables, diagram
        widths = [*map(len, diagram.rows), 1]
        self.at: Nodes = [[model.new_bool_var("") for _ in range(width)] for width in widths]
        self.outside = [model.new_bool_var("") for _ in widths] if leaves else []
        for i, here in enumerate(self.at):
            model.add_exactly_one([*here, *self.outside[i : i + 1]])
        model.add_bool_and([self.at[0][0], *self.outside[-1:]])
        for i, (layer, rows) in enumerate(zip(diagram.layers, diagram.rows, strict=True)):
            self._layer(i, layer, rows)

    def _layer(self, i: int, layer: Layer, rows: list[Row]) -> None:
        """One edge is taken, or the path leaves, or is outside: nodes and labels have an edge that goes with them."""
        model = self.model
        labels = self._labels(layer)
        out: list[list[cp_model.IntVar]] = [[] for _ in rows]
        into: list[list[cp_model.IntVar]] = [[] for _ in self.at[i + 1]]
        said: list[list[cp_model.IntVar]] = [[] for _ in labels]
        for node, row in enumerate(rows):
            for n, child in row:
                edge = model.new_bool_var("")
                for literal in (self.at[i][node], labels[n], self.at[i + 1][child]):
                    model.add_implication(edge, literal)
                out[node].append(edge)
                into[child].append(edge)
                said[n].append(edge)
        if self.outside:
            self._leave(i, rows, labels, out)
            supported = [(self.at[i], out), (self.at[i + 1], into)]
        else:
            supported = [(self.at[i], out), (self.at[i + 1], into), (labels, said)]
        for literals, edges_of in supported:
            for literal, edges in zip(literals, edges_of, strict=True):
                model.add_bool_or(literal.negated(), *edges)

    def _leave(self, i: int, rows: list[Row], labels: list[cp_model.IntVar], out: list[list[cp_model.IntVar]]) -> None:
        """From every node, a value without an edge leads outside; from there nothing leads back."""
        model, before, after = self.model, self.outside[i], self.outside[i + 1]
        model.add_implication(before, after)
        gone = [before]
        for node, row in enumerate(rows):
            exit_ = model.new_bool_var("")
            model.add_implication(exit_, self.at[i][node])
            model.add_implication(exit_, after)
            for n, _ in row:
                model.add_implication(exit_, labels[n].negated())
            out[node].append(exit_)
            gone.append(exit_)
        model.add_bool_or(after.negated(), *gone)

    def _labels(self, layer: Layer) -> list[cp_model.IntVar]:
        """Return a literal for each label; where a path may leave, it may have values that are no label, too."""
        model, mine = self.model, [self.variables[v] for v in layer.variables]
        labels = [model.new_bool_var("") for _ in layer.labels]
        other = [model.new_bool_var("")] if self.outside and mine else []
        model.add_exactly_one([*labels, *other])
        if other:
            model.add_forbidden_assignments(mine, layer.labels).only_enforce_if(other[0])
        # A Boolean is true just where a label has it so: that says what is false, too, in few words.
        boolean = [list(model.proto.variables[v].domain) == [0, 1] for v in layer.variables]
        true: list[list[cp_model.IntVar]] = [[*other] for _ in mine]
        for literal, label in zip(labels, layer.labels, strict=True):
            for i, value in enumerate(label):
                if not boolean[i]:
                    model.add(mine[i] == value).only_enforce_if(literal)
                elif value:
                    model.add_implication(literal, mine[i])
                    true[i].append(literal)
        for i, literals in enumerate(true):
            if boolean[i]:
                model.add_bool_or(mine[i].negated(), *literals)
        return labels

    def add_ranges(self, constraints: Sequence[int]) -> None:
        """Add up the sums of linear constraints, given by their index, with their ranges at every node."""
        proto = self.model.proto
        variables = [self.model.get_int_var_from_proto_index(v) for v in range(len(self.model.proto.variables))]
        decided = {v for layer in self.diagram.layers for v in layer.variables}
        given = _given(self.diagram)
        known: dict[tuple[tuple[int, int], ...], Any] = {}
        for constraint in [proto.constraints[c] for c in constraints]:
            found = linear(constraint)
            if found is None:
                continue
            (factors, constant), intervals = found
            part = tuple(sorted((v, factor) for v, factor in factors.items() if v in decided))
            if len(part) < 2:
                continue
            if part not in known:
                known[part] = self._added_up(dict(part), variables, given)
            rest = [(variables[v], factor) for v, factor in factors.items() if v not in decided]
            whole = known[part] + sum(factor * variable for variable, factor in rest) + constant
            literals = [variables[e] if e >= 0 else variables[-e - 1].negated() for e in constraint.enforcement_literal]
            domain = cp_model.Domain.from_intervals([list(interval) for interval in intervals])
            same = self.model.add_linear_expression_in_domain(whole, domain)
            if literals:
                same.only_enforce_if(literals)

    def _added_up(self, factors: dict[int, int], variables: Sequence[cp_model.IntVar], given: Given) -> Any:
        """Return the variable of a sum over decisions, added up layer by layer."""
        model, domains = self.model, self.model.proto.variables
        held: Any = 0
        low = high = 0
        ranges = _ranges(self.diagram, given, factors)
        for i, layer in enumerate(self.diagram.layers):
            mine = [(v, factors[v]) for v in layer.variables if v in factors]
            if not mine:
                continue
            for v, factor in mine:
                domain = list(domains[v].domain)
                ends = sorted((factor * domain[0], factor * domain[-1]))
                low, high = low + ends[0], high + ends[1]
            after = model.new_int_var(low, high, "")
            model.add(after == held + sum(factor * variables[v] for v, factor in mine))
            for literal, span in zip(self.at[i + 1], ranges[i + 1], strict=True):
                if span is not None and span != (low, high):
                    model.add_linear_constraint(after, *span).only_enforce_if(literal)
            held = after
        return held


def _given(diagram: Diagram) -> Given:
    """Return for every layer and label the variables that are not 0, with their values."""
    return [
        [[(v, n) for v, n in zip(layer.variables, label, strict=True) if n] for label in layer.labels]
        for layer in diagram.layers
    ]


def _ranges(diagram: Diagram, given: Given, factors: dict[int, int]) -> list[list[Range | None]]:
    """Return for every node what a sum has come to there; None for a node that no path reaches."""
    gains = [[sum(factors.get(v, 0) * n for v, n in label) for label in labels] for labels in given]
    found: list[list[Range | None]] = [[(0, 0)]]
    for i, rows in enumerate(diagram.rows):
        width = len(diagram.rows[i + 1]) if i + 1 < len(diagram.rows) else 1
        after: list[Range | None] = [None] * width
        for span, row in zip(found[-1], rows, strict=True):
            if span is None:
                continue
            for label, child in row:
                low, high, known = span[0] + gains[i][label], span[1] + gains[i][label], after[child]
                after[child] = (low, high) if known is None else (min(known[0], low), max(known[1], high))
        found.append(after)
    assert all(
        span is None or ((there := found[i + 1][child]) is not None and _fits(span, gains[i][label], there))
        for i, rows in enumerate(diagram.rows)
        for span, row in zip(found[i], rows, strict=True)
        for label, child in row
    ), "a range does not hold along an edge"
    return found


def _fits(span: Range, gain: int, there: Range) -> bool:
    return there[0] <= span[0] + gain and span[1] + gain <= there[1]
