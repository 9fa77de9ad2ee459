"""Equal cards: what is told of ways in which they are not told apart, and in which order."""

from __future__ import annotations

from lawful.solver.encode.allocation import looks
from lawful.solver.encode.frame import Frame
from lawful.solver.meaning import Family, Meaning


class Classes:
    """Equal cards: which they are, and which sources they have.

    Parameters
    ----------
    f : Frame
        The question.
    """

    def __init__(self, f: Frame) -> None:
        place: dict[object, int] = {}
        self.of = {thing.id: place.setdefault(looks(thing), len(place)) for thing in f.question.position.things}
        self.sources: list[list[str]] = [[] for _ in place]
        for candidate in f.sources:
            mine = self.sources[self.of[candidate.thing.id]]
            if candidate.source not in mine:
                mine.append(candidate.source)

    def rank(self, meaning: Meaning, family: Family, parts: bool) -> tuple[object, ...]:
        """Return what merged ways are sorted by: as canonical order, every name at the place of its first card."""
        model, plan = meaning.model, meaning.plan(family)
        width = len(meaning.f.parts) if parts else 1
        terms = {term.due.key: j for j, term in enumerate(model.effects.terms)}
        uses = [[[0] * width for _ in names] for names in self.sources]
        for group, mine in zip(model.groups, family.used, strict=True):
            member = group.members[0]
            c = self.of[member.thing.id]
            for k, n in enumerate(mine):
                uses[c][self.sources[c].index(member.source)][k if parts else 0] -= n
        picks = [[0] * len(terms) for _ in self.sources]
        for due, picked in zip(plan.effects, family.picks, strict=True):
            for id in picked:
                picks[self.of[id]][terms[due.key]] -= 1
        given = [-n for n in (family.cells if parts else family.numbers)]
        return len(plan.options), plan.options, family.x or 0, list(zip(uses, picks, strict=True)), given
