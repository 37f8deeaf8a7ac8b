"""A column of a data frame, cell by cell."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from pseudonymizer.columns import pseudonymize_column
from pseudonymizer.errors import UntreatedDocumentError
from pseudonymizer.project import Project, ProjectOptions
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with make_vault(tmp_path / "vault")() as vault:
        yield Project.open(vault, PROJECT, ProjectOptions(load=load_fake))


def test_texts_change_and_all_else_stays(project: Project) -> None:
    table = pd.DataFrame({"note": ["Jitske Wiersma belde.", None, "Niets."], "n": [1, 2, 3]}, index=[7, 8, 9])
    written = pseudonymize_column(project, table, "note")
    assert "Wiersma" not in written["note"][7]
    assert pd.isna(written["note"][8])
    assert written["note"][9] == "Niets."
    assert list(written["n"]) == [1, 2, 3]
    assert table["note"][7] == "Jitske Wiersma belde."


def test_a_text_that_fails_is_named_by_its_row(project: Project) -> None:
    table = pd.DataFrame({"note": ["Jitske Wiersma belde.", None, "ONTPLOFT Els Douma"]})
    with pytest.raises(
        UntreatedDocumentError, match=r"1 of 2 texts could not be treated, in rows 2: "
    ) as error:
        pseudonymize_column(project, table, "note")
    assert "Douma" not in str(error.value)
    written = pseudonymize_column(project, table, "note", errors="missing")
    assert pd.isna(written["note"][2])
    assert "Wiersma" not in written["note"][0]
