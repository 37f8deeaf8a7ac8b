"""A run with a kind of the user's own: its values get labels, come back, and are known again."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pseudonymizer.cli import app, options
from tests.pseudonymizer.batch_fakes import load_fake

KEY = ("--key-file", "k.key")
STORE = ("--vault", "v.db", *KEY, "--project", "p")
LETTER = "Sanne Boer vroeg naar KRG#1234, krg#1234 en KRG#2345 in de Blauwe  Map.\n"
SETTINGS = """
[kinds.CARGO]
pattern = '(?i)\\bKRG#\\d{4}\\b'
words = { nl = "LADING", en = "CARGO" }
list_file = "maps.txt"
"""
_CODE = re.compile(r"LADING-[0-9A-Z]{5}")

Nymlink = Callable[..., Result]


@pytest.fixture
def nymlink(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nymlink:
    """The command in a folder with a letter, a vault and settings with the kind CARGO."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(LETTER)
    (tmp_path / "maps.txt").write_text("blauwe map\n")
    (tmp_path / "nymlink.toml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)

    def command(*arguments: str) -> Result:
        done = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done

    command("vault", "init", "--vault", "v.db", *KEY)
    return command


def _written(folder: Path, name: str) -> str:
    (found,) = (path for path in (folder / name).rglob("a.txt") if ".nymlink" not in path.parts)
    return found.read_text()


def test_values_of_an_own_kind_get_labels_and_come_back(nymlink: Nymlink, tmp_path: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    text = _written(tmp_path, "out")
    codes = _CODE.findall(text)
    assert len(codes) == 4
    assert codes[0] == codes[1]  # one value in two spellings
    assert len(set(codes)) == 3
    assert "1234" not in text
    assert "Map" not in text
    nymlink(
        "lookup",
        "krg 1234",
        "--kind",
        "cargo",
        *STORE,
        "--purpose",
        "test",
        "--out",
        str(tmp_path / "answer"),
    )
    assert codes[0] in (tmp_path / "answer").read_text()
    nymlink("restore", "out", "--out", "back", *STORE, "--purpose", "test")
    assert _written(tmp_path, "back") == LETTER


def test_labels_of_an_own_kind_are_known_in_pasted_text(nymlink: Nymlink, tmp_path: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    code = _CODE.findall(_written(tmp_path, "out"))[2]
    (tmp_path / "pasted").mkdir()
    (tmp_path / "pasted" / "a.txt").write_text(f"Zie {code} en {code.lower()}.\n")
    nymlink("restore", "pasted", "--out", "back", *STORE, "--purpose", "test")
    assert _written(tmp_path, "back") == "Zie KRG#2345 en KRG#2345.\n"


def test_labels_of_an_own_kind_are_no_new_values(nymlink: Nymlink, tmp_path: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    text = _written(tmp_path, "out")
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "a.txt").write_text(f"Antwoord op:\n{text}")
    nymlink("run", "again", "--out", "twice", *STORE)
    assert _written(tmp_path, "twice") == f"Antwoord op:\n{text}"


def test_a_profile_and_a_choice_may_name_the_kind(nymlink: Nymlink, tmp_path: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE, "--treat", "cargo=category")
    assert _written(tmp_path, "out").count("[LADING]") == 4
