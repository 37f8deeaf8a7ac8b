"""A format's record: its ways load when asked for, and it knows how its files begin."""

import pytest

from linkage.errors import UnsupportedInputError
from pseudonymizer.formats.format import Format, Way


def test_a_way_loads_the_function_that_it_names() -> None:
    way: Way[object] = Way("text.heads:looks_like_xml")
    function = way.load()
    assert callable(function)
    assert function(b"\xef\xbb\xbf <?xml version='1.0'?><a/>") is True


def test_a_way_whose_module_needs_a_package_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    def import_nothing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name="pikepdf")

    monkeypatch.setattr("pseudonymizer.formats.format.import_module", import_nothing)
    way: Way[object] = Way("pdf.document:read")
    with pytest.raises(UnsupportedInputError, match=r"needs pikepdf; .*nymlink\[docs\]"):
        way.load()


def test_a_missing_module_of_our_own_is_no_question_of_packages() -> None:
    with pytest.raises(ModuleNotFoundError):
        Way("text.nothing:parse").load()


@pytest.mark.parametrize(
    ("one", "raw", "begins"),
    [
        (Format("a", "A", heads=(b"AB",)), b"ABC", True),
        (Format("a", "A", heads=(b"AB",)), b" ABC", False),
        (Format("a", "A", heads=(b"AB",), head_after=b" \n"), b"\n ABC", True),
        (Format("a", "A", heads=(b"AB",), head_area=8), b"123456AB", True),
        (Format("a", "A", heads=(b"AB",), head_area=8), b"1234567AB", False),
        (Format("a", "A"), b"ABC", False),
    ],
)
def test_a_file_begins_with_one_of_the_heads(one: Format, raw: bytes, begins: bool) -> None:
    assert one.begins(raw) is begins
