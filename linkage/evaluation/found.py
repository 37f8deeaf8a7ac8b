"""What a program found in the texts of a gold, read from a file: by document, its spans with their kinds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from linkage.errors import GoldFormatError
from linkage.evaluation.gold import read_marked
from linkage.evaluation.kind_comparison import FoundSpan
from linkage.evaluation.marked import GoldDocument, GoldMention, Labels, MarkedText, by_place
from linkage.records import DocumentId, Span

Found = Mapping[DocumentId, Sequence[FoundSpan]]


@dataclass(frozen=True, slots=True)
class ReadFound:
    """What was found, by the id of its gold document.

    missing: number of gold documents that the file does not have. foreign: number of its documents that the
    gold does not have. left_out: number of marks whose label stands for no kind.
    """

    spans: Found
    missing: int = 0
    foreign: int = 0
    left_out: int = 0


def read_found(path: Path, gold: Sequence[GoldDocument], labels: Labels) -> ReadFound:
    """Read what was found, in any format of gold.

    Lines of JSON need no text, so those of `nymlink detect` will do. They belong to the gold document of
    their doc_id, which may have a folder and an ending besides ("brieven/001.txt" belongs to "001"). Other
    formats hold the texts of the gold, all of them and in its order; blanks may differ.

    Raises:
        GoldFormatError: the file breaks its format, belongs to other texts, or marks a place that a text does
            not have; the message holds line numbers, never text.
    """
    texts = tuple(read_marked(path, labels, role="found", with_text=False))
    left_out = sum(text.left_out for text in texts)
    if path.suffix.lower() == ".jsonl":
        spans = _by_id(texts, gold)
        return ReadFound(spans, len(gold) - len(spans), len(texts) - len(spans), left_out)
    return ReadFound(_along(texts, gold), left_out=left_out)


def found_texts(gold: Sequence[GoldDocument], found: Found) -> tuple[MarkedText, ...]:
    """What was found, as marked texts, in the order of the gold."""
    return tuple(
        MarkedText(
            document.document.doc_id,
            document.document.text,
            by_place(GoldMention(one.span, kind=one.kind) for one in found.get(document.document.doc_id, ())),
            all_kinds=True,
        )
        for document in gold
    )


def _by_id(texts: Sequence[MarkedText], gold: Sequence[GoldDocument]) -> dict[DocumentId, list[FoundSpan]]:
    documents = {g.document.doc_id: g.document for g in gold}
    short_names = Counter(_short(text.doc_id) for text in texts)
    spans: dict[DocumentId, list[FoundSpan]] = {}
    for text in texts:
        doc_id = text.doc_id
        if doc_id not in documents and short_names[_short(doc_id)] == 1:
            doc_id = _short(doc_id)
        if doc_id not in documents:
            continue
        whole = documents[doc_id].text
        if text.text is not None and text.text != whole:
            raise GoldFormatError(f"{text.place}: its text is not that of the gold document")
        for mark in text.marks:
            if mark.span.end > len(whole):
                raise GoldFormatError(
                    f"{text.place}: {mark.span} ends after the text of the gold, {len(whole)} code points"
                )
        spans[doc_id] = [FoundSpan(mark.span, mark.kind) for mark in text.marks]
    if texts and not spans:
        raise GoldFormatError("no doc_id of the found file is one of the gold")
    return spans


def _short(doc_id: str) -> DocumentId:
    """A name without its folder and its ending."""
    return DocumentId(PurePosixPath(doc_id).stem)


def _along(texts: Sequence[MarkedText], gold: Sequence[GoldDocument]) -> dict[DocumentId, list[FoundSpan]]:
    """Spans by gold document, of texts that run along those of the gold; only characters other than blanks
    are compared, so that the texts may be cut and spaced in another way.
    """
    places = [
        (number, place)
        for number, g in enumerate(gold)
        for place, char in enumerate(g.document.text)
        if not char.isspace()
    ]
    spans: dict[DocumentId, list[FoundSpan]] = {g.document.doc_id: [] for g in gold}
    passed = 0
    for text in texts:
        whole = text.text or ""
        solid = [place for place, char in enumerate(whole) if not char.isspace()]
        told = places[passed : passed + len(solid)]
        for char, (number, place) in zip((whole[place] for place in solid), told, strict=False):
            if gold[number].document.text[place] != char:
                raise GoldFormatError(f"{text.place}: its text is not that of gold document {number + 1}")
        if len(told) < len(solid):
            raise GoldFormatError(f"{text.place}: the gold ends before this text does")
        order = {place: rank for rank, place in enumerate(solid)}
        for mark in text.marks:
            ranks = [order[place] for place in range(mark.span.start, mark.span.end) if place in order]
            if not ranks:
                raise GoldFormatError(f"{text.place}: {mark.span} holds blanks alone")
            (first, start), (last, end) = told[ranks[0]], told[ranks[-1]]
            if first != last:
                raise GoldFormatError(f"{text.place}: {mark.span} runs over two documents of the gold")
            spans[gold[first].document.doc_id].append(FoundSpan(Span(start, end + 1), mark.kind))
        passed += len(solid)
    if passed < len(places):
        raise GoldFormatError(
            f"the found file ends before gold document {places[passed][0] + 1} does; it must hold all texts"
        )
    return spans
