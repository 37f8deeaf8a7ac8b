"""The mentions of a corpus: one document a text, in the order of its files, under the names of `detect`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from linkage.records import DocumentId
from pseudonymizer.answers import Failure, FoundDocument
from pseudonymizer.engine.engine import Source
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.judging import DocumentNames
from pseudonymizer.engine.records import AnalyzeTask, GivenFor, GivenMention, SourceFailure
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.engine.spelled import PATH_PART
from pseudonymizer.finding import (
    Search,
    corpus_sources,
    documents_of,
    found_documents,
    running_texts,
    texts_of,
)
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.units import Unit
from tests.pseudonymizer.batch_fakes import load_fake
from tests.pseudonymizer.engine.records_by_hand import mention, part_found, source_found

IDS = DocumentIds.of_one_look()
FILES = {
    "a.txt": b"Jan Tolsma en els.wiersma@post.nl",
    "b.jsonl": b'{"doc_id": "x", "text": "Els Mol"}\n{"text": "niets"}\n',
    "c Jitske Douma.txt": b"niets",
    "d.txt": b"ONTPLOFT",
    "Thumbs.db": b"",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name, raw in FILES.items():
        (tmp_path / name).write_bytes(raw)
    return tmp_path


class Counted:
    """A progress that remembers."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def begin(self, name: str, total: int, counted: str = "files") -> None:
        assert counted == "files and notes"
        self.told.append((name, total))

    def advance(self, count: int) -> None:
        self.told.append(count)

    def inside(self, count: int) -> None: ...

    def end(self) -> None:
        self.told.append("end")


def found(corpus: Path, **how: object) -> Iterator[FoundDocument]:
    search = replace(Search(load_fake, FormatOptions()), **how)  # type: ignore[arg-type]
    return found_documents(corpus_sources(find_sources([corpus]), IDS), search)


@pytest.mark.parametrize("workers", [1, 2])
def test_documents_come_in_the_order_of_the_files_with_any_number_of_workers(
    corpus: Path, workers: int
) -> None:
    shown = Counted()
    documents = list(found(corpus, workers=workers, progress=shown))
    assert [(one.name, [m.mention.surface for m in one.mentions]) for one in documents] == [
        ("a.txt", ["Jan Tolsma", "els.wiersma"]),
        ("x", ["Els Mol"]),
        ("b.jsonl#1", []),
        ("c Jitske Douma.txt", []),
        (f"c Jitske Douma.txt#{PATH_PART}", ["Jitske Douma"]),
        ("d.txt", []),
    ]
    assert [one.failure and one.failure.error for one in documents] == [None] * 5 + ["ZeroDivisionError"]
    assert [one.is_prose for one in documents] == [True, True, True, True, False, True]
    assert shown.told[0] == ("detect", 5)  # the lines of JSON are two notes
    assert sum(one for one in shown.told if isinstance(one, int)) == 5
    assert shown.told[-1] == "end"


def test_running_texts_are_without_paths_and_addresses(corpus: Path) -> None:
    kept = {one.name: [m.mention.surface for m in one.mentions] for one in running_texts(found(corpus))}
    assert kept == {
        "a.txt": ["Jan Tolsma"], "x": ["Els Mol"], "b.jsonl#1": [], "c Jitske Douma.txt": [], "d.txt": [],
    }  # fmt: skip


def test_texts_go_by_the_names_of_their_documents(corpus: Path) -> None:
    (corpus / "e.txt").write_bytes(b"\x89PNG\0\0")
    sources = find_sources([corpus])
    texts = texts_of(sources, FormatOptions())
    named = {one.name: one for one in found(corpus) if one.failure is None}
    assert named.keys() - texts.keys() == set()
    for name, document in named.items():
        assert [m.mention.span.cut(texts[name]) for m in document.mentions] == [
            m.mention.surface for m in document.mentions
        ]
    assert not any(name.startswith("e.txt") for name in texts)


def test_litter_is_no_source_and_given_mentions_go_to_their_file(corpus: Path) -> None:
    given = {"a.txt": (GivenMention(mention("d", "Jan", "Jan").mention.span, "Jan"),), "x": ()}
    sources = corpus_sources(find_sources([corpus]), IDS, given)
    assert [source.name for source in sources] == [name for name in FILES if name != "Thumbs.db"]
    by_name = {source.name: source.task.given for source in sources}
    assert by_name["a.txt"] == GivenFor({"": given["a.txt"]}, by_name["a.txt"].keys)  # type: ignore[union-attr]
    assert by_name["b.jsonl"] is not None
    assert by_name["b.jsonl"].of("0", "x") == ()
    assert all(source.place is None for source in sources)
    assert len({source.task.doc_id for source in sources}) == len(sources)


def source(name: str, unit: Unit | None = None) -> Source:
    return Source(AnalyzeTask(DocumentId("d"), Path("x"), unit=unit), name, None)


def test_why_a_source_has_no_documents_is_told_in_its_place() -> None:
    failure = SourceFailure(DocumentId("d"), "DocumentError", "line 3 is no JSON")
    assert list(documents_of(source("a.jsonl"), failure, DocumentNames())) == [
        FoundDocument("a.jsonl", (), failure=Failure("DocumentError", "line 3 is no JSON"))
    ]


def test_a_document_of_a_unit_is_named_by_its_place() -> None:
    one = source_found("d", [part_found("niets", part_id="7")])
    names = [next(documents_of(source("a.jsonl", unit), one, DocumentNames())).name
             for unit in (None, Unit(1, 0, 5, 7, "jsonl"))]  # fmt: skip
    assert names == ["a.jsonl", "a.jsonl#7"]


def test_mentions_outside_running_text_all_count_as_spelled() -> None:
    text = "Els Mol"
    (document,) = documents_of(
        source("a.eml"),
        source_found("d", [part_found(text, [mention("d", text, text)], part_id="technical")]),
        DocumentNames(),
    )
    assert not document.is_prose
    assert document.spelled == {document.mentions[0].mention_id}
