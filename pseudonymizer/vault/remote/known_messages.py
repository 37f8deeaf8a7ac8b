"""The verb of the vault service that fetches known people; as pseudonymizer.vault.remote.messages."""

from collections.abc import Mapping
from typing import Final, Self

from linkage.codec import NameRow
from linkage.known_rows import KnownReader, KnownRow
from linkage.records import Beyond, DocumentId, PersonName
from linkage.text_forms import TextForms
from pseudonymizer.records import KnownCandidates
from pseudonymizer.vault.remote.messages import OfProject, WireVerb
from pseudonymizer.vault.remote.sent_records import Message, checked


class OfForms(OfProject, frozen=True, kw_only=True):
    """A TextForms on its way."""

    names: tuple[tuple[NameRow, tuple[DocumentId, ...]], ...]
    marks: dict[str, tuple[DocumentId, ...]]
    documents: tuple[DocumentId, ...]
    again: tuple[DocumentId, ...]
    everybody: bool

    @classmethod
    def of(cls, project: str, forms: TextForms) -> Self:
        return cls(
            project=project,
            names=tuple([(NameRow.of(name), tuple(sorted(found))) for name, found in forms.names.items()]),
            marks={mark: tuple(sorted(found)) for mark, found in forms.marks.items()},
            documents=tuple(sorted(forms.documents)),
            again=tuple(sorted(forms.again)),
            everybody=forms.everybody,
        )

    def forms(self) -> TextForms:
        """Raises ServiceError for rows that `of` does not make."""
        with checked():
            names = {row.name(): frozenset(found) for row, found in self.names}
        marks = {mark: frozenset(found) for mark, found in self.marks.items()}
        return TextForms(names, marks, frozenset(self.documents), frozenset(self.again), self.everybody)


class SentBeyond(Message, frozen=True, kw_only=True):
    """A Beyond on its way."""

    bearers: tuple[tuple[NameRow, int], ...]
    words: Mapping[str, int]
    marks: Mapping[str, int]
    given: Mapping[str, int]
    families: Mapping[str, int]
    given_trigrams: Mapping[str, int] | None
    family_trigrams: Mapping[str, int] | None

    @classmethod
    def of(cls, beyond: Beyond) -> Self:
        return cls(
            bearers=tuple([(NameRow.of(name), count) for name, count in beyond.bearers.items()]),
            words=beyond.words, marks=beyond.marks, given=beyond.given, families=beyond.families,
            given_trigrams=beyond.given_trigrams, family_trigrams=beyond.family_trigrams,
        )  # fmt: skip

    def beyond(self) -> Beyond:
        bearers: dict[PersonName, int] = {row.name(): count for row, count in self.bearers}
        return Beyond(
            bearers, self.words, self.marks, self.given, self.families, self.given_trigrams,
            self.family_trigrams,
        )  # fmt: skip


class SentCandidates(Message, frozen=True, kw_only=True):
    """A KnownCandidates on its way."""

    people: tuple[KnownRow, ...]
    beyond: SentBeyond | None
    seen_through: int

    @classmethod
    def of(cls, found: KnownCandidates) -> Self:
        return cls(
            people=tuple(map(KnownRow.of, found.people)),
            beyond=None if found.beyond is None else SentBeyond.of(found.beyond),
            seen_through=found.seen_through,
        )

    def candidates(self) -> KnownCandidates:
        """Raises ServiceError for rows that `of` does not make."""
        with checked():
            return KnownCandidates(
                tuple(KnownReader().read(self.people)),
                None if self.beyond is None else self.beyond.beyond(),
                self.seen_through,
            )


CANDIDATES: Final = WireVerb("candidates", OfForms, SentCandidates)
