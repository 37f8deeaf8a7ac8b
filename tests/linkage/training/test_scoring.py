"""Scores of person spans."""

from linkage.training.scoring import score


def test_strict_scores_and_letters_that_stay() -> None:
    found = score(
        [("Abelo ziet Gralo", [{"start": 0, "end": 5}, {"start": 11, "end": 16}], [(0, 5), (6, 10)])]
    )
    assert (found.true_positives, found.found, found.gold) == (1, 2, 2)
    assert found.f(1) == found.precision == found.recall == found.letters_leaked == 1 / 2


def test_unsure_mentions_count_for_nothing() -> None:
    found = score([("Abelo", [{"start": 0, "end": 5, "unsure": True}], [(0, 3)])])
    assert (found.found, found.gold, found.f(1)) == (0, 0, 0.0)
