"""Windows of Dutch text: their tokens come from rules for Dutch where none are given."""

from collections.abc import Sequence

from linkage.training import tokens as rules
from linkage.training import windows
from linkage.training.windows import (
    BLANK_LINE,
    LINE_BREAK,
    TextWithSpans,
    Window,
    cut,
    is_tuning,
    join,
    of_record,
    read_bio,
    read_identifiers_jsonl,
    read_persons_jsonl,
    without_breaks,
)  # fmt: skip

__all__ = [
    "BLANK_LINE", "LINE_BREAK", "RULES", "TextWithSpans", "Window", "cut", "document_pieces",
    "document_window", "is_tuning", "join", "of_record", "read_bio", "read_identifiers_jsonl",
    "read_persons_jsonl", "tokenize",
]  # fmt: skip

_ABBREVIATIONS = frozenset(
    [
        "dhr.",
        "mevr.",
        "mw.",
        "mej.",
        "hr.",
        "dr.",
        "drs.",
        "mr.",
        "ir.",
        "ing.",
        "prof.",
        "ds.",
        "past.",
        "gebr.",
        "wed.",
        "fam.",
        "jr.",
        "sr.",
        "st.",
        "sst.",
        "zr.",
        "br.",
        "jhr.",
        "kol.",
        "bijv.",
        "bv.",
        "enz.",
        "etc.",
        "ca.",
        "nr.",
        "nrs.",
        "blz.",
        "art.",
        "tel.",
        "o.a.",
        "d.w.z.",
        "m.b.t.",
        "t.a.v.",
        "i.v.m.",
        "e.d.",
        "jl.",
        "vs.",
        "excl.",
        "incl.",
        "resp.",
        "geb.",
        "ged.",
        "gem.",
        "wnd.",
        "plv.",
        "vz.",
        "min.",
        "max.",
        "afd.",
        "dir.",
        "secr.",
        "str.",
        "p.",
        "chr.",
        "joh.",
        "th.",
        "alb.",
        "corn.",
        "wilh.",
        "fr.",
        "ph.",
    ]
)


def _is_clitic(text: str, start: int, end: int) -> bool:
    return (
        text[start] in "'’‘"
        and text[start + 1 : end].lower().rstrip(".,;:!?") in {"t", "s", "n", "k", "m", "r"}
    ) or (text[start] in "'’‘" and text[start + 1 : start + 3].lower() in {"s-", "t-"})


RULES = rules.TokenRules(_ABBREVIATIONS, _is_clitic)


def tokenize(text: str) -> list[tuple[int, int]]:
    """Tokens as (start, end), in the manner of the Dutch UD treebanks, by rules."""
    return rules.tokenize(text, RULES)


def document_pieces(
    document: TextWithSpans, tokens: Sequence[tuple[int, int]] | None = None
) -> list[tuple[int, int, str]]:
    """(start, end, token) of a document, with tokens for line breaks and blank lines."""
    return windows.document_pieces(document, _tokens(document, tokens))


def document_window(document: TextWithSpans, tokens: Sequence[tuple[int, int]] | None = None) -> Window:
    """One window over a whole document."""
    return windows.document_window(document, _tokens(document, tokens))


def _tokens(document: TextWithSpans, tokens: Sequence[tuple[int, int]] | None) -> Sequence[tuple[int, int]]:
    return tokenize(without_breaks(document.text)) if tokens is None else tokens
