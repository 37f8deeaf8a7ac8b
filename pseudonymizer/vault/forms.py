"""What is sealed about a person: surface forms with their parts, attributes, marks. Encoded as short as may
be.
"""

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from linkage.records import PersonName

NORMAL_FORM_VERSION: Final = 1
_SEPARATOR: Final = "\x1f"
_PARTS: Final = 8
_STEP: Final = 128


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


Fact = SurfaceForm | Attribute | Mark


def encode_form(surface: str, name: PersonName) -> bytes:
    """A form takes name and parts, so that the usual step of 64 would tell long names from short ones."""
    return _stepped(_form(surface, name))


def _stepped(plain: bytes) -> bytes:
    return bytes(-(len(plain) + 4) % _STEP) + plain


def _form(surface: str, n: PersonName) -> bytes:
    # Written out, because every form of every mention goes through it.
    text = (
        f"F{_PARTS}{n.given or ''}\x1f{n.initials or ''}\x1f{n.particle or ''}\x1f{n.family or ''}\x1f"
        f"{n.partner_particle or ''}\x1f{n.partner_family or ''}\x1f{n.suffix or ''}\x1f{n.nickname or ''}"
    )
    if text.count(_SEPARATOR) == _PARTS - 1:
        return f"{text}\x1f{surface}".encode("utf-8", "surrogatepass")
    return ("J" + json.dumps([*n.parts(), surface])).encode()


def encode_attribute(kind: str, value: str) -> bytes:
    return _stepped(("A" + json.dumps([kind, value])).encode())


def encode_mark(kind: str) -> bytes:
    return _stepped(("M" + kind).encode())


def decode_fact(plain: bytes) -> Fact:
    text = plain.lstrip(b"\0").decode("utf-8", "surrogatepass")
    kind = text[:1]
    if kind == "F":  # the number of parts is stored: names may get more parts one day
        count = int(text[1])
        parts = text[2:].split(_SEPARATOR, count)
        return SurfaceForm(parts[count], PersonName(*[part or None for part in parts[:count]]))
    if kind == "J":
        *parts, surface = json.loads(text[1:])
        return SurfaceForm(surface, PersonName(*parts))
    if kind == "A":
        name, value = json.loads(text[1:])
        return Attribute(name, value)
    return Mark(text[1:])


def decode_name(plain: bytes) -> PersonName | None:
    """The name of a surface form without its surface, or None for another fact; for loops over a million
    people."""
    text = plain.lstrip(b"\0")
    if text[:1] != b"F":
        fact = decode_fact(plain)
        return fact.name if isinstance(fact, SurfaceForm) else None
    count = text[1] - 48
    parts = text[2:].decode("utf-8", "surrogatepass").split(_SEPARATOR, count)
    del parts[count:]
    return PersonName(*[part or None for part in parts])


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
