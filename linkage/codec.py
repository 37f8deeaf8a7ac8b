"""Records of linkage as rows of MessagePack, and back: what work files, Spark and the vault service hold.

A row is written as an array, short and without names of fields, and is read by its fields. Text is UTF-8; a
row with half of a surrogate pair in a text, which UTF-8 cannot say, is written as JSON. Two halves that stand
together there would be read as one character: a noncharacter between them keeps them apart.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, Self, TypeVar

import msgspec

from linkage.errors import InvalidRecordError
from linkage.records import (
    PERSON,
    CandidatePair,
    Correction,
    Detector,
    DocumentId,
    EntityId,
    FormLink,
    Gender,
    Identity,
    IdentityId,
    JudgedSide,
    KindId,
    LinkDecision,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    Role,
    ScoredLink,
    Span,
    mention_id_at,
)
from linkage.told import NOTHING, Pair, Told, kept_set, told_by

_T = TypeVar("_T")
_CONFIDENCE_DIGITS: Final = 6  # decimals of a confidence that are kept


class Codec(Generic[_T]):
    """Writes and reads values of one type, made of rows. Equal values have equal bytes.

    The type is no number: an array or a map, whose first byte tells MessagePack from JSON.
    """

    def __init__(self, kind: type[_T]) -> None:
        self._kind = kind
        self._decoder = msgspec.msgpack.Decoder(kind)

    def __reduce__(self) -> tuple[type[Self], tuple[type[_T]]]:
        return type(self), (self._kind,)  # Spark sends functions that use one to its workers

    def encode(self, value: _T) -> bytes:
        try:
            return _ENCODER.encode(value)
        except UnicodeEncodeError:
            told = _mapped(msgspec.to_builtins(value), _kept_apart)
            return json.dumps(told, separators=(",", ":")).encode("ascii")

    def decode(self, raw: bytes) -> _T:
        """The value that encode was given.

        Raises:
            InvalidRecordError: the bytes are of another type, or of another version. What they hold is not
                shown.
        """
        try:
            if raw[:1] in (b"[", b"{"):  # in MessagePack these are whole numbers
                return msgspec.convert(_mapped(json.loads(raw), _together), self._kind)
            return self._decoder.decode(raw)
        except (ValueError, RecursionError):
            raise InvalidRecordError("stored records cannot be read: another version wrote them") from None


_ENCODER: Final = msgspec.msgpack.Encoder()
_BETWEEN: Final = "\ufdd0"  # a noncharacter: no text for interchange has it
_HALVES: Final = re.compile(f"([\ud800-\udbff])({_BETWEEN}*)(?=[\udc00-\udfff])")


def _kept_apart(text: str) -> str:
    return _HALVES.sub(rf"\1\2{_BETWEEN}", text)


def _together(text: str) -> str:
    return _HALVES.sub(lambda halves: halves[1] + halves[2][1:], text)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """A value of JSON with all its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_mapped(one, change) for one in value]
    if isinstance(value, dict):
        return {_mapped(key, change): _mapped(one, change) for key, one in value.items()}
    return value


