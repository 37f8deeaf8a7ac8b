"""Facts of a person as they are sealed: one typed record a row, which begins with the number of its form.

A record that needs more than this program knows gets another number.
"""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from linkage.codec import Codec, Row
from linkage.errors import InvalidRecordError
from linkage.records import DocumentId, MentionId, PersonName, Sighting
from linkage.told import as_pairs
from pseudonymizer.errors import VaultDamagedError, VaultOutdatedError
from pseudonymizer.vault.rows.forms import Attribute, Fact, Mark, SurfaceForm
from pseudonymizer.vault.rows.row_form import (
    JSON,
    NO_FACTS,
    PERSON_FORM,
    filled,
    form_of,
    is_of_today,
    without_mark,
)

_STEP: Final = 128  # bytes; the usual step of sealed values, 64, would tell long names from short ones
_STEP_OF_SIGHTINGS: Final = 256
_MOST_BYTES: Final = 32_000  # of facts in one row
_ELSEWHERE: Final = "@"  # before a mention's id that is given whole
# Of MessagePack: how a record of PERSON_FORM begins, before its named forms; an empty array; the mark
# of a decoy; the first bytes of arrays of more than 15 and of more than 65535 values.
_PERSON: Final = b"\x98\x02\xa0"
_NONE: Final = 0x90
_DECOY: Final = b"\xa5decoy"
_ARRAY_16: Final = 0xDC
_ARRAY_32: Final = 0xDD


