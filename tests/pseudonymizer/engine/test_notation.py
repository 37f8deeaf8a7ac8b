"""Names written into JSON and HTML that stands in plain text."""

import json

import pytest

from linkage.records import Span
from pseudonymizer.engine.notation import Notation

NAME = 'Jan "Jos" de <V>ries\\'


def written(text: str) -> str:
    at = text.index("PERSOON-7KQM3")
    span = Span(at, at + len("PERSOON-7KQM3"))
    return text[: span.start] + Notation(text).written(NAME, span) + text[span.end :]


def texts_in(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts_in(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts_in(one)]
    return [str(value)]


@pytest.mark.parametrize("text", ['{"naam": "PERSOON-7KQM3"}', '["x", ["PERSOON-7KQM3"]]\n'])
def test_json_stays_json(text: str) -> None:
    assert NAME in texts_in(json.loads(written(text)))


def test_json_in_a_fenced_block_and_in_lines_stays_json() -> None:
    block = written('Hier is het:\n```json\n{"a": "PERSOON-7KQM3"}\n```\nGroet')
    assert json.loads(block.split("```json")[1].split("```")[0]) == {"a": NAME}
    lines = written('{"a": 1}\n{"a": "PERSOON-7KQM3"}\ngeen json\n')
    assert json.loads(lines.splitlines()[1]) == {"a": NAME}


def test_a_member_of_json_that_is_cut_off_stays_one() -> None:
    line = written('{\n  "naam": "PERSOON-7KQM3",\n  "leef').splitlines()[1]
    assert json.loads("{" + line.rstrip(",") + "}") == {"naam": NAME}


@pytest.mark.parametrize("text", ["PERSOON-7KQM3 belde.", 'Zij zei: "PERSOON-7KQM3".', '{"a" PERSOON-7KQM3'])
def test_prose_gets_the_name_as_it_is(text: str) -> None:
    assert written(text) == text.replace("PERSOON-7KQM3", NAME)


def test_html_is_escaped() -> None:
    assert written("<p>PERSOON-7KQM3</p>") == '<p>Jan "Jos" de &lt;V&gt;ries\\</p>'
    assert written('<p title="PERSOON-7KQM3">') == '<p title="Jan &quot;Jos&quot; de &lt;V&gt;ries\\">'
