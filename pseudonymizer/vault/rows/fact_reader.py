"""Reads the rows of facts of people and of values, in the forms of today and in that of version 0.1."""

from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from linkage.errors import InvalidRecordError
from linkage.records import DocumentId, Gender, PersonName, Role, Sighting
from linkage.sighting_text import SightingReader
from linkage.told import Pair, Told, told_by
from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.vault.rows import old_facts
from pseudonymizer.vault.rows.forms import Attribute, Fact, Mark, SurfaceForm
from pseudonymizer.vault.rows.row_form import LAST_OF_TEXT, NO_FACTS, VALUE_FORM, form_of, is_of_today
from pseudonymizer.vault.rows.sealed_facts import (
    SealedFacts,
    SealedSighting,
    as_kept,
    mention_ids,
    read_head,
    read_keys,
    read_record,
    surely_names,
)
from pseudonymizer.vault.rows.sealed_values import facts_in

MetIn = tuple[str, int, Collection[str]]  # a document, the number of a name, marks
Rows = bytes | tuple[bytes, ...]  # of a person, as they are kept: the only one, or several

_NOTHING: Final[frozenset[Pair]] = frozenset()
_NO_ROLE: Final[frozenset[Role]] = frozenset()
_NO_MARK: Final[frozenset[str]] = frozenset()
_DECOY: Final = "decoy"
_MARK: Final = "mark"  # kind of the attributes of a mention that tell what its document is about


class StoredFacts(msgspec.Struct, frozen=True, gc=False):
    """What the rows of a person say, but for the sightings, which are counted. A decoy has no name."""

    names: tuple[PersonName, ...]
    attributes: frozenset[Pair]
    roles: frozenset[Role]
    marks: frozenset[str]
    sighting_count: int

    def __repr__(self) -> str:
        return "StoredFacts(...)"


