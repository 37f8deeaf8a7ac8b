"""FHIR resources in JSON: names of people put together as names; all other strings as in any JSON."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from linkage.errors import DamagedDocumentError, DocumentTooLargeError
from linkage.reading import decode
from pseudonymizer.formats.health.fhir_marks import is_mark
from pseudonymizer.formats.text.html import add_html
from pseudonymizer.formats.text.json_text import add_string, escaped
from pseudonymizer.formats.text.packed_text import add_blob, add_value, may_be_packed, unpacked
from pseudonymizer.formats.text.scanned_json import JsonObject, JsonString, JsonValue, scan
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder
from pseudonymizer.formats.vocabulary import words

_IDS = words("id reference fullUrl url system resourceType versionId")
_NAME_KEYS = words("family given text prefix suffix use period extension _family _given id")


class _Parts(NamedTuple):
    given: Sequence[JsonString]
    family: Sequence[JsonString]
    text: Sequence[JsonString]


def parse(raw: bytes, reading: Reading) -> TextNode:
    """Every HumanName is shown as "given family" and is a name; a narrative (text.div) is read as HTML."""
    decoded = decode(raw)
    source = reading.new_source()
    separate(reading.prose)
    try:
        json.loads(decoded.text)
    except RecursionError:
        raise DocumentTooLargeError("the JSON is nested too deep to be read") from None
    except json.JSONDecodeError as error:
        raise DamagedDocumentError(f"no valid JSON: character {error.pos}") from None
    _Resource(decoded.text, source, reading).add(scan(decoded.text), "")
    return TextNode(source, decoded.text, decoded.encoding, decoded.byte_order_mark, _escaped_ascii)


def _escaped_ascii(character: str) -> str:
    return json.dumps(character)[1:-1]


class _Resource:
    def __init__(self, text: str, source: int, reading: Reading) -> None:
        self._text, self._source, self._reading = text, source, reading

    def add(self, value: JsonValue, key: str) -> None:
        builder = self._reading.prose
        if isinstance(value, JsonString) and key in _IDS:
            separate(self._reading.technical, "\n")
            add_string(self._reading.technical, self._source, self._text, value.start, value.end, escaped)
        elif isinstance(value, JsonString):
            builder.gap(f"{key}: ")
            builder.new_field()
            self._string(value)
            builder.gap("\n")
        elif isinstance(value, JsonObject):
            if is_mark(self._text, value):
                return
            if _is_human_name(value):
                self._human_name(value)
                return
            is_read = self._attachment(value)
            for member_key, member in value.members:
                name = json.loads(self._text[member_key.start - 1 : member_key.end + 1])
                if name == "data" and is_read:
                    continue
                if name == "div" and isinstance(member, JsonString):
                    self._narrative(member)
                else:
                    self.add(member, name)
        elif isinstance(value, list):
            for item in value:
                self.add(item, key)
        else:
            builder.gap(f"{key}: {value}\n")

    def _human_name(self, value: JsonObject) -> None:
        """ "given family" on one line; "text" repeats it and has a line of its own."""
        builder = self._reading.prose
        parts = _Parts(
            list(value.strings("given")), list(value.strings("family")), list(value.strings("text"))
        )
        for row in ([*parts.given, *parts.family], parts.text):
            if not row:
                continue
            builder.gap("name: ")
            begin = builder.length
            for at, string in enumerate(row):
                if at:
                    builder.gap(" ")
                builder.new_field()
                self._string(string)
            builder.name(begin, builder.length)
            builder.gap("\n")
        for member_key, member in value.members:
            name = self._text[member_key.start : member_key.end]
            if name not in {"given", "family", "text"}:
                self.add(member, name)

    def _narrative(self, value: JsonString) -> None:
        """XHTML in a JSON string: first the characters of the string, then the page that they make."""
        inner = TextBuilder()
        add_string(inner, self._source, self._text, value.start, value.end, escaped)
        source, page = self._reading.derive(inner)
        separate(self._reading.prose, "\n")
        add_html(page, 0, len(page), source, self._reading)
        separate(self._reading.prose, "\n")

    def _attachment(self, value: JsonObject) -> bool:
        """Whether an object says what the bytes in it are (Attachment, Binary): they are read so."""
        kinds = [self._text[one.start : one.end] for one in value.strings("contentType")]
        data = list(value.strings("data"))
        if len(kinds) != 1 or len(data) != 1:
            return False
        letters = self._text[data[0].start : data[0].end]
        blob = unpacked(letters, kinds[0].partition(";")[0].replace("\\/", "/").lower())
        if blob is None:
            return False
        add_blob(blob._replace(start=data[0].start, end=data[0].end), self._source, self._reading)
        return True

    def _string(self, value: JsonString) -> None:
        inner = TextBuilder()
        if may_be_packed(self._text[value.start : value.end]):
            add_string(inner, self._source, self._text, value.start, value.end, escaped)
            if add_value(inner, self._reading):
                return
        add_string(self._reading.prose, self._source, self._text, value.start, value.end, escaped)


def _is_human_name(value: JsonObject) -> bool:
    keys = {key for key in value.keys if key}
    return ("family" in keys or "given" in keys) and keys <= _NAME_KEYS
