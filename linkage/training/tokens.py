"""Tokens by rule, in the manner of the treebanks, where no tokenizer is trained yet."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from linkage.training.numbers import words

_ELISION: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]+['’](?=[^\W\d_])")


def _no_clitic(text: str, start: int, end: int) -> bool:
    return not text[start:end]


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Words of a language that rules must know.

    abbreviations: in small letters, with the full stop that belongs to them. is_clitic(text, start, end):
    whether the apostrophe at start begins a short word. elisions: short words in small letters that lose
    their end before a vowel, with the straight apostrophe that ends them (dell', d'): each is a token.
    """

    abbreviations: frozenset[str] = frozenset()
    is_clitic: Callable[[str, int, int], bool] = _no_clitic
    elisions: frozenset[str] = frozenset()

    def elides(self, token: str) -> bool:
        """Whether the token is a word that the next one follows without a space."""
        return token.lower().replace("’", "'") in self.elisions

    def spaced(self, name: str) -> str:
        """The name with a space behind each short word that lost its end: D' Angelo."""
        ends = [match.end() for match in _ELISION.finditer(name) if self.elides(match[0])]
        return " ".join(name[start:end] for start, end in pairwise([0, *ends, len(name)]))


NO_WORDS: Final = TokenRules()


def rules_of(language: str) -> TokenRules:
    """The rules for texts in a language, as far as data/training.toml knows words of it."""
    return TokenRules(elisions=words("elisions", language))


_OPENING = "([{<\"'«»“”„‘’\u201a*_~|=+#"
_CLOSING = ")]}>\"'«»“”„‘’,;:!?*_~|=+#…"
_INITIALS = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+$")
_SPLIT_INSIDE = re.compile(r"(?<=[^\W\d_])[,:()](?=\w)|(?<=\w)/(?=\w)|[;|<>\[\]{}\"=“”«»]")
_HYPHENS = re.compile(r"(--+|—|–)")


def tokenize(text: str, rules: TokenRules = NO_WORDS) -> list[tuple[int, int]]:
    """Tokens as (start, end)."""
    tokens: list[tuple[int, int]] = []
    for match in re.finditer(r"\S+", text):
        tokens.extend(_split_chunk(text, *match.span(), rules))
    return tokens


def _split_chunk(text: str, start: int, end: int, rules: TokenRules) -> Iterator[tuple[int, int]]:
    while start < end and text[start] in _OPENING and not rules.is_clitic(text, start, end):
        yield start, start + 1
        start += 1
    tail: list[tuple[int, int]] = []
    while start < end:
        last = text[end - 1]
        if last == ".":
            chunk = text[start:end]
            if chunk.lower() in rules.abbreviations or _INITIALS.match(chunk) or set(chunk) == {"."}:
                break
        elif last not in _CLOSING:
            break
        tail.append((end - 1, end))
        end -= 1
    if start < end:
        chunk = text[start:end]
        if "@" in chunk or "://" in chunk or chunk.lower().startswith("www."):
            yield start, end
        else:
            elided = [one.end() for one in _ELISION.finditer(text, start, end) if rules.elides(one[0])]
            for part, stop in pairwise([start, *elided, end]):
                yield from _split_inside(text, part, stop)
    yield from reversed(tail)


def _split_inside(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for split in [*_SPLIT_INSIDE.finditer(text, start, end), *_HYPHENS.finditer(text, start, end)]:
        if split.start() > at:
            yield at, split.start()
        if split.start() >= at:
            yield split.start(), split.end()
            at = split.end()
    if at < end:
        yield at, end
