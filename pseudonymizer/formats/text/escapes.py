"""Letters written in another way inside a text: escapes of programs, percent signs, numeric references."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from pseudonymizer.formats.tree.textmap import Escape, TextBuilder, unescaped


class Escapes(NamedTuple):
    """A way to write letters: what looks so, and what it means; None where it means nothing.

    inside: what of a match is written so, where the rest of it stands as it is; None: all of it.
    """

    pattern: re.Pattern[str]
    meaning: Callable[[str], str | None]
    inside: re.Pattern[str] | None = None

    def places(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where letters are written so in text[start:end]."""
        for found in self.pattern.finditer(text, start, end):
            if self.inside is None:
                yield found.span()
            else:
                yield from (one.span() for one in self.inside.finditer(text, *found.span()))


_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# Marks of emphasis around words, which people write in plain text as well.
EMPHASIS: Final = Escapes(
    re.compile(
        r"(?<![\w*\\/])\*{1,3}(?=[^\W\d_])|(?<=[\w.,!?])\*{1,3}(?![\w*])"
        r"|(?<![\w\\/])_{1,2}(?=[^\W\d_])|(?<=[^\W_])_{1,2}(?![\w@])"
    ),
    lambda _: "",
)
# Names whose words are joined, as people call files and accounts; not in paths and addresses.
JOINED: Final = Escapes(
    re.compile(
        r"(?<![\w/\\.@:%-])[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?:_[a-z]{1,4}){0,2}"
        r"_[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?![\w/\\@(=-]|\.\w)"
    ),
    lambda _: " ",
    re.compile("_"),
)
# Blanks and letters of a mail whose quoted-printable nobody took off.
QUOTED: Final = Escapes(
    re.compile(r"(?<=[a-z])=20(?=[A-Z])|(?:=C3=[89AB][0-9A-F])+"),
    lambda written: bytes.fromhex(written.replace("=", "")).decode("utf-8"),
)
# Letters of double width, as East Asian keyboards write Latin ones.
WIDE: Final = Escapes(re.compile("[\uff21-\uff3a\uff41-\uff5a]"), lambda written: chr(ord(written) - 0xFEE0))
_CODES: Final = re.compile(
    r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\u\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}|&#\d{1,7};|&#[xX][0-9A-Fa-f]{1,6};"
)
_CODE: Final = re.compile(r"[0-9A-Fa-f]+(?=[;}]?\Z)")


def _of_percent(written: str) -> str | None:
    try:
        return unquote_to_bytes(written).decode("utf-8")
    except UnicodeDecodeError:
        return unquote_to_bytes(written).decode("latin-1")


def code_point(written: str) -> str | None:
    """The letter of a code such as \\u00eb, \\xeb, &#235; or &#xeb;. None for no letter."""
    found = _CODE.search(written)
    if found is None:
        return None
    is_decimal = written.startswith("&#") and written[2:3] not in "xX"
    code = int(found[0], 10 if is_decimal else 16)
    if not 0x20 <= code < 0x110000 or 0xD800 <= code < 0xE000:
        return None
    return chr(code)


PERCENT: Final = Escapes(_PERCENT, _of_percent)
CODES: Final = Escapes(_CODES, code_point)


def add_escaped(
    builder: TextBuilder,
    source: int,
    text: str,
    start: int,
    end: int,
    *,
    ways: tuple[Escapes, ...],
    escape: Escape = unescaped,
) -> None:
    """text[start:end] with what is escaped in these ways as the letters that it means."""
    found = sorted(
        ((*place, way) for way in ways for place in way.places(text, start, end)),
        key=lambda one: one[:2],
    )
    position = start
    for first, last, way in found:
        if first < position:
            continue
        meaning = way.meaning(text[first:last])
        if meaning is None:
            continue
        builder.copied(source, text[position:first], position, escape)
        builder.atom(source, meaning, first, last, escape)
        position = last
    builder.copied(source, text[position:end], position, escape)
