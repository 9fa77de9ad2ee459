"""Mutation of rules: what would be legal if one rule did not bind.

A `-` case shows that a rule forbids something. If the rule is released and the case stays illegal, either another rule
implies it, which the ruleset then names, or the case (or the encoding) does not show what it claims.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.declaration import Question
from lawful.model.limits import Limits
from lawful.model.payment import Claim
from lawful.model.ruleset import Rule, Ruleset
from lawful.model.verdict import Because, Reason
from lawful.solver.explain import why_not
from lawful.solver.judge import judge


@dataclass(frozen=True, slots=True)
class Mutation:
    """One rule released on one question.

    Parameters
    ----------
    row : str
        The statement of the inventory.
    rules : tuple of str
        Ids of the rules that are this statement, all of them released together.
    killed : bool
        Whether the question became legal.
    implied_by : tuple of str
        Where it did not: rules that forbid it still and that the ruleset names as implying the released ones.
    still : tuple of str
        Where it did not: ids of the rules that forbid it still.
    """

    row: str
    rules: tuple[str, ...]
    killed: bool
    implied_by: tuple[str, ...] = ()
    still: tuple[str, ...] = ()

    @property
    def explained(self) -> bool:
        """Whether the release changed the verdict, or the rule that implies it is named."""
        return self.killed or bool(self.implied_by)


def rules_of(ruleset: Ruleset, row: str) -> tuple[Rule, ...]:
    """Return the rules that are a statement of the inventory."""
    return tuple(rule for rule in ruleset.rules if row in rule.rows)


def mutate(
    question: Question, claim: Claim | None, row: str, *, declared: bool = False, limits: Limits = Limits()
) -> Mutation:
    """Release the rules of a row and look whether something illegal becomes legal.

    Parameters
    ----------
    question : Question
        What is asked; it is illegal, or the claim is.
    claim : Claim, optional
        The payment that is judged; None asks whether there is any.
    row : str
        The statement whose rules are released.
    declared : bool
        Whether it is asked what may be declared, not how it is paid.
    limits : Limits
        What it may cost.

    Returns
    -------
    Mutation
        With what forbids it still, if something does.

    Raises
    ------
    LimitReached
        If there was no answer in time.
    """
    rules = rules_of(question.ruleset, row)
    released = frozenset(role for rule in rules for role in rule.roles)
    if declared and claim is None:
        reason = _undeclarable(question, released, limits)
        killed = reason is None
    elif claim is None:
        reason = why_not(question, limits=limits, released=released)
        killed = reason is None
    else:
        judged = judge(question, claim, limits=limits, released=released)
        killed, reason = judged.legal, judged.reason
    ids = tuple(rule.id for rule in rules)
    if killed:
        return Mutation(row, ids, bool(released))
    still = tuple(sorted({b.rule for b in reason or () if b.rule}))
    named = {implier for rule in rules for implier in rule.implied_by}
    return Mutation(row, ids, False, tuple(rule for rule in still if rule in named), still)


def _undeclarable(question: Question, released: frozenset[str], limits: Limits) -> Reason | None:
    """Return all that forbids a declaration without some rules, as one reason; None if it is legal in some reading."""
    from lawful.solver.check import Checker, readings_of
    from lawful.solver.grounds import Grounds

    found: list[Because] = []
    for oblige in readings_of(question, limits) or (None,):
        checker = Checker(question, limits, released, oblige)
        if checker.verdict().legal:
            return None
        found += [because for reason in Grounds(checker).all() for because in reason]
    return tuple(found)
