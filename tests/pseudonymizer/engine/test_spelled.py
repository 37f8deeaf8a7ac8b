"""Names that an address, a path or a technical field spells out, as mentions with a name of their own."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Detector, Document, DocumentId, EntityId, KindId, PersonName, Span
from pseudonymizer.engine.spelled import (
    in_document,
    owner_part,
    path_mentions,
    path_parts,
    path_text,
    path_values,
    spelled_mentions,
    with_spelled_names,
)
from pseudonymizer.formats import PartRole, TextPart
from tests.pseudonymizer.batch_fakes import FakeLists
from tests.pseudonymizer.engine.records_by_hand import mention

LISTS = FakeLists()
DOC = DocumentId("d")
ENTITY = EntityId("e1")
words = st.sampled_from(["jitske.wiersma", "@post.nl", " ", "Douma", "_", "Els", ".txt", "jan", "kamer 12"])


def test_mentions_keep_clear_of_what_is_taken() -> None:
    document = Document(DOC, "jitske.wiersma@voorbeeld.example")
    (found,), names = spelled_mentions(document, LISTS)
    assert (found.surface, names[found.mention_id].family) == ("jitske.wiersma", "Wiersma")
    assert (found.detector, found.confidence) == (Detector.LIST, 0.9)
    assert spelled_mentions(document, LISTS, taken=[Span(0, 6)]) == ([], {})


def test_a_technical_field_names_people_where_running_text_needs_a_sign() -> None:
    document = Document(DOC, "lijst_Douma")
    assert spelled_mentions(document, LISTS) == ([], {})
    (found,), _ = spelled_mentions(document, LISTS, technical=True)
    assert found.surface == "Douma"


@given(st.lists(words, max_size=6).map("".join), st.integers(0, 30), st.integers(1, 12), st.booleans())
def test_mentions_are_in_order_with_one_name_each_and_clear_of_each_other_and_of_what_is_taken(
    text: str, start: int, length: int, is_path: bool
) -> None:
    document = Document(DOC, text)
    taken = [Span(start, start + length)]
    if is_path:
        found, names = path_mentions(document, LISTS, taken=taken)
    else:
        found, names = spelled_mentions(document, LISTS, taken=taken, technical=True)
    spans = [one.span for one in found]
    assert spans == sorted(spans)
    everything = [*taken, *spans]
    assert not any(a.overlaps(b) for n, a in enumerate(everything) for b in everything[n + 1 :])
    assert names.keys() == {one.mention_id for one in found}
    assert len(names) == len(found)


def test_a_mention_in_an_identifier_has_the_name_that_was_read_there() -> None:
    text = "els.wiersma@post.nl en Jan Tolsma"
    spelled, plain = mention("d", text, "els.wiersma"), mention("d", text, "Jan Tolsma")
    name = PersonName(given="Els", family="Wiersma")
    assert with_spelled_names([spelled, plain], {spelled.mention_id: name}) == [
        replace(spelled, name=name), plain,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("part_id", "owner"), [("3/technical", "3"), ("technical", ""), ("sheet/2/technical", "sheet/2")]
)
def test_technical_fields_belong_to_their_text(part_id: str, owner: str) -> None:
    assert owner_part(TextPart(part_id, "x", PartRole.TECHNICAL)) == owner


def test_what_a_header_says_is_said_in_the_message() -> None:
    header = mention("d#3/technical", "Els Douma", "Els Douma")
    (moved,) = in_document(Document(DocumentId("d#3"), ""), [header])
    assert moved.mention.doc_id == "d#3"
    assert (moved.mention_id, moved.mention.span) == (header.mention_id, header.mention.span)


def test_paths_read_like_addresses() -> None:
    assert path_text("Map A/Brief\nEls.docx") == "Map A.txt\nBrief Els.docx.txt"


def test_a_name_in_a_path_is_read_as_it_stands_there() -> None:
    document = Document(DOC, path_text("Jitske  Wiersma/x.txt"))
    (found,), names = path_mentions(document, LISTS)
    assert found.surface == "Jitske  Wiersma"
    assert names[found.mention_id].family == "Wiersma"


def test_a_path_may_have_the_family_name_first() -> None:
    (found,), names = path_mentions(Document(DOC, path_text("Wiersma, Jitske.txt")), LISTS)
    assert found.surface == "Wiersma, Jitske"
    assert names[found.mention_id] == PersonName(given="Jitske", family="Wiersma")


def test_places_in_a_path_are_told_by_part() -> None:
    text = path_text("Els/brief van Els.txt")
    first, second = Span(0, 3), Span(text.rindex("Els"), text.rindex("Els") + 3)
    assert path_parts([(second, ENTITY), (first, ENTITY)], "Els/brief van Els.txt") == {
        0: [(Span(0, 3), ENTITY)],
        1: [(Span(10, 13), ENTITY)],
    }


parts_of_paths = st.text("aE .-\n", min_size=1, max_size=5).filter(lambda part: part not in {".", ".."})


@given(st.lists(parts_of_paths, min_size=1, max_size=4), st.data())
def test_a_place_in_the_text_of_a_path_is_the_same_place_in_its_part(
    parts: list[str], data: st.DataObject
) -> None:
    relative = "/".join(parts)
    number = data.draw(st.integers(0, len(parts) - 1))
    start = data.draw(st.integers(0, len(parts[number]) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(parts[number]))))
    before = path_text("/".join(parts[:number])) + "\n" if number else ""
    in_text = Span(span.start + len(before), span.end + len(before))
    assert PurePosixPath(relative).parts == tuple(parts)
    assert in_text.cut(path_text(relative)) == span.cut(parts[number]).replace("\n", " ")
    assert path_parts([(in_text, ENTITY)], relative) == {number: [(span, ENTITY)]}


def test_values_in_a_path_stand_in_its_text_without_names_of_files() -> None:
    document = Document(DOC, path_text("map/BSN_295755131 info@post.nl.eml"))
    found = {value.kind: value for value in path_values(document, [])}
    assert set(found) == {"NATIONAL_ID", "EMAIL"}
    assert all(value.mention.span.cut(document.text) in document.text for value in found.values())
    assert found[KindId("EMAIL")].mention.span.cut(document.text) == "info@post.nl"
    taken = [found[KindId("EMAIL")].mention.span]
    assert [value.kind for value in path_values(document, [], taken=taken)] == ["NATIONAL_ID"]
