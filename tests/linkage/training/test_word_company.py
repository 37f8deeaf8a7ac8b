"""Vectors by what words stand beside."""

import numpy as np

from linkage.training.word_company import company_vectors

TEXT = [
    token
    for _ in range(6)
    for line in (
        "the cat sleeps now .", "the dog sleeps now .", "a cat eats fish .", "a dog eats fish .",
        "we go to Paris by train .", "they go to Rome by train .",
    )
    for token in line.split()
]  # fmt: skip
WORDS = ["cat", "dog", "paris", "rome", "unseen"]


def test_words_in_like_company_are_alike() -> None:
    vectors = company_vectors([TEXT], WORDS, width=8)
    assert vectors.shape == (5, 8)
    cat, dog, paris, rome, _ = vectors
    assert cat @ dog > cat @ paris
    assert paris @ rome > rome @ dog


def test_a_word_that_the_texts_hardly_have_gets_zeros() -> None:
    vectors = company_vectors([TEXT, ["unseen", "cat"]], WORDS, width=8)
    assert not vectors[4].any()
    assert np.linalg.norm(vectors[0]) > 0


def test_the_same_texts_give_the_same_vectors() -> None:
    first, second = (company_vectors([TEXT], WORDS, width=8) for _ in range(2))
    assert np.array_equal(first, second)


def test_texts_too_short_for_the_width_fill_with_zeros() -> None:
    assert not company_vectors([["cat"]], WORDS, width=8).any()
    assert company_vectors([], WORDS, width=3).shape == (5, 3)
