"""Texts that the network reads ahead: in one go, each told once, and forgotten with the next."""

from collections.abc import Sequence

from linkage.recognition.read_ahead import ReadAhead
from linkage.records import Document, DocumentId, RecognizedText, Span


class Counting:
    """A network that says how long a text is, and notes what it was asked together."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def recognize(self, documents: Sequence[Document]) -> tuple[RecognizedText, ...]:
        self.asked.append([one.text for one in documents])
        return tuple(
            RecognizedText(one.doc_id, (Span(0, len(one.text)),), (), (), (), ()) for one in documents
        )


def documents(*texts: str, name: str = "d") -> list[Document]:
    return [Document(DocumentId(f"{name}{number}"), text) for number, text in enumerate(texts)]


def test_what_was_read_ahead_is_not_read_again_and_has_the_asked_document() -> None:
    network = Counting()
    ahead = ReadAhead(network)
    ahead.read(documents("Jan", "Els en Bram"))
    found = ahead.recognize(documents("Els en Bram", "nieuw", "Jan", name="other"))
    assert network.asked == [["Jan", "Els en Bram"], ["nieuw"]]
    assert [one.doc_id for one in found] == ["other0", "other1", "other2"]
    assert [one.sentences[0].end for one in found] == [11, 5, 3]
    assert found == Counting().recognize(documents("Els en Bram", "nieuw", "Jan", name="other"))


def test_it_forgets_and_shows_no_text() -> None:
    network = Counting()
    ahead = ReadAhead(network)
    ahead.read(documents("Jan", "Els"))
    assert repr(ahead) == "ReadAhead(2 texts)"
    ahead.read(())
    ahead.recognize(documents("Jan"))
    assert network.asked == [["Jan", "Els"], ["Jan"]]
    assert repr(ahead) == "ReadAhead(0 texts)"
