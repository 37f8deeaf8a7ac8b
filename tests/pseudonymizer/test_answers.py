"""What a Project answers: silent about names, told as JSON, and read like a list."""

import msgspec
import pytest

from linkage.records import DocumentId, EntityId, LinkageResult, Mention, MentionId, NormalizedMention, Span
from pseudonymizer.answers import (
    Failure,
    FoundDocument,
    LinkedDocuments,
    OpenLink,
    PseudonymizedDocument,
    PseudonymizedPerson,
    PseudonymizedTexts,
    ReplacedSpan,
)
from pseudonymizer.errors import UntreatedDocumentError
from tests.pseudonymizer.engine.records_by_hand import mention

NAME = "Jan Tolsma"


def document(failure: Failure | None = None, **left_in: int) -> PseudonymizedDocument:
    replaced = ReplacedSpan("", Span(0, 10), Span(0, 4), "P1-A", "person", EntityId("e1"))
    return PseudonymizedDocument(
        NAME, "P1-A.txt", "txt", NAME, NAME.encode(), (replaced,), left_in, {}, failure
    )


TEXTS = PseudonymizedTexts(
    (
        document(phone=1, date=2),
        document(Failure("DocumentError", "line 3 is no JSON"), phone=3),
        document(),
    ),
    (PseudonymizedPerson(EntityId("e1"), "P1-A", 2), PseudonymizedPerson(EntityId("e2"), None, 1)),
    (OpenLink(EntityId("e1"), EntityId("e2"), 0.5),),
)


def test_no_repr_tells_a_name() -> None:
    found = FoundDocument(NAME, (mention("d", NAME, NAME),))
    for record in (TEXTS, found, LinkedDocuments((found,), LinkageResult((), ()))):
        assert "Tolsma" not in repr(record)


@pytest.mark.parametrize(
    "record",
    [
        TEXTS,
        FoundDocument(NAME, (mention("d", NAME, NAME),), spelled=frozenset({MentionId("d@1")})),
        FoundDocument(NAME, (), failure=Failure("DocumentError", "no text")),
    ],
)
def test_records_come_back_from_json(record: object) -> None:
    assert msgspec.json.decode(msgspec.json.encode(record), type=type(record)) == record


def test_an_answer_is_read_like_a_list_of_its_documents() -> None:
    assert len(TEXTS) == 3
    assert list(TEXTS) == [TEXTS[0], TEXTS[1], TEXTS[2]] == list(TEXTS.documents)
    with pytest.raises(IndexError):
        TEXTS[3]


def test_counts_are_those_of_all_documents() -> None:
    assert TEXTS.left_in == {"phone": 4, "date": 2}
    assert TEXTS.failures == 1


def test_content_of_what_was_not_treated_is_refused_with_the_reason() -> None:
    assert TEXTS[0].checked_content() == NAME.encode()
    with pytest.raises(UntreatedDocumentError, match=r"^DocumentError: line 3 is no JSON$"):
        TEXTS[1].checked_content()


def test_a_found_document_is_running_text_unless_it_says_otherwise() -> None:
    one = NormalizedMention(
        Mention(MentionId("m"), DocumentId("d"), Span(0, 1), "J"), mention("d", NAME, NAME).name
    )
    found = FoundDocument("-", (one,))
    assert (found.is_prose, found.spelled, found.failure) == (True, frozenset(), None)
