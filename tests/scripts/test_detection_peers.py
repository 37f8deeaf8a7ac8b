"""The harness that runs other detectors: Frog's columns back to offsets, one tool in a process, its table."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from detection_benchmark import run_tool, tables
from detection_benchmark.peers import SETS

COLUMNS = "1\t{}\t\t\t\tSPEC(deeleigen)\t1.000000\t{}\t\t\t\t\t\t".format  # as Frog 0.20 writes them


def _columns(*tokens: tuple[str, str]) -> str:
    return "\n".join(COLUMNS(token, tag) for token, tag in tokens) + "\n\n"


def test_tokens_with_person_tags_are_found_in_the_text() -> None:
    text = "Tet Pol  (Kaat) en Kaat; in Zwolle"
    tagged = _columns(
        ("Tet", "B-PER"), ("Pol", "I-PER"), ("(", "O"), ("Kaat", "B-PER"), (")", "O"), ("en", "O"),
        ("Kaat", "B-PER"), (";", "O"), ("in", "O"), ("Zwolle", "B-LOC"),
    )  # fmt: skip
    found = list(run_tool.people_in(text, tagged))
    assert [text[start:end] for start, end in found] == ["Tet Pol", "Kaat", "Kaat"]
    assert found[1:] == [(10, 14), (19, 23)]


def test_neighbouring_people_and_the_last_word() -> None:
    text = "Tet Kaat"
    assert list(run_tool.people_in(text, _columns(("Tet", "B-PER"), ("Kaat", "B-PER")))) == [(0, 3), (4, 8)]
    tagged = _columns(("“", "O"), ("Tet", "B-PER"), ("Kaat", "I-PER"))  # a sign that the text does not have
    assert list(run_tool.people_in(text, tagged)) == [(0, 8)]


def test_a_tool_that_is_not_there_is_told_by_its_exit(tmp_path: Path) -> None:
    texts = tmp_path / "texts.jsonl"
    texts.write_text(json.dumps({"text": "Tet belt."}) + "\n")
    done = subprocess.run(  # noqa: S603  our own script
        [sys.executable, str(Path(run_tool.__file__)), "nosuchtool", str(texts)],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "Tet" not in done.stdout + done.stderr


def test_tables_have_a_row_a_tool_and_say_what_failed() -> None:
    told = dict.fromkeys(tables.PEER_COLUMNS, 0.5) | {"version": "3.0.6"}
    report: dict[str, dict[str, dict[str, Any]]] = {
        name: {"deduce": told, "frog": {"failed": ["no model"]}} for name in SETS
    }
    lines = tables.peers(report).splitlines()
    assert len(lines) == 2 + 2 * len(SETS)
    assert len({line.count("|") for line in lines}) == 1
    assert "| sample | deduce 3.0.6 | 0.500 |" in lines[2]
    assert "failed" in lines[3]
