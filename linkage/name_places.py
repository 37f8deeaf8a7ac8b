"""Where the parts of a name stand in what was written: one span a part."""

from collections.abc import Sequence
from dataclasses import dataclass

from linkage.person_name import PersonName, fold
from linkage.pieces import CutText, Shape
from linkage.texts import Span


@dataclass(frozen=True, slots=True)
class PartPlaces:
    """By part of a PersonName its span in the written name; None where it is absent or written otherwise.

    Of a part of several words ("Jan Willem") the span covers the first words that stand there. No two spans
    overlap.
    """

    given: Span | None = None
    initials: Span | None = None
    particle: Span | None = None
    family: Span | None = None
    partner_particle: Span | None = None
    partner_family: Span | None = None
    suffix: Span | None = None
    nickname: Span | None = None


def part_places(name: PersonName, written: str) -> PartPlaces:
    """The places of the parts of a name in the text that it was read from."""
    letters = _Letters(written)
    given, nickname = letters.place(_words(name.given)), letters.place(_words(name.nickname))
    family, partner = letters.place(_words(name.family)), letters.place(_words(name.partner_family))
    return PartPlaces(
        given,
        letters.place(list(fold(name.initials or ""))),
        letters.place(_words(name.particle), before=family),
        family,
        letters.place(_words(name.partner_particle), before=partner),
        partner,
        letters.place(_words(name.suffix)),
        nickname,
    )


def _words(part: str | None) -> list[str]:
    return fold(part).split() if part else []


class _Letters:
    """The folded letters of a text, each with its place; letters of a part that was found are taken."""

    def __init__(self, text: str) -> None:
        self._folded: list[str] = []
        self._places: list[int] = []
        self._begins: list[int] = []  # numbers of the letters that begin a word
        self._ends: set[int] = set()  # numbers of the letters that a word ends before
        self._taken: set[int] = set()
        for piece in CutText.of(text).pieces:
            if piece.shape is Shape.LETTERS:
                self._begins.append(len(self._folded))
                for place, letter in enumerate(piece.text, start=piece.start):
                    folded = fold(letter)
                    self._folded += folded
                    self._places += [place] * len(folded)
                self._ends.add(len(self._folded))

    def place(self, words: Sequence[str], before: Span | None = None) -> Span | None:
        """Where these folded words stand one behind the other, as many of them from the first as do.

        before: of several places, the last one that ends before this span.
        """
        for count in range(len(words), 0, -1):
            wanted = list("".join(words[:count]))
            found = [first for first in self._begins if self._stands(wanted, first)]
            if found:
                near = [n for n in found if before is not None and self._places[n] < before.start]
                first = near[-1] if near else found[0]
                last = first + len(wanted)
                self._taken.update(range(first, last))
                return Span(self._places[first], self._places[last - 1] + 1)
        return None

    def _stands(self, wanted: list[str], first: int) -> bool:
        last = first + len(wanted)
        is_whole = last in self._ends and self._folded[first:last] == wanted
        return is_whole and self._taken.isdisjoint(range(first, last))