class Row(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A record as it is written. Its repr shows no value, for some are names."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []


class NameRow(Row, array_like=True, frozen=True, gc=False):
    """A PersonName."""

    given: str | None = None
    initials: str | None = None
    particle: str | None = None
    family: str | None = None
    partner_particle: str | None = None
    partner_family: str | None = None
    suffix: str | None = None
    nickname: str | None = None

    @classmethod
    def of(cls, name: PersonName) -> Self:
        return cls(*name.parts())

    def name(self) -> PersonName:
        return PersonName(*msgspec.structs.astuple(self))


class MentionRow(Row, array_like=True, frozen=True, gc=False):
    """A NormalizedMention; sets are sorted. mention_id is None where it is that of the mention's place."""

    doc_id: DocumentId
    start: int
    end: int
    surface: str
    name: NameRow
    detector: Detector
    confidence: float
    kind: KindId = PERSON
    mention_id: MentionId | None = None
    typo_of: str | None = None
    person_id: str | None = None
    gender: Gender | None = None
    sentence: int = 0
    joined_with: tuple[MentionId, ...] = ()
    attributes: tuple[Pair, ...] = ()
    same_as: tuple[MentionId, ...] = ()
    corrections: tuple[tuple[str, str, str, int], ...] = ()
    inside: MentionId | None = None
    roles: tuple[Role, ...] = ()
    marks: tuple[str, ...] = ()
    judged: tuple[JudgedSide, ...] = ()

    @classmethod
    def of(cls, normalized: NormalizedMention) -> Self:
        mention, context = normalized.mention, normalized.context
        of_place = mention_id_at(mention.doc_id, mention.span)
        return cls(
            mention.doc_id,
            mention.span.start,
            mention.span.end,
            mention.surface,
            NameRow.of(normalized.name),
            mention.detector,
            round(mention.confidence, _CONFIDENCE_DIGITS),
            mention.kind,
            None if mention.mention_id == of_place else mention.mention_id,
            mention.typo_of,
            mention.person_id,
            normalized.gender,
            context.sentence,
            tuple(sorted(context.joined_with)),
            tuple(sorted(context.attributes)),
            tuple(sorted(context.same_as)),
            tuple((c.part, c.before, c.after, c.edit_distance) for c in normalized.corrections),
            mention.inside,
            tuple(sorted(context.roles)),
            tuple(sorted(context.marks)),
            tuple(sorted(context.judged)),
        )

    def id(self) -> MentionId:
        """The id of the mention."""
        return self.mention_id or mention_id_at(self.doc_id, Span(self.start, self.end))


class MentionReader:
    """Mentions from their rows. Equal names and texts become one object: a corpus fits in memory."""

    def __init__(self) -> None:
        self._names: dict[NameRow, PersonName] = {}
        self._texts: dict[str, str] = {}
        self._documents: dict[DocumentId, DocumentId] = {}
        self._told: dict[tuple[Pair, ...], Told] = {}

    def read(self, rows: Iterable[MentionRow]) -> list[NormalizedMention]:
        return [self._mention(row) for row in rows]

    def _mention(self, row: MentionRow) -> NormalizedMention:
        name = self._names.get(row.name)
        if name is None:
            name = self._names[row.name] = row.name.name()
        span = Span(row.start, row.end)
        doc_id = self._documents.setdefault(row.doc_id, row.doc_id)
        mention = Mention(
            row.mention_id or mention_id_at(doc_id, span), doc_id, span,
            self._texts.setdefault(row.surface, row.surface), row.kind, row.detector, row.confidence,
            row.typo_of, row.person_id, row.inside,
        )  # fmt: skip
        told = self._told_by(row.attributes) if row.attributes else NOTHING
        context = MentionContext(
            row.sentence,
            kept_set(row.joined_with),
            kept_set(told.attributes),
            kept_set(row.same_as),
            kept_set((*told.roles, *row.roles)),
            kept_set((*told.marks, *row.marks)),
            kept_set((*told.judged, *row.judged)),
        )
        corrections = tuple([Correction(*told) for told in row.corrections]) if row.corrections else ()
        return NormalizedMention(mention, name, corrections, row.gender, context)

    def _told_by(self, pairs: tuple[Pair, ...]) -> Told:
        """What pairs tell; rows of earlier work files have roles, marks and judgements among them."""
        if (told := self._told.get(pairs)) is None:
            told = self._told[pairs] = told_by(pairs)
        return told


class LinkRow(Row, array_like=True, frozen=True, gc=False):
    """A ScoredLink. partial_ratio may be NaN."""

    left: MentionId
    right: MentionId
    match_probability: float
    decision: LinkDecision
    variant: str | None
    partial_ratio: float

    @classmethod
    def of(cls, link: ScoredLink) -> Self:
        return cls(
            link.pair.left, link.pair.right, link.match_probability, link.decision, link.variant,
            link.partial_ratio,
        )  # fmt: skip

    def link(self) -> ScoredLink:
        pair = CandidatePair(self.left, self.right)
        return ScoredLink(pair, self.match_probability, self.decision, self.variant, self.partial_ratio)


class IdentityRow(Row, array_like=True, frozen=True, gc=False):
    """An Identity; mention_ids are sorted."""

    identity_id: IdentityId
    mention_ids: tuple[MentionId, ...]
    links: tuple[LinkRow, ...] = ()
    open_links: tuple[LinkRow, ...] = ()
    candidates: tuple[IdentityId, ...] = ()
    entity_id: EntityId | None = None
    also_known_as: tuple[EntityId, ...] = ()
    may_be: tuple[EntityId, ...] = ()

    @classmethod
    def of(cls, identity: Identity) -> Self:
        return cls(
            identity.identity_id, tuple(sorted(identity.mention_ids)),
            tuple(map(LinkRow.of, identity.links)), tuple(map(LinkRow.of, identity.open_links)),
            identity.candidates, identity.entity_id, identity.also_known_as, identity.may_be,
        )  # fmt: skip

    def identity(self) -> Identity:
        return Identity(
            self.identity_id, frozenset(self.mention_ids), tuple([row.link() for row in self.links]),
            tuple([row.link() for row in self.open_links]), self.candidates, self.entity_id,
            self.also_known_as, self.may_be,
        )  # fmt: skip


class FormLinkRow(Row, array_like=True, frozen=True, gc=False):
    """A FormLink. partial_ratio may be NaN."""

    left: str
    right: str
    match_probability: float
    decision: LinkDecision
    variant: str | None
    partial_ratio: float

    @classmethod
    def of(cls, link: FormLink) -> Self:
        return cls(
            link.left, link.right, link.match_probability, link.decision, link.variant, link.partial_ratio
        )

    def link(self) -> FormLink:
        return FormLink(*msgspec.structs.astuple(self))
