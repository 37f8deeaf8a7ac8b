"""Strings of a PDF outside its pages: properties, bookmarks, annotations, form fields, links, attached
files' names."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pikepdf

from pseudonymizer.formats.vocabulary import words

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
_LABELS = {"/Author": "Auteur: ", "/Title": "Titel: ", "/Subject": "Onderwerp: ", "/T": "Naam: "}
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
        items = [(name, item) for name, item in value.items() if name not in _SKIPPED]
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
