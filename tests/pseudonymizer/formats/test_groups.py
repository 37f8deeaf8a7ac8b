"""Which dossier a text belongs to, by its path and by a field of its line."""

import json

import pytest

from linkage.errors import SettingsError
from pseudonymizer.formats import FormatOptions, read
from pseudonymizer.formats.groups import check_group_by, group_field, group_of_path


@pytest.mark.parametrize(
    ("relative", "group_by", "group"),
    [
        ("clients/7/intake.txt", "folder", "clients/7"),
        ("clients\\7\\intake.txt", "folder", "clients/7"),
        ("intake.txt", "folder", ""),
        ("clients/7/old/intake.txt", "clients/([^/]+)/", "7"),
        ("2024-117_letter.txt", r"\d{4}-\d+", "2024-117"),
        ("letter.txt", r"\d{4}-\d+", ""),
        ("clients/7/intake.txt", "dossier", ""),  # the name of a field says nothing of paths
        ("clients/7/intake.txt", "", ""),
        (None, "folder", ""),
    ],
)
def test_a_path_says_the_group(relative: str | None, group_by: str, group: str) -> None:
    assert group_of_path(relative, group_by) == group


@pytest.mark.parametrize(("group_by", "field"), [("", "group"), ("folder", "group"), ("case", "case")])
def test_a_line_of_json_says_its_group_in_a_field(group_by: str, field: str) -> None:
    assert group_field(group_by) == field
    line = {"doc_id": "a", "text": "Fenna belde.", "group": "g", "case": "c"}
    raw = "\n".join([json.dumps(line), json.dumps({"text": "Fenna kwam."})]).encode()
    parsed = read(raw, name="notes.jsonl", options=FormatOptions(group_by=group_by))
    prose = [part.group for part in parsed.parts if part.text.startswith("Fenna ")]
    assert prose == ["c" if group_by == "case" else "g", ""]


def test_what_is_no_expression_is_refused_with_its_place() -> None:
    assert check_group_by("clients/([^/]+)/") == "clients/([^/]+)/"
    with pytest.raises(SettingsError, match="at character 8"):
        check_group_by("clients/([^/]+/")
