"""Imported once, before workers are forked, where card files are served.

What card texts are read with takes seconds to put together: a worker that had to, and was stopped for taking too long,
would leave it to the next one, which would be stopped as well.
"""

from __future__ import annotations

from lawful.cards.sheet import load_text_rules
from lawful.model.rulesets import load_ruleset, shipped

for _name in shipped():
    _file = load_ruleset(_name).card_file
    if _file is not None and _file.text_rules:
        load_text_rules(_file.text_rules).prepare()
