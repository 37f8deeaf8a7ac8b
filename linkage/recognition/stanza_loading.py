"""Loading Stanza without udtools: it scores treebanks, which nymlink never asks for, and is under the GPL.

Stanza imports it with its own modules from 1.11.1 on. The lock files leave it and what it needs out.
"""

import importlib.util
import sys
from types import ModuleType
from typing import Final

_PACKAGE: Final = "udtools"


class TreebankScoringLeftOutError(Exception):
    """Raised by Stanza's scores of treebanks: udtools is not installed."""


def _left_out(*_: object, **__: object) -> None:
    raise TreebankScoringLeftOutError("udtools is not installed: scores of treebanks need it")


def load_without_treebank_scoring() -> None:
    """Put an empty module in place of udtools where it is not installed; else nothing changes."""
    if _PACKAGE in sys.modules or importlib.util.find_spec(_PACKAGE) is not None:
        return
    package, scoring = ModuleType(_PACKAGE), ModuleType(f"{_PACKAGE}.udeval")
    vars(scoring).update(UDError=TreebankScoringLeftOutError, build_evaluation_table=_left_out)
    vars(package)["udeval"] = scoring
    sys.modules |= {_PACKAGE: package, f"{_PACKAGE}.udeval": scoring}
