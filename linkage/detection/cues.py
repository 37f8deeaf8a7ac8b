"""Cue words in a text: which values they announce, found in one scan and asked by position."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from linkage.detection.text_tables import TextTables
from linkage.errors import KindsError
from linkage.kinds import Kinds
from linkage.language import Cue, CuePlace, Language
from linkage.texts import KindId

REACH: Final = 60  # characters between a cue and the value that it announces
# What may stand between a cue and its value, beside the slot FILLER of the language: "polisnr.: ", "BSN (".
# Forms put up to 45 blanks there, and the value may stand one or two lines lower.
_MARKS: Final = r" \t:;=.,()\[\]{}<#'\"*|>/\\?\u2018-\u201f\u2013\u2014\u2022\u00b7\u00ba\u00b0_-"
_BETWEEN: Final = rf"[{_MARKS}]{{0,45}}+(?:\n[{_MARKS}]{{0,20}}+){{0,2}}+"
_FILLERS: Final = 3  # "polis met nummer", "nr. is nu": words between a cue and its value


_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_]+")
_BEGINNING: Final = re.compile(r"[^\W\d_]*")
_LOOK_BEHIND: Final = re.compile(r"^\(\?<[!=][^()]*\)")
_KEY: Final = 3  # letters of a word by which the phrases that may begin there are found
_SHORTEST_COMPOUND: Final = 5  # letters of a word that a phrase such as "[a-z]{2,9}nummer" may be


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Phrases that may begin at one word, as one expression; kinds: those that a group of it announces."""

    regex: re.Pattern[str]
    kinds: Mapping[str, tuple[KindId, ...]]


class CueTable:
    """The cues of a language for some kinds, compiled."""

    def __init__(self, language: Language, wanted: Collection[KindId], own: Iterable[Cue] = ()) -> None:
        """own: further cues, of kinds that the user makes.

        Raises KindsError: a cue is no regular expression, or holds a group that is counted.
        """
        self._tables = TextTables(language)
        self._wanted = frozenset(wanted)
        self._filler = language.slots.get("FILLER", "(?!)")
        cues = [cue for cue in (*language.cues, *own) if cue.kind in wanted]
        before: dict[str, dict[str, list[KindId]]] = {}
        for cue in cues:
            if cue.place is CuePlace.BEFORE:
                regex = _checked(cue)
                for key in _keys(regex):
                    before.setdefault(key, {}).setdefault(regex, []).append(cue.kind)
        self._compounds = _phrases(before.pop("", {}))
        self._before = {
            key: _phrases(
                {
                    regex: kinds
                    for other, own in before.items()
                    if key.startswith(other)
                    for regex, kinds in own.items()
                }
            )
            for key in before
        }
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
        for word in _WORD.finditer(lowered):
            letters = word[0]
            phrases = (
                self._before.get(letters[:3])
                or self._before.get(letters[:2])
                or self._before.get(letters[:1])
            )
            found = phrases.regex.match(lowered, word.start()) if phrases else None
            if found is None and len(letters) >= _SHORTEST_COMPOUND and self._compounds is not None:
                phrases = self._compounds
                found = phrases.regex.match(lowered, word.start())
            if found is not None and phrases is not None and found.lastgroup is not None:
                for kind in phrases.kinds[found.lastgroup]:
                    ends.setdefault(kind, []).append(found.end())
        for kind, place in list(self._tables.places(lowered, ends)):
            if kind in self._wanted:
                ends.setdefault(kind, []).append(place)
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


def own_cues(kinds: Kinds) -> Iterator[Cue]:
    """The cues of the user's kinds: phrases as they are written, with any blanks between their words."""
    for key, kind in kinds.items():
        for phrase in kind.cues:
            yield Cue(key, r"\s{1,3}".join(map(re.escape, phrase.lower().split())))


def _phrases(kinds: Mapping[str, Sequence[KindId]]) -> _Phrases | None:
    """These phrases as one expression; of two that fit, the longer expression counts, "[a-z]+nummer" last."""
    if not kinds:
        return None
    regexes = sorted(kinds, key=lambda regex: (regex.startswith("["), -len(regex), regex))
    groups = {f"c{number}": regex for number, regex in enumerate(regexes)}
    told = "|".join(rf"(?P<{group}>{regex})(?![^\W\d_])" for group, regex in groups.items())
    return _Phrases(re.compile(told), {group: tuple(kinds[regex]) for group, regex in groups.items()})


def _keys(regex: str) -> frozenset[str]:
    """The letters, three at most, that a text matched by regex begins with; "" where it begins anyhow."""
    regex = _LOOK_BEHIND.sub("", regex)
    choices = _choices(regex)
    if len(choices) > 1:
        return frozenset().union(*map(_keys, choices))
    if regex.startswith("(?:"):
        end = _group_end(regex)
        is_optional = regex[end : end + 1] == "?"
        inner = frozenset().union(*map(_keys, _choices(regex[3 : end - 1])))
        return inner | _keys(regex[end + 1 :]) if is_optional else inner
    found = _BEGINNING.match(regex)
    letters = found[0] if found else ""
    if regex[len(letters) : len(letters) + 1] in ("?", "*", "{"):
        letters = letters[:-1]
    return frozenset({letters[:_KEY]})


def _choices(regex: str) -> list[str]:
    """The parts of regex between the bars that stand outside of brackets."""
    depth, parts, start = 0, [], 0
    for place, letter in enumerate(regex):
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0:
            parts.append(regex[start:place])
            start = place + 1
    return [*parts, regex[start:]]


def _group_end(regex: str) -> int:
    """Where the group ends with which regex begins."""
    depth = 0
    for place, letter in enumerate(regex):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place + 1
    return len(regex)


def _checked(cue: Cue) -> str:
    try:
        compiled = re.compile(cue.regex)
    except re.error as error:
        raise KindsError(f"cues.tsv: a cue of {cue.kind} is no regular expression: {error}") from None
    if compiled.groups:
        raise KindsError(f"cues.tsv: a cue of {cue.kind} holds a group; write it as (?:...)")
    return cue.regex
