"""Edits that count in the text of a PDF lead back, also where the text between labels is another one."""

import pytest

from linkage.errors import DamagedDocumentError
from linkage.records import Span
from pseudonymizer.formats import Edit
from pseudonymizer.formats.tree.text_edits import is_of_mended, text_edits, undone


@pytest.mark.parametrize(
    ("old", "new"),
    [("a  Jan  b Jan c", "a X b X c"), ("a  Jan  b Jan c", "a  X  b X c"), ("a  Jan  b Jan c", "a  X  b")],
)
def test_text_edits_lead_back(old: str, new: str) -> None:
    edits = text_edits(old, new, {Span(3, 6): "X", Span(10, 13): "X"})
    assert undone(new, edits) == old
    assert is_of_mended(edits)


def test_edits_of_before_count_in_the_text_as_shown() -> None:
    assert not is_of_mended([Edit("text", 0, 1, b"Jan")])


def test_edits_of_another_file_are_refused() -> None:
    with pytest.raises(DamagedDocumentError, match="not as it was"):
        undone("abc", [Edit("text", 2, 9, b"Jan")])
