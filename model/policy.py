"""In which order a ruleset lets effects apply, and who orders what no rule orders. Parameters, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Tier:
    """A place in the order of abilities that trigger on the same event.

    Parameters
    ----------
    name : str
        What a trigger calls it.
    when : {"before", "after"}
        Whether its abilities are resolved before the event happens or after.
    order : {"first", "turn", "window"}
        Who orders several: the first player all of them; each player their own, in turn order from the first; or all
        who have some, together: whoever passed may use one after another player has, until all pass.
    """

    name: str
    when: Literal["before", "after"] = "after"
    order: Literal["first", "turn", "window"] = "turn"


@dataclass(frozen=True, slots=True)
class EffectRules:
    """In which order effects apply, and who orders what no rule orders; `docs/effects.md` says what each means.

    Parameters
    ----------
    dependency : {"ignore", "defer", "sort"}
        A continuous effect whose application another one would change: keeps its place; moves to the end of the last
        stage that has such a one; or waits for it, within its stage.
    contradiction : {"stages", "latest"}
        Of two that set the same number of one object: the stages decide, or the one laid last on that object.
    stamp_ties : {"silent", "active"}
        Who orders effects with the same timestamp: nobody, or the active player.
    waiting : {"any", "newest", "oldest"}
        Which of the abilities that triggered at different times resolves first.
    ties : {"silent", "blocks", "turn", "first"}
        Of those that triggered at the same time: nobody orders them; each player their own, in blocks one after the
        other, the active player choosing who begins; each player their own, the active player's first; or the first
        player orders all.
    tiers : tuple of Tier
        Tiers, the first to resolve first; empty where the rules have none.
    checks : {"empty", "always"}
        When what the rules do by themselves is done: when nothing waits, or after every step.
    replacements : {"silent", "affected", "blocks"}
        Who orders several replacements of one event: nobody; the controller of what it happens to; or each player their
        own, the active player choosing who begins.
    classes : tuple of str
        The order of replacements by kind, and of preventions: ``self``, ``enters``, ``standard``, ``outcome``,
        ``prevention``; those of one class are joined by ``+``. Empty: replacements, then preventions; where there are
        tiers, by tier.
    bans : {"first", "last"}
        Whether what cannot happen is told before replacements and preventions or after them.
    partly : {"happens", "silent"}
        Whether an event that was replaced in part is heard by triggers.
    lasting : {"live", "fixed"}
        Whether a lasting effect reads its number anew at every look, or once, as it is laid.
    preventions : {"silent", "affected", "owner", "inactive", "blocks"}
        Who orders preventions: nobody; the controller of what is wounded; whoever owns one, with the players in any
        order; the inactive player's first, each their own; or in blocks, the active player choosing who begins.
    declining : {"said", "any"}
        Which preventions may be declined: those that say so, or any.
    thereby : {"changed", "zeroed"}
        When a step was done, for what is done thereby: when something of it happened; or also when it would have given
        wounds, and all of them were prevented or could not be.
    adding : {"apart", "together"}
        Whether what one text puts into a relation step by step is put there step by step, or at once.
    """

    dependency: Literal["ignore", "defer", "sort"] = "ignore"
    contradiction: Literal["stages", "latest"] = "stages"
    stamp_ties: Literal["silent", "active"] = "silent"
    waiting: Literal["any", "newest", "oldest"] = "any"
    ties: Literal["silent", "blocks", "turn", "first"] = "silent"
    tiers: tuple[Tier, ...] = ()
    checks: Literal["empty", "always"] = "empty"
    replacements: Literal["silent", "affected", "blocks"] = "silent"
    classes: tuple[str, ...] = ()
    bans: Literal["first", "last"] = "first"
    partly: Literal["happens", "silent"] = "happens"
    lasting: Literal["live", "fixed"] = "live"
    preventions: Literal["silent", "affected", "owner", "inactive", "blocks"] = "silent"
    declining: Literal["said", "any"] = "said"
    thereby: Literal["changed", "zeroed"] = "changed"
    adding: Literal["apart", "together"] = "apart"
