"""Notebooks (Jupyter): cells as their writers see them, outputs as they are shown; the JSON around stays."""

import json
from collections.abc import Sequence
from typing import Final

from linkage.errors import DamagedDocumentError, DocumentTooLargeError
from linkage.reading import decode
from pseudonymizer.formats.text.html import add_html
from pseudonymizer.formats.text.json_text import add_string, escaped
from pseudonymizer.formats.text.markdown import add_markdown
from pseudonymizer.formats.text.packed_text import add_words
from pseudonymizer.formats.text.scanned_json import JsonObject, JsonString, JsonValue, scan
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder
from pseudonymizer.formats.vocabulary import words

_KEYWORDS: Final = words("cell_type output_type nbformat nbformat_minor kernelspec language_info id mimetype")
_MEDIA: Final = ("image/", "audio/", "video/", "application/pdf")


def looks_like_notebook(raw: bytes) -> bool:
    """Whether a file of JSON says that it is a notebook."""
    return b'"cell_type"' in raw and b'"cells"' in raw[:20_000] + raw[-20_000:]


def parse(raw: bytes, reading: Reading) -> TextNode:
    """Each cell and each output as a text of its own.

    Raises:
        DamagedDocumentError: no valid JSON.
        DocumentTooLargeError: JSON nested too deep.
    """
    decoded = decode(raw)
    source = reading.new_source()
    separate(reading.prose)
    try:
        json.loads(decoded.text, strict=False)
        root = scan(decoded.text)
    except RecursionError:
        raise DocumentTooLargeError("the JSON is nested too deep to be read") from None
    except json.JSONDecodeError as error:
        raise DamagedDocumentError(f"no valid JSON: character {error.pos}") from None
    _Notebook(decoded.text, source, reading).add(root, "", "")
    return TextNode(source, decoded.text, decoded.encoding, decoded.byte_order_mark, _escaped_ascii)


def _escaped_ascii(character: str) -> str:
    return json.dumps(character)[1:-1]


class _Notebook:
    def __init__(self, text: str, source: int, reading: Reading) -> None:
        self._text, self._source, self._reading = text, source, reading

    def add(self, value: JsonValue, key: str, kind: str) -> None:
        """kind: that of the cell around it."""
        if isinstance(value, JsonObject):
            kinds = [self._text[one.start : one.end] for one in value.strings("cell_type")]
            for member_key, member in value.members:
                name = self._text[member_key.start : member_key.end]
                if "/" not in name and name not in _KEYWORDS:
                    self._add_key(member_key, name)
                if name not in _KEYWORDS:
                    self.add(member, name, kinds[0] if kinds else kind)
        elif isinstance(value, JsonString):
            self._add_text([value], key, kind)
        elif isinstance(value, list):
            strings = [item for item in value if isinstance(item, JsonString)]
            if (
                strings
                and len(strings) == len(value)
                and (key in {"source", "text", "traceback"} or "/" in key)
            ):
                self._add_text(strings, key, kind)
            else:
                for item in value:
                    self.add(item, key, kind)

    def _add_key(self, key: JsonString, name: str) -> None:
        if "_" in name or " " in name or "." in name:
            separate(self._reading.technical, "\n")
            add_string(self._reading.technical, self._source, self._text, key.start, key.end, escaped)

    def _add_text(self, strings: Sequence[JsonString], key: str, kind: str) -> None:
        """The strings of a list are the lines of one text, and may end in the middle of a name."""
        media = key.replace("\\/", "/")
        if media.startswith(_MEDIA) and media != "image/svg+xml":
            self._reading.leave_unread("media")
            return
        lines = TextBuilder()
        for number, string in enumerate(strings):
            if number and key == "traceback":
                lines.gap("\n")
            add_string(lines, self._source, self._text, string.start, string.end, escaped)
        source, text = self._reading.derive(lines)
        separate(self._reading.prose, "\n")
        if media in {"text/html", "image/svg+xml"}:
            add_html(text, 0, len(text), source, self._reading)
        elif media == "text/markdown" or (key == "source" and kind == "markdown"):
            add_markdown(text, source, self._reading)
        else:
            add_words(self._reading.prose, source, text, self._reading)
        separate(self._reading.prose, "\n")
