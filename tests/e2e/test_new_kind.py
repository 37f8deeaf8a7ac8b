"""A new kind: a row of data/kinds.toml for the product, a table of settings for a user; nothing else."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from linkage.detection import finder
from linkage.kinds import Kinds
from linkage.shipped_data import data_directory
from linkage.texts import KindId
from pseudonymizer.cli import app, options
from pseudonymizer.styles import looks
from pseudonymizer.treatments import profiles
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.batch_fakes import load_fake

ROW = r"""
[kinds.CARGO]
category = "ID"
words = { nl = "LADING", en = "CARGO" }
letter = "C"
link = "value"
direct = true
default = "code"

[[kinds.CARGO.patterns]]
id = "cargo"
regex = '\bKRG#\d{4}\b'
needs = "shape"
"""
OWN = "[kinds.CARGO]\npattern = '\\bKRG#\\d{4}\\b'\nwords = { nl = 'LADING', en = 'CARGO' }\n"
LETTER = "Sanne Boer vroeg naar KRG#1234, en krg#1234 is KRG#1234.\n"
TABLE = "klant,lading\nSanne Boer,KRG#1234\nPiet Mulder,KRG#2345\nEls Kok,KRG#3456\n"
CARGO = KindId("CARGO")

Nymlink = Callable[..., Result]


@pytest.fixture(params=["row", "own"])
def nymlink(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Nymlink]:
    """The command in a folder with a letter and a table; CARGO is a shipped kind, or one of the user."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(LETTER)
    (tmp_path / "in" / "t.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)
    if request.param == "row":
        shipped = Kinds.of_toml((data_directory() / "kinds.toml").read_bytes() + ROW.encode())
        monkeypatch.setattr(Kinds, "load", classmethod(lambda _: shipped))
        _forget()
    else:
        (tmp_path / "nymlink.toml").write_text(OWN)
    yield lambda *arguments: CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    _forget()


def _forget() -> None:
    """Nothing is left of what was read from the table of kinds."""
    for cached in (finder.finder_of, looks.kind_words, profiles._shipped):
        cached.cache_clear()


def _mentions(nymlink: Nymlink, name: str, *more: str) -> list[tuple[str, str]]:
    done = nymlink("detect", f"in/{name}", "--out", "-", *more)
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [(mention["text"], mention["kind"]) for line in lines for mention in line["mentions"]]


def test_it_is_found_in_texts(nymlink: Nymlink) -> None:
    found = [("KRG#1234", "CARGO"), ("KRG#1234", "CARGO")]
    assert _mentions(nymlink, "a.txt", "--kinds", "cargo") == found
    assert [one for one in _mentions(nymlink, "a.txt", "--kinds", "id") if one[1] == "CARGO"] == found
    assert _mentions(nymlink, "a.txt") == [("Sanne Boer", "PERSON")]


def test_it_is_found_in_tables(nymlink: Nymlink) -> None:
    assert [text for text, _ in _mentions(nymlink, "t.csv", "--kinds", "cargo")] == [
        "KRG#1234", "KRG#2345", "KRG#3456",
    ]  # fmt: skip
    columns = json.loads(nymlink("columns", "in/t.csv", "--json").stdout)["items"]
    assert [column["kind"] for column in columns] == ["PERSON", "CARGO"]
    corrected = json.loads(nymlink("columns", "in/t.csv", "--set", "klant=cargo", "--json").stdout)["items"]
    assert corrected[0]["kind"] == "CARGO"


def test_it_is_scored(nymlink: Nymlink, tmp_path: Path) -> None:
    gold = {
        "doc_id": "a", "text": LETTER, "mentions": [],
        "identifiers": [{"start": 22, "end": 30, "kind": "CARGO"}],
    }  # fmt: skip
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold) + "\n")
    (tmp_path / "found.jsonl").write_text(json.dumps(gold) + "\n")
    scored = nymlink("evaluate", "gold.jsonl", "--found", "found.jsonl", "--kinds", "cargo", "--json")
    assert scored.exit_code == 0, scored.output
    assert "CARGO" in json.dumps(json.loads(scored.stdout)["kinds"])


def test_it_has_a_treatment_of_its_own(nymlink: Nymlink) -> None:
    kinds = options.read_settings(None).linkage.own.all_kinds
    del nymlink
    assert Plan.made("everything", kinds=kinds).of(CARGO) is Treatment.CODE
    assert kinds[CARGO].word("nl") == "LADING"
