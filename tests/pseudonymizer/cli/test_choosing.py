"""Which files are treated: by patterns, without what open programs leave, and a missing input is named."""

import io
import json
from pathlib import Path

import pytest

from pseudonymizer.engine.sources import Chosen, find_sources
from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures


@pytest.mark.parametrize(
    ("chosen", "taken"),
    [
        (Chosen(), {"a.txt", "Drafts/b.TXT", "c.docx"}),
        (Chosen(include=("*.txt",)), {"a.txt", "Drafts/b.TXT"}),
        (Chosen(exclude=("drafts",)), {"a.txt", "c.docx"}),
        (Chosen(exclude=("drafts/",)), {"a.txt", "c.docx"}),
        (Chosen(include=("*.txt",), exclude=("a.*",)), {"Drafts/b.TXT"}),
        (Chosen(include=("Drafts/*",)), {"Drafts/b.TXT"}),
    ],
)
def test_patterns_fit_paths_and_names(tmp_path: Path, chosen: Chosen, taken: set[str]) -> None:
    for name in ("a.txt", "Drafts/b.TXT", "c.docx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert {source.relative for source in find_sources([tmp_path], chosen=chosen)} == taken


def test_an_input_that_is_a_file_is_treated_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (source,) = find_sources([tmp_path / "a.txt"], chosen=Chosen(include=("*.docx",)))
    assert source.relative == "a.txt"


def test_a_run_takes_what_the_options_say(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "~$a.docx").write_bytes(b"x")
    (corpus / "in" / ".~lock.b.odt#").write_bytes(b"x")
    done = nymlink("run", "in", "--out", "out", "--exclude", "b.*", "--json", *STORE)
    assert done.status == 0
    documents = json.loads(done.out)["documents"]
    assert (documents["all"], documents["ok"], documents["skipped"]) == (3, 1, 2)
    assert sorted(p.name for p in (corpus / "out").iterdir() if p.is_file()) == ["a.txt"]


def test_a_missing_input_is_named_on_a_terminal_alone(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ("run", "in", "Jan Tolsma", "--out", "out", *STORE)
    assert nymlink(*given).err.startswith("nymlink: input 2 does not exist or cannot be reached, of 2 as")

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(io, "StringIO", Terminal)
    assert "Jan Tolsma does not exist or cannot be reached (input 2)" in nymlink(*given).err
    assert corpus.exists()


def test_a_missing_input_is_told_by_its_place_among_those_given(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("run", "in", "Dossier Mol", "--out", "out", *STORE)
    assert done.status == 1
    assert "input 2 does not exist or cannot be reached, of 2 as they were given" in done.err
    assert "check the path, or leave it out" in done.err
    assert "Mol" not in done.err
    assert corpus.exists()


def test_an_error_of_the_system_says_what_to_do(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("run", "in/a.txt", "--out", "nowhere/a.txt", *STORE)
    assert done.status == 1
    assert "--out: No such file or directory; check the path, and make the folder" in done.err
    done = nymlink("run", "in", "--out", "in/a.txt", *STORE)
    assert "choose another --out" in done.err
    done = nymlink("reveal", "P1-X", "--out", "n", "--purpose", "x", *STORE)
    assert "no project of this name" in done.err
    nymlink("run", "in", "--out", "out", *STORE)
    done = nymlink("reveal", "P1-X", "--out", "n", "--purpose", "x", *STORE)
    assert "check how it is spelt, and which --project it is of" in done.err
    assert corpus.exists()
