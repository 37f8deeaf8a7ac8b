"""What the README shows is run, and its table of verbs is the command's."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pseudonymizer import FileKey, Vault
from pseudonymizer.cli import app

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_python_block_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "1.txt").write_text(
        "Beste mevrouw Oudshoorn, Jan Tolsma belde.", encoding="utf-8"
    )
    with Vault.create("sqlite:///vault.db", FileKey(Path("kek.key"))) as vault:
        vault.commit()
    defined: dict[str, Any] = {}
    exec(compile(block[1], "README.md", "exec"), defined)  # noqa: S102  our own README
    shown = capsys.readouterr().out
    assert "Tolsma" not in shown
    assert "Wiersma" not in shown
    assert defined["original"] == b"Jan Tolsma belde met Els Wiersma."
    first, second = (re.findall(r"PERSOON-\w{5}", document.text) for document in defined["answer"])
    assert len(first) == 2
    assert second == first[:1]
    (written,) = (tmp_path / "out").glob("*.txt")
    assert first[0] in written.read_text(encoding="utf-8")
    assert [m.mention.surface for m in defined["linked"].documents[0].mentions] == ["Wiersma"]


def test_the_verbs_are_those_of_the_command() -> None:
    table = re.search(
        r"\| verb \| does \|\n\| --- \| --- \|\n(.*?)\n\n", README.read_text(encoding="utf-8"), re.DOTALL
    )
    assert table is not None
    told: set[str] = set()
    for row in table[1].splitlines():
        words = re.findall(r"`([^`]+)`", row.split("|")[1])
        group = words[0].split()[0] + " " if " " in words[0] else ""
        told |= {word if " " in word else group + word for word in words}
    command = typer.main.get_command(app)
    known: set[str] = set()
    for name, verb in command.commands.items():  # type: ignore[attr-defined]
        below = getattr(verb, "commands", None)
        known |= {f"{name} {sub}" for sub in below} if below else {name}
    assert told == known
