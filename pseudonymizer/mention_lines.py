"""Lines of JSON: mentions as `detect` and `link` write them and `run --mentions` reads them; scored pairs."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from linkage.errors import DocumentError
from linkage.records import PERSON, Detector, KindId, LinkageResult, Mention, Span
from pseudonymizer.answers import FoundDocument
from pseudonymizer.engine.records import GivenMention


def mention_line(
    document: FoundDocument,
    result: LinkageResult | None = None,
    kinds: Collection[KindId] = frozenset({PERSON}),
) -> dict[str, Any]:
    """The line of one document: its mentions in the order of the text, or why it could not be read.

    result: adds the identity of each person's mention, and the person that it is known as. kinds: those that
    the line has.
    """
    if document.failure is not None:
        return {"doc_id": document.name, "error": document.failure.error, "reason": document.failure.reason}
    persons = [m.mention for m in document.mentions] if PERSON in kinds else []
    values = [value.mention for value in document.values if value.kind in kinds]
    mentions = persons
    if values:
        mentions = sorted([*persons, *values], key=lambda mention: (mention.span.start, -mention.span.end))
    return {"doc_id": document.name, "mentions": [_mention_fields(mention, result) for mention in mentions]}


def _mention_fields(mention: Mention, result: LinkageResult | None) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "start": mention.span.start,
        "end": mention.span.end,
        "text": mention.surface,
        "kind": mention.kind,
        "detector": mention.detector.value,
        "confidence": round(mention.confidence, 4),
    }
    if mention.typo_of is not None:
        fields["typo_of"] = mention.typo_of
    if mention.person_id is not None:
        fields["person_id"] = mention.person_id
    if result is not None and mention.kind == PERSON:
        identity = result.identity_of(mention.mention_id)
        fields["identity"] = identity.identity_id
        if identity.entity_id is not None:
            fields["entity"] = identity.entity_id  # a person of the vault or of the registry
        if identity.candidates:
            fields["candidates"] = list(identity.candidates)
    return fields


def link_lines(result: LinkageResult) -> Iterator[dict[str, Any]]:
    """One line for each scored pair of distinct name forms."""
    for link in result.form_links:
        yield {
            "left": link.left,
            "right": link.right,
            "match_probability": link.match_probability,
            "decision": link.decision.value,
            "variant": link.variant,
            "partial_ratio": None if math.isnan(link.partial_ratio) else link.partial_ratio,
        }


def given_mentions(lines: Iterable[Mapping[str, Any]]) -> dict[str, tuple[GivenMention, ...]]:
    """The mentions in lines of `nymlink detect`, by document name; a document with an error is left out.

    Raises:
        DocumentError: a line lacks a field, or has one of the wrong type.
    """
    given: dict[str, tuple[GivenMention, ...]] = {}
    for number, line in enumerate(lines, start=1):
        if "error" in line:
            continue
        try:
            given[str(line["doc_id"])] = tuple(
                GivenMention(
                    Span(int(m["start"]), int(m["end"])),
                    str(m["text"]),
                    Detector(m.get("detector", Detector.REGISTRY)),
                    float(m.get("confidence", 1.0)),
                    m.get("typo_of"),
                    KindId(str(m.get("kind", PERSON))),
                )
                for m in line["mentions"]
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DocumentError(
                f"line {number} of the given mentions is not in the format of `nymlink detect` "
                f"({type(error).__name__})"
            ) from None
    return given
