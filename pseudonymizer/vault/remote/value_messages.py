"""The verbs of the vault service for values of other kinds than persons; as
pseudonymizer.vault.remote.messages.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Self

from linkage.codec import Row
from linkage.records import DocumentId, MentionId
from pseudonymizer.errors import ServiceError, SettingsError
from pseudonymizer.records import ErasureReceipt, LookupResult, Scope, Style
from pseudonymizer.values import AssignedValues, Candidate, ErasurePlan, MetValue, ToErase, Value, ValueLabels
from pseudonymizer.vault.remote.messages import ForPurpose, Message, OfProject, OfStyle, WireVerb


class MetRow(Row, array_like=True, frozen=True, gc=False):
    """A MetValue."""

    mention_id: MentionId
    doc_id: DocumentId
    kind: str
    normal: str
    surface: str

    @classmethod
    def of(cls, met: MetValue) -> Self:
        return cls(met.mention_id, met.doc_id, met.kind, met.normal, met.surface)

    def met(self) -> MetValue:
        return MetValue(self.mention_id, self.doc_id, self.kind, self.normal, self.surface)


class LabelsRow(Row, array_like=True, frozen=True, gc=False):
    """ValueLabels of a kind."""

    kind: str
    style: Style | None
    word: str
    letter: str
    scope: Scope
    apart_from: tuple[str, ...]

    @classmethod
    def of(cls, kind: str, labels: ValueLabels) -> Self:
        return cls(kind, labels.style, labels.word, labels.letter, labels.scope, labels.apart_from)

    def labels(self) -> ValueLabels:
        return ValueLabels(self.style, self.word, self.letter, self.scope, self.apart_from)


class AskedRow(Row, array_like=True, frozen=True, gc=False):
    """A value for which candidates are wanted, and how many times they were asked for before."""

    kind: str
    normal: str
    attempt: int

    @property
    def key(self) -> tuple[Value, int]:
        return Value(self.kind, self.normal), self.attempt


class CandidatesRow(Row, array_like=True, frozen=True, gc=False):
    """The candidates of one AskedRow: texts and normal forms."""

    asked: AskedRow
    candidates: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, asked: AskedRow, found: Iterable[Candidate]) -> Self:
        return cls(asked, tuple([(one.text, one.normal) for one in found]))

    def found(self) -> list[Candidate]:
        return [Candidate(text, normal) for text, normal in self.candidates]


class AssignValues(OfProject, frozen=True, kw_only=True):
    """candidates: None where the caller has none; else those that were asked for so far."""

    values: tuple[MetRow, ...]
    labels: tuple[LabelsRow, ...]
    candidates: tuple[CandidatesRow, ...] | None = None
    avoid_tags: tuple[str, ...] = ()
    deterministic: bool = False

    @classmethod
    def of(
        cls,
        project: str,
        values: Iterable[MetValue],
        labels: Mapping[str, ValueLabels],
        avoid_tags: Iterable[str] = (),
        *,
        deterministic: bool = False,
    ) -> Self:
        """Without candidates."""
        return cls(
            project=project, values=tuple(map(MetRow.of, values)),
            labels=tuple([LabelsRow.of(kind, how) for kind, how in sorted(labels.items())]),
            avoid_tags=tuple(sorted(avoid_tags)), deterministic=deterministic,
        )  # fmt: skip

    def by_kind(self) -> Mapping[str, ValueLabels]:
        """Raises ServiceError for labels that no client makes."""
        try:
            return {row.kind: row.labels() for row in self.labels}
        except SettingsError:
            raise ServiceError("labels of a kind are not what this protocol sends") from None


class ValuesAssigned(Message, frozen=True, kw_only=True):
    """Either what was assigned, or for which values candidates are wanted; then nothing was stored."""

    assigned: AssignedValues | None = None
    wanted: tuple[AskedRow, ...] = ()


class OfValue(ForPurpose, frozen=True, kw_only=True):
    value: Value


class OfValues(ForPurpose, frozen=True, kw_only=True):
    values: tuple[Value, ...]


class PlanErasure(ForPurpose, frozen=True, kw_only=True):
    what: ToErase


PLANNED_ERASURE: Final = WireVerb("planned_erasure", PlanErasure, ErasurePlan)
ASSIGN_VALUES: Final = WireVerb("assign_values", AssignValues, ValuesAssigned)
TREATMENT_KEY: Final = WireVerb("treatment_key", OfProject, bytes)
LOOKUP_VALUE: Final = WireVerb("lookup_value", OfValue, LookupResult)
ERASE_VALUES: Final = WireVerb("erase_values", OfValues, ErasureReceipt)
STORED_VALUE_LABELS: Final = WireVerb("stored_value_labels", OfStyle, tuple[str, ...])
