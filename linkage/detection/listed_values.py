"""Texts of a list in a text: found by whole words, whatever their case, accents and blanks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Self

from linkage.gazetteer import lookup_key
from linkage.pieces import CutText, Gap, Shape
from linkage.texts import Span

_OF_WORDS: Final = frozenset({Shape.LETTERS, Shape.FIGURES})


@dataclass(slots=True)
class _Node:
    """A place in the tree of listed texts. is_end: a text ends here. further: by token, its blank before."""

    is_end: bool = False
    further: dict[tuple[str, bool], "_Node"] = field(default_factory=dict)


class ListedTexts:
    """Texts to be found again. A text costs one look-up a word, however long the list is."""

    def __init__(self) -> None:
        self._root = _Node()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        found = cls()
        for text in texts:
            node = found._root
            for token, _, _, has_blank in _tokens(text):
                node = node.further.setdefault((token, has_blank), _Node())
            node.is_end = node is not found._root
        return found

    def find(self, text: str) -> Iterator[Span]:
        """Where listed texts stand, in order and without overlap; of two that begin together the longer.

        A blank of a listed text is any number of blanks here, or the end of a line.
        """
        if not self._root.further:
            return
        tokens = list(_tokens(text))
        place = 0
        while place < len(tokens):
            end = self._end(tokens, place)
            if end == place:
                place += 1
                continue
            yield Span(tokens[place][1], tokens[end - 1][2])
            place = end

    def _end(self, tokens: list[tuple[str, int, int, bool]], first: int) -> int:
        """Number of the token behind the longest text that begins with the first; first if there is none."""
        node, end = self._root, first
        for number in range(first, len(tokens)):
            token, _, _, has_blank = tokens[number]
            following = node.further.get((token, has_blank and number > first))
            if following is None:
                break
            node = following
            if node.is_end:
                end = number + 1
        return end


def _tokens(text: str) -> Iterator[tuple[str, int, int, bool]]:
    """(folded word or sign, start, end, whether a blank stands before it) of a text; first: never a blank."""
    pieces, at, before = CutText.of(text).pieces, 0, 0
    while at < len(pieces):
        first = last = pieces[at]
        at += 1
        while at < len(pieces) and pieces[at].gap is Gap.NONE and {last.shape, pieces[at].shape} <= _OF_WORDS:
            last = pieces[at]
            at += 1
        yield lookup_key(text[first.start : last.end]), first.start, last.end, 0 < before < first.start
        before = last.end
