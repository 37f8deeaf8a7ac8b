"""What somebody else wrote moves no cursor, whatever verb prints it."""

import json
import re
import sys
from pathlib import Path

import pytest

from pseudonymizer import cli
from pseudonymizer.cli import tables
from pseudonymizer.cli.saying import printable, say
from pseudonymizer.column_kinds import FoundColumn
from pseudonymizer.errors import SettingsError

PRINTED = re.compile(r"\btyper\.(echo|secho)\(|\bsys\.std(out|err)\.write\(|(?<![.\w])print\(")
HOSTILE = "a\x1b[2J\x9b1m\u202e\x7f"


def test_every_verb_prints_by_one_function() -> None:
    """Files of results are another matter: options.write_result writes them as they are. The two other places
    tell errors, of which one names no word that was typed and the other is made printable.
    """
    folder = Path(cli.__file__).parent
    found = {
        file.name: len(PRINTED.findall(file.read_text(encoding="utf-8"))) for file in folder.glob("*.py")
    }
    assert {name: count for name, count in found.items() if count} == {"saying.py": 1, "__init__.py": 2}


def test_a_line_has_its_own_ends_and_columns_alone(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"one\t{HOSTILE}\ntwo")
    say(json.dumps({"name": HOSTILE}, ensure_ascii=False))
    say("w\u00f3rd \u0142 \U0001f600")
    first, second, third, fourth = capsys.readouterr().out.splitlines()
    assert (first, second) == ("one\ta\\u001b[2J\\u009b1m\\u202e\\u007f", "two")
    assert json.loads(third) == {"name": HOSTILE}
    assert fourth == "w\u00f3rd \u0142 \U0001f600"


def test_a_field_has_no_ends_of_lines() -> None:
    assert printable("x\n99\t2026\r\u2028y") == "x\\n99\\t2026\\r\\u2028y"


def test_the_title_of_a_column_is_one_field(capsys: pytest.CaptureFixture[str]) -> None:
    tables._print([FoundColumn(1, f"BSN\n{HOSTILE}", 3, None, "", 0.5, 0.5)])
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 2
    assert all(line.isprintable() for line in shown)


def test_an_error_is_one_line_that_can_be_seen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(**_: object) -> None:
        raise SettingsError(f"no such kind: {HOSTILE}\nnymlink: all is well")

    monkeypatch.setattr(cli, "app", fails)
    monkeypatch.setattr(sys, "argv", ["nymlink"])
    with pytest.raises(SystemExit):
        cli.main()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.isprintable()
