"""A settings file: its text as TOML, the line of each key, and errors that name both."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import SettingsError
from linkage.settings_file import SettingsFile

TEXT = '''\
# settings of a study
top.inner = 1
top."quoted key" = 2

[linking]
link_threshold = 0.9   # [linking] in a comment is no table
"review_threshold" = 0.4
text = """
[pseudonyms]
style = "mask"
"""
names = [
  "a",  # first
  "]",
]

[ pseudonyms . kinds ]
email = "token"

[pseudonyms]
style = "tag"
more = { url = "mask", path.of = "mask" }

[[rows]]
one = 1
[[rows]]
two = 2
'''


def _file(text: str) -> SettingsFile:
    return SettingsFile.of_bytes(text.encode(), name="s.toml", folder=Path())


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("top",), 2),
        (("top", "inner"), 2),
        (("top", "quoted key"), 3),
        (("linking",), 5),
        (("linking", "link_threshold"), 6),
        (("linking", "review_threshold"), 7),
        (("linking", "text"), 8),
        (("linking", "names"), 12),
        (("pseudonyms",), 17),
        (("pseudonyms", "kinds"), 17),
        (("pseudonyms", "kinds", "email"), 18),
        (("pseudonyms", "style"), 21),
        (("pseudonyms", "more", "path", "of"), 22),
        (("rows",), 24),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_line_of_a_key_is_that_of_its_statement(keys: tuple[str, ...], line: int, ends: str) -> None:
    assert _file(TEXT.replace("\n", ends)).line_of(*keys) == line


@given(
    st.lists(
        st.sampled_from(["# note", "", "[t{0}]", "k{0} = 1", 'k{0} = """\nx = 1\n"""', "k{0} = [\n 1,\n\n 2]",
                         "d{0}.in = 'a'", '"k{0}" = {{ a = 1 }}']),
        max_size=12,
    )
)  # fmt: skip
def test_every_key_of_any_file_stands_on_its_line(shapes: list[str]) -> None:
    lines: list[str] = []
    expected: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, shape in enumerate(shapes):
        statement = shape.format(number)
        first = statement.split("\n")[0]
        if first.startswith("["):
            table = (first.strip("[]"),)
            expected[table] = len(lines) + 1
        elif "=" in first:
            key = first.split("=")[0].strip().strip('"').split(".")[0]
            expected[(*table, key)] = len(lines) + 1
        lines += statement.split("\n")
    file = _file("\n".join(lines))
    assert {keys: file.line_of(*keys) for keys in expected} == expected


def test_a_place_is_file_and_line() -> None:
    assert _file(TEXT).place("linking", "link_threshold") == "s.toml, line 6"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[linking\n", 1),
        ("a = 1\n\nlink_threshold = ,5\n", 3),
        ("a = 1\na = 2\n", 2),
        ("[geheim]\n[geheim]\n", 2),
        ("[[a]]\nb = {geheim = 1, geheim = 2}\n", 2),
        ('a = "geheim\n', 1),
        ("a = 1\nb = [1,\n2\n", 3),
        ('a = 1\nb = """\nx\n', 3),
        ("a = 2024-13-45\n", 1),
        ("a = 1\nb = " + "9" * 5000 + "\nc = 1\n", 2),
        ("a = 1\nb = " + "[" * 5000 + "]" * 5000 + "\n", 2),
    ],
)
def test_what_is_no_toml_is_said_with_its_line_and_no_word_of_the_file(text: str, line: int) -> None:
    with pytest.raises(SettingsError) as raised:
        _file(text)
    assert str(raised.value).startswith(f"s.toml, line {line}: ")
    assert "geheim" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_what_is_no_utf8_is_said_with_its_line(tmp_path: Path) -> None:
    place = tmp_path / "s.toml"
    place.write_bytes(b"[linking]\n# caf\xe9\n")
    with pytest.raises(SettingsError, match=r"^s\.toml, line 2: .*UTF-8"):
        SettingsFile.read(place)
    place.write_text("[linking]\n", encoding="utf-16")
    with pytest.raises(SettingsError, match=r"^s\.toml, line 1: .*UTF-8"):
        SettingsFile.read(place)


def test_a_mark_of_windows_before_the_text_is_left_out(tmp_path: Path) -> None:
    place = tmp_path / "s.toml"
    place.write_bytes(b"\xef\xbb\xbf[linking]\r\nlink_threshold = 0.5\r\n")
    assert SettingsFile.read(place).tables == {"linking": {"link_threshold": 0.5}}


def test_a_file_that_is_not_there_is_said_without_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "jansen"
    folder.mkdir()
    with pytest.raises(SettingsError, match=r"settings file s\.toml cannot be read: No such file") as raised:
        SettingsFile.read(folder / "s.toml")
    assert "jansen" not in str(raised.value)
    with pytest.raises(SettingsError, match="cannot be read: Is a directory"):
        SettingsFile.read(folder)
    assert "jansen" not in repr(SettingsFile.of_bytes(b"a = 'jansen'", name="s.toml", folder=folder))