class FactReader:
    """Reads the rows of many people. Equal document ids of sightings, and what equal attributes of them tell,
    are one object each.

    Every method takes the rows of one person, as they were sealed or as they are kept, and raises:
        VaultOutdatedError: a newer program wrote one of them.
        VaultDamagedError: one of them holds no facts.
    """

    def __init__(self) -> None:
        self._old = SightingReader()
        self._documents: dict[str, DocumentId] = {}
        self._told: dict[tuple[Pair, ...], Told] = {}
        self._last: tuple[Rows, StoredFacts] = b"", _NOBODY

    def names_person(self, rows: Rows) -> bool:
        """Whether rows as they are kept name a person who is no decoy. Most are not read for it, so that one
        that holds no facts may be found later."""
        if isinstance(rows, bytes) and (surely_names(rows) or old_facts.surely_names(rows)):
            return True
        return bool(self.told(rows).names)

    def index_keys(self, rows: Rows) -> tuple[list[tuple[str, ...]], list[MetIn]]:
        """The parts of the names that rows as they are kept have, "" for none, and the documents in which the
        person was met, under which of these names, with what they are about. Quick, for a hundred thousand
        people."""
        if isinstance(rows, bytes) and rows[0] > LAST_OF_TEXT:
            try:
                found = read_keys(rows)
            except ValueError:
                raise VaultDamagedError(NO_FACTS) from None
            if found is not None:
                names = [form.parts for form in found.named]
                if found.referred:
                    names += [form.parts for form in found.referred]
                return names, [
                    (met.doc_id, met.form, _marks(met.attributes) if met.attributes else ())
                    for met in found.sightings
                ]
        numbers = {name: number for number, name in enumerate(self.told(rows).names)}
        met_in: list[MetIn] = [
            (met.doc_id, numbers.setdefault(met.name, len(numbers)), met.marks)
            for met in self.sightings((rows,) if isinstance(rows, bytes) else rows)
        ]
        return [tuple([part or "" for part in name.parts()]) for name in numbers], met_in

    def index_names(self, rows: Rows) -> list[tuple[str, ...]]:
        """The names of index_keys."""
        return self.index_keys(rows)[0]

    def told(self, rows: Rows) -> StoredFacts:
        """What rows as they are kept say. Remembers the person asked for last."""
        last, told = self._last
        if rows is not last:
            told = self._told_in_one(rows) if isinstance(rows, bytes) else self.told_in(rows)
            self._last = rows, told
        return told

    def _told_in_one(self, row: bytes) -> StoredFacts:
        try:
            if row[0] > LAST_OF_TEXT:
                head = read_head(row)
                if head is None:
                    return self.told_in((row,))
                if _DECOY in head.marks:
                    return _NOBODY
                names = tuple([PersonName.of_texts(form.parts) for form in head.named])
                if len(names) > 1:
                    names = tuple(dict.fromkeys(names))
                return stored(names, [(fact.kind, fact.value) for fact in head.facts], head.sighting_count)
            name, count = old_facts.only_name(row)
        except (ValueError, IndexError):
            if is_of_today(row):
                form_of(row)  # another form may have other fields: then a newer program wrote the row
            raise VaultDamagedError(NO_FACTS) from None
        return self.told_in((row,)) if name is None else stored((name,), (), count)

    def told_in(self, rows: Iterable[bytes]) -> StoredFacts:
        """What several rows of a person say together."""
        names: dict[PersonName, None] = {}
        pairs: set[Pair] = set()
        count = 0
        for fact in self.facts(rows):
            if isinstance(fact, SurfaceForm):
                names[fact.name] = None
            elif isinstance(fact, Sighting):
                count += 1
            elif isinstance(fact, Attribute):
                pairs.add((fact.kind, fact.value))
            elif isinstance(fact, Mark) and fact.kind == _DECOY:
                return _NOBODY
        return stored(tuple(names), pairs, count)

    def sightings(self, rows: Iterable[bytes]) -> tuple[Sighting, ...]:
        """Where the person was met."""
        return tuple([fact for fact in self.facts(rows) if isinstance(fact, Sighting)])

    def facts(self, rows: Iterable[bytes]) -> list[Fact]:
        """Everything that is known of the person or the value, each fact once, in the order of the rows."""
        old: list[bytes] = []
        new: list[Fact] = []
        kept = list(rows)
        for row in kept:
            if is_of_today(row):
                new += facts_in(row) if form_of(row) == VALUE_FORM else self._in_record(read_record(row))
            else:
                old += _pieces(as_kept(row))
        try:
            before = old_facts.facts_of(old, self._old) if old else []
        except (ValueError, TypeError, IndexError, RecursionError, InvalidRecordError):
            raise VaultDamagedError(NO_FACTS) from None
        return list(dict.fromkeys([*before, *new])) if old or len(kept) > 1 else new

    def _in_record(self, record: SealedFacts) -> list[Fact]:
        forms = [
            SurfaceForm(form.surface, PersonName.of_texts(form.parts))
            for form in (*record.named, *record.referred)
        ]
        return [
            *forms[: len(record.named)],
            *[Attribute(fact.kind, fact.value) for fact in record.facts],
            *map(Mark, record.marks),
            *self._met(record, forms),
        ]

    def _met(self, record: SealedFacts, forms: list[SurfaceForm]) -> list[Sighting]:
        try:
            return [self._sighting(met, forms[met.form]) for met in record.sightings]
        except (ValueError, IndexError):
            raise VaultDamagedError(NO_FACTS) from None

    def _sighting(self, met: SealedSighting, form: SurfaceForm) -> Sighting:
        doc_id = self._documents.setdefault(met.doc_id, DocumentId(met.doc_id))
        if (told := self._told.get(met.attributes)) is None:
            told = self._told[met.attributes] = told_by(met.attributes)
        return Sighting(
            doc_id, met.start, form.surface, form.name, Gender(met.gender) if met.gender else None,
            met.person_id or None, told.attributes, mention_ids(doc_id, met.joined_with),
            mention_ids(doc_id, met.same_as), told.roles, told.marks, told.judged,
        )  # fmt: skip


def stored(names: tuple[PersonName, ...], pairs: Collection[Pair], sighting_count: int) -> StoredFacts:
    """The facts of somebody of these names, with what the pairs tell as texts."""
    if not pairs:
        return StoredFacts(names, _NOTHING, _NO_ROLE, _NO_MARK, sighting_count)
    told = told_by(pairs)
    return StoredFacts(
        names, frozenset(told.attributes), frozenset(told.roles), frozenset(told.marks), sighting_count
    )


_NOBODY: Final = stored((), (), 0)


def _marks(attributes: tuple[Pair, ...]) -> list[str]:
    return [value for kind, value in attributes if kind == _MARK]


def _pieces(row: bytes) -> list[bytes]:
    try:
        return old_facts.pieces_in(row)
    except ValueError:
        raise VaultDamagedError(NO_FACTS) from None
