"""Values of all kinds in a text, by the patterns of data/kinds.toml and the cue words of a language."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Final

from linkage.detection.candidate import Candidate, Checked, Validator
from linkage.detection.validators import VALIDATORS
from linkage.errors import KindsError
from linkage.kinds import Fold, Kinds, Needs, Pattern, Sign, patterns_of
from linkage.language import CuePlace, Language
from linkage.texts import KindId, Span

_SLOT: Final = re.compile(r"\{([A-Z][A-Z_]+)\}")
_SIGNS: Final[Mapping[Sign, re.Pattern[str]]] = {
    Sign.DIGIT: re.compile(r"\d"),
    Sign.AT: re.compile(r"@"),
    Sign.COLON: re.compile(r":"),
    Sign.DOT: re.compile(r"\w\.\w"),
    Sign.SLASH: re.compile(r"[/\\]"),
    Sign.ANY: re.compile(r""),
}
_REACH: Final = 60  # characters before or after a value in which its cue stands
# What may stand between a cue and its value, beside the slot FILLER of the language: "polisnr.: ", "BSN (".
_BETWEEN: Final = r"[\s:=.,()\[\]{}#'\"*|>/\\\u2013\u2014\u00ba\u00b0-]{0,12}"
# Confidence, 0 to 1, by what speaks for a value; set, not measured.
_BY_CUE_AND_CHECK: Final = 0.99
_BY_CHECK: Final = 0.95
_BY_CUE: Final = 0.9
_BY_SHAPE: Final = 0.85


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value in a text. normal: its normal form. pattern: id of the pattern that matched.

    checked: the validator of the pattern passed. cued: a cue word of the kind stands beside the value, or the
    value stands in a column of the kind. confidence: 0 to 1.
    """

    span: Span
    kind: KindId
    normal: str = field(repr=False)
    pattern: str
    country: str
    checked: bool
    cued: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class _Row:
    """A pattern of a kind, ready to be used. place: its place in the table, for ties."""

    kind: KindId
    pattern: Pattern
    validator: Validator | None
    place: int


@dataclass(frozen=True, slots=True)
class _Match:
    """A match of a pattern. cued: see FoundValue."""

    start: int
    end: int
    row: _Row
    checked: Checked
    cued: bool

    @property
    def rank(self) -> tuple[int, bool, int, bool, int]:
        """Of two matches that overlap, the one with the higher rank counts."""
        length = self.end - self.start
        return self.row.pattern.priority, self.cued, length, self.checked.passed, -self.row.place

    def found(self) -> FoundValue:
        is_checked = self.checked.passed and self.row.validator is not None
        if is_checked:
            confidence = _BY_CUE_AND_CHECK if self.cued else _BY_CHECK
        else:
            confidence = _BY_CUE if self.cued else _BY_SHAPE
        return FoundValue(
            Span(self.start, self.end), self.row.kind, self.checked.normal, self.row.pattern.id,
            self.row.pattern.country, is_checked, self.cued, confidence,
        )  # fmt: skip


