"""Lines of JSON about mentions: what `detect` writes, `run --mentions` reads; names of people in both."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.detection import value_mentions
from linkage.errors import DocumentError
from linkage.kinds import Kinds
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    FormLink,
    LinkageResult,
    LinkDecision,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)
from pseudonymizer.answers import Failure, FoundDocument
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.mention_lines import given_mentions, link_lines, mention_line
from tests.fakes import linkage_result

TEXT = "Jan Tolsma belde; Jan en Els Kok"


@st.composite
def mentions(draw: st.DrawFn) -> Mention:
    start = draw(st.integers(0, len(TEXT) - 1))
    return Mention.at(
        Document(DocumentId("d"), TEXT),
        Span(start, draw(st.integers(start + 1, len(TEXT)))),
        detector=draw(st.sampled_from(Detector)),
        confidence=draw(st.integers(0, 10_000)) / 10_000,
        typo_of=draw(st.none() | st.just("Tolsma")),
        person_id=draw(st.none() | st.just("7")),
    )


@given(st.text(), st.lists(mentions(), max_size=4))
def test_what_is_written_is_read_again(name: str, found: list[Mention]) -> None:
    document = FoundDocument(name, tuple(NormalizedMention(one, PersonName()) for one in found))
    line = json.loads(json.dumps(mention_line(document)))
    assert [fields.get("person_id") for fields in line["mentions"]] == [one.person_id for one in found]
    assert given_mentions([line]) == {
        name: tuple(
            GivenMention(one.span, one.surface, one.detector, one.confidence, one.typo_of) for one in found
        )
    }


def test_a_line_has_the_kinds_that_are_asked_for_in_the_order_of_the_text() -> None:
    text = "Jan Tolsma, BSN 295755131, jan.tolsma@post.example"
    document = Document(DocumentId("d"), text)
    values = value_mentions(document)
    persons = tuple(
        NormalizedMention(Mention.at(document, span, detector=Detector.NER, confidence=1.0), PersonName())
        for span in (Span(0, 10), Span(27, 37))
    )
    found = FoundDocument("d", persons, values=values)

    def kinds_of(kinds: str) -> list[str]:
        line = mention_line(found, kinds=Kinds.load().chosen(kinds))
        return [fields["kind"] for fields in line["mentions"]]

    assert kinds_of("person") == ["PERSON", "PERSON"]
    assert kinds_of("id") == ["NATIONAL_ID"]
    assert kinds_of("all") == ["PERSON", "NATIONAL_ID", "EMAIL", "PERSON"]
    (given_again,) = given_mentions([mention_line(found, kinds=Kinds.load().chosen("all"))]).values()
    assert [(one.kind, one.text) for one in given_again][1] == ("NATIONAL_ID", "295755131")


def test_a_document_that_could_not_be_read_is_told_and_left_out_again() -> None:
    line = mention_line(FoundDocument("a.txt", (), failure=Failure("DocumentError", "no text")))
    assert line == {"doc_id": "a.txt", "error": "DocumentError", "reason": "no text"}
    assert given_mentions([line]) == {}


def test_a_mention_tells_who_is_meant_where_that_is_known() -> None:
    result = linkage_result(
        {"d": TEXT}, [[("d", "Jan Tolsma")], [("d", "Els Kok")], [("d", "Jan")]],
        known={0: "e7"}, candidates={2: (0, 1)},
    )  # fmt: skip
    line = mention_line(FoundDocument("d", result.mentions), result)
    assert [{k: m[k] for k in ("identity", "entity", "candidates") if k in m} for m in line["mentions"]] == [
        {"identity": "i0", "entity": "e7"}, {"identity": "i1"},
        {"identity": "i2", "candidates": ["i0", "i1"]},
    ]  # fmt: skip
    assert "identity" not in mention_line(FoundDocument("d", result.mentions))["mentions"][0]


def test_what_is_not_given_is_as_a_person_means_it() -> None:
    (only,) = given_mentions([{"doc_id": 7, "mentions": [{"start": 0, "end": 3, "text": "Jan"}]}])["7"]
    assert only == GivenMention(Span(0, 3), "Jan", Detector.REGISTRY, 1.0, None)


@pytest.mark.parametrize(
    "line",
    [
        {"mentions": []},
        {"doc_id": "d"},
        {"doc_id": "d", "mentions": [{"start": 0, "end": 10}]},
        {"doc_id": "d", "mentions": [{"start": "Tolsma", "end": 10, "text": "Jan Tolsma"}]},
        {"doc_id": "d", "mentions": [{"start": 5, "end": 5, "text": ""}]},
        {"doc_id": "d", "mentions": [{"start": 0, "end": 3, "text": "Jan", "detector": "Tolsma"}]},
        {"doc_id": "d", "mentions": ["Jan Tolsma"]},
        {"doc_id": "d", "mentions": 3},
    ],
)
def test_a_line_of_another_form_is_refused_by_its_number(line: dict[str, object]) -> None:
    good = {"doc_id": "e", "mentions": []}
    with pytest.raises(DocumentError, match="line 2 of the given mentions") as error:
        given_mentions([good, line])
    assert "Tolsma" not in str(error.value)
    assert error.value.__suppress_context__  # the cause holds what stood in the line


def test_pairs_of_forms_are_lines_of_json_also_where_a_ratio_is_missing() -> None:
    links = (
        FormLink("Jan Bos", "J. Bos", 0.9, LinkDecision.LINK, "initials", 0.5),
        FormLink("Jan Bos", "Els Bos", 0.1, LinkDecision.NON_LINK, None, math.nan),
    )
    first, second = map(json.loads, map(json.dumps, link_lines(LinkageResult((), (), links))))
    assert first == {
        "left": "Jan Bos", "right": "J. Bos", "match_probability": 0.9, "decision": "LINK",
        "variant": "initials", "partial_ratio": 0.5,
    }  # fmt: skip
    assert (second["variant"], second["partial_ratio"]) == (None, None)
