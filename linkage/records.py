"""The records that travel through linkage. All are frozen; personal data stays out of their repr."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, NewType

from linkage.errors import InvalidRecordError, MissingPackageError
from linkage.known import Beyond as Beyond
from linkage.known import Candidates as Candidates
from linkage.known import EntityId as EntityId
from linkage.known import KnownIdentity as KnownIdentity
from linkage.known import Sighting as Sighting
from linkage.known import UnclearSighting as UnclearSighting
from linkage.person_name import Gender as Gender
from linkage.person_name import PersonName as PersonName
from linkage.person_name import fold as fold
from linkage.person_name import form_key as form_key
from linkage.texts import PERSON as PERSON
from linkage.texts import Document as Document
from linkage.texts import DocumentId as DocumentId
from linkage.texts import KindId as KindId
from linkage.texts import MentionId as MentionId
from linkage.texts import RecognizedSpan as RecognizedSpan
from linkage.texts import RecognizedText as RecognizedText
from linkage.texts import Span as Span
from linkage.texts import mention_id_at as mention_id_at
from linkage.told import JudgedSide as JudgedSide
from linkage.told import Role as Role
from linkage.told import RoleClass as RoleClass

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

IdentityId = NewType("IdentityId", str)


class Detector(StrEnum):
    """Which part of recognition found a mention."""

    NER = "ner"
    LIST = "list"
    TYPO = "typo"
    REGISTRY = "registry"
    CONSISTENCY = "consistency"
    PATTERN = "pattern"


class LinkDecision(StrEnum):
    """The three decisions of Fellegi and Sunter (1969, doi:10.1080/01621459.1969.10501049)."""

    LINK = "LINK"
    POSSIBLE_LINK = "POSSIBLE_LINK"
    NON_LINK = "NON_LINK"


@dataclass(frozen=True, slots=True)
class Mention:
    """One occurrence of an identifier in one document, its characters as written.

    kind: a key of data/kinds.toml, or a kind of the user's. inside: the mention that holds this one, such as
    the e-mail address around a name. confidence: 0 to 1.
    """

    mention_id: MentionId
    doc_id: DocumentId
    span: Span
    surface: str = field(repr=False)
    kind: KindId = PERSON
    detector: Detector = Detector.NER
    confidence: float = 1.0
    typo_of: str | None = field(default=None, repr=False)
    person_id: str | None = field(default=None, repr=False)  # the registry's id of a known person
    inside: MentionId | None = None

    def __post_init__(self) -> None:
        if len(self.surface) != len(self.span):
            raise InvalidRecordError(
                f"mention {self.mention_id} in {self.doc_id}: span covers {len(self.span)} code points but "
                f"surface has {len(self.surface)}; count code points of Document.text, not bytes or tokens"
            )
        if not 0 <= self.confidence <= 1:
            raise InvalidRecordError(
                f"mention {self.mention_id}: confidence {self.confidence} is not in [0, 1]"
            )

    @classmethod
    def at(
        cls,
        document: Document,
        span: Span,
        *,
        detector: Detector,
        confidence: float,
        typo_of: str | None = None,
        person_id: str | None = None,
        kind: KindId = PERSON,
    ) -> "Mention":
        """The mention that span cuts out of document, under the id that only this kind has at this place."""
        return cls(
            mention_id_at(document.doc_id, span, kind), document.doc_id, span, span.cut(document.text),
            kind, detector, confidence, typo_of, person_id,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ValueMention:
    """A mention of another kind than a person, with the normal form of its value.

    Two values of one kind are the same if their normal forms are equal: "NL91 ABNA 0417 1643 00" and
    "nl91abna0417164300". country: that of the pattern, "" where none found it.
    """

    mention: Mention
    normal: str = field(repr=False)
    country: str = ""

    @property
    def mention_id(self) -> MentionId:
        return self.mention.mention_id

    @property
    def kind(self) -> KindId:
        return self.mention.kind


@dataclass(frozen=True, slots=True)
class Correction:
    """One typing-error repair: which part, what stood there, what it was read as, how far apart they are."""

    part: str
    before: str = field(repr=False)
    after: str = field(repr=False)
    edit_distance: int


@dataclass(frozen=True, slots=True)
class MentionContext:
    """What the text around a mention says, so that linking needs no text.

    sentence counts the document's sentences from 0; joined_with are the mentions it stands beside as in
    "X en Y", who are other people; attributes are (kind, value) such as ("birth_date", "1951-03-12"). marks
    are those of the document and go along with its first mention; judged: what people said of the mention.
    """

    sentence: int = 0
    joined_with: frozenset[MentionId] = frozenset()
    attributes: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False)
    same_as: frozenset[MentionId] = (
        frozenset()
    )  # the text says so: "Jan (roepnaam ...)", header and signature
    roles: frozenset[Role] = field(default=frozenset(), repr=False)
    marks: frozenset[str] = field(default=frozenset(), repr=False)
    judged: frozenset[JudgedSide] = field(default=frozenset(), repr=False)


@dataclass(frozen=True, slots=True)
class NormalizedMention:
    """A mention with its name taken apart; the mention inside is unchanged."""

    mention: Mention
    name: PersonName
    corrections: tuple[Correction, ...] = ()
    gender: Gender | None = None
    context: MentionContext = MentionContext()

    @property
    def mention_id(self) -> MentionId:
        return self.mention.mention_id


@dataclass(frozen=True, slots=True, order=True)
class CandidatePair:
    """Two mentions, or two name forms, that passed blocking."""

    left: MentionId
    right: MentionId

    def __post_init__(self) -> None:
        if not self.left < self.right:
            raise InvalidRecordError(f"candidate pair {self.left}, {self.right}: need left < right")


@dataclass(frozen=True, slots=True)
class ScoredLink:
    """A decision about a pair, with the evidence that is kept."""

    pair: CandidatePair
    match_probability: float
    decision: LinkDecision
    variant: str | None = None  # kind of variant, such as "diminutive" or "initials"; never a name
    partial_ratio: float = math.nan

    def __post_init__(self) -> None:
        if not 0 <= self.match_probability <= 1:
            raise InvalidRecordError(
                f"link {self.pair}: probability {self.match_probability} is not in [0, 1]"
            )


@dataclass(frozen=True, slots=True)
class FormLink:
    """A scored pair of distinct name forms of a corpus. The forms are personal data."""

    left: str = field(repr=False)
    right: str = field(repr=False)
    match_probability: float
    decision: LinkDecision
    variant: str | None = None
    partial_ratio: float = math.nan


@dataclass(frozen=True, slots=True)
class Identity:
    """Mentions that are one person, with the evidence. Identities partition the mentions.

    links are inside the identity; open_links lead to another one and stand on both sides. candidates are the
    identities an ambiguous mention may belong to: then this identity holds only what is ambiguous.
    entity_id is set where a known person of the vault or of a registry was recognized.
    """

    identity_id: IdentityId
    mention_ids: frozenset[MentionId]
    links: tuple[ScoredLink, ...] = ()
    open_links: tuple[ScoredLink, ...] = ()
    candidates: tuple[IdentityId, ...] = ()
    entity_id: EntityId | None = None
    also_known_as: tuple[
        EntityId, ...
    ] = ()  # further known entities that this text shows to be the same person
    may_be: tuple[
        EntityId, ...
    ] = ()  # known entities, unnamed in this text, that an ambiguous mention may mean

    def __post_init__(self) -> None:
        if not self.mention_ids:
            raise InvalidRecordError(f"identity {self.identity_id} has no mention")


@dataclass(frozen=True)
class LinkageResult:
    """What linkage hands over: the mentions of a corpus in identities, with every link kept."""

    mentions: tuple[NormalizedMention, ...]
    identities: tuple[Identity, ...]
    form_links: tuple[FormLink, ...] = ()

    def __post_init__(self) -> None:
        members = [mention_id for identity in self.identities for mention_id in identity.mention_ids]
        if len(members) != len(set(members)) or set(members) != {m.mention_id for m in self.mentions}:
            raise InvalidRecordError(
                f"{len(self.identities)} identities with {len(members)} mentions do not partition "
                f"{len(self.mentions)} mentions"
            )

    @cached_property
    def _mention_by_id(self) -> Mapping[MentionId, NormalizedMention]:
        return {mention.mention_id: mention for mention in self.mentions}

    @cached_property
    def _identity_by_mention(self) -> Mapping[MentionId, Identity]:
        return {mention_id: identity for identity in self.identities for mention_id in identity.mention_ids}

    def mention(self, mention_id: MentionId) -> NormalizedMention:
        return self._mention_by_id[mention_id]

    def identity_of(self, mention_id: MentionId) -> Identity:
        return self._identity_by_mention[mention_id]

    def open_links(self) -> Iterator[ScoredLink]:
        """Links between two identities, each once: what clerical review looks at."""
        seen: set[CandidatePair] = set()
        for identity in self.identities:
            for link in identity.open_links:
                if link.pair not in seen:
                    seen.add(link.pair)
                    yield link

    def mentions_table(self) -> "pa.Table":
        """One row a mention as an Arrow table, in input order: ids, span, surface, identity, candidates."""
        import pyarrow as pa  # only who asks for a table pays for the import

        found = [m.mention for m in self.mentions]
        owners = [self._identity_by_mention[m.mention_id] for m in found]
        return pa.table(
            {
                "mention_id": pa.array([m.mention_id for m in found], pa.string()),
                "doc_id": pa.array([m.doc_id for m in found], pa.string()),
                "start": pa.array([m.span.start for m in found], pa.int64()),
                "end": pa.array([m.span.end for m in found], pa.int64()),
                "text": pa.array([m.surface for m in found], pa.string()),
                "kind": pa.array([str(m.kind) for m in found], pa.string()),
                "detector": pa.array([str(m.detector) for m in found], pa.string()),
                "confidence": pa.array([m.confidence for m in found], pa.float64()),
                "identity": pa.array([i.identity_id for i in owners], pa.string()),
                "candidates": pa.array([list(i.candidates) for i in owners], pa.list_(pa.string())),
                "entity": pa.array([i.entity_id for i in owners], pa.string()),
            }
        )

    def links_table(self) -> "pa.Table":
        """One row a scored pair of distinct name forms as an Arrow table."""
        import pyarrow as pa

        links = self.form_links
        return pa.table(
            {
                "left": pa.array([link.left for link in links], pa.string()),
                "right": pa.array([link.right for link in links], pa.string()),
                "match_probability": pa.array([link.match_probability for link in links], pa.float64()),
                "decision": pa.array([str(link.decision) for link in links], pa.string()),
                "variant": pa.array([link.variant for link in links], pa.string()),
                "partial_ratio": pa.array([link.partial_ratio for link in links], pa.float64()),
            }
        )

    def to_arrow(self) -> "dict[str, pa.Table]":
        """Both tables under the names "mentions" and "links"."""
        return {"mentions": self.mentions_table(), "links": self.links_table()}

    def to_pandas(self) -> "dict[str, pd.DataFrame]":
        """The tables of mentions and links as pandas data frames.

        Raises:
            MissingPackageError: pandas is not there, which nymlink does not install by itself.
        """
        if find_spec("pandas") is None:
            raise MissingPackageError("data frames need pandas: pip install pandas; to_arrow() needs nothing")
        return {name: table.to_pandas() for name, table in self.to_arrow().items()}
