"""The answer of Project.pseudonymize, made from the outcome of the engine."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from linkage.errors import LinkageError
from linkage.reading import decode
from linkage.records import Document, EntityId, KindId, Mention, Span
from pseudonymizer.answers import (
    Failure,
    OpenLink,
    PseudonymizedDocument,
    PseudonymizedPerson,
    PseudonymizedTexts,
    ReplacedSpan,
)
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.engine.engine import Source, Treated, TreatedSources
from pseudonymizer.engine.following import SOMEBODY
from pseudonymizer.engine.records import Replacement, SourceFailure, SourceFound, SourceRendered
from pseudonymizer.engine.sources import FileContent
from pseudonymizer.errors import SettingsError
from pseudonymizer.receipts import SentPlace, SentText

_Input = str | bytes | Document | Path | FileContent  # see inputs.TextInputs
_BYTE_ORDER_MARK: Final = "\ufeff"  # plain text is read without


def pseudonymized(sources: Sequence[Source], treated: TreatedSources) -> PseudonymizedTexts:
    """The answer for these sources: texts, places, persons and open links, without any name."""
    documents = tuple(
        _failed(source, outcome) if isinstance(outcome, SourceFailure) else _document(source, outcome)
        for source, outcome in zip(sources, treated.outcomes, strict=True)
    )
    result, labelling = treated.result, treated.labelling
    entity_of = {m.mention_id: labelling.entity_of(m.mention_id) for m in result.mentions}
    counts = Counter(entity_of.values())
    labels = {person.entity_id: person.label for person in labelling.people()}
    people = tuple(
        PseudonymizedPerson(entity, None if labels.get(entity) == SOMEBODY else labels.get(entity), count)
        for entity, count in counts.items()
    )
    links: dict[tuple[EntityId, EntityId], float] = {}
    for link in result.open_links():
        left, right = sorted((entity_of[link.pair.left], entity_of[link.pair.right]))
        if left != right:
            links[left, right] = max(links.get((left, right), 0.0), link.match_probability)
    open_links = tuple(OpenLink(*pair, probability) for pair, probability in sorted(links.items()))
    return PseudonymizedTexts(documents, people, open_links)


def sent_texts(inputs: _Input | Iterable[_Input], answer: PseudonymizedTexts) -> tuple[SentText, ...]:
    """What the caller sent in place of the labels of an answer, for a receipt. inputs: those of the answer;
    files among them are left out, for a receipt is for texts.

    Raises:
        SettingsError: the answer is to other inputs.
    """
    given = [inputs] if isinstance(inputs, str | bytes | Document | Path | FileContent) else list(inputs)
    if len(given) != len(answer):
        raise SettingsError(
            f"{len(given)} inputs are given, and the answer is to {len(answer)}; give the same inputs"
        )
    sent = []
    for one, document in zip(given, answer, strict=True):
        if isinstance(one, Path | FileContent) or document.failure is not None:
            continue
        text = one.text if isinstance(one, Document) else one
        read = (text if isinstance(text, str) else _text(text) or "").removeprefix(_BYTE_ORDER_MARK)
        sent.append(_sent_text(read, document))
    return tuple(sent)


def _sent_text(text: str, document: PseudonymizedDocument) -> SentText:
    if any(one.span.end > len(text) for one in document.mentions):
        raise SettingsError("the answer belongs to another text; give the text that it was made of")
    places = []
    for one in document.mentions:
        if one.entity is not None and not one.is_one_way:
            now = (0, 0) if one.new_span is None else (one.new_span.start, one.new_span.end)
            places.append(SentPlace(*now, one.entity, KindId(one.kind), one.span.cut(text)))
    can_be_told = all(one.new_span is not None for one in document.mentions)
    output = digest_sha256((document.content,)) if can_be_told else b""
    return SentText(output, tuple(places), len(document.mentions) - len(places))


def _failed(source: Source, failure: SourceFailure) -> PseudonymizedDocument:
    return PseudonymizedDocument(
        source.name, "", "", None, b"", (), {}, {}, Failure(failure.error, failure.reason)
    )  # fmt: skip


def _document(source: Source, treated: Treated) -> PseudonymizedDocument:
    found, rendered = treated.found, treated.rendered
    is_plain = found.format_name == "txt" and not rendered.unplaced
    replaced = tuple(_replaced(treated.replacements, _mentions_at(found), is_plain=is_plain))
    return PseudonymizedDocument(
        source.name, rendered.relative, rendered.format_name, _text(rendered.raw), rendered.raw, replaced,
        _left_in(found, rendered), dict(found.unread), unread_places=dict(found.unread_places),
        text_only=rendered.is_text_only, kept_original=rendered.kept_original,
    )  # fmt: skip


def _left_in(found: SourceFound, rendered: SourceRendered) -> dict[str, int]:
    """How many values keep their text, by kind."""
    left = {kind: count - rendered.replaced.get(kind, 0) for kind, count in found.identifiers.items()}
    return {kind: count for kind, count in left.items() if count > 0}


def _text(raw: bytes) -> str | None:
    """The bytes as text; None where they are not text."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return decode(raw).text
    except LinkageError:
        return None


def _mentions_at(found: SourceFound) -> dict[tuple[str, Span], Mention]:
    """The mention of a person or of a value at each place: (part id, span)."""
    values = {(part.part_id, one.mention.span): one.mention for part in found.parts for one in part.values}
    persons = {(part.part_id, one.mention.span): one.mention for part in found.parts for one in part.mentions}
    return {**values, **persons}


def _replaced(
    replacements: Sequence[Replacement], mentions: Mapping[tuple[str, Span], Mention], *, is_plain: bool
) -> list[ReplacedSpan]:
    """The replaced stretches in the order of the text. is_plain: the file is one plain text, so places in the
    new text can be told.
    """
    shift = 0
    replaced = []
    for found in sorted(replacements, key=lambda r: (r.part_id, r.span)):
        start = found.span.start + shift
        new_span = Span(start, start + len(found.text)) if is_plain else None
        mention = mentions.get((found.part_id, found.span))
        replaced.append(
            ReplacedSpan(
                found.part_id, found.span, new_span, found.text, found.kind, found.entity_id,
                None if mention is None else mention.detector,
                None if mention is None else mention.confidence,
                found.is_one_way,
            )
        )  # fmt: skip
        shift += len(found.text) - len(found.span)
    return replaced
