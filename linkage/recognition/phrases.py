"""Exact phrases of the user: names to add, words that are always or never a name."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from linkage.errors import GazetteerError, why_unread
from linkage.gazetteer import lookup_key
from linkage.pieces import Gap
from linkage.recognition.name_tokens import Token


def read_phrases(path: Path, *, what: str) -> tuple[str, ...]:
    """One phrase a line, UTF-8; empty lines and lines that begin with # are passed over.

    Raises:
        GazetteerError: if the file cannot be read; what says which list it is.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GazetteerError(
            f"the {what} cannot be read: {why_unread(error)}; it must be text in UTF-8"
        ) from None
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


class PhraseMatcher:
    """Finds phrases in tokens, longest first, ignoring case, accents and what stands between the words.

    The words of a phrase are the keys of a hash table by its first word: a text costs one look-up a word.
    """

    def __init__(self, phrases: Mapping[tuple[str, ...], frozenset[str]]) -> None:
        """phrases: folded words -> whatever the finder wants back."""
        by_first: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = defaultdict(list)
        for words, values in phrases.items():
            if words:
                by_first[words[0]].append((words, values))
        self._by_first = {
            first: tuple(sorted(found, key=lambda entry: (-len(entry[0]), entry[0])))
            for first, found in by_first.items()
        }

    @classmethod
    def of(cls, phrases: Iterable[str]) -> "PhraseMatcher":
        return cls({phrase_words(phrase): frozenset() for phrase in phrases})

    def __len__(self) -> int:
        return sum(len(found) for found in self._by_first.values())

    def find(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int, frozenset[str]]]:
        """(first token, token after the last, values) of each phrase, not overlapping."""
        if not self._by_first:
            return
        at = 0
        while at < len(tokens):
            facts = tokens[at].facts
            found = self._by_first.get(facts.key if facts is not None else tokens[at].text)
            step = 1
            for words, values in found or ():
                last = self._matched(tokens, at, words)
                if last is not None:
                    yield at, last, values
                    step = last - at
                    break
            at += step

    @staticmethod
    def _matched(tokens: Sequence[Token], at: int, words: tuple[str, ...]) -> int | None:
        for position, word in enumerate(words):
            while position and at < len(tokens) and tokens[at].text in ".-'’" and tokens[at].text != word:
                at += 1
            if at >= len(tokens) or (position and tokens[at].gap in (Gap.BLANK_LINE, Gap.TAB)):
                return None
            facts = tokens[at].facts
            if (facts.key if facts is not None else tokens[at].text) != word:
                return None
            at += 1
        return at


def phrase_words(phrase: str) -> tuple[str, ...]:
    """The folded words of a phrase, as PhraseMatcher takes them."""
    cleaned = "".join(letter if letter.isalnum() else " " for letter in lookup_key(phrase))
    return tuple(cleaned.split())
