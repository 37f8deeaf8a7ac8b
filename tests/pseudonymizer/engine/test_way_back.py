"""The record that undoes an output: its id by place and bytes, its edits, and none for one-way styles."""

import hashlib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, EntityId
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.engine.records import SourceRendered, WrittenPart
from pseudonymizer.engine.way_back import (
    ONE_WAY_FORMAT,
    output_id,
    output_id_by_digest,
    plain_digest,
    rewrite_of,
)
from pseudonymizer.formats import Edit
from pseudonymizer.records import Rewrite, RewriteEdit
from tests.pseudonymizer.engine.records_by_hand import StoringNothing

VAULT = StoringNothing().as_vault()
RAW = b"P1-A belde P1-B."
EDITS = (
    (Edit("", 0, 4, b"Jan"), EntityId("e1")),
    (Edit("", 11, 15, b"Els"), EntityId("e2")),
    (Edit("!", 0, 0, b"packed"), None),
)


def rendered(
    raw: bytes = RAW,
    part: WrittenPart | None = None,
    *,
    one_way: int = 0,
    reversible: int = 2,
    keeps_path: bool = True,
) -> SourceRendered:
    return SourceRendered(
        DocumentId("d1"), "txt", raw, EDITS, "a.txt", 0, 0, 0.0, part=part, one_way=one_way,
        reversible=reversible, keeps_path=keeps_path,
    )  # fmt: skip


outputs = st.tuples(st.text(st.characters(exclude_characters="\0"), max_size=4), st.binary(max_size=3))


@given(st.lists(outputs, unique=True, min_size=2, max_size=6))
def test_outputs_share_an_id_only_where_place_and_bytes_are_equal(found: list[tuple[str, bytes]]) -> None:
    ids = [output_id(VAULT, "p", place, raw) for place, raw in found]
    assert len(set(ids)) == len(found)
    assert ids == [output_id(VAULT, "p", place, raw) for place, raw in found]
    assert not set(ids) & {output_id(VAULT, "q", place, raw) for place, raw in found}


def test_the_same_output_at_another_place_has_another_id() -> None:
    here = rewrite_of(VAULT, "p", rendered(), place="a.txt", path=None)
    there = rewrite_of(VAULT, "p", rendered(), place="b.txt", path=None)
    assert here.doc_id != there.doc_id
    assert here.edits == there.edits


def test_the_record_has_every_edit_in_order_with_its_owner() -> None:
    rewrite = rewrite_of(VAULT, "p", rendered(), place="a.txt", path="brief Jan.txt")
    assert rewrite == Rewrite(
        output_id(VAULT, "p", "a.txt", RAW),
        "txt",
        (
            RewriteEdit(0, "", 0, 4, b"Jan", EntityId("e1")),
            RewriteEdit(1, "", 11, 15, b"Els", EntityId("e2")),
            RewriteEdit(2, "!", 0, 0, b"packed", None),
        ),
        "brief Jan.txt",
    )


def test_where_nothing_comes_back_nothing_is_left_but_the_id() -> None:
    lost = rendered(one_way=2, reversible=0)
    rewrite = rewrite_of(VAULT, "p", lost, place="a.txt", path="brief Jan.txt")
    assert rewrite == Rewrite(output_id(VAULT, "p", "a.txt", RAW), ONE_WAY_FORMAT, ())


def test_what_comes_back_in_part_keeps_its_edits_and_counts_the_rest() -> None:
    rewrite = rewrite_of(VAULT, "p", rendered(one_way=3), place="a.txt", path="brief Jan.txt")
    assert (rewrite.format_name, len(rewrite.edits), rewrite.one_way) == ("txt", len(EDITS), 3)
    assert rewrite.path == "brief Jan.txt"


def test_a_path_in_which_something_is_lost_is_not_kept() -> None:
    rewrite = rewrite_of(VAULT, "p", rendered(keeps_path=False), place="a.txt", path="brief Jan.txt")
    assert (rewrite.format_name, rewrite.path) == ("txt", None)
    unchanged = SourceRendered(DocumentId("d1"), "txt", RAW, (), "a.txt", 0, 0, 0.0, keeps_path=False)
    rewrite = rewrite_of(VAULT, "p", unchanged, place="a.txt", path="brief Jan.txt")
    assert rewrite.format_name == ONE_WAY_FORMAT


def test_bytes_that_lie_in_a_file_beside_are_told_by_their_digest() -> None:
    plain = hashlib.sha256(RAW).hexdigest()
    part = WrittenPart(Path("part"), len(RAW), plain, OutputDigest(b"\0" * 32))
    assert plain_digest(rendered(b"", part)) == plain_digest(rendered()) == plain
    assert rewrite_of(VAULT, "p", rendered(b"", part), place="-", path=None) == rewrite_of(
        VAULT, "p", rendered(), place="-", path=None
    )
    assert output_id_by_digest(VAULT, "p", "-", plain) == output_id(VAULT, "p", "-", RAW)
