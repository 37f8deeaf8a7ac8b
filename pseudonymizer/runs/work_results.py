"""The part of a work file that seals what detection, linking and assigning found, until it is used."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import msgspec

from linkage.codec import Codec, FormLinkRow, IdentityRow
from linkage.errors import InvalidRecordError
from linkage.records import DocumentId, EntityId, FormLink, Identity, PersonName
from pseudonymizer.engine.records import LabelledPerson
from pseudonymizer.errors import WorkFileError
from pseudonymizer.runs.codec import (
    ANALYSIS,
    FORM_LINKS,
    IDENTITIES,
    LABELS,
    PERSON,
    SEEN_THROUGH,
    SOURCES,
    Analysis,
    FoundRow,
    PersonRow,
    SourceLabels,
)
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_forms import WorkForms
from pseudonymizer.runs.work_rows import SourceState
from pseudonymizer.work_files.contexts import analysis_context, labels_context, linked_context, person_context

_CHUNK: Final = 2_000  # rows of a linkage result in one sealed value
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LinkedSources:
    """A result of linking these sources, without its mentions, which stand with the sources.

    seen_through: the highest number of a person that linking knew.
    """

    sources: Sequence[DocumentId]
    identities: Sequence[Identity] = field(default=(), repr=False)
    form_links: Sequence[FormLink] = field(default=(), repr=False)
    seen_through: int = 0


class WorkResults(WorkForms):
    """What the passes leave for the next, in transactions of their own."""

    def save_detected(self, found: Sequence[FoundRow]) -> None:
        """What detection found in several sources."""
        if not found:
            return
        self._upgrade()
        with self._transaction() as do:
            do.executemany(
                "update source set state = ?, counts = ?, mentions = ?, error = null, "
                "reason = null where doc_id = ?",
                [
                    (SourceState.DETECTED, one.counts.to_json(),
                     self._sealing.seal(one.analysis, context=analysis_context(one.doc_id)), one.doc_id)
                    for one in found
                ],
            )  # fmt: skip

    def save_names(self, found: Iterable[tuple[DocumentId, SourceCounts, Analysis]]) -> None:
        """What is found in several sources, in place of what save_detected stored."""
        rows = [
            (counts.to_json(),
             self._sealing.seal(ANALYSIS.encode(analysis), context=analysis_context(doc_id)), doc_id)
            for doc_id, counts, analysis in found
        ]  # fmt: skip
        if rows:
            with self._transaction() as do:
                do.executemany("update source set counts = ?, mentions = ? where doc_id = ?", rows)

    def analysis(self, doc_id: DocumentId) -> Analysis:
        """What save_detected stored for one source."""
        self._upgrade()
        found = self._connection.execute("select mentions from source where doc_id = ?", (doc_id,))
        (sealed,) = found.fetchone()
        return self._decoded(ANALYSIS, sealed, analysis_context(doc_id))

    def save_linked(
        self,
        linked: LinkedSources,
        totals: Mapping[str, int],
        forms: Mapping[DocumentId, Collection[PersonName]],
    ) -> None:
        """The result of linking, before the vault knows of it: a run that is killed now goes on from here.

        totals are added to what totals() answers, or stand in its place where all that was linked before is
        linked anew. forms: the names in each of the sources, for form_count.
        """
        self._upgrade()
        with self._transaction() as do:
            if not self._has_earlier_results():
                self._put_totals({})
            self._add_totals(totals)
            self._note_forms(forms)
            do.execute("delete from linked")
            self._put_linked("source", map(SOURCES.encode, _chunks(linked.sources)))
            identities = ([IdentityRow.of(one) for one in chunk] for chunk in _chunks(linked.identities))
            self._put_linked("identity", map(IDENTITIES.encode, identities))
            form_links = ([FormLinkRow.of(one) for one in chunk] for chunk in _chunks(linked.form_links))
            self._put_linked("form", map(FORM_LINKS.encode, form_links))
            self._put_linked("seen", [SEEN_THROUGH.encode([linked.seen_through])])

    def linked(self) -> LinkedSources | None:
        """What save_linked stored last; None where no result waits."""
        if self._connection.execute("select 1 from linked limit 1").fetchone() is None:
            return None
        self._upgrade()
        return LinkedSources(
            list(self._linked("source", SOURCES)),
            [row.identity() for row in self._linked("identity", IDENTITIES)],
            [row.link() for row in self._linked("form", FORM_LINKS)],
            next(self._linked("seen", SEEN_THROUGH)),
        )

    def _put_linked(self, kind: str, chunks: Iterable[bytes]) -> None:
        for number, chunk in enumerate(chunks):
            sealed = self._sealing.seal(chunk, context=linked_context(kind, number))
            self._connection.execute("insert into linked values (?, ?, ?)", (kind, number, sealed))

    def _linked(self, kind: str, codec: Codec[list[_T]]) -> Iterator[_T]:
        chunks = self._connection.execute(
            "select number, rows from linked where kind = ? order by number", (kind,)
        )
        for number, sealed in chunks:
            yield from self._decoded(codec, sealed, linked_context(kind, number))

    def _add_totals(self, counts: Mapping[str, int]) -> None:
        """Inside a transaction, that of the result they tell of: each result counts once, whenever killed."""
        totals = self.totals()
        self._put_totals({**totals, **{name: totals.get(name, 0) + n for name, n in counts.items()}})

    def _put_totals(self, totals: Mapping[str, int]) -> None:
        self._put("totals", msgspec.json.encode(totals))

    def totals(self) -> dict[str, int]:
        """Counts over all results of linking that are not replaced as a whole."""
        return msgspec.json.decode(self._get("totals") or b"{}", type=dict[str, int])

    def people(self) -> Iterator[LabelledPerson]:
        """Everybody that this work file has seen a label for."""
        self._upgrade()
        found = self._connection.execute("select entity_id, person from person order by entity_id")
        for entity_id, sealed in found:
            row = self._decoded(PERSON, sealed, person_context(entity_id))
            yield row.person(EntityId(entity_id))

    def forget_people(self) -> None:
        """Nobody's name is kept, nor a way to try names out: for styles without a way back."""
        with self._transaction() as do:
            do.execute("delete from person")
            self._forget_form_key()

    def save_labels(
        self,
        labels: Iterable[tuple[DocumentId, SourceLabels, SourceCounts]],
        people: Iterable[LabelledPerson] = (),
        totals: Mapping[str, int] | None = None,
    ) -> None:
        """The labels and counts of every source of the stored result, which is then done with. totals are
        added to what totals() answers, when the labels are stored.
        """
        self._upgrade()
        with self._transaction() as do:
            do.executemany(
                "insert or replace into person values (?, ?)",
                [
                    (person.entity_id,
                     self._sealing.seal(
                         PERSON.encode(PersonRow.of(person)), context=person_context(person.entity_id)
                     ))
                    for person in people
                ],
            )  # fmt: skip
            for doc_id, stored, counts in labels:
                sealed = self._sealing.seal(LABELS.encode(stored), context=labels_context(doc_id))
                do.execute(
                    "update source set state = ?, labels = ?, counts = ?, mentions = null where doc_id = ?",
                    (SourceState.LABELLED, sealed, counts.to_json(), doc_id),
                )
            self._add_totals(totals or {})
            do.execute("delete from linked")

    def labels(self, doc_id: DocumentId) -> SourceLabels:
        """What save_labels stored for one source."""
        self._upgrade()
        found = self._connection.execute("select labels from source where doc_id = ?", (doc_id,))
        (sealed,) = found.fetchone()
        return self._decoded(LABELS, sealed, labels_context(doc_id))

    def counts_of(self, doc_id: DocumentId) -> SourceCounts:
        found = self._connection.execute("select counts from source where doc_id = ?", (doc_id,))
        (counts,) = found.fetchone()
        return SourceCounts.of_json(counts)

    def _decoded(self, codec: Codec[_T], sealed: bytes, context: bytes) -> _T:
        try:
            return codec.decode(self._unsealed(sealed, context))
        except InvalidRecordError:
            raise WorkFileError(
                "the work file in this output folder holds records of another version; use another --out"
            ) from None


def _chunks(rows: Sequence[_T]) -> Iterator[list[_T]]:
    for start in range(0, len(rows), _CHUNK):
        yield list(rows[start : start + _CHUNK])
