"""What a folder of a language must hold."""

from pathlib import Path

import pytest

from linkage.language.contents import CONTENTS, MODELS, missing, missing_models
from linkage.shipped_data import data_directory
from tests.linkage.language.made_up import write_made_up


def test_dutch_lacks_nothing_and_has_nothing_else() -> None:
    directory = data_directory() / "languages" / "nl"
    assert missing(directory) == ()
    assert missing_models(directory) == ()
    there = {str(file.relative_to(directory)) for file in directory.rglob("*") if file.is_file()}
    assert {name for name in there if not name.endswith(".md")} == {*CONTENTS, *MODELS}


@pytest.mark.parametrize("name", CONTENTS)
def test_each_file_that_lacks_is_named(tmp_path: Path, name: str) -> None:
    directory = write_made_up(tmp_path)
    assert missing(directory) == ()
    (directory / name).unlink()
    assert missing(directory) == (name,)


def test_models_that_lack_are_named(tmp_path: Path) -> None:
    assert missing_models(tmp_path) == tuple(MODELS)
