"""Facts of a person as version 0.1 sealed them: texts behind a letter. They are read and no longer written.

A row is zeros, then one fact, or several behind a letter of their own. Where a person was met is a fact
without the name, which stands in another fact of the person: it begins with the CRC-32 of that one.
"""

import json
import struct
from collections.abc import Iterable
from typing import Final
from zlib import crc32

from linkage.records import PersonName
from linkage.sighting_text import SightingReader
from pseudonymizer.vault.rows.forms import Attribute, Fact, Mark, SurfaceForm

_SEPARATOR: Final = "\x1f"
_BETWEEN: Final = b"\x1e"
_LENGTH: Final = struct.Struct(">I")
_PLACE: Final = b"S"
# Of a row of several facts that are not preceded by their lengths: a form, and the mark of a decoy.
_FORM: Final = b"\x1eF"
_DECOY: Final = b"\x1eMdecoy"
_REFERENCE: Final = slice(1, 9)  # of a form, in where a person was met


def pieces_in(text: bytes) -> list[bytes]:
    """The facts of one row without its zeros.

    Raises:
        ValueError: the row ends inside a fact.
    """
    kind = text[:1]
    if kind == b"P":
        return text[1:].split(_BETWEEN)
    if kind != b"L":
        return [text]
    found, at = [], 1
    while at < len(text):
        if at + _LENGTH.size > len(text):
            raise ValueError("a row of facts ends inside the length of a fact")
        (length,) = _LENGTH.unpack_from(text, at)
        found.append(text[at + 4 : at + 4 + length])
        at += 4 + length
    return found


def facts_of(pieces: Iterable[bytes], reader: SightingReader) -> list[Fact]:
    """What the facts of one person say. Where the person was met comes last; without its name it is left out.

    Raises:
        ValueError, TypeError: bytes that are none.
        InvalidRecordError: a place that is none.
    """
    told: dict[Fact, None] = {}
    places: list[bytes] = []
    forms: dict[bytes, SurfaceForm] = {}
    for piece in pieces:
        if piece[:1] == _PLACE:
            places.append(piece)
            continue
        fact = _decode(piece)
        told[fact] = None
        if isinstance(fact, SurfaceForm):
            forms[_reference_to(piece)] = fact
    for place in places:
        if (form := forms.get(place[_REFERENCE])) is not None:
            told[reader.read(form.surface, form.name, place[9:].decode("utf-8", "surrogatepass"))] = None
    return list(told)


def surely_names(row: bytes) -> bool:
    """Whether a row without its zeros names a person who is no decoy. False of a few that do. Quick."""
    if row[:1] != b"P":
        return row[:1] == b"F"
    pieces = _BETWEEN + row[1:]
    return _FORM in pieces and _DECOY not in pieces


def only_name(row: bytes) -> tuple[PersonName | None, int]:
    """The name in a row that holds one form and where it was met, as most do, and how many times; None for
    another row.

    Raises:
        ValueError, IndexError: bytes that are none.
    """
    form, *places = pieces_in(row)
    if form[:1] != b"F":
        return None, 0
    met = _PLACE + _reference_to(form)
    for place in places:
        if not place.startswith(met):
            return None, 0
    parts = form[2:].decode("utf-8", "surrogatepass").split(_SEPARATOR)
    del parts[form[1] - 48 :]  # what follows is the surface, which may hold separators
    return PersonName.of_texts(parts), len(places)


def _reference_to(form: bytes) -> bytes:
    return b"%08x" % crc32(form)


def _decode(piece: bytes) -> Fact:
    text = piece.decode("utf-8", "surrogatepass")
    kind = text[:1]
    if kind == "F":  # the number of parts is stored
        count = int(text[1])
        parts = text[2:].split(_SEPARATOR, count)
        return SurfaceForm(parts[count], PersonName.of_texts(parts[:count]))
    if kind == "J":
        *parts, surface = json.loads(text[1:])
        return SurfaceForm(surface, PersonName(*parts))
    if kind == "A":
        name, value = json.loads(text[1:])
        return Attribute(name, value)
    return Mark(text[1:])
