"""Values of all kinds in a text, by the patterns of data/kinds.toml and the cue words of a language."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from linkage.detection.behind_names import BehindNames, PlacesBehindNames
from linkage.detection.candidate import BEFORE, Candidate, Checked, Validator
from linkage.detection.compiling import compiled_pattern, validator_of
from linkage.detection.cues import REACH, CuesOfText, CueTable, own_cues
from linkage.detection.listed_values import ListedTexts
from linkage.detection.own_patterns import OwnPattern
from linkage.detection.starts import Starts
from linkage.kinds import PERSON, Fold, Kinds, Needs, Pattern, Sign, patterns_of
from linkage.language import Language
from linkage.own_kinds import OwnValues
from linkage.spans import lie_inside
from linkage.texts import KindId, Span

LISTED: Final = "listed"  # in place of the id of a pattern: a list of the user's has the text
_FEWEST_REPEATED: Final = 6  # characters of a normal form that counts again without its cue
_WITH_CUE: Final = frozenset({Needs.CUE, Needs.DOCUMENT})  # of no use where the text holds no cue of the kind
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
    """A pattern of a kind, ready to be used. place: its place in the table, for ties. is_own: the user made
    the kind, or the list that stands in place of a pattern.
    """

    kind: KindId
    pattern: Pattern
    validator: Validator | None
    place: int
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class _Search:
    """An expression with the patterns that have it.

    kinds: of these patterns. needs_no_cue: each pattern counts in texts without cues. needs_cue_beside: none
    counts without a cue beside it.
    """

    sign: Sign
    regex: re.Pattern[str] | OwnPattern
    rows: tuple[_Row, ...]
    letters: tuple[str, ...]
    kinds: frozenset[KindId]
    needs_no_cue: bool
    needs_cue_beside: bool

    @classmethod
    def of(cls, sign: Sign, regex: re.Pattern[str] | OwnPattern, rows: Iterable[_Row]) -> "_Search":
        """The search of these patterns, of which the first says which letters a text must hold."""
        kept = tuple(rows)
        needs = {row.pattern.needs for row in kept}
        return cls(
            sign, regex, kept, kept[0].pattern.letters, frozenset(row.kind for row in kept),
            needs.isdisjoint(_WITH_CUE), needs == {Needs.CUE},
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Match:
    """A match of a pattern. cued: see FoundValue."""

    start: int
    end: int
    row: _Row
    checked: Checked
    cued: bool

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

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
    """The patterns of some kinds in one language, compiled, and the texts of lists of these kinds."""

    def __init__(
        self, kinds: Kinds, language: Language, wanted: Iterable[KindId], own: OwnValues | None = None
    ) -> None:
        """own: what the user adds; kinds hold it.

        Raises KindsError, or SettingsError for a kind of the user's: a pattern does not compile, or names an
        unknown slot or validator.
        """
        added = own if own is not None else OwnValues()
        openings = {one.name: one.opening for one in added.kinds}
        self._kinds = kinds
        self._language = language
        self._wanted = frozenset(wanted)
        self._cues = CueTable(language, self._wanted, own_cues(kinds))
        self._behind = BehindNames(language)
        self._searches: dict[tuple[Sign, re.Pattern[str] | OwnPattern], list[_Row]] = {}
        self._pattern_of: dict[int, re.Pattern[str]] = {}
        place = 0
        for key in kinds:
            for pattern in patterns_of(kinds, key) if key in self._wanted else ():
                if pattern.languages and language.code not in pattern.languages:
                    continue
                row = _Row(key, pattern, validator_of(pattern, openings.get(key)), place, kinds[key].is_own)
                compiled = compiled_pattern(pattern, language, openings.get(key))
                self._searches.setdefault((pattern.sign, compiled), []).append(row)
                if isinstance(compiled, re.Pattern):
                    self._pattern_of[place] = compiled
                place += 1
        self._whole = tuple(_Search.of(*key, rows) for key, rows in self._searches.items())
        self._signs = frozenset(search.sign for search in self._whole)
        self._always, self._never = (
            {kind: ListedTexts.of(texts) for kind, texts in lists.items() if kind in self._wanted - {PERSON}}
            for lists in (added.always, added.never)
        )

    def find(
        self, text: str, *, column: KindId | None = None, persons: Collection[Span] | None = None
    ) -> tuple[FoundValue, ...]:
        """The values in text, in its order, without overlap. column, persons: as find_values takes them."""
        cues = self._cues.read(text)
        behind = self._behind.read(text, persons)
        all_matches = self._behind_persons(text, self._matches(text, cues, behind, column), persons or ())
        matches = self._in_lists(text, sorted(all_matches, key=lambda match: match.start))
        counting = [match for match in matches if _counts(match, cues)]
        known = {
            (match.row.kind, match.checked.normal)
            for match in counting
            if match.cued and _tells_by_itself(match.checked.normal)
        }
        if known:
            counting += self._again(text, known, matches)
        counting = self._without_never(text, [*counting, *self._listed(text)])
        return tuple(match.found() for match in _without_overlap(_with_own(counting)))

    @property
    def own_patterns(self) -> tuple[OwnPattern, ...]:
        """The patterns of kinds that the user made."""
        return tuple(pattern for _, pattern in self._searches if isinstance(pattern, OwnPattern))

    def _matches(
        self, text: str, cues: CuesOfText, behind: PlacesBehindNames, column: KindId | None
    ) -> Iterator[_Match]:
        """All matches of the patterns of which a value can count in this text."""
        starts = Starts(text, self._language)
        held = {sign for sign in self._signs if starts.hold(sign)}
        for search in self._whole:
            if search.sign not in held:
                continue
            if search.letters and not any(map(cues.lowered.__contains__, search.letters)):
                continue
            rows, kinds, is_beside_cues = search.rows, search.kinds, search.needs_cue_beside
            if not search.needs_no_cue:
                rows = tuple(
                    row
                    for row in search.rows
                    if row.pattern.needs not in _WITH_CUE or row.kind == column or cues.may_announce(row.kind)
                )
                if not rows:
                    continue
                kinds = frozenset(row.kind for row in rows)
                is_beside_cues = all(row.pattern.needs is Needs.CUE for row in rows)
            if isinstance(search.regex, OwnPattern):
                found = search.regex.finditer(text)
            elif is_beside_cues and column not in kinds and kinds.isdisjoint(self._cues.after):
                found = cues.near(kinds, search.regex, text)
            else:
                found = starts.matches(search.regex, search.sign)
            for match in found:
                for row in rows:
                    told = self._match(match, row)
                    if told is None:
                        continue
                    cued = row.kind == column or cues.announce(row.kind, told.start, told.end)
                    if not cued and row.pattern.needs is Needs.PERSON:
                        cued = told.checked.passed and behind.hold(told.start)
                    yield replace(told, cued=True) if cued else told

    def _match(self, match: re.Match[str], row: _Row) -> _Match | None:
        start, end = match.span("value") if "value" in match.re.groupindex else match.span()
        if start == end:
            return None
        checked = _checked(
            row,
            Candidate(
                match.string[start:end],
                match.groupdict(),
                row.pattern.country,
                row.kind,
                self._language,
                match.string[max(start - BEFORE, 0) : start],
            ),
        )
        if checked is None:
            return None
        end = end if checked.length is None else start + checked.length
        return _Match(start + checked.skipped, end, row, checked, cued=False)

    def _behind_persons(
        self, text: str, matches: Iterable[_Match], persons: Collection[Span]
    ) -> Iterator[_Match]:
        """The matches; one that begins with the whole name of a person is looked for again behind it.

        A table has "Machteld Oosterink Hoge Veld 8", where the name is no part of the street.
        """
        ends = {span.start: span.end for span in persons if " " in span.cut(text)}
        for match in matches:
            end, holds = ends.get(match.start), self._kinds[match.row.kind].holds
            pattern = None if end is None else self._pattern_of.get(match.row.place)
            if end is None or pattern is None or end >= match.end or PERSON in holds:
                yield match
                continue
            behind = pattern.search(text, end)
            again = None if behind is None else self._match(behind, match.row)
            yield again if again is not None and again.end == match.end else match

    def _again(
        self, text: str, known: Collection[tuple[KindId, str]], matches: Iterable[_Match]
    ) -> Iterator[_Match]:
        """The other places of values that stand beside their cue somewhere in the text."""
        yield from (match for match in matches if (match.row.kind, match.checked.normal) in known)
        kinds = {kind for kind, _ in known}
        for (_, pattern), rows in self._searches.items():
            for row in rows:
                if row.kind in kinds and row.pattern.needs is Needs.CUE:
                    told = (self._match(match, row) for match in pattern.finditer(text))
                    yield from (
                        match for match in told if match and (match.row.kind, match.checked.normal) in known
                    )

    def _listed(self, text: str) -> Iterator[_Match]:
        """The texts of the user's lists, each with the normal form that its kind gives it."""
        for kind, texts in self._always.items():
            row = _Row(kind, _LISTED_PATTERN, None, -1, is_own=True)
            for span in texts.find(text):
                normal = Checked(self._normal_of(kind, span.cut(text)))
                yield _Match(span.start, span.end, row, normal, cued=True)

    def _normal_of(self, kind: KindId, text: str) -> str:
        """The normal form by the pattern of a kind that matches the whole text, else by folding it."""
        fitting = [
            told
            for (_, pattern), rows in self._searches.items()
            for row in rows
            if row.kind == kind
            for match in pattern.finditer(text)
            if (told := self._match(match, row)) is not None and len(told.span) == len(text)
        ]
        if not fitting:
            return folded(text, self._kinds[kind].fold)
        return max(fitting, key=lambda match: match.rank).checked.normal

    def _without_never(self, text: str, matches: list[_Match]) -> list[_Match]:
        """The matches without those that lie inside a text which a list says is none of their kind."""
        for kind, texts in self._never.items():
            never = lie_inside([match.span for match in matches], list(texts.find(text)))
            matches = [
                match for match, inside in zip(matches, never, strict=True)
                if not (inside and match.row.kind == kind)
            ]  # fmt: skip
        return matches

    def _in_lists(self, text: str, matches: list[_Match]) -> list[_Match]:
        """The matches, cued where one cued value of the kind stands before, as in "tel. 010-1 of 010-2"."""
        last: dict[KindId, _Match] = {}
        told: list[_Match] = []
        for match in matches:
            before = last.get(match.row.kind)
            if not match.cued and before is not None and before.cued and match.checked.passed:
                between = text[before.end : match.start]
                if before.end < match.start and len(between) < REACH and self._joint.fullmatch(between):
                    match = replace(match, cued=True)
            told.append(match)
            if before is None or match.end > before.end or (match.cued and not before.cued):
                last[match.row.kind] = match
        return told

    @cached_property
    def _joint(self) -> re.Pattern[str]:
        words = self._language.slots.get("JOINT", "(?!)")
        return re.compile(rf"\s*(?:[,;/&+]|{words})?\s*", re.IGNORECASE)


