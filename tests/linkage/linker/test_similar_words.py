"""Words that are spelt or sound alike are found, whenever they came."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.blocking import deletion_keys, sound_key
from linkage.linker import similar_words
from linkage.linker.similar_words import SimilarWords

WORDS = st.lists(st.text("abdeijkst", min_size=1, max_size=9), max_size=30)


def share_a_key(left: str, right: str) -> bool:
    alike = set(deletion_keys(left)) & set(deletion_keys(right))
    return bool(alike) or sound_key(left) == sound_key(right)


@given(WORDS, WORDS, st.text("abdeijkst", min_size=1, max_size=9))
def test_exactly_the_words_that_share_a_key_are_like_one(
    first: list[str], later: list[str], word: str
) -> None:
    words = SimilarWords()
    for one in first:
        words.add(one)
    words.like("jansen")  # gives the first their keys
    for one in later:
        words.add(one)
    assert words.like(word) == {word, *(one for one in (*first, *later) if share_a_key(one, word))}


def test_words_move_into_columns_and_are_found_as_before(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(similar_words, "_MOST_FRESH", 3)
    words = SimilarWords()
    for number, one in enumerate(("bakker", "backer", "dekker", "kok", "bekker", "smit", "smid", "jansen")):
        words.add(one)
        assert words.like(one) >= {one}
        assert len(words) == number + 1
    assert words.like("bakker") == {"bakker", "backer", "bekker"}
