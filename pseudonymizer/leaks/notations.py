"""Notations in which a text may be written: each with what tells that it may be there, and how it is read."""

import binascii
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from pseudonymizer.formats.tree.mojibake import mended

_CODE: Final = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2}))"
)
_ESCAPED: Final = re.compile(r"""\\([nrt\\/"',;: ])""")
_MEANT: Final = {"n": "\n", "r": "\r", "t": "\t"}
_PERCENT: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_OF_MAIL: Final = re.compile(r"=(?:\r?\n|[89A-Fa-f][0-9A-Fa-f]|20|5[fF])")
_FOLD: Final = re.compile(r"\r?\n[ \t]")
_CARD_NAME: Final = re.compile(r"^(?:[\w-]+\.)?N(?:;[^:\r\n]*)?:([^\r\n]*)", re.MULTILINE | re.IGNORECASE)
_ITEMS: Final = re.compile(r'"\s*,\s*"')
_CONTINUED: Final = re.compile(r"\\?\r?\n[ \t]+")
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}){8,}(?![0-9A-Za-z])")
_TEX: Final = re.compile(r"""\{?\\(["'`^~=.]|[cvHkrub](?=[\s{]))\s*\{?\s*(\\?[A-Za-z])\}?\}?""")
_TEX_LETTER: Final = re.compile(r"\{?\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?:\{\}|\}|\s|(?![A-Za-z]))")
_ACCENTS: Final = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "H": "\u030b", "k": "\u0328", "r": "\u030a", "u": "\u0306", "b": "\u0331",
}  # fmt: skip
_LETTERS: Final = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł",
    "L": "Ł", "i": "i", "j": "j",
}  # fmt: skip

_ROUNDS: Final = 2  # JSON in an address, and an address in JSON


class Notation(NamedTuple):
    """may: whether a text may be written so; cheap, for most are not. read: what it says then."""

    may: Callable[[str], bool]
    read: Callable[[str], str]


def readings(text: str) -> Iterator[str]:
    """What a text says in each notation that it may have, and in all of them one after the other; nothing
    that it says as it stands.
    """
    seen = {text}
    for notation in NOTATIONS:
        if notation.may(text) and (said := notation.read(text)) not in seen:
            seen.add(said)
            yield said
    if len(seen) == 1:
        return
    chained = text
    for notation in NOTATIONS * _ROUNDS:
        chained = notation.read(chained) if notation.may(chained) else chained
    if chained not in seen:
        yield chained


def _quoted_printable(text: str) -> str:
    raw = binascii.a2b_qp(text.encode("utf-8", "surrogatepass"))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _percent(text: str) -> str:
    return unquote(text, errors="replace")


def _codes(text: str) -> str:
    def letter(found: re.Match[str]) -> str:
        code = int(next(group for group in found.groups() if group is not None), 16)
        return chr(code) if code < 0x110000 else found[0]

    return _CODE.sub(letter, text)


def _backslashes(text: str) -> str:
    return _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text)


def _in_order(text: str) -> str:
    """Names of cards, whose parts stand with the family name first, in the order in which people say them."""

    def said(found: re.Match[str]) -> str:
        family, *given = [part.replace(",", " ") for part in re.split(r"(?<!\\);", found[1])]
        return " ".join([*given[:2], family, *given[2:]])

    return _CARD_NAME.sub(said, text)


def _hexadecimal(text: str) -> str:
    def letters(found: re.Match[str]) -> str:
        raw = bytes.fromhex(found[0])
        try:
            said = raw.decode("utf-16-be" if raw.startswith((b"\xfe\xff", b"\0")) else "utf-8")
        except UnicodeDecodeError:
            return found[0]
        return said if sum(map(str.isprintable, said)) > len(said) // 2 else found[0]

    return _HEX.sub(letters, text)


def _typeset(text: str) -> str:
    def accented(found: re.Match[str]) -> str:
        letter = found[2].lstrip("\\")
        return unicodedata.normalize("NFC", letter + _ACCENTS[found[1]])

    return _TEX_LETTER.sub(lambda found: _LETTERS[found[1]], _TEX.sub(accented, text)).replace("~", " ")


def _has(mark: str, pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Whether a text has a mark, which is looked for first, and something of a pattern."""
    return lambda text: mark in text and pattern.search(text) is not None


# In the order in which they are read one after the other.
NOTATIONS: Final = (
    Notation(_has("BEGIN:V", _FOLD), lambda text: _FOLD.sub("", text)),  # calendars and cards
    Notation(_has("=", _OF_MAIL), _quoted_printable),
    Notation(lambda text: "&" in text, html.unescape),
    Notation(
        lambda text: '",' in text and text.lstrip()[:1] in ("{", "["),  # lines of notebooks
        lambda text: _ITEMS.sub("", text),
    ),
    Notation(_has("\\", _TEX), _typeset),
    Notation(_has("\\", _TEX_LETTER), _typeset),
    Notation(_has("\\", _CODE), _codes),
    Notation(_has("BEGIN:VCARD", _CARD_NAME), _in_order),
    Notation(_has("\\", _ESCAPED), _backslashes),
    Notation(_has("%", _PERCENT), _percent),
    Notation(lambda text: "%" in text and "+" in text, lambda text: _percent(text.replace("+", " "))),
    Notation(lambda text: "''" in text, lambda text: text.replace("''", "'")),  # SQL, YAML
    Notation(lambda text: '""' in text, lambda text: text.replace('""', '"')),  # CSV
    Notation(_has(": ", _CONTINUED), lambda text: _CONTINUED.sub(" ", text)),  # values of YAML over lines
    Notation(lambda text: _HEX.search(text) is not None, _hexadecimal),
    Notation(lambda text: not text.isascii(), mended),
)
