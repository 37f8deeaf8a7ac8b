"""Each kind in the spellings that people use: spellings/KIND.txt, the value between « and »."""

from pathlib import Path

import pytest

from linkage.detection import find_values
from linkage.language import Language
from linkage.texts import KindId

_DUTCH = Language.load("nl")
# "code" announces a password as often as an article: as a cue it found more codes of goods than passwords.
_NOT_FOUND = {"code: «4471C»", "sleutelkluis code «4471»", "code wordt «7719»"}
_LINES = [
    (path.stem, line)
    for path in sorted((Path(__file__).parent / "spellings").glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize(("kind", "line"), _LINES, ids=[f"{kind}-{line}" for kind, line in _LINES])
def test_a_spelling_is_found(kind: str, line: str) -> None:
    before, value, after = line.replace("«", "\0").replace("»", "\0").split("\0")
    text = before + value + after
    found = [
        (one.span.cut(text), str(one.kind)) for one in find_values(text, _DUTCH) if one.kind == KindId(kind)
    ]
    assert (found == [(value, kind)]) == (line not in _NOT_FOUND)
