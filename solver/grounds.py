"""All minimal reasons: found by asking the tally, certified by CP-SAT, each one contradictory and none too large."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from lawful.model.errors import LawfulError
from lawful.model.frozen import FrozenMap
from lawful.model.verdict import Because, Message, Reason, Value, told
from lawful.solver.ask import conflict
from lawful.solver.encode.declaring import Joint
from lawful.solver.encode.literals import Label
from lawful.solver.encode.scene import Choice, Row
from lawful.solver.explain import because as because_paying
from lawful.solver.marco import Family, marco, shrunk
from lawful.solver.oracle import Oracle, mask, members
from lawful.solver.purse import Played

if TYPE_CHECKING:
    from lawful.solver.check import Checker

Forced = Mapping[Choice, int]
MANY_REASONS, MANY_REFUSALS = 200, 10
"""So many reasons and corrections are looked for; of a board of more objects, half as many reasons in all."""
MANY_OBJECTS = 30
PAYMENTS = 200
AT_ONCE = 32


class Refuted(LawfulError):
    """CP-SAT does not confirm a reason: a bug of ours, never an answer."""


class Grounds:
    """The reasons of one question.

    Parameters
    ----------
    checker : Checker
        Its rows, its purse, its limits.
    """

    def __init__(self, checker: Checker) -> None:
        self.c = checker
        found: dict[Label, None] = {}
        self._rows: dict[Label, list[Row]] = {}
        for bound in checker.bounds:
            for row in bound.rows:
                if row.defines:
                    continue
                found[row.label] = None
                self._rows.setdefault(row.label, []).append(row)
            if bound.met is not None:
                found[Label("must")] = None
        self.labels = list(found)
        self.complete = True
        self.lacking = False
        self.solves = 0
        self._model: Joint | None = None
        self._family: Family | None = None
        self._clashes: list[int] = []
        self._asked: dict[frozenset[int], bool] = {}
        self._forced: dict[tuple[Choice, int], cp_model.IntVar] = {}

    @property
    def model(self) -> Joint:
        """The joint model, in which every rule may be dropped."""
        if self._model is None:
            self._model = self.c.joint("assume")
        return self._model

    # --- targets

    def oracle(self, forced: Forced) -> Oracle:
        """Return what says whether rules can be kept together: the fast oracle, or CP-SAT where it has too much."""

        def slow(active: int) -> bool:
            if forced and not any(set(forced) <= {*bound.scene.choices, *bound.scene.fixed} for bound in self.c.bounds):
                return False
            model = self.model
            literals = [self._force(choice, n) for choice, n in forced.items()]
            literals += [model.literals.assumed[label] for i, label in enumerate(self.labels) if active >> i & 1]
            return conflict(model.cp, literals, seconds=self.c.clock.left) is None

        found = Oracle(self.c.bounds, self.labels, forced, slow)
        # What clashes whatever is chosen clashes with this choice too.
        found.learn(self._clashes)
        return found

    def family(self, forced: Forced, most: int | None = None) -> Family:
        """Return all minimal reasons and corrections among the rules of choosing.

        Rules that forbid it alone are found first: no other reason has one of them.
        """
        if not forced and self._family is not None:
            return self._family
        if most is None:
            most = MANY_REASONS if len(self.c.setting.candidates) <= MANY_OBJECTS else MANY_REASONS // 2
        n, oracle = len(self.labels), self.oracle(forced)
        single = [i for i in range(n) if not oracle.possible(1 << i)]
        rest = [i for i in range(n) if i not in single]
        bits, place = [1 << i for i in rest], {i: at for at, i in enumerate(rest)}
        left = self.c.clock.left

        def core(rules: frozenset[int]) -> frozenset[int]:
            return frozenset(place[i] for i in members(oracle.core(sum([bits[i] for i in rules]))))

        inner = marco(
            len(rest), lambda s: oracle.possible(sum([bits[i] for i in s])), most=most, seconds=left, core=core
        )  # fmt: skip
        reasons = [frozenset({i}) for i in single]
        reasons += [frozenset(rest[i] for i in reason) for reason in inner.reasons]
        alone = frozenset(single)
        corrections = tuple(alone | {rest[i] for i in c} for c in inner.corrections or (frozenset[int](),))
        self.complete = self.complete and inner.complete
        family = Family(tuple(reasons), corrections if reasons else (), inner.complete, inner.calls + n)
        if not forced:
            self._family, self._clashes = family, [mask(reason) for reason in reasons]
        return family

    def against(self, forced: Forced) -> tuple[frozenset[int], ...]:
        """Return the reasons against a choice: all rules that forbid it alone; where there are none, all minimal ones.

        Where only the payment forbids it, the empty one stands for that.
        """
        oracle = self.oracle(forced)
        single = [frozenset({i}) for i in range(len(self.labels)) if not oracle.possible(1 << i)]
        if single:
            return tuple(single)
        return self.family(forced, MANY_REFUSALS).reasons or (frozenset(),)

    def said(self, reasons: Sequence[frozenset[int]], choice: Choice | None = None) -> tuple[Reason, ...]:
        """Say reasons, fewest rules first."""
        forced = {choice: 1} if choice is not None else {}
        spoken = [tuple(self.member(self.labels[i], forced) for i in sorted(reason)) for reason in reasons if reason]
        if any(not reason for reason in reasons):
            spoken += self.of_payment(forced)
        return ranked(spoken)

    def member(self, label: Label, forced: Forced) -> Because:
        """Say one member of a reason: the rule, and whom it is about here."""
        rows = self._rows.get(label, [])
        if label == Label("must") and not rows:
            return self._most()
        telling = [row for row in rows if any(forced.get(c, 0) for c in row.of)] if forced else []
        if not telling:
            made = [row for row in rows if self._made(row)]
            telling = made or rows
        first = telling[0]
        params: dict[str, Value] = dict(first.params)
        for key in ("object", "zone", "got", "wanted"):
            values = [row.params[key] for row in telling if key in row.params]
            flat = [v for value in values for v in (value if isinstance(value, tuple) else (str(value),))]
            if flat:
                params[key] = tuple(dict.fromkeys(flat))
        about = [c[1].rstrip("'") for row in telling if len(row.of) <= 2 for c in sorted(row.of)]
        holder = str(params.get("holder", ""))
        known = [id for id in (*label.about, holder, *about) if id in self.c.setting.candidates]
        rule = self.c.question.ruleset.rule(label.role).id
        says = Message(f"check.{first.says}", FrozenMap(params))
        return Because(label.role, rule, says, tuple(dict.fromkeys(known)))

    def _made(self, row: Row) -> bool:
        return any(scene.fixed.get(choice) for scene in self.c.scenes for choice in row.of)

    def _most(self) -> Because:
        must = self.c.question.ruleset.norming.must
        demands, n = next(bound.met for bound in self.c.bounds if bound.met is not None)
        holders = tuple(dict.fromkeys(d.holder for d in demands))
        params: dict[str, Value] = {"holders": holders, "n": n}
        says = Message("check.must.any" if must == "any" else "check.must.most", FrozenMap(params))
        about = tuple(h for h in holders if h in self.c.setting.sight.things)
        return Because("must", self.c.question.ruleset.rule("must").id, says, about)

    # --- payment

    def of_payment(self, forced: Forced) -> list[Reason]:
        """Return the reasons of the payment, with rules of choosing where those decide what is due."""
        if isinstance(self.c.purse, Played):
            return self._stopped(self.c.purse, forced)
        model = self.model
        together = self._entangled()
        mine = set(self.labels)
        labels = [label for label in model.literals.assumed if together or label not in mine]
        # What is chosen does not matter to the payment where it is not together: its rules stand aside, as they may
        # forbid everything by themselves.
        always = [self._force(choice, n) for choice, n in forced.items()]
        literals = [model.literals.assumed[label] for label in labels]

        def possible(active: frozenset[int]) -> bool:
            self.solves += 1
            left = self.c.clock.left
            return conflict(model.cp, [*always, *(literals[i] for i in sorted(active))], seconds=left) is None

        family = marco(len(labels), possible, most=PAYMENTS, seconds=self.c.clock.left)
        self.complete = self.complete and family.complete
        found = []
        for reason in family.reasons:
            members = sorted((labels[i] for i in reason), key=lambda label: (label.fact, label.role, label.about))
            found.append(tuple(self._either(label, forced) for label in members))
        return found

    def _stopped(self, purse: Played, forced: Forced) -> list[Reason]:
        """Return what stopped the payments that were played: not all reasons, and perhaps not minimal."""
        self.complete = False
        found: list[Reason] = []
        asked: set[object] = set()
        for bound in self.c.bounds:
            if not set(forced) <= {*bound.scene.choices, *bound.scene.fixed}:
                continue
            for end in self.c.tally(bound).ends(forced):
                x, of = self.c.paid_x(bound), self.c.setting.due(bound.scene)
                ids = tuple(sorted(m for m in end.marks if isinstance(m, str)))
                if ids and purse.affords(frozenset(m for m in end.marks if isinstance(m, int)), x, of):
                    found.append((self.spending(ids),))
                elif (end.marks, x, of) not in asked:
                    asked.add((end.marks, x, of))
                    found.append(purse.player.why(purse.asked(end.marks, x, of)))
        return list(dict.fromkeys(found))[:PAYMENTS]

    def _entangled(self) -> bool:
        """Say whether what is chosen matters to the payment."""
        return bool(self.c.marks) or len(self.c.bounds) > 1

    def _either(self, label: Label, forced: Forced) -> Because:
        if label in self.labels:
            return self.member(label, forced)
        if label.role == "spent":
            ids = tuple(dict.fromkeys(m for found in self.c.marks.values() for m in found if isinstance(m, str)))
            return self.spending(ids)
        return because_paying(self.c.question.ruleset, label)

    def _force(self, choice: Choice, n: int) -> cp_model.IntVar:
        """Return the literal of a choice that is made, or not."""
        if (choice, n) not in self._forced:
            literal = self.model.cp.new_bool_var(f"{choice} is {n}")
            self.model.cp.add(self.model.t[choice] == n).only_enforce_if(literal)
            self._forced[choice, n] = literal
        return self._forced[choice, n]

    # --- all of it

    def family_said(self) -> list[Reason]:
        """Return every minimal reason among the rules of choosing, payment aside."""
        family = self.family({})
        return [tuple(self.member(self.labels[i], {}) for i in sorted(reason)) for reason in family.reasons]

    def spending(self, ids: tuple[str, ...]) -> Because:
        """Say that cards are spent that are chosen."""
        says = Message("check.spent", FrozenMap({"object": ids}))
        return Because("spent", self.c.question.ruleset.rule("spent").id, says, ids)

    def broken(self) -> frozenset[tuple[str, tuple[str, ...], str, str]] | None:
        """Return what tells the instances of rules apart that forbid by themselves; None where others do together."""
        if self._family is None or any(len(reason) > 1 for reason in self._family.reasons):
            return None
        labels = [self.labels[i] for reason in self._family.reasons for i in reason]
        return frozenset(told(label.role, label.about, label.params) for label in labels)

    @property
    def barred(self) -> bool:
        """Whether the rules of choosing forbid it, whatever is paid."""
        return bool(self._family is not None and self._family.reasons)

    def all(self) -> tuple[Reason, ...]:
        """Return every minimal reason why nothing is legal, each certified by CP-SAT.

        Raises
        ------
        Refuted
            If CP-SAT finds a reason not contradictory, or not minimal.
        """
        family = self.family({})
        spoken = [tuple(self.member(self.labels[i], {}) for i in sorted(reason)) for reason in family.reasons]
        self.certify_all(family.reasons)
        if not family.reasons or self._unpaid(family):
            spoken += self.of_payment({})
            self.lacking = True
        return ranked(spoken)

    def _unpaid(self, family: Family) -> bool:
        """Say whether the payment has a part in a reason, where rules of choosing forbid everything already.

        It has, exactly if there is a largest set of those rules that can be kept together, and not paid for with it.
        """
        if isinstance(self.c.purse, Played) or not self._entangled():
            return not self.c.purse.affords(frozenset(), None)
        model, mine = self.model, set(self.labels)
        paying = [literal for label, literal in model.literals.assumed.items() if label not in mine]
        if not paying:
            return False
        for dropped in family.corrections:
            kept = [model.literals.assumed[label] for i, label in enumerate(self.labels) if i not in dropped]
            left = self.c.clock.left
            self.solves += 1
            if conflict(model.cp, [*paying, *kept], seconds=left) is not None:
                return True
        return False

    def one(self) -> frozenset[int] | None:
        """Return one minimal reason among the rules of choosing, certified; None if they forbid nothing."""
        oracle = self.oracle({})
        kept = frozenset(range(len(self.labels)))
        if oracle.possible(mask(kept)):
            return None
        kept = shrunk(kept, lambda rules: oracle.possible(mask(rules)))
        self.certify(kept)
        return kept

    def certify(self, reason: frozenset[int]) -> None:
        """Let CP-SAT confirm that a reason is contradictory, and that without any one member it is not."""

        def clash(active: frozenset[int]) -> bool:
            # What several reasons leave when a member is dropped is asked once.
            if active not in self._asked:
                self._asked[active] = self._clash(self.model.cp, [self._assumed(i) for i in sorted(active)])
            return self._asked[active]

        if not clash(reason):
            raise Refuted(f"not contradictory: {[self.labels[i].role for i in sorted(reason)]}")
        for i in reason:
            if clash(reason - {i}):
                raise Refuted(f"not minimal: {[self.labels[i].role for i in sorted(reason)]}")

    def certify_all(self, reasons: Sequence[frozenset[int]]) -> None:
        """Let CP-SAT confirm many reasons in few solves.

        What a reason leaves when a member is dropped is possible if a larger set of rules is; the oracle says which.
        That each is contradictory it proves of many at once: it finds nothing that keeps all rules of any of them.
        """
        if not reasons:
            return
        oracle, model = self.oracle({}), self.model
        can: list[frozenset[int]] = []
        for less in dict.fromkeys(reason - {i} for reason in reasons for i in sorted(reason)):
            if any(less <= larger for larger in can):
                continue
            larger = members(oracle.kept_with(mask(less)))
            if self._clash(model.cp, [self._assumed(i) for i in sorted(larger)], relax=False):
                raise Refuted(f"contradictory without one more: {[self.labels[i].role for i in sorted(less)]}")
            can.append(larger)
        for start in range(0, len(reasons), AT_ONCE):
            self._contradict(reasons[start : start + AT_ONCE])

    def _contradict(self, reasons: Sequence[frozenset[int]]) -> None:
        """Let CP-SAT confirm that nothing keeps all rules of any of these reasons."""
        cp = self.model.cp.clone()
        each = [cp.new_bool_var(f"reason {number}") for number in range(len(reasons))]
        for literal, reason in zip(each, reasons, strict=True):
            cp.add_bool_and([self._assumed(i) for i in sorted(reason)]).only_enforce_if(literal)
        cp.add_bool_or(each)
        if not self._clash(cp, []):
            raise Refuted(f"not contradictory: one of {len(reasons)} reasons")

    def _assumed(self, i: int) -> cp_model.IntVar:
        return self.model.literals.assumed[self.labels[i]]

    def _clash(self, cp: cp_model.CpModel, literals: Sequence[cp_model.IntVar], *, relax: bool = True) -> bool:
        self.solves += 1
        return conflict(cp, literals, seconds=self.c.clock.left, relax=relax) is not None


def ranked(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Merge members of one rule that say the same, and put the reasons with the fewest rules first."""
    merged: dict[frozenset[Because], Reason] = {}
    for reason in reasons:
        if reason:  # one that was found twice may list its members in another order
            merged.setdefault(frozenset(reason), tuple(dict.fromkeys(reason)))

    def rank(reason: Reason) -> tuple[object, ...]:
        return (
            len({b.rule for b in reason}),
            len(reason),
            tuple(b.role for b in reason),
            tuple(sorted(str(b.says.params.get("slot", "")) for b in reason)),
            tuple(b.about for b in reason),
        )

    return tuple(sorted(merged.values(), key=rank))
