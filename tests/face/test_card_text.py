"""The engine of card text: templates, words, ambiguity; and that the grammars that ship name only parts they have."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.resources import files
from typing import Any

import pytest

from lawful.cards.grammar import Grammar, NotRead
from lawful.cards.lexing import Lexicon
from lawful.cards.meaning import BadTemplate, Clash, fill
from lawful.cards.sheet import load_text_rules
from lawful.cards.sheet_parts import Sheet
from lawful.cards.skeleton import skeleton
from lawful.model.expression import Ref

TEXT = r"""
cost: part ("," part)*                 //= [$*]
part: "burn" thing                     //= {burn: $1}
    | "burn" thing "or" thing          //= {any: [$1, $2]}
thing: "a" noun                        //= $1
    | "a" noun "you" "own"             //= {'<<': [$1, {owner: $controller}]}
noun: NAME                             //= {name: $1}
    | TYPE                             //= {type: [$1]}
    | TYPE noun                        //= {'<<': [{type: [$1]}, $2]}
%declare NAME TYPE
"""
WORDS = Lexicon({"NAME": ["Bent Penny", "Coin"], "TYPE": ["Relic", "Coin", "Fairy"]})


def read(text: str) -> Any:
    return Grammar(TEXT, ["cost"]).read(text, "cost", WORDS)


def test_every_word_has_to_be_used() -> None:
    assert read("burn a Bent Penny you own, burn a relic") == [
        {"burn": {"name": "Bent Penny", "owner": "$controller"}},
        {"burn": {"type": ["Relic"]}},
    ]
    with pytest.raises(NotRead, match="quickly"):
        read("burn a relic quickly")
    with pytest.raises(NotRead, match="words"):
        read("burn a")
    with pytest.raises(NotRead, match="end"):
        read("burn a relic, burn")


def test_plurals_and_phrases_are_found_and_names_keep_their_capitals() -> None:
    assert read("burn a fairies") == [{"burn": {"type": ["Fairy"]}}]
    assert read("burn a Bent Pennies") == [{"burn": {"name": "Bent Penny"}}]
    with pytest.raises(NotRead, match="bent"):
        read("burn a bent penny")


def test_a_spare_alternative_counts_where_no_other_reads_the_words() -> None:
    text = (
        TEXT.replace("//= {any: [$1, $2]}", "//-= {any: [$1, $2]}")
        + 'pair: part "or" thing //= {or: [$1, $2]}\n    | part //-= $1\n'
    )
    grammar = Grammar(text, ["pair"])
    assert grammar.read("burn a relic or a fairy", "pair", WORDS) == {
        "or": [{"burn": {"type": ["Relic"]}}, {"type": ["Fairy"]}]
    }
    assert grammar.read("burn a relic", "pair", WORDS) == {"burn": {"type": ["Relic"]}}


def test_what_can_mean_two_things_is_not_read() -> None:
    with pytest.raises(NotRead, match="ambiguous"):
        read("burn a Coin")


@pytest.mark.parametrize(
    ("template", "parts", "meaning"),
    [
        ("$1", ["a"], "a"),
        ("x $1 y", ["a"], "x a y"),
        ({"#": "$*"}, ["a", "b"], "2"),
        ({"+": "$*"}, ["a", "b"], "ab"),
        (["*$1", "$2"], [["a", "b"], "c"], ["a", "b", "c"]),
        ({"<<": ["$1", {"type": ["b"]}]}, [{"type": ["a"]}], {"type": ["a", "b"]}),
        ({"<<": ["$1"], "when": "w"}, [[{"a": "1"}, {"b": "2"}]], [{"a": "1", "when": "w"}, {"b": "2", "when": "w"}]),
        ({"<<": ["$1"], "??": {"whose": "chosen"}}, [{"whose": "friendly"}], {"whose": "friendly"}),
        ({"a": "$1", "b": "$2~"}, ["x"], {"a": "x"}),
        ({"**": ["$1", {"a": "$2"}]}, ["2", "x"], [{"a": "x"}, {"a": "x"}]),
        ({"<-": ["$1", {"by": "me"}]}, [{"pitch": {"n": "1"}}], {"pitch": {"n": "1", "by": "me"}}),
        (["*$1"], [{"do": ["a", "b"]}], ["a", "b"]),
        ({"<<": ["$1", {"when": "b"}]}, [{"when": "a"}], {"when": {"every": ["a", "b"]}}),
    ],
)
def test_templates(template: Any, parts: list[Any], meaning: Any) -> None:
    assert fill(template, parts) == meaning


def test_contradictions_and_absent_parts_are_refused() -> None:
    with pytest.raises(Clash):
        fill({"<<": ["$1", "$2"]}, [{"n": "1"}, {"n": "2"}])
    with pytest.raises(BadTemplate):
        fill({"a": "$2"}, ["x"])


@pytest.mark.parametrize(
    ("game", "file"),
    [
        ("flesh-and-blood", "flesh-and-blood.lark"),
        ("marvel-champions", "marvel-champions.lark"),
        ("marvel-champions", "marvel-champions-sketches.lark"),
    ],
)
def test_templates_name_only_parts_that_are_there(game: str, file: str) -> None:
    rules = load_text_rules(game)
    grammar = rules.sketches if "sketches" in file else rules.grammar
    assert grammar is not None
    lark = grammar._lark
    by_name = defaultdict(list)
    for rule in lark.rules:
        by_name[rule.origin.name].append(rule)

    def parts_of(symbol: Any, seen: tuple[str, ...]) -> set[int]:
        if symbol.is_term:
            return {0} if symbol.filter_out else {1}
        if not symbol.name.startswith("_"):
            return {1}
        if symbol.name in seen:
            return {0, 1, 2, 3}
        return {n for rule in by_name[symbol.name] for n in counts(rule, (*seen, symbol.name))}

    def counts(rule: Any, seen: tuple[str, ...] = ()) -> set[int]:
        total = {0}
        for symbol in rule.expansion:
            total = {a + b for a in total for b in parts_of(symbol, seen)}
        return total

    lines = files("lawful.model.rulesets").joinpath("texts", file).read_text(encoding="utf8").splitlines()
    wrong = []
    for rule in lark.rules:
        if str(rule.alias or "").startswith("line_"):
            line = lines[int(str(rule.alias)[5:]) - 1]
            for number, absent in re.findall(r"\$(\d+)(~?)", re.split("//-?=", line)[1]):
                there = counts(rule)
                if not absent and int(number) > min(there):
                    wrong.append(line)
    assert wrong == []


@pytest.mark.parametrize("game", ["flesh-and-blood", "marvel-champions"])
def test_every_clause_of_a_text_is_found(game: str) -> None:
    rules = load_text_rules(game)
    paragraphs = ["Some words here. More of them.", "Odd"]
    found = [c.text for c in rules.clauses(paragraphs) if not c.phrase]
    assert " ".join(found) == " ".join(paragraphs)


SKETCHES = r"""
line: word+                            //= ['*$*']
word: VERB                             //= [{do: [{$1: {}}]}]
    | FILLER                           //= []
    | NAME                             //= [{of: {name: $1}}]
    | NAME_OF                          //= [{of: {name: $1}}]
