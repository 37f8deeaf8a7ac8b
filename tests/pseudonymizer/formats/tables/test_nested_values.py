"""Texts in structs, lists and maps of a Parquet table are read under their own titles, and come back."""

import io
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkage.errors import DamagedDocumentError, UnsupportedInputError
from pseudonymizer import formats
from pseudonymizer.formats import Edit, FormatOptions
from pseudonymizer.formats.tables.nested_values import by_place, is_readable, places, texts, with_texts
from tests.pseudonymizer.formats.naming import LABEL, rewrite

PERSON = pa.struct(
    [("naam", pa.string()), ("leeftijd", pa.int32()), ("adres", pa.struct([("plaats", pa.string())]))]
)
KIND = pa.struct([("wie", pa.list_(PERSON)), ("om", pa.map_(pa.string(), pa.list_(pa.large_string())))])
VALUE: dict[str, Any] = {
    "wie": [
        {"naam": "Els Mol", "leeftijd": 4, "adres": {"plaats": "Ede"}},
        None,
        {"naam": None, "leeftijd": None, "adres": None},
        {"naam": "Bas Terpstra", "leeftijd": 5, "adres": {"plaats": None}},
    ],
    "om": [("bij Els Mol", ["a", "met Bas Terpstra"]), ("leeg", None)],
}


def table(value: Any = VALUE, kind: pa.DataType = KIND) -> pa.Table:
    return pa.table(
        {
            "nr": pa.array([1, 2]),
            "naam": pa.array(["Els Mol", "Ria Zijlstra"]),
            "dossier": pa.array([value, None], type=kind),
            "tijd": pa.array([{"op": datetime(2024, 5, 3, tzinfo=UTC), "som": Decimal("1.50")}] * 2),
        }
    )


def written(content: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(content, sink)
    return sink.getvalue()


def test_texts_of_a_value_stand_in_the_order_of_its_type() -> None:
    assert list(dict.fromkeys(places(KIND))) == [
        ("wie", "naam"), ("wie", "adres", "plaats"), ("om", "key"), ("om", "value"),
    ]  # fmt: skip
    assert [text for _, text in texts(VALUE, KIND)] == [
        "Els Mol", "Ede", "Bas Terpstra", "bij Els Mol", "a", "met Bas Terpstra", "leeg",
    ]  # fmt: skip
    assert by_place(VALUE, KIND)["wie", "naam"] == [(0, "Els Mol"), (2, "Bas Terpstra")]
    assert with_texts(VALUE, KIND, {}) == VALUE
    changed = with_texts(VALUE, KIND, {2: "X", 5: "Y"})
    assert changed["wie"][3]["naam"] == "X"
    assert changed["om"][0] == ("bij Els Mol", ["a", "Y"])


def test_names_in_nested_values_are_replaced_and_come_back() -> None:
    raw = written(table())
    content = pq.read_table(io.BytesIO(raw))
    parsed, rendered = rewrite(raw, "x.parquet", ["Els Mol", "Bas Terpstra", "Ria Zijlstra"])
    assert not parsed.unread
    text = parsed.parts[0].text
    assert "dossier wie naam: Els Mol; Bas Terpstra" in text
    assert "plaats: Ede" in text
    now = pq.read_table(io.BytesIO(rendered.raw))
    assert now.schema.equals(content.schema)
    assert "Mol" not in str(now.to_pylist())
    assert "Terpstra" not in str(now.to_pylist())
    assert now.column("dossier")[0].as_py()["om"] == [(f"bij {LABEL}", ["a", f"met {LABEL}"]), ("leeg", None)]
    assert now.column("tijd").equals(content.column("tijd"))
    back = pq.read_table(io.BytesIO(formats.undo("parquet", rendered.raw, rendered.edits)))
    assert back.equals(content)
    assert back.schema.equals(content.schema, check_metadata=True)


def test_a_title_says_that_texts_of_a_place_are_names() -> None:
    raw = written(pa.table({"n": [1, 2], "arts": pa.array([{"achternaam": "Mol"}, {"achternaam": "Kok"}])}))
    (part,) = formats.read(raw, name="x.parquet").parts
    assert {span.cut(part.text) for span in part.names} == {"Mol", "Kok"}


@pytest.mark.parametrize(
    "kind",
    [
        pa.struct([("a", pa.binary())]),
        pa.list_(pa.timestamp("ns")),
        pa.list_(pa.dictionary(pa.int8(), pa.string())),
        pa.map_(pa.string(), pa.duration("s")),
    ],
)
def test_what_cannot_be_written_again_as_it_was_is_told(kind: pa.DataType) -> None:
    assert not is_readable(kind)
    raw = written(pa.table({"n": [1], "a": pa.array([None], type=kind)}))
    with pytest.raises(UnsupportedInputError, match="nested or binary"):
        formats.read(raw, name="x.parquet")
    (left,) = formats.read(raw, name="x.parquet", options=FormatOptions(keep_unread=True)).unread
    assert (left.kind, left.place) == ("nested or binary column", "column 2")


def test_names_of_fields_are_told() -> None:
    raw = written(pa.table({"a": pa.array([{"Els Mol": "x"}])}))
    assert [one.kind for one in formats.read(raw, name="x.parquet").unread] == ["name of a field"]


def test_edits_of_another_table_are_refused() -> None:
    raw = written(table())
    with pytest.raises(DamagedDocumentError, match="not as it was"):
        formats.undo("parquet", raw, [Edit("9:0:0", 0, 1, b"x")])
