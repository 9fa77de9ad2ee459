"""An act: a verb, its subjects, an amount. It serves as cost, as effect and as what a rule does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from lawful.model.expression import Condition, Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector

if TYPE_CHECKING:
    from lawful.model.effect import Grant, Modifier, Norm


class Success(Enum):
    """When an act counts as done: one notion for "cost paid", "when you do" and "in doing so"."""

    ATTEMPTED = "attempted"
    CHANGED = "changed"
    FULL = "full"
    YIELDED = "yielded"


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is done. Doing it produces one event.

    Parameters
    ----------
    verb : str
        ``pitch``, ``discard``, ``exhaust``, ``gain``, ``set``, ...
    what : str, Ref, Selector or mapping, optional
        The verb's own object: ``{destroy: $self}``, ``{remove: charge}``, ``{gain: {w: 1}}``, ``{set: base.life}``;
        of ``lay``, the effect that is laid.
    of : Ref or Selector, optional
        The object acted upon where `what` is not an object: ``{remove: charge, of: $self}``.
    to : Expression or str, optional
        The new value (``set``) or the place where the object goes (``move``).
    n : Expression, optional
        How many; None is one, or all, as the verb says.
    as_ : str, optional
        The name under which later steps see what this one yielded.
    when : Condition, optional
        The step is done only if this holds as it is reached.
    given : str, optional
        The step is done only if the earlier step of that name was: "if you do", "and thereby".
    unless : str, optional
        The step is done only if the earlier step of that name changed nothing: "unless you pay".
    success : Success
        How far the step that is `given` must have been done.
    ignores : tuple of str
        Names of norms that do not keep it from being done ("ignoring any crisis icons").
    until : str, optional
        Of ``lay``: when the effect ends, in the ruleset's words; None is never.

    References
    ----------
    CR 1.8.9 (the rest goes on), 514.3 ("and thereby" needs a change).

    Examples
    --------
    ``{remove: charge, of: $self, n: 1}``:

    >>> Act("remove", "charge", of=Ref("self"), n=1).verb
    'remove'
    """

    verb: str
    what: str | Ref | Selector | FrozenMap[str, Expression] | Modifier | Grant | Norm | None = None
    of: Ref | Selector | None = None
    to: Expression | str | None = None
    n: Expression | None = None
    as_: str | None = None
    when: Condition | None = None
    given: str | None = None
    unless: str | None = None
    success: Success = Success.CHANGED
    until: str | None = None
    ignores: tuple[str, ...] = ()
