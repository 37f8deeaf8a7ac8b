"""What is said of a wrong command line: which option and why, and nothing of what was typed."""

import io
import sys
from pathlib import Path

import pytest

from pseudonymizer.cli import main
from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures

GIVEN = "Quirinus Vlasbloem"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((GIVEN,), "there is no such verb"),
        (("vault", GIVEN), "there is no such verb"),
        (("run", "in", "--vlasbloem", GIVEN), "there is no such option"),
        (("run", "in", f"--vlasbloem={GIVEN}"), "there is no such option"),
        (("reveal", "x", "--vualt", GIVEN), "there is no such option; there is --out, --vault"),
        (("run", "in", "--scope", GIVEN), "'--scope': it is none of project, document, occurrence"),
        (("run", "in", f"--workers={GIVEN}"), "'--workers': it is no whole number"),
        (("run", "in", "--json=Vlasbloem"), "'--json'"),
        (("approve", GIVEN), "'REQUEST': it is no whole number"),
        (("approve", "1", GIVEN, "Kwakkelstein", "--vault", "v.db"), "more arguments than it takes"),
        (("vault", "roles", "give", "anna", GIVEN), "it is none of analyst, curator"),
        (("lookup", GIVEN, "--vault", "v.db"), "Missing option '--project'"),
    ],
)
def test_a_wrong_command_line_is_not_shown_again(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    shown = io.StringIO()
    for name in ("NYMLINK_VAULT", "NYMLINK_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "argv", ["nymlink", *arguments])
    monkeypatch.setattr(sys, "stderr", shown)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert told in shown.getvalue()
    assert not any(word in shown.getvalue().casefold() for word in ("quirinus", "vlasbloem", "kwakkelstein"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("restoer", "out"), "there is no such verb; did you mean restore?"),
        (("projects",), "there is no such verb; did you mean vault projects?"),
        (("vault", "statis"), "did you mean vault status"),
        (("requests", "wihtdraw", "1"), "did you mean requests withdraw?"),
        (("run", "in", "--exlude", "*.md"), "there is no such option; there is --exclude"),
        (("run", "in", "--style", "tokne"), "'--style': did you mean token? known: code, token"),
        (("vault", "roles", "give", "anna", "Approver1"), "'ROLE': did you mean approver? known: analyst"),
        (("detect", "in", "--out", "x", "--kinds", "phone,adress,emial"), "did you mean"),
        (("columns", "x.csv", "--set", "a=BANKACCOUNT"), "did you mean BANK_ACCOUNT?"),
        (("evaluate", "x", "--scheme", "finance"), "did you mean financial?"),
        (("run", "in", "--file-depth", "33"), "'--file-depth': it is more than 32"),
        (("run", "in", "--time-limit", "soon"), "'--time-limit': it is no number"),
        (("restore", "x", "--out", "y"), "Missing option '--"),
        (
            ("reveal", "P1-X", "--vault", "v.db", "--project", "p"),
            "Missing option '--purpose': What it is done for; audited.",
        ),
        (("run", "in", "--set"), "Option '--set' requires an argument"),
    ],
)
def test_what_was_probably_meant_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    shown = io.StringIO()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "x.csv").write_text("a\n1\n")
    (tmp_path / "x").write_text("")
    monkeypatch.setattr(sys, "argv", ["nymlink", *arguments])
    monkeypatch.setattr(sys, "stderr", shown)
    with pytest.raises(SystemExit):
        main()
    assert told in " ".join(shown.getvalue().split())
    assert "adress" not in shown.getvalue()


def test_a_project_that_is_nearly_there_is_asked_for(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE[:4], "--project", "study-12")
    done = nymlink("reveal", "P1-X", *STORE[:4], "--project", "studie-12", "--purpose", "x", "--out", "n")
    assert "no project of this name; did you mean study-12? `nymlink vault projects` lists them" in done.err
    assert corpus.exists()


def test_without_a_verb_the_help_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "argv", ["nymlink"])
    monkeypatch.setattr(sys, "stderr", shown)
    with pytest.raises(SystemExit):
        main()
    assert "Find the names of people" in shown.getvalue()
