"""Norms on raising a number, as the machine reads them: which effects they keep from which objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lawful.model.effect import Norm
from lawful.model.expression import Ref
from lawful.model.position import Position, Thing
from lawful.solver.order.view import View

if TYPE_CHECKING:
    from lawful.solver.order.board import Board, Boards, Effect


RAISE = "raise."


def barring(effects: Sequence[Effect]) -> dict[str, list[Effect]]:
    """Return the norms on raising numbers, by the number's name."""
    found: dict[str, list[Effect]] = {}
    for effect in effects:
        if isinstance(effect.what, Norm) and effect.what.modality == "cannot":
            event = effect.what.action.event
            if event.startswith(RAISE):
                found.setdefault(event.removeprefix(RAISE), []).append(effect)
    return found


def kept_down(
    norms: Sequence[Effect], by: Effect, thing: Thing, position: Position, boards: Boards, board: Board
) -> bool:
    """Tell whether a norm keeps an effect from raising a number of an object; what was read is noted on the board."""
    kept = False
    for norm in norms:
        what = norm.what
        assert isinstance(what, Norm)
        if not norm.lasting:
            board.reads.add(("mute", norm.source))
            if norm.source in board.mute:
                continue
        view = View(position, boards.rules, {**norm.bound, "subject": thing.id}, boards, board.reads, board)
        if not view.holds(what.while_) or (what.unless is not None and view.holds(what.unless)):
            continue
        action = what.action
        if action.by is not None and view.ref(action.by) != by.bound.get("controller"):
            continue
        if action.subject is not None and not view.finds(action.subject, thing):
            continue
        if action.source is not None:
            id = by.bound.get("self") if by.lasting else by.source
            source = view.thing(id) if isinstance(id, str) else None
            if source is None or not _means(action.source, source, view):
                continue
        kept = True
    return kept


def _means(wanted: object, thing: Thing, view: View) -> bool:
    return view.ref(wanted) == thing.id if isinstance(wanted, Ref) else view.finds(wanted, thing)  # type: ignore[arg-type]
