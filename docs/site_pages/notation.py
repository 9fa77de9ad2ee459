"""The notation of costs, from its grammar; and the letters of each game, from its ruleset."""

from __future__ import annotations

import re
from importlib.resources import files

from lawful.model.notation import parse_cost
from lawful.model.rulesets import load_ruleset, shipped
from site_pages.text import code, plain, table

RULE = re.compile(r"((?:^//.*\n)+)^(\w+)(?:\.\d+)?: (.*(?:\n +\|.*)*)", re.MULTILINE)


def grammar() -> str:
    """Return the text of the grammar."""
    return files("lawful.model").joinpath("notation.lark").read_text("utf8")


def described() -> dict[str, tuple[str, str]]:
    """Return each rule and each sign of the grammar, with what is written for it and what its comment says."""
    return {
        found[2]: (
            re.sub(r"\s+", " ", re.sub(r" -> \w+", "", found[3])).strip(),
            " ".join(line.removeprefix("//").strip() for line in found[1].splitlines()),
        )
        for found in RULE.finditer(grammar())
    }


def made(argument: str) -> str:
    """Return the reference of the notation."""
    rows = [(code(name), text, code(form)) for name, (form, text) in described().items()]
    parts = [table(("part", "what it is", "how it is written"), rows)]
    parts += ["\n## The letters of each game\n"]
    for game in shipped():
        ruleset = load_ruleset(game)
        letters = [(code(asset.id), plain(asset.name), code(str(asset.phase))) for asset in ruleset.assets]
        parts += [f"### {plain(ruleset.name)}\n", table(("letter", "asset", "paid in phase"), letters)]
        generic = ", ".join(code(card.name) for card in ruleset.cards)
        spelled = ", ".join(code(asset) for asset in ruleset.spelled)
        parts += [f"\nCards that need no card file: {generic}.\n"] if generic else []
        parts += [f"\nA card is named by what it yields, in any mixture of {spelled}.\n"] if spelled else []
        parts += [f"\n`--{stock.name} 3` lays three of {code(stock.card)}.\n" for stock in ruleset.stock]
        ids = [asset.id for asset in ruleset.assets]
        parse_cost("".join(f"1{id}" for id in ids), ids, ids[0])  # what the page says can be written
    parts += ["\n## The grammar\n", f"```text\n{grammar()}```\n"]
    return "\n".join(parts)
