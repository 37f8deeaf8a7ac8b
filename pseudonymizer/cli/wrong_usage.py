"""What is said of a command line that nobody understands: never what was typed there, which may be a name."""

import io
import re
from collections.abc import Iterable
from typing import Any, Final

_WHAT_WAS_GIVEN: Final = "what was given"
# Messages of click that end with what was typed, as it was typed.
_ENDING: Final = re.compile(
    r"(unexpected extra arguments?|No such option:?|No such command:?)\b.*", re.DOTALL
)
_ENDED: Final = {
    "unexpected extra argument": "more arguments than it takes",
    "unexpected extra arguments": "more arguments than it takes",
    "No such option": "there is no such option",
    "No such command": "there is no such verb",
}


def shown_usage_error(error: Any, given: Iterable[str]) -> str:
    """What an error of click shows, without the words and values that were typed.

    given: the words of the command line; of --option=value the value counts as well.
    """
    if not hasattr(error, "message"):
        return _shown(error)
    message = _ENDING.sub(lambda found: _ENDED[found[1].rstrip(":")], str(error.message))
    for word in sorted(_typed(given), key=len, reverse=True):
        message = message.replace(repr(word), _WHAT_WAS_GIVEN)
    if (possible := getattr(error, "possibilities", None)) and "no such option" in message:
        message += f"; there is {', '.join(sorted(possible))}"
    error.message, error.possibilities = message, None
    return _shown(error)


def _typed(given: Iterable[str]) -> set[str]:
    words = set(given)
    return words | {word.partition("=")[2] for word in words if word.startswith("-")} - {""}


def _shown(error: Any) -> str:
    text = io.StringIO()
    error.show(file=text)
    return text.getvalue()
