"""What is sealed about a person: surface forms with their parts, attributes, marks. Encoded as short as may
be.
"""

import json
import struct
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from linkage.records import NormalizedMention, PersonName, Sighting
from linkage.sighting_text import SightingReader, place_of

NORMAL_FORM_VERSION: Final = 1
_SEPARATOR: Final = "\x1f"
_PARTS: Final = 8
_REFERENCE: Final = 8
_STEP: Final = 128
_STEP_OF_SIGHTINGS: Final = 256
_MOST_BYTES: Final = 32_000  # of facts in one row
_BETWEEN: Final = b"\x1e"
_LENGTH: Final = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """One way in which a person's name was written."""

    surface: str = field(repr=False)
    name: PersonName = field(repr=False)


@dataclass(frozen=True, slots=True)
class Attribute:
    kind: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something about the entity that must not show in the database, such as "decoy"."""

    kind: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person was met, without the form that the name had there; see sightings_in."""

    text: str = field(repr=False)


Fact = SurfaceForm | Attribute | Mark | Place


def form_fact(surface: str, name: PersonName) -> bytes:
    """One way of writing a name, as short as may be; facts are packed before they are sealed."""
    n = name  # written out, because every form of every mention goes through it
    text = (
        f"F{_PARTS}{n.given or ''}\x1f{n.initials or ''}\x1f{n.particle or ''}\x1f{n.family or ''}\x1f"
        f"{n.partner_particle or ''}\x1f{n.partner_family or ''}\x1f{n.suffix or ''}\x1f{n.nickname or ''}"
    )
    if text.count(_SEPARATOR) == _PARTS - 1:
        return f"{text}\x1f{surface}".encode("utf-8", "surrogatepass")
    return ("J" + json.dumps([*n.parts(), surface])).encode()


def attribute_fact(kind: str, value: str) -> bytes:
    return ("A" + json.dumps([kind, value])).encode()


def sighting_fact(mention: NormalizedMention, form: bytes) -> bytes:
    """Where a person was met under one of its forms, given as a fact, which stands for the name here."""
    return f"S{_reference(form)}{place_of(mention)}".encode("utf-8", "surrogatepass")


def decoded(facts: Iterable[bytes]) -> dict[bytes, Fact]:
    """Each fact with what it says."""
    return {fact: _decode(fact) for fact in facts}


def sightings_in(told: Mapping[bytes, Fact], reader: SightingReader) -> dict[bytes, Sighting]:
    """The facts that say where a person was met, each with what it says together with its form.

    told: all facts of one person; what was met under a form that is not among them is left out.
    """
    places = {fact: place.text for fact, place in told.items() if type(place) is Place}
    if not places:
        return {}
    form_of = {_reference(fact): form for fact, form in told.items() if type(form) is SurfaceForm}
    return {
        fact: reader.read(form.surface, form.name, text[_REFERENCE:])
        for fact, text in places.items()
        if (form := form_of.get(text[:_REFERENCE])) is not None
    }


def _reference(form: bytes) -> str:
    """What stands for one form among those of a person."""
    return f"{crc32(form):08x}"


def mark_fact(kind: str) -> bytes:
    return ("M" + kind).encode()


def pack(facts: Sequence[bytes]) -> list[bytes]:
    """What is sealed in one row each: facts of one person together, so that reading him takes one key and
    one opening; in pieces where they are very many.

    Filled up to steps of 128 bytes, or 256 where it is told where the person was met: the usual step of 64
    would tell long names from short ones.
    """
    if len(facts) == 1:
        return [_stepped(facts[0], _STEP)]
    packs, first, size = [], 0, 0
    step = _STEP_OF_SIGHTINGS if any(fact[:1] == b"S" for fact in facts) else _STEP
    for number, fact in enumerate(facts):
        if size and size + len(fact) > _MOST_BYTES:
            packs.append(_stepped(_joined(facts[first:number]), step))
            first, size = number, 0
        size += len(fact) + 1
    if size:
        packs.append(_stepped(_joined(facts[first:]), step))
    return packs


def _joined(facts: Sequence[bytes]) -> bytes:
    if len(facts) == 1:
        return facts[0]
    together = b"P" + _BETWEEN.join(facts)
    if together.count(_BETWEEN) == len(facts) - 1:
        return together
    return b"L" + b"".join(_LENGTH.pack(len(fact)) + fact for fact in facts)


def _stepped(plain: bytes, step: int) -> bytes:
    return bytes(-(len(plain) + 4) % step) + plain


def facts_in(plain: bytes) -> list[bytes]:
    """The facts of one row, as they were before packing. A row of an older version holds one fact."""
    text = plain.lstrip(b"\0")
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


def decode_facts(plain: bytes) -> tuple[Fact, ...]:
    """Everything that one row says of a person."""
    return tuple(map(_decode, facts_in(plain)))


def _decode(fact: bytes) -> Fact:
    text = fact.decode("utf-8", "surrogatepass")
    kind = text[:1]
    if kind == "F":  # the number of parts is stored: names may get more parts one day
        count = int(text[1])
        parts = text[2:].split(_SEPARATOR, count)
        return SurfaceForm(parts[count], PersonName.of_texts(parts[:count]))
    if kind == "J":
        *parts, surface = json.loads(text[1:])
        return SurfaceForm(surface, PersonName(*parts))
    if kind == "A":
        name, value = json.loads(text[1:])
        return Attribute(name, value)
    if kind == "S":
        return Place(text[1:])
    return Mark(text[1:])


def only_name(plain: bytes) -> PersonName | None:
    """The name in a row that holds one form and nothing else; for loops over a million people."""
    text = plain.lstrip(b"\0")
    if text[:1] != b"F":
        return None
    parts = text[2:].decode("utf-8", "surrogatepass").split(_SEPARATOR)
    del parts[text[1] - 48 :]  # the surface, which may hold separators
    return PersonName.of_texts(parts)


def normal_form(name: PersonName) -> str | None:
    """The text that the blind index takes, or None where the name is not full. Spelling marks count, case
    does not.
    """
    if not name.is_full:
        return None
    given = name.given or name.initials
    text = (
        f"{given}\x1f{name.particle or ''}\x1f{name.family}\x1f"
        f"{name.partner_particle or ''}\x1f{name.partner_family or ''}\x1f{name.suffix or ''}"
    )
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()


def deterministic_material(whole: str, scope_tag: bytes = b"") -> bytes:
    """What a deterministic label is computed from: the normal form of the full name, and its scope."""
    version = NORMAL_FORM_VERSION.to_bytes(2, "big")
    return version + len(scope_tag).to_bytes(1, "big") + scope_tag + whole.encode("utf-8", "surrogatepass")


def fullest(forms: Iterable[SurfaceForm]) -> SurfaceForm | None:
    """The form that tells most about the person: most parts, then longest, then first in the alphabet."""

    def amount(form: SurfaceForm) -> tuple[bool, int, int]:
        parts = [part for part in form.name.parts() if part]
        return form.name.is_full, len(parts), sum(map(len, parts))

    best: SurfaceForm | None = None
    for form in sorted(forms, key=lambda f: f.surface):
        if best is None or amount(form) > amount(best):
            best = form
    return best
