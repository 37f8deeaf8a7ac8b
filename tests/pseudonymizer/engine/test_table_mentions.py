"""Mentions in tables: chosen columns, columns of names, columns of other values."""

import pytest

from linkage.detection.values import value_mentions
from linkage.records import Detector, Document, DocumentId, Mention, Span
from linkage.texts import KindId
from pseudonymizer import formats
from pseudonymizer.engine.table_mentions import (
    in_chosen_columns,
    names_in_columns,
    untreated,
    values_in_columns,
    whole_names,
    without_other_kinds,
)
from pseudonymizer.formats import FormatOptions, TextPart
from tests.pseudonymizer.batch_fakes import FakeLists


def read(table: str, columns: tuple[str, ...] | None = None) -> tuple[Document, TextPart]:
    options = FormatOptions(columns=columns)
    (part,) = formats.read(table.encode(), name="a.csv", options=options).parts
    return Document(DocumentId("d"), part.text), part


def found(document: Document, *surfaces: str) -> list[Mention]:
    """A mention at every place of each."""
    spans = [
        Span(at, at + len(surface))
        for surface in surfaces
        for at in range(len(document.text))
        if document.text.startswith(surface, at)
    ]
    return [Mention.at(document, span, detector=Detector.NER, confidence=0.9) for span in sorted(spans)]


def surfaces(mentions: "list[Mention] | tuple[Mention, ...]") -> list[str]:
    return [mention.surface for mention in mentions]


def test_a_title_before_a_cell_is_no_mention_and_the_header_is() -> None:
    document, part = read("Jan Bos;Els Mol\nzegt;nee\nkomt;ja\n")
    assert surfaces(list(in_chosen_columns(found(document, "Jan Bos", "Els Mol"), part.columns))) == [
        "Jan Bos", "Els Mol",
    ]  # fmt: skip


def test_nothing_is_found_in_columns_that_were_not_chosen() -> None:
    document, part = read("wie;wat\nJan Bos;Els Mol\n", ("wat",))
    assert surfaces(list(in_chosen_columns(found(document, "Jan Bos", "Els Mol"), part.columns))) == [
        "Els Mol"
    ]
    assert [span.cut(document.text) for span in untreated(part)] == ["Jan Bos"]


def test_a_column_in_which_most_cells_are_names_is_one_of_names() -> None:
    rows = "wie;n\nJan Bos;1\nEls Mol;2\nKo Vos;3\nBrr Krk;4\nonbekend;5\n"
    document, part = read(rows)
    names = names_in_columns(document, found(document, "Jan Bos", "Els Mol", "Ko Vos"), part)
    assert names == ()  # three of five
    document, part = read(rows.replace("onbekend;5\n", ""))
    names = names_in_columns(document, found(document, "Jan Bos", "Els Mol", "Ko Vos"), part)
    assert [span.cut(document.text) for span in names] == ["Brr Krk"]


@pytest.mark.parametrize(
    ("cell", "seen", "told"),
    [
        ("Tara die Pelser", ("Tara", "Pelser"), ["Tara die Pelser"]),
        ("Colin Luit van Neustrië", ("Colin Luit",), ["Colin Luit van Neustrië"]),
        ("dhr. Jan Bos", ("Jan Bos",), ["Jan Bos"]),
        ("Jan Bos MSC", ("Jan Bos",), ["Jan Bos"]),
        ("Jan en Els Bos", ("Jan", "Els Bos"), ["Jan", "Els Bos"]),
        ("Jan Bos (zoon)", ("Jan Bos",), ["Jan Bos"]),
        ("Jan, Els", ("Jan", "Els"), ["Jan", "Els"]),
        ("Jan Bos belt", ("Jan Bos",), ["Jan Bos"]),
    ],
)
def test_a_name_reaches_to_the_end_of_its_cell(cell: str, seen: tuple[str, ...], told: list[str]) -> None:
    document, part = read(f'naam;bsn\n"{cell}";1\n')
    assert surfaces(list(whole_names(document, found(document, *seen), part))) == told


def test_a_value_of_another_kind_is_no_name() -> None:
    document, part = read("naam;woonplaats;datum\nJan Bos;Breda;1-2-2024\nEls Mol;Sint Maarten;Els kwam\n")
    kept = without_other_kinds(
        document, found(document, "Jan Bos", "Els Mol", "Breda", "Sint Maarten", "Els kwam"), part.columns,
        FakeLists(),
    )  # fmt: skip
    assert surfaces(list(kept)) == ["Jan Bos", "Els Mol", "Els kwam"]


def test_a_name_in_the_wrong_column_stays_a_name() -> None:
    document, part = read("naam;woonplaats\nJan Bos;Breda\nUtrecht;Els Mol\n")
    kept = without_other_kinds(document, found(document, "Els Mol", "Breda"), part.columns, FakeLists())
    assert surfaces(list(kept)) == ["Els Mol"]


def test_a_place_that_looks_like_a_name_and_comes_often_is_a_place() -> None:
    document, part = read("nr;plaats\n1;Jan Thiel\n2;Jan Thiel\n3;Jan Thiel\n4;Els Mol\n")
    kept = without_other_kinds(document, found(document, "Jan Thiel", "Els Mol"), part.columns, FakeLists())
    assert surfaces(list(kept)) == ["Els Mol"]


def test_cells_are_values_of_the_kind_of_their_column() -> None:
    document, part = read("naam;BSN;plaats\nJan Bos;111222333;Breda\nEls Mol;12345;Goor\nKo Vos;;\n")
    values = values_in_columns(document, value_mentions(document), part.columns)
    assert [(v.mention.kind, v.mention.surface) for v in values] == [
        ("NATIONAL_ID", "111222333"),
        ("CITY", "Breda"),
        ("NATIONAL_ID", "12345"),
        ("CITY", "Goor"),
    ]


def test_a_name_in_a_column_of_names_is_no_value() -> None:
    document, part = read("naam;adres\nJan Dorpsstraat;Dorpsstraat 12\nEls Mol;Kerkweg 3\n")
    found_values = value_mentions(document)
    assert [v.mention.surface for v in values_in_columns(document, found_values, part.columns)] == [
        "Dorpsstraat 12", "Kerkweg 3",
    ]  # fmt: skip


def test_no_value_counts_in_a_column_that_was_not_chosen() -> None:
    document, part = read("naam;mail\nJan Bos;jan@voorbeeld.nl\n", ("naam",))
    assert value_mentions(document)
    assert values_in_columns(document, value_mentions(document), part.columns) == []


def test_a_correction_changes_the_kind() -> None:
    options = FormatOptions(column_kinds={"x": KindId("CITY")})
    (part,) = formats.read(b"x;y\nGoor;1\n", name="a.csv", options=options).parts
    values = values_in_columns(Document(DocumentId("d"), part.text), (), part.columns)
    assert [(v.mention.kind, v.mention.surface) for v in values] == [("CITY", "Goor")]
