"""Parts of gold."""

import pytest

from linkage.errors import GoldFormatError
from linkage.training.gold import Gold, GoldDocument
from linkage.training.labels import PERSON
from linkage.training.parts import divided, is_held_out
from linkage.training.windows import TextWithSpans


def document(number: int) -> GoldDocument:
    return GoldDocument(TextWithSpans(f"d{number}", "Abelo", [(0, 5, PERSON)]), None)


def test_a_document_given_several_times_trains_as_often_and_measures_once() -> None:
    once = [document(number) for number in range(100)]
    parts, twice = (divided(Gold(tuple(found), False, 0), 5) for found in (once, once * 2))
    assert len(parts.training) + len(parts.tuning) + len(parts.held) == 100
    assert len(twice.training) == 2 * len(parts.training)
    assert (len(twice.tuning), len(twice.held)) == (len(parts.tuning), len(parts.held))
    assert all(is_held_out(one.marked.doc_id, 5) for one in twice.held)


def test_nothing_is_held_out_of_a_training_that_keeps_all() -> None:
    assert not any(is_held_out(f"d{number}", 0) for number in range(50))


def test_gold_without_a_person_for_choosing_is_too_small() -> None:
    with pytest.raises(GoldFormatError, match="too small"):
        divided(Gold((document(0),), False, 0), 0)
