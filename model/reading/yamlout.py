"""Plain data as YAML text that reads back as the same data."""

from __future__ import annotations

from typing import Any

import yaml

from lawful.model.reading.yamltext import Data


def to_yaml(data: Data) -> str:
    """Write plain data as YAML that reads back as the same data.

    Parameters
    ----------
    data : dict, list, str or None
        What to write.

    Returns
    -------
    str
        One document.

    Examples
    --------
    >>> print(to_yaml({"cost": "{c}{r}", "x": ["1", None]}), end="")
    cost: '{c}{r}'
    x:
    - '1'
    -
    """
    return str(yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


class _Dumper(yaml.SafeDumper):
    """Writes every scalar as text; nothing as nothing; no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        return True


_Dumper.add_representer(type(None), lambda d, _: d.represent_scalar("tag:yaml.org,2002:null", ""))
