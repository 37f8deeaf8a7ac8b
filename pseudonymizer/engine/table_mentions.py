"""The mentions in tables: a column is treated alike, and only the columns that were chosen are treated."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from linkage.detection import FoundValue, ValueFinder
from linkage.detection.columns import WHOLE_CELL, cell_values, may_be_name, passes
from linkage.detection.finder import shipped_finder
from linkage.kinds import PERSON, REST, Kinds
from linkage.language import Language
from linkage.records import Detector, Document, Mention, Span, ValueMention
from linkage.spans import SpanCover, SpanIndex
from linkage.texts import KindId
from pseudonymizer.formats import Column, TextPart

_LEAST_CELLS: Final = 3  # filled cells from which the names that detection finds make a column one of names
# Shares, 0 to 1; set, not measured.
MOSTLY_NAMES: Final = 0.7  # of the cells that a mention covers
_COVERED: Final = 0.8  # of the letters of a cell
_MOST_WORDS: Final = 7  # of one name in a cell
_IN_NAMES: Final = frozenset("-\u2010\u2011'\u2019.")
_LEAST_GIVEN: Final = 10  # people of that given name in the lists, in a name among values of another kind
_OFTEN: Final = 3  # cells of one text in a column: no name came into the wrong column so often
_NAMELESS: Final = frozenset({"LOCATION", "DATE", "AGE", "AMOUNT", "ID", "CONTACT"})  # categories of kinds


class NamesAndPlaces(Protocol):
    """What tells a name in a column of places from a place."""

    def given_name_frequency(self, text: str) -> int: ...
    def is_particle(self, text: str) -> bool: ...
    def is_place(self, text: str) -> bool: ...


def untreated(part: TextPart) -> tuple[Span, ...]:
    """The stretches of a text in which nothing may be replaced: cells of columns that were not chosen."""
    return tuple(cell for column in part.columns if not column.is_chosen for cell in column.cells)


def row_starts(part: TextPart) -> tuple[int, ...]:
    """Where the lines of a text with tables begin, in code points, but for line ends inside a cell."""
    if not part.columns:
        return ()
    cells = SpanCover(cell for column in part.columns for cell in column.cells)
    ends = (match.start() for match in re.finditer("\n", part.text))
    return (0, *(end + 1 for end in ends if not cells.overlaps(Span(end, end + 1))))


def names_in_columns(document: Document, found: Sequence[Mention], part: TextPart) -> tuple[Span, ...]:
    """The spans that are names by their format, and by their column where most cells of it are names.

    found: what detection finds.
    """
    language = Language.load(document.language)
    names = set(part.names)
    around = SpanIndex([mention.span for mention in found])
    for column in part.columns:
        if column.kind is None and column.is_chosen and len(column.cells) >= _LEAST_CELLS:
            covered = [_is_covered(cell, around, found) for cell in column.cells]
            if sum(covered) >= MOSTLY_NAMES * len(covered):
                names |= {
                    cell
                    for cell, has_name in zip(column.cells, covered, strict=True)
                    if not has_name and may_be_name(cell.cut(document.text), language)
                }
    return tuple(sorted(names))


def share_of_names(column: Column, found: Sequence[Mention]) -> float:
    """The share of the cells of a column that a mention covers, 0 to 1; 0 below three cells."""
    if len(column.cells) < _LEAST_CELLS:
        return 0.0
    around = SpanIndex([mention.span for mention in found])
    return sum(_is_covered(cell, around, found) for cell in column.cells) / len(column.cells)


def whole_names(document: Document, found: Sequence[Mention], part: TextPart) -> Sequence[Mention]:
    """The found mentions; those that leave the end of a cell of names uncovered reach to its end.

    A cell with a comma, a bracket, a figure or "en" may hold more than a name, and stays as it is found.
    """
    cells = [cell for column in part.columns if column.kind == PERSON for cell in column.cells]
    if not cells or not found:
        return found
    joint = re.compile(Language.load(document.language).slots.get("JOINT", "(?!)"), re.IGNORECASE)
    around = SpanIndex([mention.span for mention in found])
    gone: set[int] = set()
    longer: list[Mention] = []
    for cell in cells:
        inside = sorted(around.overlapping(cell))
        if not inside or not all(cell.contains(found[n].span) for n in inside):
            continue
        if any(found[n].person_id is not None for n in inside):
            continue
        last = found[inside[-1]].span
        if last.end < cell.end or len(inside) > 1:
            span = Span(found[inside[0]].span.start, cell.end)
            if _is_one_name(span.cut(document.text), joint):
                gone.update(inside)
                first = found[inside[0]]
                longer.append(
                    Mention.at(document, span, detector=first.detector, confidence=first.confidence)
                )
    if not longer:
        return found
    kept = [mention for number, mention in enumerate(found) if number not in gone]
    return sorted([*kept, *longer], key=lambda mention: mention.span)


def _is_one_name(text: str, joint: re.Pattern[str]) -> bool:
    """Whether words are one name: no title or degree behind it, no second person."""
    words = text.split(" ")
    return (
        len(words) <= _MOST_WORDS
        and all(map(_is_name_word, words))
        and words[-1][:1].isupper()
        and not words[-1].isupper()
        and not any(joint.fullmatch(word) for word in words)
    )


def _is_name_word(word: str) -> bool:
    return any(map(str.isalpha, word)) and all(c.isalpha() or c in _IN_NAMES for c in word)


def in_chosen_columns(found: Sequence[Mention], columns: Iterable[Column]) -> Sequence[Mention]:
    """The found mentions, without those in titles before cells and in columns that were not chosen."""
    places = [title for column in columns for title in column.titles]
    places += [cell for column in columns if not column.is_chosen for cell in column.cells]
    if not places:
        return found
    around = SpanIndex(places)
    return [
        mention
        for mention in found
        if not any(places[n].contains(mention.span) for n in around.overlapping(mention.span))
    ]


def without_other_kinds(
    document: Document,
    found: Sequence[Mention],
    columns: Iterable[Column],
    lists: NamesAndPlaces,
    *,
    finder: ValueFinder | None = None,
) -> Sequence[Mention]:
    """The found mentions, without those in cells whose column says that they are something else.

    finder: of the kinds in use; None: of the shipped kinds.
    """
    in_use = finder or shipped_finder()
    language = Language.load(document.language)
    places: list[Span] = []  # of cells that are values of their column's kind
    for column in columns:
        if column.kind is None or not _holds_no_names(column.kind, in_use.kinds):
            continue
        texts = [cell.cut(document.text) for cell in column.cells]
        counts = Counter(texts)
        passing = {text for text in counts if passes(text, column.kind, language, finder=in_use)}
        places += [
            cell
            for cell, text in zip(column.cells, texts, strict=True)
            if text in passing
            and (counts[text] >= _OFTEN or any(map(str.isdigit, text)) or not _may_be_strayed(text, lists))
        ]
    if not places:
        return found
    around = SpanIndex(places)
    return [
        mention
        for mention in found
        if not any(places[n].contains(mention.span) for n in around.overlapping(mention.span))
    ]


def values_in_columns(
    document: Document,
    found: Iterable[ValueMention],
    columns: Iterable[Column],
    *,
    finder: ValueFinder | None = None,
) -> list[ValueMention]:
    """The values of a document with those that columns tell, in the order of the text.

    found: by pattern. None counts in a column that was not chosen. A cell in which nothing is found is of the
    kind of its column as a whole. A name in a column of names is nothing else. finder: of the kinds in use;
    None: of the shipped kinds.
    """
    language = Language.load(document.language)
    columns = tuple(columns)
    left = SpanCover(cell for column in columns if not column.is_chosen for cell in column.cells)
    values = [value for value in found if not left.overlaps(value.mention.span)]
    around = SpanIndex([value.mention.span for value in values])
    gone: set[int] = set()
    told: list[ValueMention] = []
    for column in columns:
        if column.kind is None or not column.is_chosen:
            continue
        for cell in column.cells:
            here = set(around.overlapping(cell))
            if column.kind == PERSON:
                if here and may_be_name(cell.cut(document.text), language):
                    gone |= here  # "Jan van der Straat" is no street there
                continue
            if len(here) == 1 and _is_of(values[min(here)].mention, column.kind, cell):
                continue
            by_column = cell_values(cell.cut(document.text), column.kind, language, finder=finder)
            says_more = any(values[number].mention.kind != REST for number in here)
            if not by_column or (says_more and by_column[0].pattern == WHOLE_CELL):
                continue
            gone |= here
            told += [_value(document, cell, value) for value in by_column]
    kept = [value for number, value in enumerate(values) if number not in gone]
    return sorted([*kept, *told], key=lambda value: value.mention.span)


def _is_of(mention: Mention, kind: KindId, cell: Span) -> bool:
    """Whether a value is the whole cell, and of this kind."""
    return mention.kind == kind and mention.span == cell


def _value(document: Document, cell: Span, value: FoundValue) -> ValueMention:
    span = Span(cell.start + value.span.start, cell.start + value.span.end)
    mention = Mention.at(
        document, span, detector=Detector.PATTERN, confidence=value.confidence, kind=value.kind
    )
    return ValueMention(mention, value.normal, value.country)


def _may_be_strayed(text: str, lists: NamesAndPlaces) -> bool:
    """Whether a cell without figures may be a name that came into the wrong column."""
    first, *further = text.split()
    if not further or lists.is_place(text) or lists.is_particle(first):
        return False
    return lists.given_name_frequency(first) >= _LEAST_GIVEN


def _is_covered(cell: Span, around: SpanIndex, found: Sequence[Mention]) -> bool:
    return any(
        len(found[number].span) >= _COVERED * len(cell) and cell.contains(found[number].span)
        for number in around.overlapping(cell)
    )


def _holds_no_names(kind: KindId, kinds: Kinds) -> bool:
    """Whether no name of a person stands in values of the kind."""
    row = kinds.get(kind)
    return row is not None and row.category in _NAMELESS and PERSON not in row.holds
