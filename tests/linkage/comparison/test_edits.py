"""How one name is made of another: features of edits, and their learned weights."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.comparison.edits import BUCKETS, EDIT_SCORES, EditTable, EditWeights, edit_features
from linkage.errors import ModelDamagedError, ModelNotFoundError

WORDS = st.text(alphabet="abcdehjnst", min_size=1, max_size=9)
BEGIN, END = 0, 2


def _weights(*learned: tuple[tuple[str, str], float]) -> EditWeights:
    """Weights in which what pairs have, and pairs before them have not, counts something."""
    weights = np.zeros(BUCKETS, dtype=np.float32)
    for pair, weight in learned:
        for bucket, _ in edit_features(*pair):
            weights[bucket] = weight
    return EditWeights(weights, -1.0)


@given(WORDS, WORDS)
def test_the_order_of_two_names_never_matters(left: str, right: str) -> None:
    assert edit_features(left, right) == edit_features(right, left)


def test_an_ending_that_comes_and_goes_is_the_same_edit_in_every_name() -> None:
    first, second = (set(edit_features(*pair)) for pair in (("jan", "jantje"), ("kat", "kattje")))
    other = set(edit_features("jan", "janus"))
    assert len(first & second) > len(first & other)
    assert any(place == END for _, place in first & second)


def test_the_same_letters_dropped_at_the_beginning_and_at_the_end_are_two_edits() -> None:
    dropped = {
        pair: {bucket for bucket, at in edit_features(*pair) if at in (BEGIN, END)}
        - {bucket for bucket, _ in edit_features(pair[0], pair[0])}
        for pair in (("xx", "alxx"), ("zz", "alzz"), ("xx", "xxal"))
    }
    opening, again, closing = dropped.values()
    assert len(opening & again) > len(opening & closing)


def test_the_parts_of_a_score_add_up_to_the_whole() -> None:
    weights = _weights((("jan", "jantje"), 0.5), (("bert", "albert"), -0.3))
    pairs = [("jan", "jantje"), ("bert", "albert"), ("kees", "cornelis"), ("a", "b")]
    scores = weights.scores(EditTable(pairs))
    assert scores.shape == (4, len(EDIT_SCORES))
    assert scores[:, 1:-1].sum(axis=1) - 1.0 == pytest.approx(scores[:, 0], abs=1e-5)
    assert scores[0, 0] > scores[2, 0]


def test_a_score_depends_on_its_own_pair_alone() -> None:
    weights = _weights((("jan", "jantje"), 0.5), (("kees", "cornelis"), 0.25))
    together = weights.scores(EditTable([("jan", "jantje"), ("kees", "cornelis")]))
    for row, pair in enumerate((("jantje", "jan"), ("cornelis", "kees"))):
        assert weights.scores(EditTable([pair]))[0] == pytest.approx(together[row])


def test_no_pairs_have_no_scores() -> None:
    assert _weights().scores(EditTable([])).shape == (0, len(EDIT_SCORES))


def test_names_in_another_script_have_edits_too() -> None:
    assert edit_features("иван", "иванна")


def test_weights_are_read_as_they_were_rounded(tmp_path: Path) -> None:
    weights = _weights((("jan", "jantje"), 0.517), (("kees", "cornelis"), -0.3))
    weights.save(tmp_path / "edits.npz")
    table = EditTable([("jan", "jantje"), ("kees", "cornelis")])
    read = EditWeights.load(tmp_path / "edits.npz").scores(table)
    assert (read == weights.rounded().scores(table)).all()
    assert read == pytest.approx(weights.scores(table), abs=0.1)


def test_a_table_holds_no_name_in_its_representation() -> None:
    assert repr(EditTable([("jan", "jantje")])) == "EditTable(1 pairs)"


def test_weights_that_are_not_there_or_damaged_are_told(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError):
        EditWeights.load(tmp_path / "edits.npz")
    (tmp_path / "edits.npz").write_bytes(b"PK no table")
    with pytest.raises(ModelDamagedError):
        EditWeights.load(tmp_path / "edits.npz")
