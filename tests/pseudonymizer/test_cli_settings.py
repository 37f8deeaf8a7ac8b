"""Where the command takes settings, vault and project from; settings that it refuses; its version."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pseudonymizer.cli import app, nearby, options
from pseudonymizer.errors import PseudonymizerError, SettingsError
from tests.pseudonymizer.batch_fakes import load_fake

KEY = ("--key-file", "k.key")
STORE = ("--vault", "v.db", *KEY, "--project", "p")
LETTER = "Sanne de Boer belde Piet Mulder.\n"

Nymlink = Callable[..., Result]


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The working folder study/2026 below a home folder, with a letter and a vault."""
    folder = tmp_path / "home" / "study" / "2026"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "a.txt").write_text(LETTER, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("NYMLINK_KEY_FILE", "NYMLINK_VAULT", "NYMLINK_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)
    return folder


@pytest.fixture
def nymlink(study: Path) -> Nymlink:
    def command(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments], catch_exceptions=False)

    made = command("vault", "init", "--vault", "v.db", *KEY)
    assert made.exit_code == 0
    assert (study / "v.db").is_file()
    assert (study / "v.keys.db").is_file()
    return command


def _output(folder: Path) -> str:
    return (folder / "out" / "in" / "a.txt").read_text() if (folder / "out" / "in").is_dir() else (
        folder / "out" / "a.txt"
    ).read_text()  # fmt: skip


def _run(nymlink: Nymlink, *more: str) -> None:
    done = nymlink("run", "in", "--out", "out", *STORE, *more)
    assert done.exit_code == 0, done.output


def _own_process(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-c", "from pseudonymizer.cli import main; main()", *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=True, timeout=120)  # noqa: S603


@pytest.mark.parametrize("above", [".", "..", "../.."])
def test_the_nearest_settings_hold_where_none_are_given(nymlink: Nymlink, study: Path, above: str) -> None:
    (study / above / "nymlink.toml").write_text('[pseudonyms]\nstyle = "mask"\n')
    _run(nymlink)
    assert _output(study) == "[NAAM] belde [NAAM].\n"


def test_a_nearer_file_hides_those_above(nymlink: Nymlink, study: Path) -> None:
    (study.parent / "nymlink.toml").write_text('[pseudonyms]\nstyle = "mask"\n')
    (study / "nymlink.toml").write_text('[pseudonyms]\nstyle = "initials"\n')
    _run(nymlink)
    assert _output(study) == "S.d.B. belde P.M..\n"


def test_above_the_home_folder_nothing_is_looked_for(nymlink: Nymlink, study: Path, tmp_path: Path) -> None:
    (tmp_path / "nymlink.toml").write_text('[pseudonyms]\nstyle = "mask"\n')
    _run(nymlink)
    assert "[NAAM]" not in _output(study)


def test_outside_the_home_folder_the_root_is_the_end(
    nymlink: Nymlink, study: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(study / "elsewhere"))
    (tmp_path / "nymlink.toml").write_text('[pseudonyms]\nstyle = "mask"\n')
    _run(nymlink)
    assert _output(study) == "[NAAM] belde [NAAM].\n"


def test_settings_that_are_given_win_and_the_command_line_over_all(nymlink: Nymlink, study: Path) -> None:
    (study / "nymlink.toml").write_text('[pseudonyms]\nstyle = "mask"\n')
    (study / "other.toml").write_text('[pseudonyms]\nstyle = "initials"\n')
    _run(nymlink, "--settings", "other.toml")
    assert _output(study) == "S.d.B. belde P.M..\n"
    _run(nymlink, "--settings", "other.toml", "--style", "mask")
    assert _output(study) == "[NAAM] belde [NAAM].\n"
    (study / "nymlink.toml").write_text("no toml\n")
    _run(nymlink, "--settings", "other.toml")  # the other file is not even read


def test_errors_name_the_file_by_its_way_up_and_no_folder(nymlink: Nymlink, study: Path) -> None:
    (study.parent / "nymlink.toml").write_text('[pseudonyms]\nstyl = "mask"\n')
    with pytest.raises(SettingsError, match=r"^\.\./nymlink\.toml, line 2: .*did you mean 'style'"):
        nymlink("run", "in", "--out", "out", *STORE)
    assert not (study / "out").exists()
    with pytest.raises(SettingsError, match=r"^\.\./nymlink\.toml, line 2: ") as raised:
        nymlink("detect", "in", "--out", "m.jsonl")
    assert "home" not in str(raised.value)


def test_settings_that_anybody_could_have_put_there_are_refused(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = study.parent / "nymlink.toml"
    place.write_text("[linking]\n")
    assert nearby.nearest_settings() == place
    study.parent.chmod(0o1777)
    assert nearby.nearest_settings() == place  # it is ours
    monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
    if place.stat().st_uid == 0:  # root's own files are trusted by all
        os.chown(place, 12345, -1)
        monkeypatch.setattr(os, "getuid", lambda: 0)
    with pytest.raises(SettingsError, match=r"another user's.*--settings"):
        nearby.nearest_settings()
    study.parent.chmod(0o755)
    assert nearby.nearest_settings() == place


def test_a_folder_that_is_gone_has_no_settings(study: Path) -> None:
    gone = study / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        assert nearby.nearest_settings() is None
    finally:
        os.chdir(study)


def test_vault_and_project_are_taken_from_the_environment(
    nymlink: Nymlink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NYMLINK_VAULT", "v.db")
    monkeypatch.setenv("NYMLINK_PROJECT", "study-12")
    done = nymlink("run", "in", "--out", "out", *KEY)
    assert done.exit_code == 0, done.output
    shown = nymlink("vault", "settings", *KEY)
    assert json.loads(shown.stdout)["grant_minutes"] == 60
    assert json.loads(nymlink("vault", "status", "--json").stdout)["ways_in"] == 1
    back = nymlink("restore", "out", "--out", "back", *KEY, "--purpose", "test")
    assert back.exit_code == 0, back.output
    with pytest.raises(PseudonymizerError):  # what is given wins: there is no such vault
        nymlink("vault", "settings", *KEY, "--vault", "w.db")
    with pytest.raises(PseudonymizerError):
        nymlink("restore", "out", "--out", "b", *KEY, "--purpose", "test", "--project", "p")


def test_without_both_the_variable_is_named(nymlink: Nymlink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NYMLINK_VAULT", "")
    missing = nymlink("vault", "status")
    assert missing.exit_code == 2
    assert "NYMLINK_VAULT" in missing.output


@pytest.mark.parametrize(
    "address", ["v.db", "./v.db", "sqlite:///v.db", "{folder}/v.db", "sqlite:///{folder}/v.db"]
)
def test_a_path_is_a_vault_and_so_is_its_url(nymlink: Nymlink, study: Path, address: str) -> None:
    shown = nymlink("vault", "status", "--json", "--vault", address.format(folder=study))
    assert shown.exit_code == 0, shown.output
    first = nymlink("vault", "status", "--json", "--vault", "v.db")
    assert json.loads(shown.stdout) == json.loads(first.stdout)


def test_a_path_may_have_signs_of_urls_and_keys_lie_where_a_path_says(nymlink: Nymlink, study: Path) -> None:
    for name in ("a?b#c%20.db", "./kleur:blauw.db"):
        made = nymlink("vault", "init", "--vault", name, "--keys", "apart.keys", *KEY)
        assert made.exit_code == 0
        assert (study / name).is_file()
        assert (study / "apart.keys").is_file()
        (study / "apart.keys").unlink()


def test_what_is_neither_path_nor_url_makes_no_vault(nymlink: Nymlink, study: Path) -> None:
    before = sorted(study.iterdir())
    for address in ("kleur:blauw.db", "sqlite:v2.db", "postgres:host", ":memory:", "mysql://host/db", ""):
        with pytest.raises(SettingsError):
            nymlink("vault", "init", "--vault", address, *KEY)
    assert sorted(study.iterdir()) == before


def test_the_version_is_printed_and_nothing_else() -> None:
    done = _own_process("--version")
    assert (done.stdout, done.stderr) == (f"nymlink {version('nymlink')}\n", "")


def test_a_retired_key_is_a_hint_on_standard_error_and_no_more(study: Path) -> None:
    (study / "nymlink.toml").write_text("[recognition]\ncorpus_consistency = true\n")
    done = _own_process("explain", "Jan Tolsma", "J. Tolsma")
    assert "nymlink.toml, line 2: corpus_consistency has no effect any more" in done.stderr
    assert done.stderr.count("\n") == 1
