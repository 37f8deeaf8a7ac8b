"""What --json prints: one object on one line, of one shape for all verbs (docs/reference/json.md)."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pseudonymizer.cli.lines import json_text
from pseudonymizer.cli.saying import say

VERB: Final = "verb"
STATUS: Final = "status"
ITEMS: Final = "items"
ERROR: Final = "error"
_DONE: Final = 0
_OLD: Final = ("NYMLINK_JSON", "0.1")  # what asks for lists and lines as version 0.1 printed them


def say_result(verb: str, values: Mapping[str, Any], *, status: int = _DONE, err: bool = False) -> None:
    """Print the values of a verb by name. status: that with which the command ends."""
    say(result_text(verb, values, status=status), err=err)


def result_text(verb: str, values: Mapping[str, Any], *, status: int = _DONE) -> str:
    """The object of a verb, on one line."""
    return json_text({VERB: verb, STATUS: status, **values})


def say_items(verb: str, items: Iterable[Mapping[str, Any]], *, before: str = "") -> None:
    """Print a list. before: how version 0.1 printed it, "list" or "lines"; NYMLINK_JSON=0.1 asks for that one
    version longer.
    """
    rows = list(items)
    if before and os.environ.get(_OLD[0]) == _OLD[1]:
        for line in [rows] if before == "list" else rows:
            say(json_text(line))
        return
    say_result(verb, {ITEMS: rows})


def say_error(verb: str, message: str, *, status: int) -> None:
    """Print why a verb ended without a result."""
    say_result(verb, {ERROR: message}, status=status)
