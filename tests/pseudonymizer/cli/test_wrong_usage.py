"""What is said of a wrong command line: which option and why, and nothing of what was typed."""

import io
import sys

import pytest

from pseudonymizer.cli import main

GIVEN = "Quirinus Vlasbloem"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((GIVEN,), "there is no such verb"),
        (("vault", GIVEN), "there is no such verb"),
        (("run", "in", "--vlasbloem", GIVEN), "there is no such option"),
        (("run", "in", f"--vlasbloem={GIVEN}"), "there is no such option"),
        (("reveal", "x", "--vualt", GIVEN), "there is no such option; there is --out, --vault"),
        (("run", "in", "--scope", GIVEN), "'--scope': Value error, what was given is not one of 'project'"),
        (("run", "in", f"--workers={GIVEN}"), "'--workers': Input should be a valid integer"),
        (("run", "in", "--json=Vlasbloem"), "'--json'"),
        (("approve", GIVEN), "'REQUEST': Input should be a valid integer"),
        (("approve", "1", GIVEN, "Kwakkelstein", "--vault", "v.db"), "more arguments than it takes"),
        (("vault", "roles", "give", "anna", GIVEN), "what was given is not one of 'analyst'"),
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


def test_without_a_verb_the_help_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "argv", ["nymlink"])
    monkeypatch.setattr(sys, "stderr", shown)
    with pytest.raises(SystemExit):
        main()
    assert "Find the names of people" in shown.getvalue()
