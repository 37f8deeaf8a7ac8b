"""Requests in Presidio's form: bounded, silent about texts; fields without a meaning here pass by."""

from typing import Any, Final

import msgspec
import pytest

from pseudonymizer.desk import presidio_asked
from pseudonymizer.desk.asked import LONGEST_TEXT, MOST_TEXTS
from pseudonymizer.desk.presidio_asked import (
    OPERATORS,
    Analyze,
    Anonymize,
    Anonymized,
    EntityNames,
    ItemShown,
    ResultGiven,
    ResultShown,
    ResultsShown,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way, takes_what_it_does_not_know

NAME: Final = "Jan Tolsma"
GIVEN: Final = {"start": 0, "end": 10, "entity_type": "PERSON"}


def test_requests_pass_by_what_means_nothing_here() -> None:
    taken = set(takes_what_it_does_not_know(presidio_asked))
    assert taken == {"EntitiesOfPresidio"}  # of the others a field is missing, whatever else they have
    body = {"text": NAME, "language": "xx", "correlation_id": "1", "trace": True, "context": ["a"]}
    asked = msgspec.convert(body, Analyze)
    assert asked == Analyze(NAME, "xx")
    result = GIVEN | {"analysis_explanation": {"pattern": NAME}, "recognition_metadata": {}}
    asked_too = msgspec.convert({"text": NAME, "analyzer_results": [result], "conflict": 1}, Anonymize)
    assert asked_too.analyzer_results == (ResultGiven(0, 10, "PERSON", 1.0),)


def test_a_text_may_be_one_or_several() -> None:
    assert msgspec.convert({"text": NAME}, Analyze).text == NAME
    assert msgspec.convert({"text": [NAME, ""]}, Analyze).text == (NAME, "")


@pytest.mark.parametrize(
    "record",
    [
        Analyze(NAME, entities=(NAME,), ad_hoc_recognizers=({"deny_list": [NAME]},)),
        Anonymize(NAME, (ResultGiven(0, 10, "PERSON"),), {"PERSON": {"type": "replace", "new_value": NAME}}),
        Anonymized(NAME, (ItemShown(0, 10, "PERSON", NAME, "keep"),)),
        ItemShown(0, 10, "PERSON", NAME, "keep"),
        ResultsShown(((ResultShown(0, 10, 0.9, "PERSON"),), ())),
        EntityNames(("PERSON",)),
    ],
)
def test_a_record_comes_as_it_was_sent_and_shows_no_name(record: Any) -> None:
    assert is_the_same_after_its_way(record)
    assert "Tolsma" not in repr(record)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (Analyze, {}),
        (Analyze, {"text": []}),
        (Analyze, {"text": [NAME] * (MOST_TEXTS + 1)}),
        (Analyze, {"text": "x" * (LONGEST_TEXT + 1)}),
        (Analyze, {"text": NAME, "score_threshold": 1.1}),
        (Analyze, {"text": NAME, "score_threshold": -0.1}),
        (Analyze, {"text": NAME, "entities": ["E"] * 501}),
        (Analyze, {"text": NAME, "entities": [""]}),
        (Analyze, {"text": NAME, "language": ""}),
        (Anonymize, {"analyzer_results": []}),
        (Anonymize, {"text": [NAME]}),
        (Anonymize, {"text": NAME, "analyzer_results": [GIVEN | {"start": -1}]}),
        (Anonymize, {"text": NAME, "analyzer_results": [GIVEN | {"end": -1}]}),
        (Anonymize, {"text": NAME, "analyzer_results": [GIVEN | {"score": 2}]}),
        (Anonymize, {"text": NAME, "analyzer_results": [GIVEN | {"entity_type": ""}]}),
        (Anonymize, {"text": NAME, "analyzer_results": [{"start": 0, "end": 1}]}),
        (Anonymize, {"text": NAME, "anonymizers": {"PERSON": "mask"}}),
    ],
)
def test_what_is_out_of_bounds_is_refused_without_its_value(kind: Any, body: Any) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(body, kind)
    assert "Tolsma" not in str(caught.value)


def test_the_form_of_an_answer_is_presidios() -> None:
    assert msgspec.json.decode(msgspec.json.encode(ResultShown(0, 10, 0.9, "PERSON"))) == {
        "start": 0, "end": 10, "score": 0.9, "entity_type": "PERSON", "analysis_explanation": None,
    }  # fmt: skip
    assert msgspec.json.decode(msgspec.json.encode(ItemShown(0, 3, "PERSON", "X-1", "replace"))) == {
        "start": 0, "end": 3, "entity_type": "PERSON", "text": "X-1", "operator": "replace",
    }  # fmt: skip


def test_no_operator_is_one_that_runs_code() -> None:
    assert "custom" not in OPERATORS
    presidio = pytest.importorskip("presidio_anonymizer.operators")
    there = presidio.OperatorsFactory().get_anonymizers()
    assert set(OPERATORS) <= there.keys()
