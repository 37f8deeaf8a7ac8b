"""What Project.columns and `nymlink columns` say of a table, and corrections."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from linkage.texts import KindId
from pseudonymizer.cli import app
from pseudonymizer.cli.tables import corrected
from pseudonymizer.errors import SettingsError, UntreatedDocumentError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.settings import TableSettings
from tests.pseudonymizer.batch_fakes import load_fake
from tests.pseudonymizer.formats import made_tables as tables

ROWS = (
    ("naam", "wie", "BSN", "opm", "woonplaats"),
    ("Jan Tolsma", "Els Mol", "111222333", "kwam", "Breda"),
    ("Ko Vos", "Ria Zijl", "123456782", "ging", "Goor"),
    ("n.v.t.", "Teun Bos", "12345", "", "Goor"),
)


def project(**kinds: str) -> Project:
    said = {title: KindId(kind) for title, kind in kinds.items()}
    options = ProjectOptions(load=load_fake, formats=FormatOptions(column_kinds=said))
    return Project.without_vault(options)


@pytest.mark.parametrize("suffix", list(tables.WRITERS))
def test_each_column_has_its_kind_and_what_says_so(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(tables.WRITERS[suffix](ROWS))
    found = project().columns(path)
    assert [(c.position, c.title, c.kind, c.why, c.cells) for c in found] == [
        (1, "naam", "PERSON", "header", 3),
        (2, "wie", "PERSON", "values", 3),
        (3, "BSN", "NATIONAL_ID", "header", 3),
        (4, "opm", None, "", 2),
        (5, "woonplaats", "CITY", "header", 3),
    ]
    assert [round(c.share, 2) for c in found] == [0.67, 1.0, 0.67, 0.0, 1.0]
    assert "naam" not in repr(found)


def test_a_correction_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(tables.csv(ROWS))
    found = project(opm="PRODUCT", wie="TEXT").columns(path)
    assert {c.title: (c.kind, c.why) for c in found if c.why == "set"} == {
        "opm": ("PRODUCT", "set"), "wie": (None, "set"),
    }  # fmt: skip


def test_a_name_in_the_first_row_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(tables.csv([("Jan Tolsma", "kok"), ("Els Mol", "bode")]))
    assert [c.title for c in project().columns(path)] == ["", "kok"]


def test_a_file_without_tables_and_one_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Jan Tolsma belde.")
    assert project().columns(tmp_path / "a.txt") == ()
    (tmp_path / "a.xlsx").write_bytes(b"geen")
    with pytest.raises(UntreatedDocumentError, match="UnsupportedInputError"):
        project().columns(tmp_path / "a.xlsx")


def test_the_command_shows_kinds_and_no_values(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(tables.csv(ROWS))
    (tmp_path / "s.toml").write_text('[tables]\ncolumns = { opm = "PRODUCT" }\n')
    place = ["columns", str(tmp_path / "a.csv"), "--settings", str(tmp_path / "s.toml")]
    done = CliRunner().invoke(app, [*place, "--set", "BSN=case_number"])
    assert done.exit_code == 0, done.output
    assert "opm" in done.output
    assert 'columns = { "opm" = "PRODUCT", "BSN" = "CASE_NUMBER" }' in done.output
    assert not any(value and value in done.output for row in ROWS[1:] for value in row)
    shown = json.loads(CliRunner().invoke(app, [*place, "--json"]).stdout)["items"]
    assert [one["kind"] for one in shown] == ["PERSON", "PERSON", "NATIONAL_ID", "PRODUCT", "CITY"]


def test_corrections_of_the_command_line_come_on_top_of_settings() -> None:
    told = corrected(TableSettings({"a": "CITY"}), ["a=PERSON", "x = y=text"])
    assert told.columns == {"a": "PERSON", "x = y": "TEXT"}
    assert told.kinds == {"a": "PERSON", "x = y": "TEXT"}
    with pytest.raises(SettingsError, match="unknown kind QUATSCH"):
        corrected(TableSettings(), ["a=quatsch"])
