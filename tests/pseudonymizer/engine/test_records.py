"""Records of the engine: silent about people, exact about places, and of the right kind of linker."""

from pathlib import Path

import pytest

from linkage.records import DocumentId, EntityId, PersonName, Span
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.engine.records import (
    AnalyzeTask,
    ComparingLinker,
    GivenFor,
    GivenMention,
    Label,
    LabelledPerson,
    PartPlaces,
    RenderTask,
    SourceRendered,
    WrittenPart,
)
from pseudonymizer.formats import Edit
from tests.pseudonymizer.batch_fakes import FakeLinker, FakePipeline
from tests.pseudonymizer.engine.records_by_hand import mention, part_found, source_found

NAME = "Jan Tolsma"
HERE, THERE = (GivenMention(Span(0, 10), NAME),), (GivenMention(Span(5, 15), NAME),)
GIVEN = GivenFor({"1": HERE}, {NAME: THERE})
FOUND = part_found(f"{NAME}, P?", [mention("d", NAME, NAME)], part_id="1", key=NAME, looks=[Span(12, 14)])
DOC = DocumentId("d")


def rendered(raw: bytes, part: WrittenPart | None = None) -> SourceRendered:
    edits = ((Edit("", 0, 1, NAME.encode()), EntityId("e1")),)
    return SourceRendered(DOC, "txt", raw, edits, "a.txt", 0, 0, 0.0, part=part)


@pytest.mark.parametrize(
    "record",
    [
        HERE[0],
        GIVEN,
        FOUND,
        FOUND.places,
        source_found("d", [FOUND], NAME.encode()),
        PartPlaces("", [], [(0, 10, NAME)]),
        AnalyzeTask(DOC, Path(NAME), NAME.encode(), GIVEN, NAME, NAME.encode()),
        RenderTask(
            DOC, Path(NAME), NAME, NAME.encode(), (Label("", Span(0, 10), NAME, None),), parts=Path(NAME)
        ),
        LabelledPerson(EntityId("e1"), "P1-A", (PersonName(given="Jan", family="Tolsma"),)),
        WrittenPart(Path(NAME), 1, NAME, OutputDigest(NAME.encode())),
        rendered(NAME.encode()),
    ],
    ids=lambda record: type(record).__name__,
)
def test_no_repr_tells_a_name(record: object) -> None:
    assert "Tolsma" not in repr(record)


def test_what_names_the_file_as_well_goes_before_an_id_that_several_files_may_give() -> None:
    assert GIVEN.of("1", NAME) == HERE
    assert GIVEN.of("2", NAME) == THERE
    assert GIVEN.of("2", "other") is None
    assert GIVEN.of("2", None) is None
    assert [bool(one) for one in (GIVEN, GivenFor({}), GivenFor({"1": ()}), GivenFor({}, {"x": ()}))] == [
        True, False, True, True,
    ]  # fmt: skip


def test_places_are_those_of_mentions_and_of_what_looks_like_a_label() -> None:
    (found,) = FOUND.mentions
    assert FOUND.places == PartPlaces(
        "1", [(0, 10, found.mention_id)], [(12, 14, "P?")], document=FOUND.document, unit=FOUND.document
    )


def test_the_size_of_an_output_is_told_wherever_its_bytes_are() -> None:
    part = WrittenPart(Path("x"), 7, "", OutputDigest(b"\0" * 32))
    assert (rendered(b"abc").size, rendered(b"", part).size) == (3, 7)


def test_a_linker_that_compares_single_names_is_told_from_one_that_does_not() -> None:
    class Comparing(FakeLinker):
        def compare_many(self) -> None: ...
        def explain(self) -> None: ...

    assert not isinstance(FakePipeline().linker, ComparingLinker)
    assert isinstance(Comparing(), ComparingLinker)
