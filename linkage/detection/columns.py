"""The kind of the values in a column of a table, by its header and by the values themselves.

A column is treated alike: where its kind is known, the values that no pattern of the kind matches are of the
kind as well, unless they look like something else.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from linkage.detection.finder import ValueFinder, shipped_finder
from linkage.detection.patterns import FoundValue, folded
from linkage.kinds import PERSON, Kinds, Needs, patterns_of
from linkage.language import Language
from linkage.language.headers import RUNNING_TEXT, Header, bare
from linkage.texts import KindId, Span

WHOLE_CELL: Final = "column"  # in place of the id of a pattern: the column alone says the kind of a cell
SAMPLE: Final = 200  # the most distinct values of a column that are looked at
_LEAST: Final = 3  # distinct values from which their shapes alone say what a column holds
# Shares of the distinct values, 0 to 1; set, not measured.
_BY_VALUES: Final = 0.8  # so many pass as one kind: the column has it without a header
_CONTRADICTED: Final = 0.2  # fewer pass as the kind of the header, and the values say another one
# Confidence, 0 to 1; set, not measured.
_HEADER_ALONE: Final = 0.8
_HEADER_DOUBTED: Final = 0.3
_BOTH: Final = 0.99
_MOST_CHARACTERS: Final = 60  # of a value that is of its column's kind although no pattern matches it
_MOST_WORDS: Final = 7  # of a name in a cell
_COLUMN_CONFIDENCE: Final = 0.8  # of such a value; set, not measured


class Why(StrEnum):
    """What says the kind of a column."""

    NOTHING = ""
    HEADER = "header"
    VALUES = "values"
    BOTH = "header and values"
    SET = "set"  # the user does


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """The kind of a column. kind: None for running text, or where nothing says a kind.

    share: of the distinct filled values that were looked at, those that pass as the kind by themselves, 0 to
    1; for a kind without patterns, those that are no running text. confidence: 0 to 1.
    """

    kind: KindId | None
    why: Why = Why.NOTHING
    share: float = 0.0
    confidence: float = 0.0


def column_kind(
    header: str,
    values: Iterable[str],
    language: Language,
    *,
    given: KindId | None = None,
    finder: ValueFinder | None = None,
) -> ColumnKind:
    """The kind of a column with this header and these values. given: the kind that the user
    says it is, RUNNING_TEXT for none. finder: of the kinds in use; None: of the shipped kinds.

    Raises:
        KindsError: the tables of kinds or of the language are damaged.
    """
    in_use = finder or shipped_finder()
    sample = distinct(values)
    if given == RUNNING_TEXT:
        return ColumnKind(None, Why.SET, 0.0, 1.0)
    if given is not None:
        return ColumnKind(given, Why.SET, passing_share(sample, given, language, finder=in_use), 1.0)
    word = (_own_header(header, in_use.kinds) or language.headers.find(header)) if header else None
    if word is not None and word.kind is None:
        return ColumnKind(None, Why.HEADER, 0.0, _HEADER_ALONE)
    if word is not None and word.kind == PERSON:
        return ColumnKind(PERSON, Why.HEADER, passing_share(sample, PERSON, language), _HEADER_ALONE)
    shaped, shaped_share = _by_values(sample, language, in_use)
    if word is None or word.kind is None:
        if shaped is None:
            return ColumnKind(None)
        return ColumnKind(shaped, Why.VALUES, shaped_share, shaped_share * _BOTH)
    share = passing_share(sample, word.kind, language, finder=in_use)
    has_patterns = _has_patterns(word.kind, in_use.kinds)
    if share >= _BY_VALUES and has_patterns:
        return ColumnKind(word.kind, Why.BOTH, share, _BOTH)
    if share < _CONTRADICTED and shaped is not None and has_patterns:
        return ColumnKind(shaped, Why.VALUES, shaped_share, shaped_share * _HEADER_ALONE)
    is_doubted = share < _CONTRADICTED and len(sample) >= _LEAST
    return ColumnKind(word.kind, Why.HEADER, share, _HEADER_DOUBTED if is_doubted else _HEADER_ALONE)


def passing_share(
    values: Sequence[str], kind: KindId, language: Language, *, finder: ValueFinder | None = None
) -> float:
    """The share of values that pass as the kind in a column of it, 0 to 1; 0 where there are none."""
    if not values:
        return 0.0
    return sum(passes(value, kind, language, finder=finder) for value in values) / len(values)


def passes(value: str, kind: KindId, language: Language, *, finder: ValueFinder | None = None) -> bool:
    """Whether a value of a column of this kind is of the kind by itself: a pattern matches all of it.

    Of a kind without patterns, whether it can be: some words without a full stop at their end. finder: of the
    kinds in use; None: of the shipped kinds.
    """
    in_use = finder or shipped_finder()
    cell = value.strip()
    if kind == PERSON:
        return may_be_name(cell, language)
    if not _has_patterns(kind, in_use.kinds):
        return (
            0 < len(cell) <= _MOST_CHARACTERS and not cell.endswith((".", "!", "?", ":")) and "\n" not in cell
        )
    found = in_use.table(language, frozenset({kind})).find(cell, column=kind)
    return len(found) == 1 and len(found[0].span) == len(cell)


def may_be_name(value: str, language: Language, *, with_capital: bool = True) -> bool:
    """Whether a cell of a column of names can hold one: not "ja", "n.v.t.", "P001" or a sentence.

    with_capital: some word of more than one letter begins with a capital.
    """
    parts = value.split()
    if not 0 < len(parts) <= _MOST_WORDS or any(map(str.isdigit, value)):
        return False
    if value.strip().casefold() in language.empty_values:
        return False
    if with_capital:
        return any(len(part) > 1 and part[0].isupper() for part in parts)
    return any(map(str.isalpha, value))


def cell_values(
    text: str, kind: KindId, language: Language, *, finder: ValueFinder | None = None
) -> tuple[FoundValue, ...]:
    """The values of this kind in a cell of a column of the kind; the whole cell where no pattern matches.

    A cell is no value as a whole where it is long or says "nvt", or has no figure and the kind is one of
    numbers. finder: of the kinds in use; None: of the shipped kinds.
    """
    if kind == PERSON:
        return ()
    in_use = finder or shipped_finder()
    found = (
        in_use.table(language, frozenset({kind})).find(text, column=kind)
        if _has_patterns(kind, in_use.kinds)
        else ()
    )
    if found:
        return found
    cell = text.strip()
    has_figures = any(character.isdigit() for character in cell)
    if cell.casefold() in language.empty_values or not passes_as_whole(cell):
        return ()
    if _is_numeric(kind, in_use.kinds) and not has_figures:
        return ()
    start = text.index(cell)
    return (
        FoundValue(
            Span(start, start + len(cell)), kind, folded(cell, in_use.kinds[kind].fold), WHOLE_CELL,
            "international",
            checked=False, cued=True, confidence=_COLUMN_CONFIDENCE,
        ),
    )  # fmt: skip


def passes_as_whole(bare: str) -> bool:
    """Whether a cell without blanks around it is short enough, and one line, to be one value."""
    return 0 < len(bare) <= _MOST_CHARACTERS and "\n" not in bare and any(map(str.isalnum, bare))


def distinct(values: Iterable[str]) -> tuple[str, ...]:
    """The first SAMPLE distinct filled values, without blanks around them."""
    sample: dict[str, None] = {}
    for value in values:
        bare = value.strip()
        if bare and any(map(str.isalnum, bare)):
            sample[bare] = None
            if len(sample) == SAMPLE:
                break
    return tuple(sample)


def _own_header(title: str, kinds: Kinds) -> Header | None:
    """The header word of a user's kind that a title is: its name, one of its words, or one of its cues."""
    letters = bare(title)
    for key, kind in kinds.items() if letters else ():
        if kind.is_own and letters in map(bare, (key, *kind.words.values(), *kind.cues)):
            return Header(title, key)
    return None


