"""`nymlink kinds`, and the options of treatments of `nymlink run`."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from linkage.kinds import KindId, Kinds
from pseudonymizer.cli import app, options
from pseudonymizer.cli.treating import Named, asked
from pseudonymizer.errors import BatchError, SettingsError
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.treatments.profiles import Profiles
from tests.pseudonymizer.batch_fakes import load_fake

STORE = ("--vault", "sqlite:///v.db", "--key-file", "k.key", "--project", "p")
LETTER = "Sanne de Boer belde Piet Mulder.\n"

Nymlink = Callable[..., Result]


@pytest.fixture
def nymlink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Nymlink:
    """Runs the command with the fake pipeline, in tmp_path with a new vault and a letter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NYMLINK_KEY_FILE", raising=False)
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments], catch_exceptions=False)

    assert command("vault", "init", "--vault", "sqlite:///v.db", "--key-file", "k.key").exit_code == 0
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(LETTER, encoding="utf-8")
    return command


def shown(nymlink: Nymlink, *arguments: str) -> dict[str, dict[str, str]]:
    done = nymlink("kinds", *arguments, "--json")
    assert done.exit_code == 0, done.output
    return {row["kind"]: row for row in json.loads(done.stdout)["items"]}


def origins(rows: dict[str, dict[str, str]], *kinds: str) -> dict[str, tuple[str, str]]:
    return {kind: (rows[kind]["treatment"], rows[kind]["origin"]) for kind in kinds}


@pytest.mark.parametrize("profile", Profiles.load().profiles)
def test_kinds_shows_every_kind_under_a_profile(nymlink: Nymlink, profile: str) -> None:
    rows = shown(nymlink, "--profile", profile)
    assert list(rows) == list(Kinds.load())
    plan = ProjectSettings.of_new_project().plan(asked=asked(Named(profile)))
    assert {kind: row["treatment"] for kind, row in rows.items()} == {
        kind: str(plan.of(KindId(kind))) for kind in rows
    }


def test_kinds_prints_a_table(nymlink: Nymlink) -> None:
    lines = nymlink("kinds", "--profile", "direct").stdout.splitlines()
    assert lines[0].split() == ["kind", "word", "found", "by", "treatment", "comes", "back", "from"]
    assert len(lines) == 1 + len(Kinds.load())
    (account,) = [line for line in lines if line.startswith("BANK_ACCOUNT")]
    assert account.split("  ")[0] == "BANK_ACCOUNT"
    assert [cell.strip() for cell in account.split("  ") if cell.strip()] == [
        "BANK_ACCOUNT", "REKENING", "rule", "code", "files, pasted text", "default",
    ]  # fmt: skip
    assert next(line for line in lines if line.startswith("CITY")).split() == [
        "CITY", "PLAATS", "network,", "rule", "keep", "stays", "profile",
    ]  # fmt: skip


def test_kinds_says_who_has_the_last_word(nymlink: Nymlink, tmp_path: Path) -> None:
    assert nymlink("run", "in", "--out", "out", *STORE).exit_code == 0
    done = nymlink("vault", "settings", "profile=clinical", 'treat={"ID": "mask", "PHONE": "mask"}', *STORE)
    assert done.exit_code == 0, done.output
    (tmp_path / "nymlink.toml").write_text(
        '[pseudonyms]\nstyle = "tag"\n[treatments]\ntreat = { PHONE = "tag", FAX = "keep" }\n'
    )
    rows = shown(nymlink, *STORE, "--treat", "fax=mask")
    assert origins(rows, "PERSON", "VEHICLE", "PHONE", "FAX", "STREET", "COUNTRY") == {
        "PERSON": ("tag", "settings"), "VEHICLE": ("mask", "project"), "PHONE": ("tag", "settings"),
        "FAX": ("mask", "command line"), "STREET": ("code", "default"), "COUNTRY": ("code", "profile"),
    }  # fmt: skip
    assert origins(shown(nymlink), "PERSON", "VEHICLE") == {
        "PERSON": ("tag", "settings"), "VEHICLE": ("code", "default"),
    }  # fmt: skip


def test_a_vault_is_named_with_a_project(nymlink: Nymlink) -> None:
    done = nymlink("kinds", "--vault", "sqlite:///v.db", "--key-file", "k.key")
    assert done.exit_code == 2
    assert "--vault and --project go together" in done.output


