"""Words share a number exactly where they share a key of blocking."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.blocking import deletion_keys, sound_key
from linkage.blocking.key_hashes import hashed_keys

WORD = st.text("abdeijkst h", max_size=20)


def keys_of(word: str) -> set[str]:
    return {f"s{sound_key(word)}", *(f"d{left}" for left in deletion_keys(word))}


@given(st.lists(WORD, max_size=12))
def test_two_words_share_a_number_where_they_share_a_key(words: list[str]) -> None:
    hashes, owners = hashed_keys(words)
    numbers: list[set[int]] = [set() for _ in words]
    for number, owner in zip(hashes.tolist(), owners.tolist(), strict=True):
        numbers[owner].add(number)
    for left, there in zip(words, numbers, strict=True):
        assert len(there) == len(keys_of(left))
        for right, here in zip(words, numbers, strict=True):
            assert bool(there & here) is bool(keys_of(left) & keys_of(right))


@given(WORD, st.lists(WORD, max_size=5))
def test_a_word_has_the_same_numbers_in_whatever_company(word: str, others: list[str]) -> None:
    hashes, owners = hashed_keys([*others, word])
    assert set(hashes[owners == len(others)].tolist()) == set(hashed_keys([word])[0].tolist())


def test_letters_of_all_scripts_and_long_words_have_numbers() -> None:
    hashes, owners = hashed_keys(["\u017bubrowska", "\U00020000\ud800x", "a" * 300, ""])
    assert set(owners.tolist()) == {0, 1, 2, 3}
    assert len(hashes) == 4 + 4 + 9
