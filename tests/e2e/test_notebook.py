"""The notebook of the documentation runs, draws from pseudonyms alone, and is stored without results."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

NOTEBOOK: Final = Path(__file__).resolve().parents[2] / "docs" / "notebooks" / "people-in-notes.ipynb"


def cells() -> list[dict[str, Any]]:
    told: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (told["nbformat"], told["nbformat_minor"]) == (4, 5)
    return [one for one in told["cells"] if one["cell_type"] == "code"]


def test_it_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    defined: dict[str, Any] = {"__name__": "__notebook__"}
    for cell in cells():
        exec(compile("".join(cell["source"]), cell["id"], "exec"), defined)  # noqa: S102  our own notebook
    drawn = (tmp_path / "network.svg").read_text(encoding="utf-8")
    people = set(defined["network"])
    assert len(people) > 10
    assert all(re.fullmatch(r"PERSOON-[0-9A-Z]{5}", person) for person in people)
    assert drawn.count("<circle") == len(people)
    assert drawn.count("<line") == defined["network"].number_of_edges() > 10
    assert "Jurre" in defined["first"]["text"][0]
    assert "Jurre" not in defined["safe"]["text"][0]
    known = re.match(r"(\d+) people of the second delivery were known", capsys.readouterr().out)
    assert known is not None
    assert int(known[1]) > 0


def test_it_holds_no_results() -> None:
    """Results of a run could hold names of whoever ran it last."""
    assert [cell["id"] for cell in cells() if cell["outputs"] or cell["execution_count"] is not None] == []