def _with_own(matches: list[_Match]) -> list[_Match]:
    """The matches, cleared where one of a user's kind or list and one of a shipped kind hold each other.

    A user's own goes before the shipped ones inside it. Inside a longer shipped one it does not count: the
    rest of an account number would stay in the text.
    """
    own = [match for match in matches if match.row.is_own]
    if not own:
        return matches
    shipped = [match for match in matches if not match.row.is_own]
    covered = lie_inside([match.span for match in shipped], [match.span for match in own])
    shipped = [match for match, inside in zip(shipped, covered, strict=True) if not inside]
    held = lie_inside([m.span for m in own], [m.span for m in _without_overlap(shipped)])
    return [*shipped, *(match for match, inside in zip(own, held, strict=True) if not inside)]


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


def _counts(match: _Match, cues: CuesOfText) -> bool:
    """Whether a match has what its pattern needs."""
    needs = match.row.pattern.needs
    if match.cued:
        return True
    if needs in (Needs.CUE, Needs.PERSON) or not match.checked.passed:
        return False
    return needs is not Needs.DOCUMENT or cues.anywhere(match.row.kind)


def _tells_by_itself(normal: str) -> bool:
    """Whether a value is long enough to mean the same wherever it stands; a day without a year is not."""
    return (
        len(normal) >= _FEWEST_REPEATED and any(letter.isdigit() for letter in normal) and normal[:2] != "--"
    )


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


_LISTED_PATTERN: Final = Pattern(id=LISTED, regex="", needs=Needs.SHAPE, sign=Sign.ANY)
