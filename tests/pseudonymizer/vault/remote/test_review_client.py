"""The review of runs through a service: each method is one question, and originals are never asked for."""

from typing import Any

import pytest

from linkage.records import DocumentId, LinkageResult
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.errors import ServiceError
from pseudonymizer.open_links import KeptDocument, KeptLinks, LinkedSource, OpenLinks, RunOutput
from pseudonymizer.vault.remote import review_messages as m
from pseudonymizer.vault.remote.messages import Nothing, WireVerb
from pseudonymizer.vault.remote.review_client import ReviewClient

OUTPUT = RunOutput(OutputDigest(b"d" * 32), DocumentId("d1"), DocumentId("s1"), "brief \udcff.txt")
LINKS = KeptLinks(
    LinkageResult((), ()), (KeptDocument(DocumentId("d1"), "Jan Tolsma.txt", 0, is_part=True),), 3, 1, 2
)


class Asking(ReviewClient):
    """A client whose service gives what the test says."""

    def __init__(self, given: Any) -> None:
        self.given, self.asked = given, list[tuple[str, Any]]()

    def ask(self, verb: WireVerb[Any, Any], asked: Any) -> Any:
        assert isinstance(asked, verb.asked)
        self.asked.append((verb.name, asked))
        return self.given


def test_what_a_result_leaves_is_sent_as_it_is() -> None:
    client = Asking(Nothing())
    found = OpenLinks((LinkedSource(DocumentId("s1")),))
    client.keep_open_links("p", found)
    assert client.asked == [("keep_open_links", m.KeepOpenLinks(project="p", found=found))]


def test_links_are_asked_for_by_outputs_and_come_back_as_records() -> None:
    client = Asking(m.SentLinks.of(LINKS))
    assert client.kept_links("p", [OUTPUT]) == LINKS
    ((verb, asked),) = client.asked
    assert verb == "kept_links"
    assert [one.output() for one in asked.outputs] == [OUTPUT]
    assert "Tolsma" not in repr(client.given)


def test_the_number_that_is_forgotten_comes_back() -> None:
    client = Asking(2)
    assert client.forget_open_links("p", [OUTPUT, OUTPUT]) == 2
    ((verb, asked),) = client.asked
    assert (verb, asked.project, len(asked.outputs)) == ("forget_open_links", "p", 2)


def test_an_original_is_refused_without_a_question() -> None:
    client = Asking(None)
    with pytest.raises(ServiceError, match="nymlink restore"):
        client.reviewed_rewrites("p", [b"d" * 32])
    assert client.asked == []
