"""Base64 and levels of a log are machine text; words, paths and names are not."""

import base64
import random

import pytest

from linkage.language import Language
from linkage.recognition.machine_text import machine_text

DUTCH = Language.load("nl")


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in machine_text(text, DUTCH)]


def test_lines_of_base64_are_found() -> None:
    bytes_of = random.Random(7)  # noqa: S311
    for _ in range(200):
        line = base64.b64encode(bytes_of.randbytes(54)).decode()
        assert _found(f"zie {line}\nen verder") == [line]


@pytest.mark.parametrize(
    "text",
    [
        "/home/roelienbouwma/Documenten/2024/verslag-van-het-gesprek",
        "Gehandicaptenparkeerkaartaanvraagformulier",
        "RoelienBouwmaEnThijmenHoekzemaMetVriendelijkeGroet", "-----------------------------------------",
        "https://voorbeeld.example/RoelienBouwma/verslagen/2024/mei/overleg", "Roelien Bouwma",
        "ROELIENBOUWMAENTHIJMENHOEKZEMAENNOGIEMAND", "0031612345678003161234567800316123456780",
    ],
)  # fmt: skip
def test_words_paths_and_numbers_are_none(text: str) -> None:
    assert _found(text) == []


def test_levels_of_a_log_in_capitals() -> None:
    assert _found('{"level":"WARN"} ERROR bij Warn, error, DEBUGGER en DEBUG') == ["WARN", "ERROR", "DEBUG"]
