"""Texts by kind: their repr and digest, and files with one text a line."""

from pathlib import Path

import pytest

from linkage.errors import SettingsError
from linkage.kind_lists import NO_TEXTS, TextsByKind, read_list, texts_in_table
from linkage.texts import PERSON, KindId

CASE = KindId("CASE_NUMBER")


def test_texts_are_kept_once_a_kind_and_no_repr_shows_them() -> None:
    texts = TextsByKind.of({PERSON: ["Xqandu", "Vurbel", "Xqandu"], CASE: []})
    assert dict(texts) == {PERSON: ("Xqandu", "Vurbel")}
    assert repr(texts) == "TextsByKind(2 PERSON)"
    assert not NO_TEXTS
    assert hash(texts) == hash(TextsByKind.of({PERSON: ["Xqandu", "Vurbel"]}))
    with pytest.raises(KeyError):
        texts[CASE]


def test_the_texts_of_both_are_put_together() -> None:
    left, right = (
        TextsByKind.of({PERSON: ["a"]}, {PERSON: "x, line 1"}),
        TextsByKind.of({PERSON: ["b"], CASE: ["c"]}),
    )
    assert dict(left | right) == {PERSON: ("a", "b"), CASE: ("c",)}
    assert (left | right).place_of(PERSON) == "x, line 1: "
    assert (left | right).place_of(CASE) == ""


def test_other_texts_have_another_digest() -> None:
    digests = {
        TextsByKind.of(texts).digest
        for texts in ({}, {PERSON: ["a"]}, {PERSON: ["b"]}, {CASE: ["a"]}, {PERSON: ["a", "b"]})
    }
    assert len(digests) == 5


def test_a_file_has_one_text_a_line(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_bytes("\ufeff# names\nÉlise Vurbel\r\n\n  Xqandu \n".encode())
    assert read_list(file, what="x") == ("Élise Vurbel", "Xqandu")
    assert texts_in_table("list.txt", name="x", folder=tmp_path) == ("Élise Vurbel", "Xqandu")
    assert texts_in_table([" a ", "b"], name="x", folder=tmp_path) == ("a", "b")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (None, "the file of x cannot be read: No such file"),
        (b"", "the file of x is empty"),
        (b"# nothing\n\n", "the file of x is empty"),
        (b"Vurbel\0\n", "the file of x is no text in UTF-8"),
        ("Vurbel".encode("utf-16"), "the file of x is no text in UTF-8"),
        (b"\xe9lise\n", "the file of x is no text in UTF-8"),
        (b"Vurbel\n---\n", "the file of x: entry 2 has neither letter nor figure"),
    ],
)
def test_a_file_that_is_no_list_is_refused_without_its_words(
    tmp_path: Path, raw: bytes | None, message: str
) -> None:
    file = tmp_path / "vurbel.txt"
    if raw is not None:
        file.write_bytes(raw)
    with pytest.raises(SettingsError) as raised:
        read_list(file, what="x")
    assert str(raised.value).startswith(message)
    assert "urbel" not in str(raised.value)


@pytest.mark.parametrize("value", [3, "", [1], {"file": "a"}, None])
def test_what_is_neither_a_path_nor_texts_is_refused(tmp_path: Path, value: object) -> None:
    with pytest.raises(SettingsError, match="x must be the path of a file"):
        texts_in_table(value, name="x", folder=tmp_path)
