"""Says in the metadata of a rewritten file that it is pseudonymized: more edits, undone like the rest.

Here are the formats that are one stretch of bytes; packages have theirs in package_marks, and pdf, msg and
parquet beside their readers. Files within files are marked as well, where their own format has a place.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, Protocol

from pseudonymizer.formats.nodes import Changes, Node, moved
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.scanned_json import JsonObject, JsonString, JsonValue, scan

WORD: Final = "nymlink"  # the value of every mark; readers pass it by, it is no text of anybody
PROPERTY: Final = "Pseudonymized"  # the name of every mark that is a property

_MAIL_MARK = b"X-Pseudonymized: nymlink"
_MAIL_FIELD = re.compile(rb"^X-Pseudonymized[ \t]*:", re.MULTILINE | re.IGNORECASE)
PAGE_MARK: Final = '<meta name="nymlink" content="pseudonymized" />'
_PAGE_MARK = PAGE_MARK.encode("ascii")
_RTF_MARK = rb"{\propname Pseudonymized}\proptype30{\staticval nymlink}"
# HL7 v3 ObservationValue, concept SecurityAlterationIntegrityObservationValue: made pseudonymous.
_CODE, _SYSTEM = "PSEUDED", "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
_CODING = f'{{"system":"{_SYSTEM}","code":"{_CODE}"}}'

_FIRST_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>)?\s*(?:<!doctype[^>]*>)?\s*<html(?:\s[^>]*)?>\s*<head(?:\s[^>]*)?>",
    re.IGNORECASE,
)
_CHARSET_AREA = 2048  # bytes in which a page declares its encoding
_MARGIN = 32  # bytes; longer than the name of an encoding
_RTF_TOKEN = re.compile(
    rb"\\bin(?P<length>\d+) ?|(?P<word>\\[A-Za-z]+-?\d* ?)|\\[^A-Za-z]|(?P<brace>[{}])|(?P<text>[^\\{}]+)"
)
_RTF_GROUP = re.compile(rb"\{\s*(?:\\\*\s*)?\\([A-Za-z]+)")
_RTF_HEADER = frozenset(
    b"fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator info xmlnstbl mmathPr"
    b" filetbl pgptbl latentstyles themedata colorschememapping datastore defchp defpap".split()
)
_RTF_BODY = (b"\\pard", b"\\plain", b"\\sectd")


class Stamp(NamedTuple):
    """What the mark writes in place of raw[start:end]; nearly always start equals end."""

    start: int
    end: int
    new: bytes


class _MarkModule(Protocol):
    """A module that knows the mark of its formats."""

    def is_marked(self, raw: bytes) -> bool: ...


class MarkedNode:
    """A file that is marked when something in it changes."""

    def __init__(self, format_name: str, node: Node) -> None:
        self._format_name, self._node = format_name, node

    def is_changed(self, changes: Changes) -> bool:
        return self._node.is_changed(changes)

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        first = len(edits)
        raw = self._node.render(changes, location, edits)
        if len(edits) == first:
            return raw
        return stamped(raw, _STAMPS[self._format_name](raw), location, edits, first)


def marked(format_name: str, node: Node) -> Node:
    """The node of a file with its mark; as it is where the format has no place for one, or its own way."""
    return MarkedNode(format_name, node) if format_name in _STAMPS else node


def stamped(raw: bytes, stamps: Sequence[Stamp], location: str, edits: list[Edit], first: int) -> bytes:
    """raw with the stamps in it. The edits from first on that lie behind a stamp move; those that undo the
    stamps come last.
    """
    ordered = sorted(stamps)
    ends = [stamp.end for stamp in ordered]
    added = [0, *accumulate(len(stamp.new) - (stamp.end - stamp.start) for stamp in ordered)]
    edits[first:] = [moved(edit, location, added[bisect_right(ends, edit.start)]) for edit in edits[first:]]
    written = bytearray()
    position = 0
    own: list[Edit] = []
    for stamp in ordered:
        written += raw[position : stamp.start]
        start = len(written)
        written += stamp.new
        own.append(Edit(location, start, len(written), raw[stamp.start : stamp.end]))
        position = stamp.end
    edits += reversed(own)
    return bytes(written + raw[position:])


def is_marked(format_name: str, raw: bytes) -> bool | None:
    """Whether a file carries the mark; None where its format has no place for one."""
    if format_name in _CARRIES:
        return _CARRIES[format_name](raw)
    module = _module_of(format_name)
    return None if module is None else module.is_marked(raw)


def _module_of(format_name: str) -> _MarkModule | None:
    """The module that knows the mark of a format which is no one stretch of bytes; None for others.

    All of them import this module, and some are heavy.
    """
    match format_name:
        case "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp":
            from pseudonymizer.formats import package_marks

            return package_marks
        case "pdf":
            from pseudonymizer.formats import pdf_marks

            return pdf_marks
        case "msg":
            from pseudonymizer.formats import outlook_marks

            return outlook_marks
        case "parquet":
            from pseudonymizer.formats import columns

            return columns
        case "png" | "jpeg" | "tiff":
            from pseudonymizer.formats import picture_files

            return picture_files
    return None


def _mail_stamps(raw: bytes) -> list[Stamp]:
    if not _FIRST_FIELD.match(raw) or _is_marked_mail(raw):
        return []
    line_end = b"\r\n" if b"\r\n" in raw[:4096] else b"\n"
    return [Stamp(0, 0, _MAIL_MARK + line_end)]


def _is_marked_mail(raw: bytes) -> bool:
    found = _HEADER_END.search(raw)
    return bool(_MAIL_FIELD.search(raw, 0, found.start() if found else len(raw)))


def _page_stamps(raw: bytes) -> list[Stamp]:
    head = _HEAD.match(raw)
    if head is None or _PAGE_MARK in raw:
        return []
    # Pages whose declared encoding would be pushed out of the area where it is looked for stay unmarked.
    before, after = raw[:_CHARSET_AREA], raw[: _CHARSET_AREA - len(_PAGE_MARK) - _MARGIN]
    if before.lower().count(b"charset") != after.lower().count(b"charset"):
        return []
    return [Stamp(head.end(), head.end(), _PAGE_MARK)]


def _rtf_stamps(raw: bytes) -> list[Stamp]:
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


def _fhir_stamps(raw: bytes) -> list[Stamp]:
    """meta.security of the resource, and of the resources of a bundle; contained ones may have none."""
    bom = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
    try:
        text = raw[bom:].decode("utf-8")
    except UnicodeDecodeError:
        return []
    resource = scan(text)
    found = [_resource_place(text, resource)]
    entries = _member(resource, "entry")
    found += [
        _resource_place(text, _member(entry, "resource"))
        for entry in (entries if isinstance(entries, list) else ())
    ]
    made: list[Stamp] = []
    at, start = 0, bom
    for place, new in sorted(one for one in found if one is not None):
        start += len(text[at:place].encode("utf-8"))
        at = place
        made.append(Stamp(start, start, new.encode("ascii")))
    return made


def _resource_place(text: str, resource: JsonValue | None) -> tuple[int, str] | None:
    """(where, what) to write into a resource; None where it is no resource or is marked."""
    kind, meta = _member(resource, "resourceType"), _member(resource, "meta")
    if not isinstance(resource, JsonObject) or not isinstance(kind, JsonString):
        return None
    if meta is None:
        return kind.end + 1, f',"meta":{{"security":[{_CODING}]}}'
    if not isinstance(meta, JsonObject):
        return None
    security = _member(meta, "security")
    if security is None:
        inside = text.index("{", _key(resource, "meta").end + 1) + 1
        return inside, f'"security":[{_CODING}]' + ("," if meta.members else "")
    if not isinstance(security, list) or any(is_mark(text, coding) for coding in security):
        return None
    inside = text.index("[", _key(meta, "security").end + 1) + 1
    return inside, _CODING + ("," if security else "")


def is_mark(text: str, coding: JsonValue) -> bool:
    """Whether a value of a FHIR resource is the mark."""
    code = _member(coding, "code")
    return isinstance(code, JsonString) and text[code.start : code.end] == _CODE


def _member(value: JsonValue | None, name: str) -> JsonValue | None:
    if isinstance(value, JsonObject):
        for key, (_, member) in zip(value.keys, value.members, strict=True):
            if key == name:
                return member
    return None


def _key(value: JsonObject, name: str) -> JsonString:
    return value.members[value.keys.index(name)][0]


_STAMPS: Mapping[str, Callable[[bytes], list[Stamp]]] = {
    "eml": _mail_stamps, "html": _page_stamps, "rtf": _rtf_stamps, "fhir": _fhir_stamps,
}  # fmt: skip
_CARRIES: Mapping[str, Callable[[bytes], bool]] = {
    "eml": _is_marked_mail,
    "mbox": lambda raw: bool(_MAIL_FIELD.search(raw)),
    "html": lambda raw: _PAGE_MARK in raw,
    "rtf": lambda raw: _RTF_MARK in raw,
    "fhir": lambda raw: _CODING.encode() in raw,
}
