"""How names are built, as data."""

from pathlib import Path

import pytest

from linkage.errors import KindsError
from linkage.language import Language
from linkage.language.grammar import Grammar, read_grammar


def test_an_empty_file_is_a_language_without_such_forms(tmp_path: Path) -> None:
    file = tmp_path / "grammar.toml"
    file.write_text("")
    assert read_grammar(file) == Grammar()


def test_forms_are_looked_up_by_how_they_are_written() -> None:
    grammar = Language.load("nl").grammar
    assert grammar.suffix_of["junior"] == "jr."
    assert grammar.title_of["Hr."] == "dhr."


@pytest.mark.parametrize("text", ["diminutives = []", "diminutive_endings = 3", 'genitive = "("', "="])
def test_a_wrong_key_value_or_expression_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "grammar.toml"
    file.write_text(text + "\n")
    with pytest.raises(KindsError, match=r"grammar\.toml cannot be used"):
        read_grammar(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KindsError):
        read_grammar(tmp_path / "grammar.toml")