class SealedForm(Row, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """One way of writing a name. parts: all those of PersonName in order, "" for none."""

    surface: str
    parts: tuple[str, ...]


class SealedSighting(Row, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a person was met. form: its number among named and referred. attributes: all that linkage.told
    makes pairs of. Ids of mentions stand without the document, or whole behind an @ where they do not begin
    with it."""

    form: Annotated[int, msgspec.Meta(ge=0)]
    doc_id: str
    start: int
    gender: str
    person_id: str
    attributes: tuple[tuple[str, str], ...]
    joined_with: tuple[str, ...]
    same_as: tuple[str, ...]


class SealedFact(Row, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something else that a text says of a person, such as ("birth_date", "1951-03-12")."""

    kind: str
    value: str


class SealedFacts(Row, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """What one row says of an entity.

    form: PERSON_FORM. kind: empty; values of other kinds have a record of their own. named: ways of writing
    the name. referred: further ones, of sightings, which are named in another row. filling: zeros, at most
    255.
    """

    form: int
    kind: str
    named: tuple[SealedForm, ...]
    referred: tuple[SealedForm, ...]
    sightings: tuple[SealedSighting, ...]
    facts: tuple[SealedFact, ...]
    marks: tuple[str, ...]
    filling: bytes


class Head(Row, array_like=True, frozen=True, gc=False):
    """What of SealedFacts is read of everybody; sightings are counted."""

    form: int
    kind: str
    named: tuple[SealedForm, ...]
    referred: msgspec.Raw
    sightings: msgspec.Raw
    facts: tuple[SealedFact, ...]
    marks: tuple[str, ...]

    @property
    def sighting_count(self) -> int:
        raw = memoryview(self.sightings)
        if raw[0] == _ARRAY_16:
            return int.from_bytes(raw[1:3], "big")
        if raw[0] == _ARRAY_32:
            return int.from_bytes(raw[1:5], "big")
        return raw[0] - _NONE


class MetIn(Row, array_like=True, frozen=True, gc=False):
    """What of a SealedSighting an index of people is told."""

    form: int
    doc_id: str
    start: int
    gender: str
    person_id: str
    attributes: tuple[tuple[str, str], ...]


class Keys(Row, array_like=True, frozen=True, gc=False):
    """What of SealedFacts an index of people is told."""

    form: int
    kind: str
    named: tuple[SealedForm, ...]
    referred: tuple[SealedForm, ...]
    sightings: tuple[MetIn, ...]


_CODEC: Final = Codec(SealedFacts)
_HEADS: Final = msgspec.msgpack.Decoder(Head)
_KEYS: Final = msgspec.msgpack.Decoder(Keys)


def pack(facts: Sequence[Fact]) -> list[bytes]:
    """What is sealed in one row each: facts of one person, each given once. Together, so that reading the
    person takes one key and one opening; in pieces where they are very many. Filled up to steps.
    """
    record = _record(facts)
    raw = _CODEC.encode(record)
    if len(raw) > _MOST_BYTES and len(facts) > 1:
        middle = len(facts) // 2
        return [*pack(facts[:middle]), *pack(facts[middle:])]
    step = _STEP_OF_SIGHTINGS if record.sightings else _STEP
    return [filled(raw, step)]


def as_kept(plain: bytes) -> bytes:
    """A row as it is kept in memory: read as the same, without what fills it up."""
    if not is_of_today(plain):
        return plain.lstrip(b"\0")
    if plain[:1] == JSON:
        return plain.rstrip(b" ")
    kept = plain.rstrip(b"\0")
    # The filling is zeros behind their number. Of a row that has none the number itself is the only zero.
    return kept[:-1] + b"\0" if kept[-1] == len(plain) - len(kept) else plain


def surely_names(row: bytes) -> bool:
    """Whether a row names a person who is no decoy. False of a few that do. Quick, for a million people."""
    return row[:3] == _PERSON and row[3] != _NONE and _DECOY not in row


def _record(facts: Sequence[Fact]) -> SealedFacts:
    numbers: dict[tuple[str, PersonName], int] = {}
    named: list[SealedForm] = []
    referred: list[SealedForm] = []
    sightings: list[SealedSighting] = []
    others: list[SealedFact] = []
    marks: list[str] = []
    met: list[Sighting] = []
    for fact in facts:
        if type(fact) is Sighting:
            met.append(fact)
        elif type(fact) is SurfaceForm:
            if numbers.setdefault((fact.surface, fact.name), len(named)) == len(named):
                named.append(_form(fact.surface, fact.name))
        elif type(fact) is Attribute:
            others.append(SealedFact(fact.kind, fact.value))
        elif type(fact) is Mark:
            marks.append(fact.kind)
    for fact in met:
        count = len(named) + len(referred)
        number = numbers.setdefault((fact.surface, fact.name), count)
        if number == count:
            referred.append(_form(fact.surface, fact.name))
        sightings.append(_sighting(fact, number))
    return SealedFacts(
        PERSON_FORM, "", tuple(named), tuple(referred), tuple(sightings), tuple(others), tuple(marks), b""
    )


def _form(surface: str, name: PersonName) -> SealedForm:
    return SealedForm(surface, tuple([part or "" for part in name.parts()]))


def _sighting(met: Sighting, form: int) -> SealedSighting:
    return SealedSighting(
        form, met.doc_id, met.start, met.gender or "", met.person_id or "",
        as_pairs(met.attributes, met.roles, met.marks, met.judged),
        _places(met.doc_id, met.joined_with), _places(met.doc_id, met.same_as),
    )  # fmt: skip


def _places(doc_id: str, mention_ids: tuple[MentionId, ...]) -> tuple[str, ...]:
    if not mention_ids:
        return ()
    prefix = f"{doc_id}@"
    return tuple(
        [
            place
            if (place := mention_id.removeprefix(prefix)) != mention_id and place[:1] != _ELSEWHERE
            else _ELSEWHERE + mention_id
            for mention_id in mention_ids
        ]
    )


def read_record(row: bytes) -> SealedFacts:
    """The record of a row of the form PERSON_FORM.

    Raises:
        VaultOutdatedError: a newer program wrote the row.
        VaultDamagedError: the row holds no record of a person.
    """
    if form_of(row) != PERSON_FORM:
        raise VaultDamagedError(NO_FACTS)
    try:
        record = _CODEC.decode(without_mark(row))
    except InvalidRecordError:
        raise VaultDamagedError(NO_FACTS) from None
    if record.kind:
        raise VaultOutdatedError("a row tells of an entity that is no person; use a newer program")
    return record


def read_head(row: bytes) -> Head | None:
    """What a row says but for the sightings; None for a row that read_record reads alone. It is_of_today.

    Raises:
        ValueError: the row holds no record.
    """
    if row[:1] == JSON:
        return None
    head = _HEADS.decode(row)
    return None if head.form != PERSON_FORM or head.kind else head


def read_keys(row: bytes) -> Keys | None:
    """What an index is told of a row; None for a row that read_record reads alone. It is_of_today.

    Raises:
        ValueError: the row holds no record.
    """
    if row[:1] == JSON:
        return None
    keys = _KEYS.decode(row)
    return None if keys.form != PERSON_FORM or keys.kind else keys


def mention_ids(doc_id: DocumentId, places: tuple[str, ...]) -> tuple[MentionId, ...]:
    """The whole ids behind what a sealed sighting keeps of them."""
    if not places:
        return ()
    return tuple(
        [MentionId(place[1:] if place[:1] == _ELSEWHERE else f"{doc_id}@{place}") for place in places]
    )