%declare VERB FILLER NAME NAME_OF
"""


def test_a_sketch_is_the_words_that_say_something_and_every_word_is_used() -> None:
    verbs, filler = {"burn": "burn", "burns": "burn"}, {"the": "the", "stone": "stone"}
    words = Lexicon({"NAME": ["Bent Penny", "The Coin", "Stone", "The Stone"]}).with_more(
        {"VERB": verbs, "FILLER": filler}, {"FILLER"}
    )
    grammar = Grammar(SKETCHES, ["line"])
    assert grammar.read("the Bent Penny burns Bent Penny's", "line", words) == [
        {"of": {"name": "Bent Penny"}}, {"do": [{"burn": {}}]}, {"of": {"name": "Bent Penny"}},
    ]  # fmt: skip
    assert grammar.read("burn the Coin", "line", words)[1] == {"of": {"name": "The Coin"}}
    with pytest.raises(NotRead):
        grammar.read("burn stones", "line", words)  # phrases of some terminals have no other forms
    with pytest.raises(NotRead):
        grammar.read("burn the Stone", "line", words)  # a Stone or The Stone


def test_what_is_read_as_a_sketch_is_never_played() -> None:
    from lawful.cards.reading import TextReader
    from lawful.cards.terms import Terms
    from lawful.model.rulesets import load_ruleset

    rules = load_text_rules("marvel-champions")
    reader = TextReader(rules, Terms(load_ruleset("marvel-champions"), rules.sheet.resolving), Lexicon({}))
    text = "After you defeat a minion, deal that much damage to an enemy."
    (clause,) = [c for c in reader.clauses(text, "Some Card")[0] if not c.clause.phrase]
    assert clause.read
    assert not clause.played
    assert reader.read(text, "Some Card").abilities == ()
    (nothing,) = reader.clauses("Two other things.", "Some Card")[0]
    assert not nothing.read


def reader_of(game: str) -> Any:
    """Return what reads the texts of a game where no card file has any words."""
    from lawful.cards.reading import TextReader
    from lawful.cards.terms import Terms
    from lawful.model.rulesets import load_ruleset

    rules, ruleset = load_text_rules(game), load_ruleset(game)
    types = ["Item", "Action", "Attack", "Equipment"]
    return TextReader(rules, Terms(ruleset, rules.sheet.resolving), Lexicon({"NAME": [], "TYPE": types}))


def test_under_a_head_a_sentence_goes_on_from_the_one_before_it() -> None:
    text = "**Action** - {r}, destroy this: Choose an equipment. It can't defend this turn."
    (ability,) = reader_of("flesh-and-blood").read(text, "Odd Lever").abilities
    choose, *rest = ability.do
    assert (choose.verb, choose.as_) == ("choose", "it")
    assert [act.what.action.event for act in rest] == ["defend", "defends"]
    assert {act.what.action.subject for act in rest} == {Ref("it")}


def test_nothing_goes_on_from_a_sketch_or_from_one_of_two_readings() -> None:
    from dataclasses import replace

    reader = reader_of("flesh-and-blood")
    text = "Choose an equipment. It can't defend this turn."
    first, second = [c for c in reader.clauses(text, "Odd Lever")[0] if not c.clause.phrase]
    assert second.played
    assert second.whole is not None
    alone = reader.clause(second.clause)
    assert not alone.played
    assert reader._with(alone, [first]).played
    assert not reader._with(alone, [replace(first, sure=False)]).played
    assert not reader._with(replace(alone, sure=False), [first]).played


def test_a_slip_in_a_name_is_put_right_once_and_a_plural_is_none() -> None:
    rules = load_text_rules("flesh-and-blood")
    text, why = rules.repaired("Destroy Crooked Levar. Put Crooked Levar away.", "Crooked Lever")
    assert (text, len(why)) == ("Destroy Crooked Lever. Put Crooked Lever away.", 1)
    text, why = rules.repaired("Draw a card for each of your Crooked Levers.", "Crooked Lever")
    assert (text, why) == ("Draw a card for each of your Crooked Levers.", ())
    text, why = rules.repaired("Destroy Crooked Levar.", "Crooked Lever", {"crooked levar"})
    assert (text, why) == ("Destroy Crooked Levar.", ())  # that is another card
    text, why = rules.repaired("Discard CROOKED LEVER.", "Crooked Lever")
    assert (text, len(why)) == ("Discard Crooked Lever.", 1)


def test_what_stands_behind_an_event_is_not_done_when_the_card_is_played() -> None:
    reader = reader_of("flesh-and-blood")
    (drawing,) = reader.read("Draw a card.", "Odd Lever").abilities
    assert drawing.on.event == "played"
    (attack,) = reader.read("When this attacks, gain 1{h}. Draw a card.", "Odd Lever").abilities
    assert attack.on.event == "attacks"
    assert reader.read("Wibble the wobble. Draw a card.", "Odd Lever").abilities == ()


def test_what_a_card_may_be_called_is_data_of_the_game() -> None:
    """No code knows that a card of some game can be 'this ally', or that a name may stand in small letters."""
    plain = Sheet(grammar="none.lark")
    assert (plain.itself, plain.small) == ("~", "")
    rules = load_text_rules("marvel-champions")
    assert rules.itself.search("exhaust this ally")
    assert not rules.itself.search("exhaust an ally")
    assert rules.repaired("Discard web-shooter → gain 1", "Web-Shooter")[0] == "Discard Web-Shooter → gain 1"
    assert rules.repaired("Return web-shooter to hand", "Web-Shooter")[0] == "Return web-shooter to hand"


def test_words_that_begin_with_a_capital_letter_are_others() -> None:
    words = Lexicon({"TRAIT": ["Show"]}).with_more({"WORD": {"show": "show"}}, frozenset(), frozenset({"TRAIT"}))
    assert words.longest(["show", "deck"], 0) == (1, {"WORD": "show"})
    assert words.longest(["Show", "card"], 0) == (1, {"TRAIT": "Show", "WORD": "show"})


def test_a_meaning_may_have_to_say_something() -> None:
    assert fill(["!$*"], [[], ["a"], []]) == ["a"]
    with pytest.raises(Clash):
        fill(["!$*"], [[], []])


@pytest.mark.parametrize(
    ("meaning", "reads", "writes"),
    [
        ({"do": [{"ready": "$self.attached"}]}, ["relation:attached"], ["ready"]),
        ({"do": [{"draw": "1", "each": "$self.power"}]}, ["stat:power"], ["draw"]),
        ({"do": [{"draw": "1"}], "by": {"type": "Hero", "how": "each"}}, ["type:Hero"], ["draw"]),
        ({"do": [{"draw": "1"}], "heading": {"types": ["Action"], "when": {"form": "hero"}}}, ["fact:form"], ["draw"]),
        (
            {"do": [{"deal": "damage", "n": "1", "of": {"engaged": "$controller"}}]},
            ["relation:engaged"],
            ["deal:damage"],
        ),
        (
            [{"when": [{"fact": "form"}]}, {"on": {"revealed": "$self"}}, {"do": [{"draw": {}}]}],
            ["fact:form"],
            ["draw"],
        ),
    ],
)
def test_what_a_meaning_looks_at_and_does(meaning: object, reads: list[str], writes: list[str]) -> None:
    of = skeleton(meaning)
    assert [*of.reads] == reads
    assert [*of.writes] == writes
    assert of.kind == ("trigger" if isinstance(meaning, list) else "effect")
