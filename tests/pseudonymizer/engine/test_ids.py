"""Ids of documents: equal for equal inputs of one project, others for others, and silent about both."""

import re
from itertools import combinations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId
from pseudonymizer.engine.ids import DocumentIds
from tests.pseudonymizer.batch_fakes import make_vault

IN_CLEAR = DocumentIds(DocumentId, b"")  # with the key left out, what is keyed can be compared
PATHS = st.text(st.characters(exclude_characters="\0"), min_size=1)  # no file system has a NUL in a path


@given(st.lists(st.tuples(st.binary(max_size=3), st.integers(0, 12)), unique=True, max_size=8))
def test_texts_have_one_id_only_where_bytes_and_number_are_equal(texts: list[tuple[bytes, int]]) -> None:
    ids = [IN_CLEAR.of_text(*text) for text in texts]
    assert len(set(ids)) == len(texts)
    assert ids == [IN_CLEAR.of_text(*text) for text in texts]


def test_what_is_keyed_stays_what_it_is() -> None:
    """The vault has rows under these ids."""
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert IN_CLEAR.of_file("a/b.txt") == "a/b.txt"
    assert IN_CLEAR.of_text(b"") == f"\0text {empty}"
    assert IN_CLEAR.of_text(b"", 1) == f"\0text {empty} 1"
    assert IN_CLEAR.of_named("row 7") == "\0document row 7"


@given(PATHS, st.binary(max_size=8), st.integers(0, 3), st.text(max_size=8))
def test_no_file_text_and_named_document_share_an_id(path: str, raw: bytes, number: int, name: str) -> None:
    ids = [IN_CLEAR.of_file(path), IN_CLEAR.of_text(raw, number), IN_CLEAR.of_named(name)]
    assert all(left != right for left, right in combinations(ids, 2))


def test_a_project_gives_the_same_ids_for_ever_and_another_one_others(tmp_path: Path) -> None:
    open_vault = make_vault(tmp_path)
    with open_vault() as vault:
        for project in ("one", "two"):
            vault.ensure_project(project)
        vault.commit()
        first = DocumentIds.of_project(vault, "one")
        told = first.of_file("brief Jan Tolsma.txt"), first.of_text(b"x"), first.content_key
    with open_vault() as vault:
        again, other = (DocumentIds.of_project(vault, project) for project in ("one", "two"))
        assert (again.of_file("brief Jan Tolsma.txt"), again.of_text(b"x"), again.content_key) == told
        assert again.content_key != other.content_key
        assert again.of_text(b"x") != other.of_text(b"x")
    assert 32 <= len(told[2]) <= 64  # BLAKE2b takes a key of at most 64 bytes
    assert "Tolsma" not in told[0]


def test_an_id_of_one_look_is_of_no_other_look() -> None:
    one, other = DocumentIds.of_one_look(), DocumentIds.of_one_look()
    assert one.of_file("Tolsma.txt") == one.of_file("Tolsma.txt") != other.of_file("Tolsma.txt")
    assert re.fullmatch("[0-9a-f]{32}", one.of_text(b"Jan Tolsma"))
    assert one.content_key == b""
    assert "key" not in repr(one)


def test_names_of_files_and_documents_need_not_be_unicode() -> None:
    ids = DocumentIds.of_one_look()
    assert ids.of_file("brief\udcff.txt") != ids.of_file("brief.txt")
    assert ids.of_named("row \ud800") != ids.of_named("row")  # from JSON: a half of a pair
