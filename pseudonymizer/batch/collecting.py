"""Mentions and identities of a corpus without a vault: what the verbs detect and link write."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkage.errors import DocumentError, LinkageError
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    KnownIdentity,
    LinkageResult,
    Mention,
    NormalizedMention,
    Span,
)
from pseudonymizer import formats
from pseudonymizer.batch.tasks import GivenMentions, portions
from pseudonymizer.batch.units import in_units
from pseudonymizer.batch.workers import Workers
from pseudonymizer.engine.judging import DocumentNames
from pseudonymizer.engine.mentions import part_document_id
from pseudonymizer.engine.progress import Progress, Silent
from pseudonymizer.engine.records import (
    AnalyzeTask,
    GivenMention,
    LinkingPart,
    Pipeline,
    SourceFailure,
    SourceFound,
)
from pseudonymizer.engine.sources import SourceFile, read_file
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.formats import FormatOptions, PartRole


@dataclass(frozen=True, slots=True)
class CollectedDocument:
    """The mentions of one document under the name the user knows it by; failure: why it could not be read."""

    name: str = field(repr=False)
    mentions: tuple[NormalizedMention, ...]
    failure: SourceFailure | None = None


def collect(
    sources: Sequence[SourceFile],
    *,
    load: Callable[[], Pipeline],
    workers: int = 1,
    options: FormatOptions | None = None,
    given: Mapping[str, tuple[GivenMention, ...]] | None = None,
    progress: Progress | None = None,
) -> Iterator[CollectedDocument]:
    """The documents of all sources in their order, one at a time."""
    shown = progress or Silent()
    before = None if given is None else GivenMentions(given)
    by_id = {DocumentId(f"d{number:09d}"): source for number, source in enumerate(in_units(sources))}
    tasks = (
        AnalyzeTask(
            doc_id, source.path, given=None if before is None else before.of(source), unit=source.unit
        )
        for doc_id, source in by_id.items()
        if not source.is_litter
    )
    batches = portions(tasks, lambda task: by_id[task.doc_id].size, count=len(by_id), workers=workers)
    shown.begin("detect", len(by_id))
    names = DocumentNames()
    with Workers(load, workers, options) as pool:
        done: Iterator[list[SourceFound | SourceFailure]] = pool.run("analyze", batches, _lost, in_order=True)
        for outcomes in done:
            for outcome in outcomes:
                source = by_id[outcome.doc_id]
                name = source.relative
                if isinstance(outcome, SourceFailure):
                    yield CollectedDocument(name, (), outcome)
                    continue
                several = len(outcome.parts) + (source.unit is not None)
                for part in outcome.parts:
                    yield CollectedDocument(names.of(part.key, part.part_id, name, several), part.mentions)
            shown.advance(len(outcomes))
    shown.end()


def collect_text(raw: bytes, *, load: Callable[[], Pipeline]) -> Iterator[CollectedDocument]:
    """The documents of one text, "-"; nearly always one.

    Raises:
        DocumentError: the bytes are no text, or in an encoding that cannot be told.
    """
    parsed = formats.read(raw, name="text.txt")
    prose = [part for part in parsed.parts if part.role is PartRole.PROSE]
    documents = [Document(part_document_id(DocumentId("d0"), part.part_id), part.text) for part in prose]
    pipeline, names = load(), DocumentNames()
    for part, document, mentions in zip(prose, documents, pipeline.detect(documents), strict=True):
        name = names.of(part.document_key, part.part_id, "-", len(prose))
        yield CollectedDocument(name, pipeline.normalize([document], [mentions]))


def readable_texts(sources: Iterable[SourceFile]) -> dict[str, str]:
    """The texts of all sources under the names that collect gives their documents. Files that cannot be read
    are left out: collect says which they are.
    """
    texts: dict[str, str] = {}
    names = DocumentNames()
    for source in sources:
        try:
            parsed = formats.read(read_file(source.path), name=source.path.name)
        except (LinkageError, PseudonymizerError, OSError):
            continue
        prose = [part for part in parsed.parts if part.role is PartRole.PROSE]
        for part in prose:
            texts[names.of(part.document_key, part.part_id, source.relative, len(prose))] = part.text
    return texts


def _lost(task: AnalyzeTask) -> SourceFailure:
    return SourceFailure(task.doc_id, "WorkerLostError", "the process that treated this file was killed")


def link_collected(
    documents: Iterable[CollectedDocument], linker: LinkingPart, known: Sequence[KnownIdentity] = ()
) -> tuple[list[CollectedDocument], LinkageResult]:
    """All documents, and who is who in them."""
    collected = list(documents)
    return collected, linker.link([m for document in collected for m in document.mentions], known=known)


def mention_line(document: CollectedDocument, result: LinkageResult | None = None) -> dict[str, Any]:
    """One line of the JSONL that detect and link write."""
    if document.failure is not None:
        return {"doc_id": document.name, "error": document.failure.error, "reason": document.failure.reason}
    return {
        "doc_id": document.name,
        "mentions": [_mention_fields(m.mention, result) for m in document.mentions],
    }


def _mention_fields(mention: Mention, result: LinkageResult | None) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "start": mention.span.start,
        "end": mention.span.end,
        "text": mention.surface,
        "kind": mention.kind.value,
        "detector": mention.detector.value,
        "confidence": round(mention.confidence, 4),
    }
    if mention.typo_of is not None:
        fields["typo_of"] = mention.typo_of
    if mention.person_id is not None:
        fields["person_id"] = mention.person_id
    if result is not None:
        identity = result.identity_of(mention.mention_id)
        fields["identity"] = identity.identity_id
        if identity.candidates:
            fields["candidates"] = list(identity.candidates)
    return fields


def link_lines(result: LinkageResult) -> Iterator[dict[str, Any]]:
    """One mapping a scored pair of distinct name forms."""
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
    """Mentions in detect's format, by doc_id; documents that detection could not read are left out.

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
                )
                for m in line["mentions"]
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DocumentError(
                f"line {number} of the given mentions is not in the format of `nymlink detect` "
                f"({type(error).__name__})"
            ) from None
    return given
