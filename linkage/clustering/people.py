"""The people of one document, and of all before and after they are put together; numbers are indexes."""

from dataclasses import dataclass, field

from linkage.clustering.name_forms import NameKind
from linkage.constraints import Evidence
from linkage.records import EntityId


@dataclass(frozen=True, slots=True)
class CorpusRules:
    """Thresholds on probabilities in [0, 1] across documents, chosen as docs/measurements/linkage.md says."""

    link_threshold: float
    review_threshold: float
    doubt_log_odds: float = 2.5  # full names this much less like another one may still be that one
    name_threshold: float = 0.8  # what the name alone must say of the only group it fits
    company_threshold: float = 0.3  # how much shared company makes a lone given name a link
    letters_company: float = 0.5  # the same for signature letters
    full_company: float = 0.9  # the same for full names that are nearly alike
    shorter_threshold: float = 0.55  # what all evidence together must say of a name that is not full
    doubtful_threshold: float = 0.75  # the same where its own document leaves open which of two it is
    open_threshold: float = 0.15  # candidates less likely than this are not worth asking about
    most_candidates: int = 8  # more candidates than this say nothing; the name then stands by itself
    most_rounds: int = 3


def short_of_a_link(threshold: float) -> float:
    """The most that a pair may say which is to be no link by itself."""
    return threshold - 0.01


@dataclass(frozen=True, slots=True)
class DocumentRules:
    """Thresholds of fit in [0, 1] inside a document, chosen on office-train; docs/measurements/linkage.md."""

    link_threshold: float = 0.5
    review_threshold: float = 0.3
    full_name_threshold: float = 0.7  # what the classifier must say of two full names
    structural_threshold: float = 0.72  # from here up the structure of two full names speaks by itself
    margin: float = 0.04  # candidates this much worse than the best one still make it doubtful
    doubt_log_odds: float = 2.5  # the same of names of one kind, which are judged by probabilities


@dataclass(slots=True)
class LocalPerson:
    """Mentions of one document that are one person. Numbers are indexes of mentions and of forms.

    candidates are indexes of the document's other persons where the text leaves open who is meant.
    apart are persons of the same document that the text tells apart from this one.
    """

    mentions: list[int]
    forms: dict[int, int]  # form -> how often
    evidence: Evidence
    kind: NameKind
    candidates: tuple[int, ...] = ()
    apart: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Person:
    """Mentions of one document that are one person. Numbers are indexes.

    A known person of the vault or a registry has an entity and no mentions. candidates and apart are indexes
    of other persons; candidates are those of its own document whom it may be. further_documents: in how many
    documents that are not here the one is known to be whose person this is.
    """

    order: str  # sorts persons whatever order they came in
    documents: set[int]
    mentions: list[int]
    forms: dict[int, int]
    evidence: Evidence
    kind: NameKind
    candidates: tuple[int, ...] = ()
    apart: set[int] = field(default_factory=set)
    entity: EntityId | None = None
    further_documents: int = 0


@dataclass(slots=True)
class Group:
    """One person of the corpus: indexes of persons put together."""

    persons: list[int]
    documents: set[int]
    forms: dict[int, int]
    evidence: Evidence
    kind: NameKind
    further_documents: int = 0

    @property
    def document_count(self) -> int:
        """In how many documents the group is, those that are not here among them."""
        return len(self.documents) + self.further_documents


@dataclass(slots=True)
class CorpusPeople:
    """groups partition the persons. candidates: person in doubt -> groups it may be of, and how likely."""

    groups: list[Group]
    group_of: list[int]
    candidates: dict[int, dict[int, float]]
