"""Says in the metadata of a rewritten file that it is pseudonymized: one more edit, undone like the rest."""

import re
from collections.abc import Sequence

from pseudonymizer.formats.nodes import moved
from pseudonymizer.formats.records import Edit

_MAIL_MARK = b"X-Pseudonymized: nymlink"
_PAGE_MARK = b'<meta name="nymlink" content="pseudonymized" />'
_FIRST_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>)?\s*(?:<!doctype[^>]*>)?\s*<html(?:\s[^>]*)?>\s*<head(?:\s[^>]*)?>",
    re.IGNORECASE,
)
_CHARSET_AREA = 2048  # bytes in which a page declares its encoding
_MARGIN = 32  # bytes; longer than the name of an encoding


def mark(format_name: str, raw: bytes, edits: Sequence[Edit]) -> tuple[bytes, tuple[Edit, ...]]:
    """raw with the mark in it, and edits that undo it too.

    Unchanged where the format has no place for a mark, where the file has none (a page without a head) and
    where the mark stands already.
    """
    placed = _place(format_name, raw)
    if placed is None:
        return raw, tuple(edits)
    place, written = placed
    end = place + len(written)
    shifted = tuple(moved(edit, "", len(written)) if edit.start >= place else edit for edit in edits)
    return raw[:place] + written + raw[place:], (*shifted, Edit("", place, end, b""))


def _place(format_name: str, raw: bytes) -> tuple[int, bytes] | None:
    if format_name == "eml" and _FIRST_FIELD.match(raw):
        found = _HEADER_END.search(raw)
        header = raw[: found.start()] if found else raw
        if re.search(rb"^X-Pseudonymized[ \t]*:", header, re.MULTILINE | re.IGNORECASE):
            return None
        line_end = b"\r\n" if b"\r\n" in raw[:4096] else b"\n"
        return 0, _MAIL_MARK + line_end
    if format_name == "html" and (head := _HEAD.match(raw)) is not None and _PAGE_MARK not in raw:
        # Pages whose declared encoding would be pushed out of the area where it is looked for stay unmarked.
        before, after = raw[:_CHARSET_AREA], raw[: _CHARSET_AREA - len(_PAGE_MARK) - _MARGIN]
        if before.lower().count(b"charset") == after.lower().count(b"charset"):
            return head.end(), _PAGE_MARK
    return None
