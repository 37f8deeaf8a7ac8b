"""RTF: text, with its escapes as atoms; control words, pictures and groups stay as they are."""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from linkage.errors import DamagedDocumentError
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder
from pseudonymizer.formats.vocabulary import words

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]+)(?P<number>-?\d+)? ?|\\'(?P<hex>[0-9A-Fa-f]{2})|\\(?P<symbol>[^A-Za-z'])"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|(?P<line>[\r\n]+)|(?P<stray>\\)",
    re.DOTALL,
)
_BREAKS = {
    "par": "\n",
    "line": "\n",
    "page": "\n",
    "sect": "\n",
    "row": "\n",
    "cell": "\t",
    "nestcell": "\t",
    "tab": "\t",
}
_CHARACTERS = {
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c",
    "rdblquote": "\u201d", "bullet": "\u2022", "enspace": " ", "emspace": " ", "qmspace": " ",
}  # fmt: skip
_SYMBOLS = {"~": "\u00a0", "_": "\u2011", "-": "\u00ad", "\\": "\\", "{": "{", "}": "}"}
# Groups whose text is no running text of the document.
_SILENT = words(
    "fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator themedata"
    " colorschememapping latentstyles datastore xmlnstbl mmathPr wgrffmtfilter pnseclvl pgptbl filetbl"
    " fldinst bkmkstart bkmkend objclass template passwordhash userprops"
)
_APART = words(
    "info annotation atnauthor atnid footnote header footer headerl headerr headerf footerl footerr"
    " footerf shptxt"
)
_BINARY = words("pict objdata themedata datastore colorschememapping blipuid")
_CHARSETS = {0: 1252, 128: 932, 161: 1253, 162: 1254, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 238: 1250}


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside a group."""

    skip_after_unicode: int = 1
    kind: str = "text"  # text, silent (searched only), binary (not read)
    codepage: str = "cp1252"


class _Reader:
    def __init__(self, text: str, source: int, reading: Reading) -> None:
        self.text, self.source, self.reading = text, source, reading
        self.state = _State()
        self.stack: list[tuple[_State, TextBuilder]] = []
        self.builder = reading.prose
        self.fonts: dict[int, str] = {}
        self.font = 0
        self.skip = 0  # fallback characters still to skip after \u
        self.starred = False
        self.objects = 0  # pictures and embedded objects so far
        self.pending: list[tuple[int, int, int]] = []  # bytes of an unfinished character
        self.pair: tuple[int, int] | None = None  # first half of a character above U+FFFF

    def read(self) -> None:
        for found in _TOKEN.finditer(self.text):
            if found["hex"] is None and self.pending:
                self._flush()
            if found["brace"]:
                self._brace(found[0])
            elif found["word"]:
                self._word(found)
            elif found["hex"]:
                self._byte(int(found["hex"], 16), found.start(), found.end())
            elif found["symbol"]:
                self._symbol(found)
            elif found["text"]:
                self._characters(found.start(), found.end())
        if self.stack:
            raise DamagedDocumentError("the RTF file ends inside a group: it is cut off")

    def _brace(self, brace: str) -> None:
        self.skip = 0
        self.starred = False
        if brace == "{":
            self.stack.append((self.state, self.builder))
        elif self.stack:
            before = self.builder
            self.state, self.builder = self.stack.pop()
            if before is not self.builder and before.length:
                separate(self.reading.aside, "\n")
                self.reading.aside.append(before)

    def _word(self, found: re.Match[str]) -> None:
        word, number = found["word"], int(found["number"]) if found["number"] else None
        if word == "bin" and number:
            raise DamagedDocumentError("the RTF file holds raw binary data, which is not read; save it again")
        if word == "u" and number is not None:
            self._unicode(number % 65536, found.start(), found.end())
            return
        if self.skip:
            self.skip -= 1
            return
        if word in _BINARY:
            self.state = replace(self.state, kind="binary")
            kind = {"pict": "media", "objdata": "embedded object"}.get(word)
            if kind is not None:
                self.objects += 1
                self.reading.place = f"object {self.objects}"
                self.reading.leave_unread(kind)
        elif word in _SILENT:
            self._silence()
        elif word in _APART and self.state.kind == "text":
            self.builder = TextBuilder()
        elif word in _BREAKS:
            self.builder.gap(_BREAKS[word])
            self.builder.new_field()
        elif word in _CHARACTERS:
            self._add(_CHARACTERS[word], found.start(), found.end())
        elif word == "uc":
            self.state = replace(self.state, skip_after_unicode=number or 0)
        elif word == "ansicpg" and number:
            self.state = replace(self.state, codepage=_codepage(number))
        elif word == "fcharset" and number is not None:
            self.fonts[self.font] = _codepage(_CHARSETS.get(number, 1252))
        elif word == "f" and number is not None:
            self.font = number
            if number in self.fonts:
                self.state = replace(self.state, codepage=self.fonts[number])
        elif self.starred:
            self._silence()
        self.starred = False

    def _silence(self) -> None:
        self.state = replace(self.state, kind="silent")
        separate(self.reading.technical, "\n")

    def _symbol(self, found: re.Match[str]) -> None:
        symbol = found["symbol"]
        if symbol == "*":
            self.starred = True
        elif self.skip:
            self.skip -= 1
        elif symbol in _SYMBOLS:
            self._add(_SYMBOLS[symbol], found.start(), found.end())
        elif symbol in "\r\n":
            self.builder.gap("\n")

    def _unicode(self, code: int, start: int, end: int) -> None:
        """\\uN and the characters after it for readers that do not know it: all together are one
        character."""
        for _ in range(self.state.skip_after_unicode):
            fallback = re.compile(
                r"\r?\n?(?:\\'[0-9A-Fa-f]{2}|\\[A-Za-z]+-?\d* ?|\\[^A-Za-z]|[^\\{}\r\n])"
            ).match(self.text, end)
            if fallback is None or fallback[0].startswith("\\u"):
                break
            end = fallback.end()
        if 0xD800 <= code < 0xDC00:
            self.pair = (code, start)
        elif 0xDC00 <= code < 0xE000 and self.pair is not None:
            first, start = self.pair
            self._add(chr(0x10000 + ((first - 0xD800) << 10) + code - 0xDC00), start, end)
            self.pair = None
        else:
            self._add(chr(code), start, end)
        self.resume_at = end

    resume_at = 0

    def _byte(self, byte: int, start: int, end: int) -> None:
        if start < self.resume_at:
            return
        if self.skip:
            self.skip -= 1
            return
        self.pending.append((byte, start, end))
        if (
            len(self.pending) == 2
            or byte < 0x80
            or not self.state.codepage.startswith(("cp93", "cp94", "cp95"))
        ):
            self._flush()

    def _flush(self) -> None:
        data = bytes(byte for byte, _, _ in self.pending)
        self._add(data.decode(self.state.codepage, "replace"), self.pending[0][1], self.pending[-1][2])
        self.pending = []

    def _characters(self, start: int, end: int) -> None:
        start = max(start, self.resume_at)
        if start >= end or self.state.kind == "binary":
            return
        text = self.text[start:end]
        if self.state.kind == "silent":
            if any(c.isalpha() for c in text):
                self.reading.technical.copied(self.source, text, start, escaped)
            return
        self.builder.copied(self.source, text, start, escaped)

    def _add(self, character: str, start: int, end: int) -> None:
        if start < self.resume_at or self.state.kind == "binary":
            return
        target = self.reading.technical if self.state.kind == "silent" else self.builder
        target.atom(self.source, character, start, end, escaped)


def _codepage(number: int) -> str:
    name = "mac_roman" if number == 10000 else "utf-8" if number == 65001 else f"cp{number}"
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name


def escaped(label: str) -> str:
    """Plain letters as they are, others as \\uN with a question mark for old readers."""
    written = []
    for character in label:
        if character in "\\{}":
            written.append(f"\\{character}")
        elif " " <= character < "\x7f":
            written.append(character)
        else:
            units = character.encode("utf-16-le")
            for at in range(0, len(units), 2):
                code = int.from_bytes(units[at : at + 2], "little", signed=True)
                written.append(f"{{\\uc1\\u{code}?}}")
    return "".join(written)


def parse(raw: bytes, reading: Reading) -> TextNode:
    text = raw.decode("latin-1")
    source = reading.new_source()
    separate(reading.prose)
    _Reader(text, source, reading).read()
    return TextNode(source, text, "latin-1")


Parser = Callable[[bytes, Reading], TextNode]
