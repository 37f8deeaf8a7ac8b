"""Typeset text (TeX, LaTeX) and its lists of literature (BibTeX): the words; commands and braces stay."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate, text_tree
from pseudonymizer.formats.tree.textmap import Escape, TextBuilder

_ACCENTS: Final = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a",
}  # fmt: skip
_LETTERS: Final = {
    "ss": "\u00df", "o": "\u00f8", "O": "\u00d8", "l": "\u0142", "L": "\u0141", "ae": "\u00e6",
    "AE": "\u00c6",
    "oe": "\u0153", "OE": "\u0152", "aa": "\u00e5", "AA": "\u00c5", "i": "\u0131", "j": "\u0237",
}  # fmt: skip
_TOKEN: Final = re.compile(
    r"(?P<address>https?://[^\s{}<>\"\\]+)"  # a sign of percent in it begins no comment
    r"|(?P<comment>(?<!\\)%[^\n]*)"
    r"|(?P<accent>\\(?P<sign>[`'^~\"=.])\s*(?:\{(?P<braced>\\?[A-Za-z])\}|(?P<bare>\\?[A-Za-z]))"
    r"|\\(?P<word>[uvHckr])(?:\s*\{(?P<inner>\\?[A-Za-z])\}|\s+(?P<after>[A-Za-z])))"
    r"|(?P<letter>\{?\\(?:ss|aa|AA|ae|AE|oe|OE|o|O|l|L|i|j)(?:\{\}|(?![A-Za-z])[ ]?)\}?)"
    r"|(?P<math>\$[^$\n]{0,400}\$)"
    r"|(?P<key>\\(?:begin|end|label|ref|cite\w*|pageref|eqref|usepackage|documentclass|bibliographystyle|includegraphics"
    r"|input|include|bibliography|newcommand|renewcommand)\*?(?:\[[^\]\n]*\])*\{(?P<value>[^{}\n]*)\})"
    r"|(?P<hyphen>\\-|\\/|\\,|\{\}|\\@)"
    r"|(?P<space>~|\\[ ])"
    r"|(?P<sign2>\\[&%$#_{}])"
    r"|(?P<break>\\\\(?:\[[^\]\n]*\])?)"
    r"|(?P<command>\\[A-Za-z@]+\*?[ \t]*)"
    r"|(?P<brace>[{}])"
)
_NAMES: Final = re.compile(
    r"\b(?:author|editor)\s*=\s*(?P<value>\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\"(?:[^\"{}\\]|\\.|\{(?:[^{}]|\{[^{}]*\})*\})*\")",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN_NAMES: Final = re.compile(r"[\s\",{}]*(?:and\b)?[\s\",{}]*")
_AND: Final = re.compile(r"(?<!\s)\s++and\s+")
_ENTRY: Final = re.compile(r"@(?P<kind>\w+)\s*[{(]\s*(?P<key>[^,\s]*)\s*,")
_FIELD: Final = re.compile(r"^[ \t]*(?P<name>[A-Za-z][\w-]*)[ \t]*=[ \t]*", re.MULTILINE)


def parse(raw: bytes, reading: Reading) -> TextNode:
    """The words of a text, comments apart; keys of labels and citations are searched."""
    return text_tree(raw, reading, _add_text)


def parse_literature(raw: bytes, reading: Reading) -> TextNode:
    """The fields of each entry on lines; each author and editor is a name."""
    return text_tree(raw, reading, _add_literature)


def _add_text(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    _add(reading.prose, text, start, end, source, reading)


def _add_literature(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    builder = reading.prose
    position = start
    for first, last in _names(text):
        if not _BETWEEN_NAMES.fullmatch(text, position, first):
            _add_fields(text, position, first, source, reading)
        separate(builder, "\n")
        begin = builder.length
        _add(builder, text, first, last, source, reading, write=_in_name)
        if text[first:last].strip().lower() != "others":
            builder.name(begin, builder.length)
        builder.gap("\n")
        builder.new_field()
        position = last
    _add_fields(text, position, end, source, reading)


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Where each author and editor stands, in order."""
    for field in _NAMES.finditer(text):
        start, end = field.start("value") + 1, field.end("value") - 1
        position = start
        for divider in [*_AND.finditer(text, start, end), None]:
            stop = divider.start() if divider is not None else end
            first = position + len(text[position:stop]) - len(text[position:stop].lstrip())
            last = stop - (len(text[position:stop]) - len(text[position:stop].rstrip()))
            if first < last:
                yield first, last
            if divider is not None:
                position = divider.end()


def _add_fields(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    """What stands between names: keys of entries are searched, names of fields are no text of anybody."""
    position = start
    found = sorted(
        [*_ENTRY.finditer(text, start, end), *_FIELD.finditer(text, start, end)], key=lambda one: one.start()
    )
    for one in found:
        if one.start() < position:
            continue
        _add(reading.prose, text, position, one.start(), source, reading)
        if "key" in one.groupdict() and one["key"]:
            separate(reading.technical, "\n")
            reading.technical.copied(source, one["key"], one.start("key"), _in_key)
        position = one.end()
    _add(reading.prose, text, position, end, source, reading)


def _add(
    builder: TextBuilder,
    text: str,
    start: int,
    end: int,
    source: int,
    reading: Reading,
    *,
    write: Escape | None = None,
) -> None:
    write = write or _escaped
    position = start
    for token in _TOKEN.finditer(text, start, end):
        builder.copied(source, text[position : token.start()], position, write)
        if token["address"] is not None:
            builder.copied(source, token["address"], token.start(), write)
        elif token["comment"] is not None:
            separate(reading.aside, "\n")
            reading.aside.copied(source, text[token.start() + 1 : token.end()], token.start() + 1, _escaped)
        elif token["accent"] is not None:
            builder.atom(source, _accented(token), token.start(), token.end(), write)
        elif token["letter"] is not None:
            name = token["letter"].strip("{}\\ ")
            builder.atom(source, _LETTERS[name], token.start(), token.end(), write)
        elif token["math"] is not None:
            builder.gap(" ")
        elif token["key"] is not None:
            builder.gap(" ")
            if any(c.isalpha() for c in token["value"]):
                separate(reading.technical, "\n")
                reading.technical.copied(source, token["value"], token.start("value"), _in_key)
        elif token["space"] is not None:
            builder.atom(source, " ", token.start(), token.end(), write)
        elif token["sign2"] is not None:
            builder.atom(source, token["sign2"][1], token.start(), token.end(), write)
        elif token["break"] is not None:
            builder.gap("\n")
        position = token.end()
    builder.copied(source, text[position:end], position, write)


def _accented(token: re.Match[str]) -> str:
    letter = (token["braced"] or token["bare"] or token["inner"] or token["after"]).lstrip("\\")
    mark = _ACCENTS[token["sign"] or token["word"]]
    return unicodedata.normalize("NFC", letter + mark)


def _escaped(label: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", label.replace("\\", "")).replace("~", " ").replace("^", " ")


def _in_name(label: str) -> str:
    return f"{{{_escaped(label)}}}"  # whole: its words are no given and family name


def _in_key(label: str) -> str:
    return re.sub(r"[^\w:./+-]", "", label)
