"""The mark of pages: an element of their head."""

import re
from typing import Final

from pseudonymizer.formats.tree.stamps import Stamp

PAGE_MARK: Final = '<meta name="nymlink" content="pseudonymized" />'
_PAGE_MARK = PAGE_MARK.encode("ascii")
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>)?\s*(?:<!doctype[^>]*>)?\s*<html(?:\s[^>]*)?>\s*<head(?:\s[^>]*)?>",
    re.IGNORECASE,
)
_CHARSET_AREA = 2048  # bytes in which a page declares its encoding
_MARGIN = 32  # bytes; longer than the name of an encoding


def stamps(raw: bytes) -> list[Stamp]:
    """An element at the beginning of the head of a page; none where it has one, or no head."""
    head = _HEAD.match(raw)
    if head is None or _PAGE_MARK in raw:
        return []
    # Pages whose declared encoding would be pushed out of the area where it is looked for stay unmarked.
    before, after = raw[:_CHARSET_AREA], raw[: _CHARSET_AREA - len(_PAGE_MARK) - _MARGIN]
    if before.lower().count(b"charset") != after.lower().count(b"charset"):
        return []
    return [Stamp(head.end(), head.end(), _PAGE_MARK)]


def is_marked(raw: bytes) -> bool:
    """Whether a page has the element."""
    return _PAGE_MARK in raw