class PatternTable:
    """The patterns of some kinds in one language, compiled."""

    def __init__(self, kinds: Kinds, language: Language, wanted: Iterable[KindId]) -> None:
        """Raises KindsError: a pattern does not compile, or names an unknown slot or validator."""
        self._kinds = kinds
        self._language = language
        self._wanted = frozenset(wanted)
        self._searches: dict[tuple[Sign, re.Pattern[str]], list[_Row]] = {}
        place = 0
        for key in kinds:
            for pattern in patterns_of(kinds, key) if key in self._wanted else ():
                row = _Row(key, pattern, _validator(pattern), place)
                self._searches.setdefault((pattern.sign, _compiled(pattern, language)), []).append(row)
                place += 1

    def find(self, text: str, *, column: KindId | None = None) -> tuple[FoundValue, ...]:
        """The values in text, in its order and without overlap. column: the kind of its column in a table."""
        announced: dict[KindId, bool] = {}
        matches = self._in_lists(text, sorted(self._matches(text, column), key=lambda match: match.start))
        counting = [match for match in matches if self._counts(match, text, announced)]
        return tuple(match.found() for match in _without_overlap(counting))

    def _matches(self, text: str, column: KindId | None) -> Iterator[_Match]:
        held = {sign for sign in {sign for sign, _ in self._searches} if _SIGNS[sign].search(text)}
        for (sign, pattern), rows in self._searches.items():
            if sign not in held:
                continue
            for match in pattern.finditer(text):
                start, end = match.span("value") if "value" in pattern.groupindex else match.span()
                if start == end:
                    continue
                groups = match.groupdict()
                for row in rows:
                    candidate = Candidate(text[start:end], groups, row.pattern.country, self._language)
                    checked = _checked(row, candidate)
                    if checked is None:
                        continue
                    stop = end if checked.length is None else start + checked.length
                    cued = row.kind == column or self._is_cued(row.kind, text, start, stop)
                    yield _Match(start, stop, row, checked, cued)

    def _in_lists(self, text: str, matches: list[_Match]) -> list[_Match]:
        """The matches, cued where one cued value of the kind stands before, as in "tel. 010-1 of 010-2"."""
        last: dict[KindId, _Match] = {}
        told: list[_Match] = []
        for match in matches:
            before = last.get(match.row.kind)
            if not match.cued and before is not None and before.cued and match.checked.passed:
                between = text[before.end : match.start]
                if before.end < match.start and len(between) < _REACH and self._joint.fullmatch(between):
                    match = replace(match, cued=True)
            told.append(match)
            if before is None or match.end > before.end or (match.cued and not before.cued):
                last[match.row.kind] = match
        return told

    def _counts(self, match: _Match, text: str, announced: dict[KindId, bool]) -> bool:
        """Whether a match has what its pattern needs. announced: the kinds with a cue anywhere in text."""
        needs, kind = match.row.pattern.needs, match.row.kind
        if needs is Needs.CUE:
            return match.cued
        if needs is Needs.SHAPE or match.cued:
            return match.checked.passed or match.cued
        if not match.checked.passed or needs is not Needs.DOCUMENT:
            return match.checked.passed
        if kind not in announced:
            cue = self._anywhere.get(kind)
            announced[kind] = cue is not None and cue.search(text) is not None
        return announced[kind]

    def _is_cued(self, kind: KindId, text: str, start: int, end: int) -> bool:
        before = self._cues.get((kind, CuePlace.BEFORE))
        if before is not None and before.search(text[max(start - _REACH, 0) : start].lower()):
            return True
        after = self._cues.get((kind, CuePlace.AFTER))
        return after is not None and after.match(text[end : end + _REACH].lower()) is not None

    @cached_property
    def _joint(self) -> re.Pattern[str]:
        words = self._language.slots.get("JOINT", "(?!)")
        return re.compile(rf"\s*(?:[,;/&+]|{words})?\s*", re.IGNORECASE)

    @cached_property
    def _phrases(self) -> Mapping[tuple[KindId, CuePlace], str]:
        phrases: dict[tuple[KindId, CuePlace], list[str]] = {}
        for cue in self._language.cues:
            if cue.kind in self._wanted:
                phrases.setdefault((cue.kind, cue.place), []).append(cue.regex)
        return {key: f"(?:{'|'.join(regexes)})" for key, regexes in phrases.items()}

    @cached_property
    def _cues(self) -> Mapping[tuple[KindId, CuePlace], re.Pattern[str]]:
        filler = self._language.slots.get("FILLER", "(?!)")
        shapes = {
            CuePlace.BEFORE: rf"(?<![^\W_]){{cue}}(?![^\W\d_]){_BETWEEN}(?:{filler}(?![^\W_]){_BETWEEN})?\Z",
            CuePlace.AFTER: r"\s{0,3}[(-]?{cue}(?![^\W_])",
        }
        return {
            (kind, place): _cue_pattern(kind, shapes[place].replace("{cue}", cue))
            for (kind, place), cue in self._phrases.items()
        }

    @cached_property
    def _anywhere(self) -> Mapping[KindId, re.Pattern[str]]:
        return {
            kind: _cue_pattern(kind, rf"(?i)(?<![^\W_]){cue}(?![^\W\d_])")
            for (kind, place), cue in self._phrases.items()
            if place is CuePlace.BEFORE
        }


def find_values(
    text: str,
    language: Language,
    *,
    kinds: Collection[KindId] | None = None,
    column: KindId | None = None,
) -> tuple[FoundValue, ...]:
    """The values in text, in its order and without overlap.

    kinds: those that are looked for; None: all that have patterns. column: the kind of the column of a table
    in which the text stands.

    Raises:
        KindsError: the tables of kinds or of the language are damaged.
    """
    shipped = Kinds.load()
    return pattern_table(language, frozenset(shipped) if kinds is None else frozenset(kinds)).find(
        text, column=column
    )


@cache
def pattern_table(language: Language, wanted: frozenset[KindId]) -> PatternTable:
    """The compiled patterns of the shipped kinds, made once for each language and choice of kinds."""
    return PatternTable(Kinds.load(), language, wanted)


def _without_overlap(matches: Iterable[_Match]) -> list[_Match]:
    """The matches of the highest ranks that do not overlap, in the order of the text."""
    starts: list[int] = []
    chosen: list[_Match] = []
    for match in sorted(matches, key=lambda match: match.rank, reverse=True):
        place = bisect_left(starts, match.end)  # those before it begin before this one ends
        if place == 0 or chosen[place - 1].end <= match.start:
            starts.insert(place, match.start)
            chosen.insert(place, match)
    return chosen


def _checked(row: _Row, candidate: Candidate) -> Checked | None:
    if row.validator is not None:
        return row.validator(candidate)
    return Checked(folded(candidate.text, row.pattern.fold))


def folded(text: str, fold: Fold) -> str:
    """The normal form of a value that no validator knows."""
    if fold is Fold.LOWER:
        return text.casefold()
    if fold is Fold.WORDS:
        return " ".join(text.casefold().split())
    return "".join(character for character in text.upper() if character.isalnum())


def _compiled(pattern: Pattern, language: Language) -> re.Pattern[str]:
    def slot(found: re.Match[str]) -> str:
        try:
            return language.slots[found[1]]
        except KeyError:
            raise KindsError(f"pattern {pattern.id}: the language has no slot {found[1]}") from None

    try:
        return re.compile(_SLOT.sub(slot, pattern.regex))
    except re.error as error:
        raise KindsError(f"pattern {pattern.id} is no regular expression: {error}") from None


def _cue_pattern(kind: KindId, regex: str) -> re.Pattern[str]:
    try:
        return re.compile(regex)
    except re.error as error:
        raise KindsError(f"cues.tsv: a cue of {kind} is no regular expression: {error}") from None


def _validator(pattern: Pattern) -> Validator | None:
    if pattern.validator is None:
        return None
    try:
        return VALIDATORS[pattern.validator]
    except KeyError:
        raise KindsError(f"pattern {pattern.id} names the unknown validator {pattern.validator}") from None
