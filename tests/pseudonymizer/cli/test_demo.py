"""`nymlink demo`: the letters are the shipped ones, the key opens the vault, nothing is written over."""

import stat
from pathlib import Path

import pytest

from linkage.shipped_data import data_directory
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.kept.material import command_in


def test_it_makes_letters_a_vault_and_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = command_in(tmp_path, monkeypatch)
    done = command("demo", "try")
    assert (done.status, done.err) == (0, "")
    made = tmp_path / "try"
    shipped = data_directory() / "sample" / "documents"
    names = sorted(path.name for path in shipped.iterdir())
    assert sorted(path.name for path in (made / "letters").iterdir()) == names
    for name in names:
        assert (made / "letters" / name).read_bytes() == (shipped / name).read_bytes()
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert stat.S_IMODE((made / "kek.key").stat().st_mode) == 0o600
    with Vault.open(f"sqlite:///{made / 'vault.db'}", FileKey(made / "kek.key")) as vault:
        assert vault.verify().findings == ()
    assert done.out.startswith(f"{len(names)} letters")


def test_it_ends_with_three_commands_that_the_folder_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = command_in(tmp_path, monkeypatch)("demo", "a b").out
    assert "inside 'a b':" in told
    assert [line.partition("nymlink ")[2].split()[0] for line in told.splitlines() if "nymlink " in line][
        -3:
    ] == ["run", "lookup", "restore"]


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    done = command_in(tmp_path, monkeypatch)("demo", "mine")
    assert done.status == 2
    assert "is there already" in done.err
    assert list((tmp_path / "mine").iterdir()) == []
