from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from linkage.pieces import CutText
from linkage.recognition.name_slots import NameSlots, token_places

TABLE = {"LC zag": 1.0, "LC zag ¶": 2.0, "Ll zag": 3.0, "RC belt": 4.0, "LC ¶¶ ¶¶": 5.0, "RC #": 6.0}


def slot_tokens(text: str) -> list[str]:
    return [key for _, _, key in token_places(CutText.of(text))]


def score(side: str, text: str, start: int, end: int) -> float:
    return NameSlots(TABLE, CutText.of(text)).score(side, start, end)


def test_words_figures_and_line_ends_are_tokens() -> None:
    assert slot_tokens("Zag É. 12\n\nfoto's") == ["zag", "e", ".", "#", "¶", "fotos"]


def test_the_pair_goes_before_the_nearest_word_alone() -> None:
    assert score("L", "toen zag Kees", 9, 13) == 1.0
    assert score("L", "toen\nzag Kees", 9, 13) == 2.0
    assert score("L", "toen zag kees", 9, 13) == 3.0
    assert score("R", "Kees belt nu", 0, 4) == 4.0
    assert score("L", "Kees belt nu", 0, 4) == 5.0
    assert score("R", "Kees 06-12", 0, 4) == 6.0
    assert score("R", "Kees zegt", 0, 4) == 0.0


@given(st.text())
def test_places_cut_the_tokens_out(text: str) -> None:
    places = list(token_places(CutText.of(text)))
    assert all(start < end <= following for (start, end, _), (following, _, _) in pairwise(places))


class Noted(dict[str, float]):
    """A table that knows nothing, and notes what is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get(self, key: str, default: float | None = None) -> float | None:  # type: ignore[override]
        self.asked.append(key)
        return default


@given(st.text("ab1'’ \n.,é_", min_size=1, max_size=90), st.data())
def test_the_two_tokens_beside_a_span_are_asked_for(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    left, right = Noted(), Noted()
    NameSlots(left, CutText.of(text)).score("L", start, end)
    NameSlots(right, CutText.of(text)).score("R", start, end)
    places = list(token_places(CutText.of(text)))
    before = [key for _, behind, key in places if behind <= start]
    after = [key for first, _, key in places if first >= end]
    # A token that the span cuts: what is left of it.
    for first, behind, _ in places:
        before += slot_tokens(text[first:start]) if first < start < behind else []
        after[:0] = slot_tokens(text[end:behind]) if first < end < behind else []
    before, after = [*before[:-3:-1], "¶¶", "¶¶"], [*after[:2], "¶¶", "¶¶"]
    case = "C" if text[start].isupper() else "l"
    assert left.asked == [f"L{case} {before[0]} {before[1]}", f"L{case} {before[0]}"]
    assert right.asked == [f"R{case} {after[0]} {after[1]}", f"R{case} {after[0]}"]
