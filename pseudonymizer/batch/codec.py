"""Records of linkage as bytes and back, for the sealed work file. JSON, never pickle."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from linkage.records import (
    CandidatePair,
    Correction,
    Detector,
    DocumentId,
    EntityId,
    FormLink,
    Gender,
    Identity,
    IdentityId,
    LinkageResult,
    LinkDecision,
    Mention,
    MentionContext,
    MentionId,
    MentionKind,
    NormalizedMention,
    PersonName,
    ScoredLink,
    Span,
)
from pseudonymizer.batch.tasks import FoundRow
from pseudonymizer.engine.records import SourceFound

_NAME_FIELDS = tuple(PersonName.__dataclass_fields__)


def to_bytes(value: object) -> bytes:
    """Compact JSON; a half of a surrogate pair in a text stays what it is."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def from_bytes(raw: bytes) -> Any:
    return json.loads(raw)


def encode_found(found: SourceFound) -> FoundRow:
    """Counts and analysis of one file. The analysis has the digest, and of each part its id, its mentions
    (encode_mentions) and the places of text that looks like a token.
    """
    mentions = found.mentions
    counts = {
        "format": found.format_name,
        "bytes": found.size,
        "characters": sum(part.characters for part in found.parts),
        "mentions": len(mentions),
        "detectors": dict(Counter(m.mention.detector.value for m in mentions)),
        "misspelt": sum(m.mention.typo_of is not None for m in mentions),
        "identifiers": dict(found.identifiers),
        "unread": dict(found.unread),
        "seconds": round(found.seconds, 4),
    }
    if found.unread_places:
        counts["unread_places"] = dict(found.unread_places)
    if found.recognized:
        counts |= {
            "ocr_pages": len(found.recognized),
            "ocr_confidence": round(sum(found.recognized) / len(found.recognized), 4),
        }
    analysis: dict[str, Any] = {
        "digest": found.digest.hex(),
        "parts": [
            [
                part.part_id,
                encode_mentions(part.mentions),
                [[s.start, s.end, t] for s, t in zip(part.token_looks, part.token_texts, strict=True)],
            ]
            for part in found.parts
        ],
        "professionals": list(found.professionals),
    }
    if keys := {part.part_id: part.key for part in found.parts if part.key is not None}:
        analysis["keys"] = keys  # what the file calls these texts
    return FoundRow(found.doc_id, counts, to_bytes(analysis))


def encode_mentions(mentions: Iterable[NormalizedMention]) -> list[Any]:
    return [_encode_mention(mention) for mention in mentions]


def _encode_mention(normalized: NormalizedMention) -> list[Any]:
    mention, context = normalized.mention, normalized.context
    return [
        mention.doc_id,
        mention.span.start,
        mention.span.end,
        mention.surface,
        mention.kind.value,
        mention.detector.value,
        round(mention.confidence, 6),
        mention.typo_of,
        mention.person_id,
        mention.mention_id,
        encode_name(normalized.name),
        [[c.part, c.before, c.after, c.edit_distance] for c in normalized.corrections],
        normalized.gender.value if normalized.gender else None,
        context.sentence,
        sorted(context.joined_with),
        sorted(context.attributes),
        sorted(context.same_as),
    ]


def encode_name(name: PersonName) -> list[str | None]:
    return [getattr(name, part) for part in _NAME_FIELDS]


def decode_name(parts: Iterable[str | None]) -> PersonName:
    return PersonName(*parts)


class MentionDecoder:
    """Mentions from their bytes. Equal names and strings become one object: a corpus fits in memory."""

    def __init__(self) -> None:
        self._names: dict[tuple[str | None, ...], PersonName] = {}
        self._strings: dict[str, str] = {}
        self._nobody: frozenset[MentionId] = frozenset()
        self._nothing: frozenset[tuple[str, str]] = frozenset()

    def decode(self, rows: Iterable[list[Any]]) -> list[NormalizedMention]:
        return [self._decode(row) for row in rows]

    def _one(self, text: str) -> str:
        return self._strings.setdefault(text, text)

    def _decode(self, row: list[Any]) -> NormalizedMention:
        (doc_id, start, end, surface, kind, detector, confidence, typo_of, person_id, mention_id,
         parts, corrections, gender, sentence, joined, attributes, same) = row  # fmt: skip
        key = tuple(parts)
        name = self._names.get(key)
        if name is None:
            name = self._names.setdefault(key, PersonName(*key))
        mention = Mention(
            MentionId(mention_id), DocumentId(self._one(doc_id)), Span(start, end), self._one(surface),
            MentionKind(kind), Detector(detector), confidence, typo_of, person_id,
        )  # fmt: skip
        context = MentionContext(
            sentence,
            frozenset(map(MentionId, joined)) if joined else self._nobody,
            frozenset((a, b) for a, b in attributes) if attributes else self._nothing,
            frozenset(map(MentionId, same)) if same else self._nobody,
        )
        return NormalizedMention(
            mention,
            name,
            tuple(Correction(*c) for c in corrections),
            Gender(gender) if gender else None,
            context,
        )


def encode_result(result: LinkageResult) -> tuple[list[Any], list[Any]]:
    """(identities, form links); the mentions are stored with their documents."""
    identities = [
        [
            identity.identity_id,
            sorted(identity.mention_ids),
            [_encode_link(link) for link in identity.links],
            [_encode_link(link) for link in identity.open_links],
            list(identity.candidates),
            identity.entity_id,
            list(identity.also_known_as),
            list(identity.may_be),
        ]
        for identity in result.identities
    ]
    forms = [
        [f.left, f.right, f.match_probability, f.decision.value, f.variant, _number(f.partial_ratio)]
        for f in result.form_links
    ]
    return identities, forms


def decode_result(
    mentions: Iterable[NormalizedMention], identities: Iterable[list[Any]], forms: Iterable[list[Any]]
) -> LinkageResult:
    return LinkageResult(
        tuple(mentions),
        tuple(map(decode_identity, identities)),
        tuple(
            FormLink(left, right, probability, LinkDecision(decision), variant, _or_nan(ratio))
            for left, right, probability, decision, variant, ratio in forms
        ),
    )


def decode_identity(row: list[Any]) -> Identity:
    """One row of encode_result's identities."""
    identity_id, members, links, open_links, candidates, entity_id, also, *more = row
    return Identity(
        IdentityId(identity_id),
        frozenset(map(MentionId, members)),
        tuple(map(_decode_link, links)),
        tuple(map(_decode_link, open_links)),
        tuple(map(IdentityId, candidates)),
        EntityId(entity_id) if entity_id is not None else None,
        tuple(map(EntityId, also)),
        tuple(EntityId(known) for found in more for known in found),  # older work files have none
    )


def _encode_link(link: ScoredLink) -> list[Any]:
    pair = link.pair
    return [
        pair.left, pair.right, link.match_probability, link.decision.value, link.variant,
        _number(link.partial_ratio),
    ]  # fmt: skip


def _decode_link(row: list[Any]) -> ScoredLink:
    left, right, probability, decision, variant, ratio = row
    pair = CandidatePair(MentionId(left), MentionId(right))
    return ScoredLink(pair, probability, LinkDecision(decision), variant, _or_nan(ratio))


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value
