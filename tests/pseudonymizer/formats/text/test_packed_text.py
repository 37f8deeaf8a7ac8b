"""Texts packed in texts: read by their own rules and packed again; other bytes are told and left alone."""

import base64
import json
import random

import pytest

from pseudonymizer import formats
from pseudonymizer.formats.text.packed_text import blobs, is_blob, is_json, is_page, unpacked
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Teun Hoekema"
LETTERS = base64.b64encode(f"Gisteren belde {NAME} nog over vrijdag.".encode()).decode()
BINARY = {"resourceType": "Binary", "contentType": "text/plain", "data": LETTERS}
PACKED_PAGE = base64.b64encode(f"<p>{NAME[:5]}<b>{NAME[5:]}</b></p>".encode()).decode()
PAGE = f"<p>{NAME[:5]}<b>{NAME[5:]}</b></p>"


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("x.json", json.dumps({"x": LETTERS}).encode()),
        ("x.json", json.dumps({"x": json.dumps({"y": f'{NAME} zei "ja"', "z": PAGE})}).encode()),
        ("x.json", json.dumps({"x": f"data:text/html;base64,{PACKED_PAGE}"}).encode()),
        ("x.jsonl", json.dumps({"text": "x", "y": LETTERS}).encode() + b"\n"),
        ("x.csv", f"nr;tekst\n1;{LETTERS}\n2;x\n".encode()),
        ("x.csv", ('nr;tekst\n1;"' + json.dumps({"y": NAME}).replace('"', '""') + '"\n2;x\n').encode()),
        ("x.xml", f"<?xml version='1.0'?><a><b>{LETTERS}</b><c>{json.dumps({'y': NAME})}</c></a>".encode()),
        ("x.xml", f"<?xml version='1.0'?><a><b>{NAME.encode().hex()}</b></a>".encode()),
        ("x.xml", "<?xml version='1.0'?><a><b>{}</b></a>".format(PAGE.replace("<", "&lt;")).encode()),
        ("x.html", f"<html><a href='data:text/plain;base64,{LETTERS}'>x</a></html>".encode()),
        ("x.txt", f"Zie {LETTERS} hier.\n".encode()),
        ("x.json", json.dumps(BINARY).encode()),
        ("x.hl7", f"MSH|^~\\&|A|B\rOBX|1|ED|x||^TEXT^^Base64^{LETTERS}\r".encode()),
    ],
)  # fmt: skip
def test_a_packed_name_goes_and_all_comes_back(name: str, raw: bytes) -> None:
    parsed, rendered = rewrite(raw, name, [NAME])
    assert rendered.raw != raw
    again = formats.read(rendered.raw, name=name)
    shown = "\n".join(part.text for part in again.parts)
    assert LABEL in shown
    assert NAME not in shown
    assert "Hoekema" not in rendered.raw.decode()
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw


def test_json_inside_of_json_stays_whole() -> None:
    inner = {"y": f'{NAME} zei "ja"'}
    _, rendered = rewrite(json.dumps({"x": json.dumps(inner)}).encode(), "x.json", [NAME])
    assert json.loads(json.loads(rendered.raw)["x"]) == {"y": f'{LABEL} zei "ja"'}


@pytest.mark.parametrize("name", ["x.json", "x.csv", "x.xml", "x.txt", "x.yaml", "x.log"])
def test_random_bytes_are_told_and_no_words(name: str) -> None:
    draw = random.Random(7)  # noqa: S311  no secret
    for size in (60, 90, 400):
        letters = base64.b64encode(draw.randbytes(size)).decode()
        raw = {
            "x.json": json.dumps({"x": letters}), "x.csv": f"nr;bytes\n1;{letters}\n2;x\n",
            "x.xml": f"<?xml version='1.0'?><a><b>{letters}</b></a>", "x.txt": f"Zie {letters} hier.",
            "x.yaml": f'x: "{letters}"\n', "x.log": f"x {letters} y\n",
        }[name]  # fmt: skip
        parsed = formats.read(raw.encode(), name=name)
        assert [one.kind for one in parsed.unread] == ["encoded content"]
        assert not any(letters[:20] in part.text for part in parsed.parts)


@pytest.mark.parametrize(
    "word",
    [
        "Hottentottententententoonstellingsmakersgilde",
        "C:/Users/Jan/Documents/Verslagen/Gesprekken/Mei/2024/Deel",
        "0123456789abcdef0123456789abcdef0123456789abcdef", "0612345678" * 5, "NL91ABNA0417164300",
        "https//www/voorbeeld/example/nl/pagina/over/zorg", "a" * 60,
    ],
)  # fmt: skip
def test_words_paths_and_numbers_are_not_packed(word: str) -> None:
    assert not is_blob(word)
    assert list(blobs(word, 0, len(word))) == []


def test_what_is_no_base64_holds_nothing() -> None:
    assert unpacked("geen base64!") is None
    assert unpacked("QQ") is None
    found = unpacked(base64.b64encode(b"\x89PNG" + bytes(60)).decode())
    assert found is not None
    assert found.is_media
    assert found.text is None


def test_pages_and_json_are_told_by_how_they_begin() -> None:
    assert is_page(" <p>x</p>")
    assert not is_page("<naam> schreef")
    assert is_json('{"a": 1}')
    assert not is_json("{a}")
    assert not is_json('"a"')
