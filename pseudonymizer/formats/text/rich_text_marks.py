"""The mark of rich text: a property of the user's."""

import re

from pseudonymizer.formats.tree.stamps import Stamp

_RTF_MARK = rb"{\propname Pseudonymized}\proptype30{\staticval nymlink}"
_RTF_TOKEN = re.compile(
    rb"\\bin(?P<length>\d+) ?|(?P<word>\\[A-Za-z]+-?\d* ?)|\\[^A-Za-z]|(?P<brace>[{}])|(?P<text>[^\\{}]+)"
)
_RTF_GROUP = re.compile(rb"\{\s*(?:\\\*\s*)?\\([A-Za-z]+)")
_RTF_HEADER = frozenset(
    b"fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator info xmlnstbl mmathPr"
    b" filetbl pgptbl latentstyles themedata colorschememapping datastore defchp defpap".split()
)
_RTF_BODY = (b"\\pard", b"\\plain", b"\\sectd")


def stamps(raw: bytes) -> list[Stamp]:
    """A property of the user's (userprops), after the tables that begin the file."""
    if _RTF_MARK in raw:
        return []
    after_words = after_groups = depth = position = 0
    is_header = False  # inside a group of the header
    while (token := _RTF_TOKEN.match(raw, position)) is not None:
        position = token.end() + int(token["length"] or 0)
        if token["brace"] == b"{":
            depth += 1
            if depth == 2:
                group = _RTF_GROUP.match(raw, token.start())
                if group is not None and group[1] == b"userprops":
                    return [Stamp(group.end(), group.end(), _RTF_MARK)]
                is_header = group is not None and group[1] in _RTF_HEADER
                if not is_header:
                    break
        elif token["brace"] == b"}":
            depth -= 1
            if depth <= 0:
                break
            if depth == 1 and is_header:
                after_groups = token.end()
        elif depth == 1 and token["word"]:
            if token["word"].startswith(_RTF_BODY):
                break
            after_words = after_words if after_groups else token.end()
        elif depth == 1 and (token["text"] or b"").strip():
            break
    place = after_groups or after_words
    return [Stamp(place, place, b"{\\*\\userprops " + _RTF_MARK + b"}")] if place else []


def is_marked(raw: bytes) -> bool:
    """Whether a document has the property."""
    return _RTF_MARK in raw
