"""Why two names are two people where documents have them, by the command. All names are invented."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pseudonymizer.cli import app

BORN = "Roelien Kwakkelstein, geboren op 12-03-19{}, belde. Mevrouw Kwakkelstein komt langs.\n"


def explained(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["explain", *words, "--document", str(folder)])
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    for number in (51, 62):
        (tmp_path / f"{number}.txt").write_text(BORN.format(number), encoding="utf-8")
    return tmp_path


def test_two_birth_dates_keep_one_name_two_people(letters: Path) -> None:
    name = "Roelien Kwakkelstein"
    told = explained(letters, name, name).splitlines()[-2:]
    assert told == ["in the documents: 2 people", "kept apart: two birth dates"]
    found = json.loads(explained(letters, name, name, "--json"))["in_documents"]
    assert found == {"people": 2, "constraints": [{"kind": "cannot_link", "reason": "birth_date"}]}


def test_a_name_that_stands_nowhere_is_told(letters: Path) -> None:
    told = explained(letters, "Roelien Kwakkelstein", "Sjoerd Kwakkelstein").splitlines()[-1]
    assert told == "in the documents: one of the two names is not there, written like this"
