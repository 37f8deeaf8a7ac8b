"""Parts of a text as HTML: every character escaped, stretches between tags. The page of `nymlink view` and
the pages of the web application are drawn by it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Final

from pseudonymizer.desk.reading import Part

# A parser of HTML makes a line feed of a carriage return and drops NUL, so that later places would shift.
_UNSAFE: Final = re.compile("[\r\0]")
_INSTEAD: Final = {"\r": "&#13;", "\0": "\ufffd"}

Opening = Callable[[int, bool], str]  # number of a stretch, whether it lies inside another: the tag
Closing = Callable[[int], str]  # number of a stretch: what stands before the end of it, and the end tag


def written(text: str) -> str:
    """The text as HTML shows it, one character of the page for each code point."""
    return _UNSAFE.sub(lambda match: _INSTEAD[match.group()], escape(text))


def first_line_feed(text: str) -> str:
    """What stands behind the tag <pre> so that a line feed at the head of a text is not dropped."""
    return "\n" if text.startswith("\n") else ""


def drawn(parts: Iterable[Part], opening: Opening, closing: Closing) -> Iterator[str]:
    """The parts as HTML, with tags where stretches begin and end. All are closed at the end."""
    opened: tuple[int, ...] = ()
    for part in parts:
        shared = 0
        while shared < min(len(opened), len(part.stretches)) and opened[shared] == part.stretches[shared]:
            shared += 1
        for number in reversed(opened[shared:]):
            yield closing(number)
        for depth, number in enumerate(part.stretches[shared:], start=shared):
            yield opening(number, depth > 0)
        opened = part.stretches
        yield written(part.text)
    for number in reversed(opened):
        yield closing(number)