def _by_values(sample: Sequence[str], language: Language, finder: ValueFinder) -> tuple[KindId | None, float]:
    """The kind that the most values pass as, with their share; None below _BY_VALUES."""
    if len(sample) < _LEAST:
        return None, 0.0
    counts: Counter[KindId] = Counter()
    checked_kinds = _checked_kinds(finder)
    every = finder.table(language, frozenset(finder.kinds))
    for value in sample:
        kinds = {found.kind for found in every.find(value) if len(found.span) == len(value)}
        for kind in checked_kinds - kinds if any(map(str.isdigit, value)) else ():
            found_values = finder.table(language, frozenset({kind})).find(value, column=kind)
            if any(found.checked and len(found.span) == len(value) for found in found_values):
                kinds.add(kind)
        counts.update(kinds)
    order = {kind: number for number, kind in enumerate(finder.kinds)}
    own = {kind for kind in counts if finder.kinds[kind].is_own}
    best = min(counts, key=lambda kind: (-counts[kind], kind not in own, order[kind]), default=None)
    if best is None or best == "NUMBER" or counts[best] < _BY_VALUES * len(sample):
        return None, 0.0
    return best, counts[best] / len(sample)


@lru_cache(maxsize=8)
def _checked_kinds(finder: ValueFinder) -> frozenset[KindId]:
    """The kinds whose check digits say nothing without a cue in the document or a column of the kind."""
    kinds = finder.kinds
    return frozenset(
        key
        for key in kinds
        if any(p.needs is Needs.DOCUMENT and p.validator for p in patterns_of(kinds, key))
    )


def _has_patterns(kind: KindId, kinds: Kinds) -> bool:
    """Whether patterns tell a value of the kind in a text of any language."""
    row = kinds.get(kind)
    if row is None:
        return False
    return bool(row.like or row.is_own or any(not pattern.languages for pattern in row.patterns))


def _is_numeric(kind: KindId, kinds: Kinds) -> bool:
    """Whether values of the kind have figures: dates, amounts, ages, and identifiers but passwords."""
    category = kinds[kind].category
    return kind in _WITH_FIGURES or category in _NUMERIC


_NUMERIC: Final = frozenset({"AGE", "DATE", "AMOUNT"})
_WITH_FIGURES: Final = frozenset(map(KindId, ("PHONE", "FAX", "IP_ADDRESS", "POSTCODE", "NATIONAL_ID",
    "IDENTITY_DOCUMENT", "BANK_ACCOUNT", "PAYMENT_CARD", "PATIENT_NUMBER", "CASE_NUMBER",
    "PROFESSIONAL_LICENCE", "COMPANY_NUMBER", "DEVICE", "VEHICLE")))  # fmt: skip
