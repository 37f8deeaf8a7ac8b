"""Reviews over the socket: what arrives is what was sent, paths that are no Unicode included."""

import math

import msgspec
import pytest

from linkage.records import DocumentId
from pseudonymizer.errors import ServiceError
from pseudonymizer.open_links import KeptDocument, KeptLinks, LinkedSource, RunOutput
from pseudonymizer.runs.open_links import open_links_of
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote.review_messages import KeepOpenLinks, SentLinks, SentOutput
from tests.fakes import linkage_result

RESULT = linkage_result(
    {"a": "Jan Tolsma en J. Tolsma"}, [[("a", "Jan Tolsma")], [("a", "J. Tolsma")]], open_links=[(0, 1, 0.1)]
)
ODD = "map/b\udcff.txt"


def test_an_output_arrives_as_it_was_sent() -> None:
    output = RunOutput(bytes(range(32)), DocumentId("d"), DocumentId("s"), ODD)
    assert wire.decode(wire.encode(SentOutput.of(output)), SentOutput).output() == output


def test_an_output_that_is_none_is_refused() -> None:
    sent = SentOutput.of(RunOutput(bytes(32), DocumentId("d"), DocumentId("s"), "a"))
    for wrong in ({"digest": b"short"}, {"relative": b"\xff\xfe"}):
        with pytest.raises(ServiceError):
            msgspec.structs.replace(sent, **wrong).output()


def test_links_arrive_as_they_were_sent() -> None:
    kept = KeptLinks(RESULT, (KeptDocument(DocumentId("a"), ODD, 3, is_part=True),), 4, 2, 1)
    assert wire.decode(wire.encode(SentLinks.of(kept)), SentLinks).kept() == kept


def test_what_a_result_leaves_arrives_as_it_was_sent() -> None:
    found = open_links_of(RESULT, {DocumentId("a"): LinkedSource(DocumentId("s"), 2)}, ())
    sent = wire.decode(wire.encode(KeepOpenLinks(project="p", found=found)), KeepOpenLinks)
    assert sent.found == found
    assert not any(math.isnan(link.partial_ratio) for link in sent.found.links)
