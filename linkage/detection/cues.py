"""Cue words in a text: which values they announce, found in one scan and asked by position."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from linkage.errors import KindsError
from linkage.language import Cue, CuePlace, Language
from linkage.texts import KindId

REACH: Final = 60  # characters between a cue and the value that it announces
# What may stand between a cue and its value, beside the slot FILLER of the language: "polisnr.: ", "BSN (".
# Forms put up to 45 blanks there, and the value may stand one or two lines lower.
_MARKS: Final = r" \t:;=.,()\[\]{}<#'\"*|>/\\?\u2018-\u201f\u2013\u2014\u2022\u00b7\u00ba\u00b0_-"
_BETWEEN: Final = rf"[{_MARKS}]{{0,45}}+(?:\n[{_MARKS}]{{0,20}}+){{0,2}}+"
_FILLERS: Final = 3  # "polis met nummer", "nr. is nu": words between a cue and its value


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The phrases that stand before values, as one expression; kinds: those that a group of it announces."""

    regex: re.Pattern[str]
    kinds: Mapping[str, tuple[KindId, ...]]


class CueTable:
    """The cues of a language for some kinds, compiled."""

    def __init__(self, language: Language, wanted: Collection[KindId]) -> None:
        """Raises KindsError: a cue is no regular expression, or holds a group that is counted."""
        self._filler = language.slots.get("FILLER", "(?!)")
        cues = [cue for cue in language.cues if cue.kind in wanted]
        self._before = _phrases(cue for cue in cues if cue.place is CuePlace.BEFORE)
        after: dict[KindId, list[str]] = {}
        for cue in cues:
            if cue.place is CuePlace.AFTER:
                after.setdefault(cue.kind, []).append(_checked(cue))
        self.after: Mapping[KindId, re.Pattern[str]] = {
            kind: re.compile(rf"\s{{0,3}}[(-]?(?:{'|'.join(regexes)})(?![^\W_])")
            for kind, regexes in after.items()
        }

    def read(self, text: str) -> "CuesOfText":
        """The cues of a text."""
        lowered = text.lower()
        if len(lowered) != len(text):  # a capital of two small letters, such as the dotted I
            lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
        ends: dict[KindId, list[int]] = {}
        if self._before is not None:
            for match in self._before.regex.finditer(lowered):
                group = match.lastgroup
                if group is None:
                    continue
                for kind in self._before.kinds[group]:
                    ends.setdefault(kind, []).append(match.end(group))
        return CuesOfText(lowered, {kind: sorted(places) for kind, places in ends.items()}, self)

    @cached_property
    def between(self) -> re.Pattern[str]:
        """What may stand between a cue and its value."""
        filler = rf"(?:{self._filler}(?![^\W\d_]){_BETWEEN}){{0,{_FILLERS}}}"
        return re.compile(_BETWEEN + filler)


@dataclass(frozen=True, slots=True)
class CuesOfText:
    """The cues in one text. lowered: the text in small letters, letter for letter.

    ends: by kind, where the phrases that stand before its values end, in the order of the text.
    """

    lowered: str = field(repr=False)
    ends: Mapping[KindId, list[int]] = field(repr=False)
    table: CueTable = field(repr=False)
    _known: dict[tuple[int, int], bool] = field(default_factory=dict, repr=False)

    def anywhere(self, kind: KindId) -> bool:
        """Whether a phrase that stands before values of kind stands in the text."""
        return kind in self.ends

    def may_announce(self, kind: KindId) -> bool:
        """Whether a value of kind can have a cue beside it."""
        return kind in self.ends or kind in self.table.after

    def announce(self, kind: KindId, start: int, end: int) -> bool:
        """Whether a cue of kind stands beside the value between start and end."""
        if (ends := self.ends.get(kind)) is not None:
            place = bisect_right(ends, start)
            for cue_end in reversed(ends[max(place - 2, 0) : place]):
                if start - cue_end <= REACH and self._is_beside(cue_end, start):
                    return True
        after = self.table.after.get(kind)
        return after is not None and after.match(self.lowered, end) is not None

    def _is_beside(self, cue_end: int, start: int) -> bool:
        if (cue_end, start) not in self._known:
            beside = self.table.between.fullmatch(self.lowered, cue_end, start) is not None
            self._known[cue_end, start] = beside
        return self._known[cue_end, start]

    def near(self, kinds: Collection[KindId], pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
        """The matches of pattern that begin within reach of a cue of kinds, or of such a match before.

        The time is linear: no part of the text is searched twice.
        """
        places = sorted({end for kind in kinds for end in self.ends.get(kind, ())})
        match: re.Match[str] | None = None
        read_to, reach = 0, -1
        for place in places:
            reach = max(reach, place + REACH)
            if match is None or match.start() < place:
                read_to = max(read_to, place)
                match = pattern.search(text, read_to)
            while match is not None and match.start() <= reach:
                yield match
                read_to = match.end() if match.end() > match.start() else match.end() + 1
                reach = max(reach, read_to + REACH)
                match = pattern.search(text, read_to)
            if match is None:
                return


def _phrases(cues: Iterator[Cue]) -> _Phrases | None:
    """All phrases as one expression that matches no letters, so that phrases inside phrases are found too.

    Of two phrases that begin at one place, the longer expression counts, and one that begins with a letter
    goes before one that does not: "polis" before "[a-z]+nummer".
    """
    kinds: dict[str, list[KindId]] = {}
    for cue in cues:
        kinds.setdefault(_checked(cue), []).append(cue.kind)
    if not kinds:
        return None
    regexes = sorted(kinds, key=lambda regex: (_first_letter(regex) == "", -len(regex), regex))
    groups = {f"c{number}": regex for number, regex in enumerate(regexes)}
    by_letter: dict[str, list[str]] = {}
    for group, regex in groups.items():
        letter = _first_letter(regex)
        rest = rf"(?:{regex})"
        by_letter.setdefault(letter, []).append(rf"(?P<{group}>{rest})(?![^\W\d_])")
    told = [
        f"(?={re.escape(letter)})(?:{'|'.join(alternatives)})" if letter else "|".join(alternatives)
        for letter, alternatives in by_letter.items()
    ]
    return _Phrases(
        re.compile(rf"(?<![^\W_])(?=[^\W_])(?=(?:{'|'.join(told)}))"),
        {group: tuple(kinds[regex]) for group, regex in groups.items()},
    )


def _first_letter(regex: str) -> str:
    """The letter that each text begins with that regex matches; empty where it cannot be told."""
    depth = 0
    for place, sign in enumerate(regex):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            return ""
        if place == 1 and sign in "?*{":
            return ""
    return regex[0] if regex[:1].isalpha() else ""


def _checked(cue: Cue) -> str:
    try:
        compiled = re.compile(cue.regex)
    except re.error as error:
        raise KindsError(f"cues.tsv: a cue of {cue.kind} is no regular expression: {error}") from None
    if compiled.groups:
        raise KindsError(f"cues.tsv: a cue of {cue.kind} holds a group; write it as (?:...)")
    return cue.regex
