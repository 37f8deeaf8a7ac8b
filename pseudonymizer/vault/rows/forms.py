"""What is known of an entity, fact by fact: of a person ways of writing the name, attributes, marks, where it
was met; of a value what it is, its spellings, the values that were invented for it."""

import unicodedata
from collections.abc import Iterable
from typing import Final

import msgspec

from linkage.records import PersonName, Sighting

NORMAL_FORM_VERSION: Final = 1
LITERAL_MARK: Final = "literal"  # of text that only looks like a token
VALUE_FORM_VERSION: Final = 1  # of the normal forms of values of other kinds than persons


class SurfaceForm(msgspec.Struct, frozen=True, gc=False):
    """One way in which a person's name was written. Its repr shows nothing."""

    surface: str
    name: PersonName

    def __repr__(self) -> str:
        return "SurfaceForm(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return []


class Attribute(msgspec.Struct, frozen=True, gc=False):
    """Something else that a text tells of a person, such as a birth date. Its repr shows the kind alone."""

    kind: str
    value: str

    def __repr__(self) -> str:
        return f"Attribute({self.kind!r}, ...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return [("kind", self.kind)]


class Mark(msgspec.Struct, frozen=True, gc=False):
    """Something about the entity that must not show in the database, such as "decoy", nor in a repr."""

    kind: str

    def __repr__(self) -> str:
        return "Mark(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return []


class ValueForm(msgspec.Struct, frozen=True, gc=False):
    """What a value is. version: of its normal form. Its repr shows nothing."""

    kind: str
    normal: str
    version: int

    def __repr__(self) -> str:
        return "ValueForm(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return []


class Spelling(msgspec.Struct, frozen=True, gc=False):
    """One way in which a value was written. Its repr shows nothing."""

    surface: str

    def __repr__(self) -> str:
        return "Spelling(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return []


class Invented(msgspec.Struct, frozen=True, gc=False):
    """The normal form of a value that stands in texts for this one, as its surrogate. Its repr shows
    nothing."""

    normal: str

    def __repr__(self) -> str:
        return "Invented(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return []


Fact = SurfaceForm | Attribute | Mark | Sighting | ValueForm | Spelling | Invented


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
