"""Strings of a PDF outside its pages: properties, bookmarks, annotations, form fields, links, attached
files' names."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import pikepdf

from pseudonymizer.formats.vocabulary import label, words

# Keys whose strings people read; all others are searched for known names only.
_SHOWN = words(
    "/Title /Author /Subject /Keywords /Contents /T /Subj /TU /V /DV /RV /RC /Alt /ActualText /E /Opt"
    " /Desc /Description /CA /P /Company /Manager /Category /Comments /SourceModified /Reason /Location"
    " /ContactInfo"
)
# Strings of fonts, encryption, times and colours: no language.
_SKIPPED = words(
    "/ID /Registry /Ordering /CharSet /Panose /FontFamily /CreationDate /ModDate /M /DA /DS /Lang"
    " /Encrypt /CIDSet /Lookup /CheckSum /Cert /ByteRange /Info /RoleMap /Prop_Build"
    " /Pseudonymized"
)
_LABELS = {
    "/Author": label("author"),
    "/Title": label("title"),
    "/Subject": label("subject"),
    "/T": label("name"),
}
_TEXT_STREAMS = ("/V", "/DV", "/RV", "/RC", "/JS")
# Keys that say what a stream is: forms, pictures, fonts, colours, functions, metadata.
_KNOWN_KEYS = frozenset(
    words(
        "/Type /Subtype /FunctionType /ShadingType /PatternType /N /Length1 /Length2 /Length3 /CMapName"
        " /Width /Height /BBox"
    )
)
_TWO_WORDS = re.compile(r"[^\W\d_a-z][^\W\d_]+[ _.,+%-]+(?:20)?[^\W\d_a-z][^\W\d_]+")
_SAMPLE = 20_000  # characters of a stream by which it is told whether it holds words
_READABLE = 0.95  # of those, 0 to 1
_MAX_DEPTH = 40
_TRAILER = (0, 0)


class Place(NamedTuple):
    """Where a string stands: in which object, and the keys and indexes that lead to it."""

    number: tuple[int, int]  # object and generation
    path: tuple[str | int, ...]
    text: str
    is_shown: bool
    label: str

    def __repr__(self) -> str:
        return f"Place({self.number})"


def strings(pdf: pikepdf.Pdf) -> Iterator[Place]:
    """All strings of all objects but those of fonts and signatures' bytes."""
    for value in pdf.objects:
        if isinstance(value, pikepdf.Dictionary | pikepdf.Array | pikepdf.Stream):
            dictionary = value.stream_dict if isinstance(value, pikepdf.Stream) else value
            if not _is_font(dictionary):
                yield from _strings_in(dictionary, value.objgen, (), "", 0)
    yield from _strings_in(pdf.trailer, _TRAILER, (), "", 0)


def _is_font(value: Any) -> bool:
    return isinstance(value, pikepdf.Dictionary) and value.get("/Type") in {
        "/Font",
        "/FontDescriptor",
        "/CMap",
    }


def _strings_in(
    value: Any, number: tuple[int, int], path: tuple[str | int, ...], key: str, depth: int
) -> Iterator[Place]:
    if depth > _MAX_DEPTH:
        return
    items: Sequence[tuple[str | int, Any]]
    if isinstance(value, pikepdf.Dictionary):
        items = [
            (name, item)
            for name, item in value.items()
            if name not in _SKIPPED or (name == "/ID" and isinstance(item, pikepdf.String))
        ]
    elif isinstance(value, pikepdf.Array):
        items = list(enumerate(value))
    else:
        return
    for name, item in items:
        if getattr(item, "is_indirect", False) and not isinstance(item, pikepdf.String):
            continue
        inner_key = name if isinstance(name, str) else key
        if isinstance(item, pikepdf.String):
            text = _decoded(item)
            if any(c.isalpha() for c in text):
                yield Place(number, (*path, name), text, inner_key in _SHOWN, _LABELS.get(inner_key, ""))
        else:
            yield from _strings_in(item, number, (*path, name), inner_key, depth + 1)


