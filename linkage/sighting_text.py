"""Sightings as texts, as versions before 0.2 sealed them, and kept them among attributes. They are only read.

A place is JSON: [document, start, gender, person id, attributes, joined with, same as]. What is empty at its
end is left out, and ids of mentions stand without their document. It names nobody but for its attributes.
"""

import json
from dataclasses import replace
from typing import Final, TypeVar

import msgspec

from linkage.errors import InvalidRecordError
from linkage.known import EntityId, KnownIdentity, Sighting, UnclearSighting
from linkage.person_name import Gender, PersonName
from linkage.texts import DocumentId, MentionId
from linkage.told import Pair, Told, told_by

# Kinds of attributes in which versions before 0.2 kept what a known person now has fields for.
_SIGHTING: Final = "sighting"
_UNCLEAR: Final = "unclear_sighting"  # the id that the mention was given, a space, and a sighting's value
_APART: Final = "apart_from"
_OLD_KINDS: Final = frozenset({_SIGHTING, _UNCLEAR, _APART})

_T = TypeVar("_T")


class _Place(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The JSON of a place."""

    doc_id: DocumentId
    start: int = 0
    gender: str = ""
    person_id: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    joined_with: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()


class _OldValue(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The value of an attribute of the kind sighting: a surface, the parts of its name, and a place."""

    surface: str
    parts: tuple[str, ...]
    doc_id: DocumentId
    start: int = 0
    gender: str = ""
    person_id: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    joined_with: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()


_PLACES: Final = msgspec.json.Decoder(_Place)
_OLD_VALUES: Final = msgspec.json.Decoder(_OldValue)


class SightingReader:
    """Reads sightings. Equal document ids, and what equal attributes tell, are one object each."""

    def __init__(self) -> None:
        self._documents: dict[DocumentId, DocumentId] = {}
        self._told: dict[tuple[Pair, ...], Told] = {}

    def read(self, surface: str, name: PersonName, place: str) -> Sighting:
        """The sighting of this name at a place.

        Raises:
            InvalidRecordError: if it is no place.
        """
        return self._sighting(surface, name, _decoded(_PLACES, place))

    def read_old(self, value: str) -> Sighting:
        """The sighting in an attribute of a version before 0.2.

        Raises:
            InvalidRecordError: if the value is none.
        """
        told = _decoded(_OLD_VALUES, value)
        try:
            name = PersonName(*(part or None for part in told.parts))
        except TypeError:
            raise _no_sighting() from None
        return self._sighting(told.surface, name, told)

    def _sighting(self, surface: str, name: PersonName, told: _Place | _OldValue) -> Sighting:
        doc_id = told.doc_id
        if (typed := self._told.get(told.attributes)) is None:
            typed = self._told[told.attributes] = told_by(told.attributes)
        try:
            gender = Gender(told.gender) if told.gender else None
        except ValueError:
            raise _no_sighting() from None
        if not surface or told.start < 0:
            raise _no_sighting()
        return Sighting(
            self._documents.setdefault(doc_id, doc_id), told.start, surface, name, gender,
            told.person_id or None, typed.attributes, _mention_ids(doc_id, told.joined_with),
            _mention_ids(doc_id, told.same_as), typed.roles, typed.marks, typed.judged,
        )  # fmt: skip


def _mention_ids(doc_id: DocumentId, places: tuple[str, ...]) -> tuple[MentionId, ...]:
    return tuple([MentionId(f"{doc_id}@{place}") for place in places]) if places else ()


def _decoded(decoder: msgspec.json.Decoder[_T], text: str) -> _T:
    try:
        return decoder.decode(text)
    except UnicodeEncodeError:  # half of a surrogate pair, which only Python's own JSON lets through
        try:
            return msgspec.convert(json.loads(text), decoder.type)
        except (ValueError, RecursionError):
            raise _no_sighting() from None
    except (ValueError, RecursionError):
        raise _no_sighting() from None


def _no_sighting() -> InvalidRecordError:
    return InvalidRecordError("what is kept of where a person was met cannot be read; leave it out")


def with_typed_fields(known: KnownIdentity, reader: SightingReader) -> KnownIdentity:
    """A known person whose attributes are told by texts alone: what versions before 0.2 kept among them goes
    into the fields that hold it now.

    Raises:
        InvalidRecordError: if an attribute of such a kind is none.
    """
    old = sorted(attribute for attribute in known.attributes if attribute[0] in _OLD_KINDS)
    told = told_by(known.attributes.difference(old))
    if not old and len(told.attributes) == len(known.attributes):
        return known
    unclear = [value.partition(" ") for kind, value in old if kind == _UNCLEAR]
    return replace(
        known,
        attributes=frozenset(told.attributes),
        roles=known.roles.union(told.roles),
        marks=known.marks.union(told.marks),
        sightings=(
            *known.sightings, *(reader.read_old(value) for kind, value in old if kind == _SIGHTING)
        ),
        unclear=(
            *known.unclear,
            *(UnclearSighting(EntityId(given), reader.read_old(value)) for given, _, value in unclear),
        ),
        apart=known.apart | {EntityId(value) for kind, value in old if kind == _APART},
    )  # fmt: skip
