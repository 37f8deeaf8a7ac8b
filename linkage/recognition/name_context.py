"""What stands before and after a name: titles, roles, salutations, labels, verbs of speech."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from linkage.gazetteer import Gazetteer
from linkage.pieces import Gap, pieces_of
from linkage.recognition.name_tokens import Case, Token

_SENTENCE_STARTS = frozenset('.!?:;•·–—*|>"“„«‘…')
_ENUMERATION = frozenset({",", ";", "/", "&", "|", "+"})


@dataclass(frozen=True, slots=True)
class Before:
    """Evidence in front of a name.

    kind: the strongest cue there: "courtesy" (mevr., dr.), "salutation", "closing", "signing", "label",
    "role", "attribution", or "" for none. at: index of the token where the cue begins.
    """

    kind: str
    at: int
    starts_sentence: bool
    starts_line: bool


class NameContext:
    """Looks around a name in the tokens of a text."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._cues: Mapping[str, frozenset[str]] = gazetteer.cues
        self._conjunctions = gazetteer.language.words("conjunction")
        self._no_titles = gazetteer.language.words("no_title")
        by_end: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = defaultdict(list)
        for cue, kinds in self._cues.items():
            *before, end = pieces_of(cue)
            by_end[end].append((tuple(before), kinds))
        # Last word of a cue -> (the words before it, kinds), the longest phrase first.
        self._cues_by_end = {
            end: sorted(found, key=lambda f: (-len(f[0]), f[0])) for end, found in by_end.items()
        }
        self._titles = frozenset(
            key
            for key, title in gazetteer.titles.items()
            if title.position in ("pre", "mid")
            and title.category in ("academic", "clerical", "noble", "military", "legal")
        )

    def before(self, tokens: Sequence[Token], at: int) -> Before:
        """The cue in front of tokens[at]."""
        token = tokens[at]
        starts_line = token.gap.is_line
        starts_sentence = starts_line or at == 0 or (
            tokens[at - 1].text in _SENTENCE_STARTS and not self._is_abbreviation(tokens, at - 1)
        )  # fmt: skip
        if at == 0:
            return Before("", at, starts_sentence=True, starts_line=True)
        kind, cue_at = self._cue(tokens, at)
        if not kind and self._is_greeted_too(tokens, at):
            kind = "salutation"
        return Before(kind, cue_at, starts_sentence=starts_sentence, starts_line=starts_line)

    def _is_greeted_too(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether one name of a greeting stands before this word: "Beste Frits en Door,"."""
        if at < 3 or tokens[at].gap is not Gap.SPACE or tokens[at - 1].gap not in (Gap.SPACE, Gap.NONE):
            return False
        if tokens[at - 1].text != "," and tokens[at - 1].key not in self._conjunctions:
            return False
        name = tokens[at - 2].facts
        if name is None or name.case is not Case.TITLE or tokens[at - 2].gap is not Gap.SPACE:
            return False
        kinds, start = self._kinds_ending(tokens, at - 3)
        return "salutation" in kinds and (start == 0 or tokens[start].gap.is_line)

    def _cue(self, tokens: Sequence[Token], at: int) -> tuple[str, int]:
        previous = tokens[at - 1]
        near = tokens[at].gap in (Gap.SPACE, Gap.NONE, Gap.WIDE)
        if tokens[at].gap is Gap.LINE and previous.is_word:
            near = True  # "mevrouw\nJansen"
        # Titles with their full stop: "prof. dr.", "mr."
        if near:
            back = at - 1 - (previous.text == "." and at > 1 and previous.gap is Gap.NONE)
            if tokens[back].is_word and (back == at - 1 or tokens[at - 1].text == "."):
                kinds, start = self._kinds_ending(tokens, back)
                if "courtesy" in kinds and not (tokens[at].gap is Gap.LINE and back != at - 1):
                    return "courtesy", start
                if back == at - 1:
                    for kind in ("signing", "role", "salutation", "closing", "attribution"):
                        if kind in kinds and tokens[at].gap in (Gap.SPACE, Gap.NONE):
                            return kind, start
                elif "signing" in kinds:
                    return "signing", start
                elif "role" in kinds and len(tokens[back].text) <= 4:
                    return "role", start
        if previous.text == ":" and at > 1 and tokens[at].gap is not Gap.NONE:
            kinds, start = self._kinds_ending(tokens, at - 2)
            if (
                tokens[at - 2].text == ")"
                and (opening := _opening_before(tokens, at - 2)) is not None
                and opening > 0
            ):
                kinds, start = self._kinds_ending(tokens, opening - 1)
            if kinds & {"label", "role", "signing", "closing", "courtesy"}:
                return "label", start
        # Closing on a line of its own, or with a comma: "Groet,\nJan", "Groeten, Jan".
        back = at - 1
        while back > 0 and tokens[back].text in (",", ".", "!", "-", "–"):
            back -= 1
        if tokens[back].is_word and (tokens[at].gap.is_line or back != at - 1):
            kinds, start = self._kinds_ending(tokens, back)
            if "closing" in kinds:
                return "closing", start
            if "signing" in kinds and tokens[at].gap.is_line and tokens[at - 1].text != ".":
                return "closing", start
        return "", at

    def _kinds_ending(self, tokens: Sequence[Token], last: int) -> tuple[frozenset[str], int]:
        """Kinds of the longest cue phrase that ends with tokens[last], and where it begins."""
        for pieces, kinds in self._cues_by_end.get(tokens[last].key, ()):
            first = last - len(pieces)
            if first >= 0 and all(tokens[first + n].key == piece for n, piece in enumerate(pieces)):
                inside_word = first > 0 and tokens[first].gap is Gap.NONE and tokens[first - 1].is_word
                if not inside_word:
                    return kinds, first
        facts = tokens[last].facts
        if facts is not None and facts.key in self._titles and facts.key not in self._no_titles:
            return frozenset({"role" if len(facts.key) > 5 else "courtesy"}), last
        return frozenset(), last

    @staticmethod
    def _is_abbreviation(tokens: Sequence[Token], at: int) -> bool:
        """Whether the full stop at this token belongs to an abbreviation: "nr.", "J."."""
        if tokens[at].text != "." or at == 0 or tokens[at].gap is not Gap.NONE:
            return False
        facts = tokens[at - 1].facts
        return facts is not None and (
            facts.case is Case.INITIAL
            or bool(facts.cues & {"courtesy"})
            or ("role" in facts.cues and facts.case is Case.LOWER and len(facts.key) <= 5)
            or (facts.is_title and len(facts.key) <= 5)
        )

    def speaks(self, tokens: Sequence[Token], after: int) -> bool:
        """Whether a verb follows that people do: "Jansen belde"."""
        if after >= len(tokens):
            return False
        facts = tokens[after].facts
        return (
            facts is not None and tokens[after].gap is Gap.SPACE
            and facts.case is Case.LOWER and "speech" in facts.cues
        )  # fmt: skip


def _opening_before(tokens: Sequence[Token], at: int) -> int | None:
    for back in range(at - 1, max(-1, at - 12), -1):
        if tokens[back].text == "(":
            return back
    return None


def separates_names(tokens: Sequence[Token], last: int, first: int, conjunctions: Collection[str]) -> bool:
    """Whether only a comma, "en", "&", a line end or the like stands between two names, tokens[last:first].

    A remark in brackets may follow the first: "Jansen (SP), Visser (VVD) en Bos".
    """
    if first < last:
        return False
    if last < first and tokens[last].text == "(":
        closing = next((at for at in range(last, min(first, last + 6)) if tokens[at].text == ")"), None)
        if closing is None:
            return False
        last = closing + 1
    between = tokens[last:first]
    if not between:
        return tokens[first].gap in (Gap.WIDE, Gap.TAB)
    if len(between) > 2 or any(token.gap is Gap.BLANK_LINE for token in between):
        return False
    return all(
        token.text in _ENUMERATION or (token.facts is not None and token.facts.key in conjunctions)
        for token in between
    )