def _decoded(value: pikepdf.String) -> str:
    raw = bytes(value)
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    return str(value)


class TextStream(NamedTuple):
    """A stream that holds a text: which object, under which key it is used."""

    number: tuple[int, int]
    key: str
    raw: bytes


def text_streams(pdf: pikepdf.Pdf) -> Iterator[TextStream]:
    """Values of fields and scripts that are written as streams."""
    seen: set[tuple[int, int]] = set()
    for value in pdf.objects:
        held = value.stream_dict if isinstance(value, pikepdf.Stream) else value
        for dictionary in _dictionaries(held, 0):
            for key in _TEXT_STREAMS:
                item = dictionary.get(key)
                if isinstance(item, pikepdf.Stream) and item.objgen not in seen:
                    seen.add(item.objgen)
                    yield TextStream(item.objgen, key, item.read_bytes())


def _dictionaries(value: Any, depth: int) -> Iterator[Any]:
    """A dictionary, and those that lie directly in it or in an array."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, pikepdf.Dictionary):
        yield value
        inner: list[Any] = list(dict(value.items()).values())
    elif isinstance(value, pikepdf.Array):
        inner = list(value)
    else:
        return
    for item in inner:
        if isinstance(item, pikepdf.Dictionary | pikepdf.Array) and not item.is_indirect:
            yield from _dictionaries(item, depth + 1)


class Attachment(NamedTuple):
    """An attached file: which object holds it, and the suffix of its name."""

    number: tuple[int, int]
    suffix: str
    raw: bytes


def attachments(pdf: pikepdf.Pdf) -> Iterator[Attachment]:
    """The files that are attached to the file, each once."""
    seen: set[tuple[int, int]] = set()
    for value in pdf.objects:
        for held in _dictionaries(value, 0):
            files = held.get("/EF")
            if not isinstance(files, pikepdf.Dictionary):
                continue
            name = str(held.get("/UF", held.get("/F", "")))
            suffix = name.rpartition(".")[2].lower() if "." in name else ""
            for stream in dict(files.items()).values():
                if isinstance(stream, pikepdf.Stream) and stream.objgen not in seen:
                    seen.add(stream.objgen)
                    yield Attachment(stream.objgen, suffix, stream.read_bytes())


def unknown_streams(pdf: pikepdf.Pdf, known: Collection[tuple[int, int]]) -> int:
    """How many streams of no use that is known hold words in which a name may stand.

    known: numbers of streams that are read.
    """
    count = 0
    for value in pdf.objects:
        if not isinstance(value, pikepdf.Stream) or value.objgen in known or _KNOWN_KEYS & set(value.keys()):
            continue
        try:
            text = value.read_bytes().decode("latin-1")
        except pikepdf.PdfError:
            continue
        if "begincmap" not in text and _is_words(text) and _TWO_WORDS.search(text):
            count += 1
    return count


def _is_words(text: str) -> bool:
    shown = sum(letter.isprintable() or letter in "\r\n\t" for letter in text[:_SAMPLE])
    return shown >= _READABLE * min(len(text), _SAMPLE)


def put(pdf: pikepdf.Pdf, place: Place, text: str) -> None:
    """Write text where place says."""
    target: Any = pdf.trailer if place.number == _TRAILER else pdf.get_object(*place.number)
    if isinstance(target, pikepdf.Stream):
        target = target.stream_dict
    for step in place.path[:-1]:
        target = target[step]
    target[place.path[-1]] = pikepdf.String(text)


def blank_signatures(pdf: pikepdf.Pdf) -> int:
    """Signatures name their signer, in a certificate too, and no longer hold once the file changes: they
    go."""
    count = 0
    for value in pdf.objects:
        if isinstance(value, pikepdf.Dictionary) and "/ByteRange" in value and "/Contents" in value:
            value["/Contents"] = pikepdf.String("")
            for key in ("/Cert", "/Name", "/ContactInfo", "/Prop_Build"):
                if key in value:
                    del value[key]
            count += 1
    return count
