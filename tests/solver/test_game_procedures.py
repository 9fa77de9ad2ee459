"""What the rules of Marvel Champions let one declare, under norms and additional costs: referee and CP-SAT agree."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from lawful.checking import check
from lawful.model.casefile import read_cases
from lawful.model.declaration import Question
from lawful.model.referee.affordable import affordable
from lawful.model.referee.legal import Table
from lawful.model.rulesets import load_ruleset

TOLL = "{additional: {cost: %s, to: {declaration: {%s}}, types: [%s]%s}}"
BAN = "{static: {cannot: {%s}%s}}"


def board(random: Random) -> Question:
    """Return a declaration of readying a card or of changing form, with texts about it in play."""
    who = ("by: $controller", "by: $self.engaged", "by: $opponent")
    what = ("on: {type: ally}", "on: {type: support, controller: $controller}", "by: $controller, on: {type: ally}")
    text = (
        lambda: TOLL % (random.choice(("1m", "2r")), random.choice((*who, *what)), "ready", ""),
        lambda: (
            TOLL
            % (
                "[{asset: r, amount: 2, alike: same}]",
                random.choice(who),
                "change_form",
                random.choice(("", ", when: {not: {form: hero}}")),
            )
        ),
        lambda: BAN % (f"ready: {{{random.choice(('type: ally', 'subject: {type: ally}, by: $controller'))}}}", ""),
        lambda: BAN % (f"change_form: {{{random.choice(who)}}}", random.choice(("", ", while: {form: hero}"))),
    )
    laws = [random.choice(text)() for _ in range(random.randint(1, 3))]
    cards = "\n".join(f"  Law{n}: {{types: [minion], abilities: [{law}]}}" for n, law in enumerate(laws))
    mine = [f"{{card: Law{n}, relations: {{engaged: {random.choice(('Ann', 'Foe'))}}}}}" for n in range(len(laws))]
    hand = ", ".join(random.choice("empw") for _ in range(random.randint(0, 2)))
    mine += [f"{{card: {name}, status: [exhausted]}}" for name in random.sample(("Pal", "Lab"), random.randint(0, 2))]
    random.shuffle(mine)
    declared = random.choice(("ready", "ready", "change_form"))
    form = random.choice(("hero", "alter-ego"))
    return read_cases(
        f"case: x\nruleset: marvel-champions\ncards:\n{cards}\n  Pal: {{types: [ally]}}\n  Lab: {{types: [support]}}\n"
        f"given: {{players: {{Ann: {{hand: [{hand}], play: [{', '.join(mine)}, Pal], facts: {{form: {form}}}}}, "
        "Foe: {}}}\n"
        f"when: {{player: Ann, declare: {declared}}}\n"
    )[0].question


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_who_may_be_readied_and_who_may_change_form(start: int) -> None:
    verdicts = set()
    for seed in range(start, start + 20):
        question = board(Random(seed))
        table = Table(question)
        expected = [
            chosen
            for chosen in table.choices()
            if affordable(replace(question, declaration=replace(question.declaration, targets=chosen))) is not None
        ]
        answer = check(question)
        assert answer.status == ("legal" if expected else "illegal"), seed
        assert answer.count == len(expected), seed
        verdicts.add(answer.status)
    assert verdicts == {"legal", "illegal"}


@pytest.mark.parametrize(
    "name", ["attack", "thwart", "basic attack", "basic thwart", "basic defense", "basic recovery"]
)
@pytest.mark.parametrize("law", ["by: $controller", "source: {type: ally}"])
def test_what_is_declared_can_be_barred_by_its_labels(name: str, law: str) -> None:
    parts = load_ruleset("marvel-champions").labels.get(name, (name,))
    text = (
        "case: x\nruleset: marvel-champions\ncards:\n"
        f"  Pal: {{types: [ally], abilities: [{{activate: {{cost: 0, types: [{', '.join(parts)}]}}}}]}}\n"
        f"  Law: {{types: [obligation], abilities: [{{static: {{cannot: {{NAME: {{{law}}}}}}}}}]}}\n"
        "given: {players: {Ann: {play: [Pal, Law]}}}\nwhen: {player: Ann, activate: Pal}\n"
    )
    for barred, status in ((name, "illegal"), ("Special", "legal"), *((part, "illegal") for part in parts)):
        assert check(read_cases(text.replace("NAME", barred))[0].question).status == status, barred
