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
_PARTS: Final = 7
_STEP: Final = 128
_NO_NAME: Final = PersonName()


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


def _form(surface: str, name: PersonName) -> bytes:
    parts = name.parts()
    text = _SEPARATOR.join([part or "" for part in parts])
    if text.count(_SEPARATOR) == _PARTS - 1:
        return f"F{text}{_SEPARATOR}{surface}".encode("utf-8", "surrogatepass")
    return ("J" + json.dumps([*parts, surface])).encode()


def encode_attribute(kind: str, value: str) -> bytes:
    return _stepped(("A" + json.dumps([kind, value])).encode())


def encode_mark(kind: str) -> bytes:
    return _stepped(("M" + kind).encode())


def decode_fact(plain: bytes) -> Fact:
    text = plain.lstrip(b"\0").decode("utf-8", "surrogatepass")
    kind = text[:1]
    if kind == "F":
        given, initials, particle, family, partner_particle, partner_family, suffix, surface = text[1:].split(
            _SEPARATOR, _PARTS
        )
        return SurfaceForm(
            surface,
            PersonName(
                given or None, initials or None, particle or None, family or None,
                partner_particle or None, partner_family or None, suffix or None,
            ),
        )  # fmt: skip
    if kind == "J":
        *parts, surface = json.loads(text[1:])
        return SurfaceForm(surface, PersonName(*parts))
    if kind == "A":
        name, value = json.loads(text[1:])
        return Attribute(name, value)
    return Mark(text[1:])


def normal_form(name: PersonName) -> str | None:
    """The text that the blind index takes, or None where the name is not full. Spelling marks count, case
    does not.
    """
    if not name.is_full:
        return None
    parts = [part or "" for part in (name.given or name.initials, *name.parts()[2:])]
    return unicodedata.normalize("NFKC", "\x1f".join(parts)).casefold()


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
