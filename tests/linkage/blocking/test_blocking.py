"""Blocking: few pairs, and nearly all that matter."""

from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from linkage.blocking import BlockedForms, PartTable, deletion_keys, divided_keys, sharing_pairs, sound_key
from linkage.blocking.forms import LARGEST_MEETING, neighbours, word_keys
from linkage.blocking.pairs import meeting_pairs
from linkage.records import PersonName

KEYS = st.lists(st.sets(st.sampled_from("abcdefg"), max_size=4), max_size=12)


def found_pairs(keys: Iterable[Iterable[str]], batch_pairs: int = 5) -> list[tuple[int, int]]:
    batches = sharing_pairs([list(k) for k in keys], batch_pairs=batch_pairs)
    return [pair for left, right in batches for pair in zip(left.tolist(), right.tolist(), strict=True)]


@given(KEYS)
def test_sharing_pairs_equals_the_obvious_version(keys: list[set[str]]) -> None:
    found = found_pairs(keys)
    assert sorted(found) == [(a, b) for a, b in combinations(range(len(keys)), 2) if keys[a] & keys[b]]


@given(KEYS)
def test_batches_change_nothing(keys: list[set[str]]) -> None:
    assert sorted(found_pairs(keys, 1)) == sorted(found_pairs(keys, 10_000))


def test_large_blocks_are_divided_and_small_ones_kept() -> None:
    keys = [["big"] for _ in range(6)] + [["small"], ["small"]]
    divided = divided_keys(keys, [lambda n: (str(n % 2),)], max_block_size=4)
    assert len({key for found in divided[:6] for key in found}) == 2
    assert divided[6:] == [["small"], ["small"]]


@given(KEYS, st.integers(1, 5))
def test_dividing_loses_no_pair_but_of_other_divisions(keys: list[set[str]], largest: int) -> None:
    divided = divided_keys(keys, [lambda n: (str(n % 2),)], max_block_size=largest)
    shared = found_pairs(keys)
    sizes = {key: sum(key in found for found in keys) for key in "abcdefg"}
    expected = {
        (a, b) for a, b in shared if a % 2 == b % 2 or any(sizes[k] <= largest for k in keys[a] & keys[b])
    }
    assert set(found_pairs(divided)) == expected


def test_a_block_that_cannot_be_divided_is_kept_whole() -> None:
    divided = divided_keys([["big"]] * 5, [lambda _: ()], max_block_size=2)
    assert len(found_pairs(divided)) == 10


@pytest.mark.parametrize(
    ("left", "right"), [("meijer", "meyer"), ("philips", "filips"), ("schmidt", "smit"), ("dirks", "dirkx")]
)
def test_spellings_of_one_sound_share_a_key(left: str, right: str) -> None:
    assert sound_key(left) == sound_key(right)


@given(st.text("abcde", min_size=5, max_size=9), st.text("abcde", min_size=5, max_size=9))
def test_parts_one_edit_apart_share_a_deletion_key(left: str, right: str) -> None:
    if OSA.distance(left, right) <= 1:
        assert set(deletion_keys(left)) & set(deletion_keys(right))


def test_the_lexicon_proposes_what_spelling_does_not() -> None:
    table = PartTable(("bep", "elisabeth", "fenna"))
    variants = {"bep": {"elisabeth"}}

    def pairs(with_lexicon: bool) -> set[tuple[int, int]]:
        batches = table.candidate_pairs(lambda part: variants.get(part, set()) if with_lexicon else set())
        return {p for left, right in batches for p in zip(left.tolist(), right.tolist(), strict=True)}

    assert (0, 1) in pairs(with_lexicon=True)
    assert (0, 1) not in pairs(with_lexicon=False)


def test_forms_alike_in_both_parts_or_in_all_words_are_candidates() -> None:
    blocked = BlockedForms(
        [
            PersonName(given="Fenna", family="Woudstra"),
            PersonName(given="Fenna", family="Wuodstra"),
            PersonName(given="Woudstra", family="Fenna"),
            PersonName(given="Inge", family="Zandvliet"),
        ]
    )
    number = blocked.family.number_of
    similar = neighbours([(number["woudstra"], number["wuodstra"])])
    batches = blocked.candidate_pairs({}, similar)
    found = {p for left, right in batches for p in zip(left.tolist(), right.tolist(), strict=True)}
    assert {(0, 1), (0, 2)} <= found
    assert all(3 not in pair for pair in found)


PARTS = st.lists(st.lists(st.integers(0, 5), max_size=3), max_size=10)


@given(PARTS, st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda p: p[0] < p[1])))
def test_meeting_pairs_equal_the_obvious_version(
    holders_of: list[list[int]], alike: set[tuple[int, int]]
) -> None:
    expected: set[tuple[int, int]] = set()
    for one, other in alike:
        left = [n for n, parts in enumerate(holders_of) if one in parts]
        right = [n for n, parts in enumerate(holders_of) if other in parts]
        if len(left) * len(right) <= 6:
            expected |= {(min(a, b), max(a, b)) for a in left for b in right if a != b}
    batches = meeting_pairs(holders_of, neighbours(alike), largest=6, batch_pairs=4)
    found = {p for left, right in batches for p in zip(left.tolist(), right.tolist(), strict=True)}
    assert found == expected


def test_forms_with_one_similar_part_meet_where_few_have_it() -> None:
    def found(count: int) -> bool:
        names = [PersonName(given="Truus", family=f"Qarg{n}stra") for n in range(count)]
        names.append(PersonName(given="Geertruida", family="Zandvliet"))
        blocked = BlockedForms(names)
        number = blocked.given.number_of
        similar = neighbours([(number["truus"], number["geertruida"])])
        batches = blocked.candidate_pairs(similar, {})
        return any((0, count) in zip(left.tolist(), right.tolist(), strict=True) for left, right in batches)

    assert found(LARGEST_MEETING)
    assert not found(LARGEST_MEETING + 1)


def test_repr_shows_no_name() -> None:
    assert "woudstra" not in repr(PartTable(("woudstra",)))
    assert "Woudstra" not in repr(BlockedForms([PersonName(family="Woudstra")]))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (PersonName(given="Tjaw", family="Qho"), PersonName(given="Tjaw Qho", family="Kwibbel")),
        (PersonName(given="Olivra", family="Quibbel"), PersonName(given="Teresa", family="Olivera Quibbel")),
        (PersonName(given="Zoquet", family="Marlowinck"), PersonName(given="Ida", family="Marlowinkc")),
        (PersonName(given="Kwer", family="Burg"), PersonName(given="Olivra", family="Kwerbnrg")),
        (PersonName(given="Zoquet", family="Ha Ge"), PersonName(given="Ida", family="Hage")),
        (PersonName(given="Zoquet", family="Webb"), PersonName(given="Ida", family="Webbs")),
        (PersonName(given="Zoquet", family="Kwostermans"), PersonName(given="Kwosterrnanz", family="Tol")),
    ],
)
def test_words_meet_whatever_part_they_were_read_as(left: PersonName, right: PersonName) -> None:
    assert set(word_keys(left)) & set(word_keys(right))
