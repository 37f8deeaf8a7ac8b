from hypothesis import given
from hypothesis import strategies as st
from ner_training.stories import fold_of, story_of


def test_documents_of_a_story_and_their_copies_belong_together() -> None:
    assert story_of("o2-bel-01") == story_of("o2-bel-12~2") == "o2-bel"
    assert story_of("o2-clb-01") != story_of("o2-bel-01")
    assert story_of("o3-010~1") == story_of("o3-010") == "o3-010"


@given(st.from_regex(r"o2-[a-z]{3}", fullmatch=True), st.integers(0, 99), st.integers(0, 99))
def test_a_story_lies_in_one_fold(story: str, one: int, other: int) -> None:
    fold = fold_of(f"{story}-{one:02}", folds=6)
    assert 0 <= fold < 6
    assert fold == fold_of(f"{story}-{other:02}~1", folds=6)


def test_documents_are_spread_over_the_folds() -> None:
    assert {fold_of(f"c1-{n:03}", folds=6) for n in range(60)} == set(range(6))