def test_the_command_line_goes_from_left_to_right_with_the_style_first() -> None:
    named = Named("hipaa", "tag", keeps_ids=True, treat=["person=mask,phone=tag", "PHONE=keep"])
    found = asked(named)
    assert found.profile == "hipaa"
    assert found.treatments(Kinds.load()) == {
        "PERSON": "mask", "CASE_NUMBER": "keep", "PHONE": "keep",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (Named("hippa"), "unknown profile 'hippa' of treatments; did you mean 'hipaa'?"),
        (Named(treat=["persn=mask"]), "unknown kind 'persn' of treat; did you mean 'person'?"),
        (Named(treat=["person:mask"]), "treat takes KIND=TREATMENT"),
        (Named(treat=["person=llm"]), "there is no treatment llm: a language model writes"),
        (Named(treat=["street=bands"]), "treat: STREET cannot have the treatment bands; it can have keep"),
    ],
)
def test_what_cannot_be_is_wrong_usage(named: Named, message: str) -> None:
    with pytest.raises(typer.BadParameter) as raised:
        asked(named)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("options_given", "looks"),
    [
        (["--treat", "person=tag"], "<PERSOON-1>"),
        (["--style", "token", "--treat", "PERSON=mask"], "[NAAM]"),
        (["--profile", "names", "--treat", "person=initials"], "S.d.B."),
    ],
)
def test_persons_are_treated_as_asked(
    nymlink: Nymlink, tmp_path: Path, options_given: list[str], looks: str
) -> None:
    done = nymlink("run", "in", "--out", "out", *STORE, *options_given)
    assert done.exit_code == 0, done.output
    (place,) = (tmp_path / "out").glob("**/a.txt")
    assert looks in place.read_text(encoding="utf-8")


def test_a_project_may_store_how_persons_are_treated(nymlink: Nymlink, tmp_path: Path) -> None:
    assert nymlink("run", "in", "--out", "first", *STORE).exit_code == 0
    assert nymlink("vault", "settings", 'treat={"PERSON": "tag"}', *STORE).exit_code == 0
    with pytest.raises(BatchError, match="--restyle"):  # they have codes already
        nymlink("run", "in", "--out", "second", *STORE)
    assert nymlink("run", "in", "--out", "second", "--restyle", *STORE).exit_code == 0
    assert "<PERSOON-" in next((tmp_path / "second").glob("**/a.txt")).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["--profile", "names", "--style", "token"], r"P1-\w{20} belde P1-\w{20} op 06-12345678\."),
        (["--profile", "direct", "--style", "code"],
         r"PERSOON-\w{5} belde PERSOON-\w{5} op TELEFOON-\w{5}\."),
        (["--treat", "phone=mask,person=keep"], r"Sanne de Boer belde Piet Mulder op ###########\."),
        (["--profile", "direct", "--treat", "contact=keep", "--style", "initials"],
         r"S\.d\.B\. belde P\.M\. op 06-12345678\."),
    ],
)  # fmt: skip
def test_runs_obey_the_plan(nymlink: Nymlink, tmp_path: Path, given: list[str], text: str) -> None:
    (tmp_path / "in" / "a.txt").write_text(
        "Sanne de Boer belde Piet Mulder op 06-12345678.\n", encoding="utf-8"
    )
    done = nymlink("run", "in", "--out", "out", *STORE, *given)
    assert done.exit_code == 0, done.output
    (place,) = (tmp_path / "out").glob("**/a.txt")
    assert re.fullmatch(text, place.read_text(encoding="utf-8").strip())


def test_a_project_is_treated_by_the_profile_that_it_stores(nymlink: Nymlink, tmp_path: Path) -> None:
    (tmp_path / "in" / "a.txt").write_text("Sanne de Boer belde op 06-12345678.\n", encoding="utf-8")
    assert nymlink("run", "in", "--out", "first", *STORE).exit_code == 0
    told = json.loads(nymlink("vault", "settings", "profile=direct", *STORE).stdout)
    assert told["profile"] == "direct"
    for folder, is_treated in (("second", True), ("third", False)):
        given = () if is_treated else ("--profile", "names")
        assert nymlink("run", "in", "--out", folder, *STORE, *given).exit_code == 0
        (place,) = (tmp_path / folder).glob("**/a.txt")
        assert ("06-12345678" not in place.read_text(encoding="utf-8")) is is_treated


def test_deterministic_pseudonyms_refuse_what_the_user_named_for_another_kind(
    nymlink: Nymlink, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="PHONE cannot have the treatment code"):
        nymlink("run", "in", "--out", "out", *STORE, "--deterministic", "--treat", "phone=code")
    assert list((tmp_path / "out").glob("**/a.txt")) == []
