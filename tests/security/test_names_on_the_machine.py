"""Names stay out of process arguments, and restored files out of the reach of others."""

import io
import stat
from contextlib import nullcontext
from pathlib import Path

import pytest
import typer

from pseudonymizer.cli.asked_names import lines_of_standard_input, names_asked
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.restore import Restoration
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import load_fake, make_vault, new_batch


class _Input(io.TextIOWrapper):
    """Standard input with these bytes, at a terminal or not."""

    def __init__(self, raw: bytes, *, is_terminal: bool = False) -> None:
        super().__init__(io.BytesIO(raw))
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def test_names_come_from_arguments_or_the_lines_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    assert names_asked(["Jan", "Els"], ["name", "other name"]) == ["Jan", "Els"]
    monkeypatch.setattr("sys.stdin", _Input(b"Jan Tolsma\n\n  Els Bouma \r\n"))
    assert names_asked(["-", None], ["name", "other name"]) == ["Jan Tolsma", "Els Bouma"]
    monkeypatch.setattr("sys.stdin", _Input("J. Tölsma\nTölsma".encode()))
    assert lines_of_standard_input() == ["J. Tölsma", "Tölsma"]


def test_another_number_of_names_is_refused_without_showing_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", _Input(b"Jan Tolsma\nEls Bouma\n"))
    with pytest.raises(typer.BadParameter) as refused:
        names_asked(["-"], ["name"])
    assert "Tolsma" not in str(refused.value)


def test_a_name_is_asked_for_at_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", _Input(b""))
    with pytest.raises(typer.BadParameter, match="terminal"):
        names_asked([None], ["name"])
    asked: list[str] = []

    def answer(prompt: str, *, err: bool) -> str:
        asked.append(prompt)
        return "Jan Tolsma" if err else ""

    monkeypatch.setattr("sys.stdin", _Input(b"", is_terminal=True))
    monkeypatch.setattr(typer, "prompt", answer)
    assert names_asked([None], ["name"]) == ["Jan Tolsma"]
    assert asked == ["name"]


@pytest.mark.parametrize(
    ("of_output", "allowed", "restored"),
    [(0o644, 0o600, 0o600), (0o400, 0o600, 0o400), (0o644, 0o666, 0o644), (0o600, 0o666, 0o600)],
)
def test_restored_files_are_for_their_owner_alone(
    tmp_path: Path, of_output: int, allowed: int, restored: int
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Toen belde Sanne Terpstra weer terug.")
    with make_vault(tmp_path / "vault")() as vault:
        sources = find_sources([tmp_path / "in"])
        new_batch(
            sources,
            tmp_path / "out",
            BatchSettings("p"),
            load=load_fake,
            open_vault=lambda: nullcontext(vault),
        ).run()
        (tmp_path / "out" / "a.txt").chmod(of_output)
        restoration = Restoration(lambda: nullcontext(vault), "p", "a complaint", mode=allowed)
        restoration.files(find_sources([tmp_path / "out"]), tmp_path / "back")
    assert stat.S_IMODE((tmp_path / "back" / "a.txt").stat().st_mode) == restored
