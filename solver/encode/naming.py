"""Which names a text speaks of: of objects, or one that a fact of a player is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawful.model.expression import Ref
from lawful.model.selector import Selector

if TYPE_CHECKING:
    from lawful.solver.encode.look import Look

PLAYERS = ("controller", "opponent", "declarer", "owner")


def names(look: Look, wanted: Ref | Selector, controller: str, self_id: str | None) -> set[str]:
    """Return the names of the objects that a text means, or the name that a fact of a player is.

    Parameters
    ----------
    look : Look
        The position before paying.
    wanted : Ref or Selector
        The text.
    controller, self_id : str
        Whose text it is, and of which object.
    """
    cards, things, said = look.position.cards, look.position.things, None
    if isinstance(wanted, Selector):
        meant = [t for t in things if look.finds(wanted, t, controller, self_id)]
    else:
        if len(wanted.path) == 1 and wanted.name in PLAYERS:
            who = look.who(Ref(wanted.name), controller, self_id)
            said = look.position.player(who).facts.get(wanted.path[0], "")
        id = said if said is not None else look.who(wanted, controller, self_id)
        meant = [t for t in things if t.id == id]
    if said and not meant:
        return set() if said.isascii() and said.isdigit() else {said}
    return {cards[t.card].printed_name for t in meant if t.face == "up"}
