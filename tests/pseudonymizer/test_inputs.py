"""What a Project takes, as sources: how each is named, where its output goes, and which id it has."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Document, DocumentId, Span
from pseudonymizer.engine.engine import Source
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.records import GivenFor, GivenMention
from pseudonymizer.inputs import ONE_TEXT, TextInput, TextInputs, sources_of

IDS = DocumentIds(DocumentId, b"secret")
GIVEN = (GivenMention(Span(0, 3), "Jan"),)
texts = st.sampled_from(["", "Jan", "Els", b"Jan", b"\xff"])
documents = st.builds(Document, st.sampled_from("ab").map(DocumentId), st.sampled_from(["Jan", "Els"]))
files = st.sampled_from([Path("a/x.txt"), Path("b/x.txt"), Path("a/X.txt"), Path("y.docx")])


def ids(sources: Sequence[Source]) -> list[str]:
    return [source.task.doc_id for source in sources]


def key(one: TextInput) -> object:
    """What makes an input itself: a text its bytes, a document its name, a file its place."""
    if isinstance(one, str):
        return one.encode()
    return one.doc_id if isinstance(one, Document) else one


@given(st.lists(st.one_of(texts, documents, files), max_size=8))
def test_ids_are_equal_for_equal_inputs_and_differ_for_others(inputs: list[TextInput]) -> None:
    found = sources_of(inputs, IDS)
    assert len(found) == len(inputs)
    assert ids(found) == ids(sources_of(inputs, IDS))
    named = [one for one in inputs if not isinstance(one, Document)]
    assert len(set(ids(sources_of(named, IDS)))) == len(named)  # equal texts of one call are two documents
    keys = dict(zip(ids(found), map(key, inputs), strict=True))
    assert all(keys[doc_id] == key(one) for doc_id, one in zip(ids(found), inputs, strict=True))


def test_equal_texts_of_one_call_are_counted() -> None:
    assert ids(sources_of(["Jan", "Els", b"Jan", "Jan"], IDS)) == [
        IDS.of_text(b"Jan"), IDS.of_text(b"Els"), IDS.of_text(b"Jan", 1), IDS.of_text(b"Jan", 2),
    ]  # fmt: skip


@given(texts, st.lists(texts, max_size=4))
def test_a_text_has_one_id_wherever_it_stands(text: str | bytes, others: list[str | bytes]) -> None:
    raw = text.encode() if isinstance(text, str) else text
    different = [one for one in others if (one.encode() if isinstance(one, str) else one) != raw]
    (alone,) = sources_of(text, IDS)
    assert sources_of([*different, text], IDS)[-1].task.doc_id == alone.task.doc_id


@pytest.mark.parametrize(
    ("inputs", "names", "places"),
    [
        ("Jan", [ONE_TEXT], ["-"]),
        (b"Jan", [ONE_TEXT], ["-"]),
        (["Jan"], ["text 1"], ["-"]),
        (["Jan", b"Els"], ["text 1", "text 2"], ["-", "-"]),
        (Document(DocumentId("row 7"), "Jan"), ["row 7"], ["-/row 7"]),
        (Path("map/brief.docx"), ["brief.docx"], [None]),
        ([Path("a/x.txt"), "Jan", Path("b/X.txt")], ["x.txt", "text 2", "b/X.txt"], [None, "-", None]),
        ([], [], []),
    ],
)
def test_each_input_has_its_name_and_its_place(
    inputs: TextInputs, names: list[str], places: list[str | None]
) -> None:
    found = sources_of(inputs, IDS)
    assert [source.name for source in found] == names
    assert [source.place for source in found] == places


def test_a_text_is_read_as_plain_text_and_a_file_where_it_lies() -> None:
    text, document, file = (
        source.task for source in sources_of(["één", Document(DocumentId("d"), "één"), Path("a/x.docx")], IDS)
    )
    assert (text.content, text.path.suffix, text.relative) == ("één".encode(), ".txt", "")
    assert (document.content, document.path.suffix, document.relative) == ("één".encode(), ".txt", "")
    assert (file.content, file.path, file.relative) == (None, Path("a/x.docx"), "x.docx")


def test_bytes_enter_the_ids_of_named_documents_and_files_which_may_change() -> None:
    found = sources_of(["Jan", Document(DocumentId("d"), "Jan"), Path("x.txt")], IDS)
    assert [source.task.content_key for source in found] == [b"", b"secret", b"secret"]


def test_text_that_is_no_unicode_is_taken_all_the_same() -> None:
    (source,) = sources_of("Jan \ud800", IDS)
    assert source.task.content == b"Jan \xed\xa0\x80"


def test_given_mentions_go_by_the_name_of_the_document() -> None:
    inputs: list[TextInput] = ["Jan", Document(DocumentId("row 7"), "Jan"), Path("x.txt"), "Els"]
    given_here = {"text 1": GIVEN, "row 7": [], "x.txt": GIVEN}
    found = [source.task.given for source in sources_of(inputs, IDS, given_here)]
    assert found == [GivenFor({"": GIVEN}), GivenFor({"": ()}), GivenFor({"": GIVEN}), None]
    assert [source.task.given for source in sources_of(inputs, IDS)] == [None] * 4
    assert sources_of("Jan", IDS, {ONE_TEXT: GIVEN})[0].task.given == GivenFor({"": GIVEN})


def test_no_repr_tells_a_text_or_a_name() -> None:
    inputs: list[TextInput] = ["Jan Tolsma", Path("Jan Tolsma.txt"), Document(DocumentId("d"), "Jan Tolsma")]
    in_silence = DocumentIds.of_one_look()
    assert "Tolsma" not in repr(sources_of(inputs, in_silence))
