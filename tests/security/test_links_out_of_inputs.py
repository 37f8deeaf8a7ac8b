"""A link in an input does not bring files from elsewhere into a run, unless it is asked for."""

from pathlib import Path

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """An input with a file, a link within it, a link to a file and one to a folder outside."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret.txt").write_text("Toen belde Piet Tolsma.")
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.txt").write_text("Toen belde Sanne Terpstra.")
    (folder / "within.txt").symlink_to(folder / "sub" / "a.txt")
    (folder / "out.txt").symlink_to(tmp_path / "elsewhere" / "secret.txt")
    (folder / "out").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    return folder


def test_links_that_lead_out_are_left(letters: Path) -> None:
    assert [one.path.name for one in find_sources([letters])] == ["within.txt"]  # a.txt is the same file
    named = find_sources([letters], name_links=True)
    assert {one.relative for one in named if one.leads_out} == {"out", "out.txt"}
    followed = find_sources([letters], follow_links=True)
    assert {one.path.resolve().name for one in followed} == {"a.txt", "secret.txt"}


def test_an_input_that_is_a_link_is_followed(letters: Path, tmp_path: Path) -> None:
    (tmp_path / "given").symlink_to(letters, target_is_directory=True)
    assert len(find_sources([tmp_path / "given"])) == 1
    assert len(find_sources([letters / "out.txt"])) == 1


def test_the_report_names_what_was_left(letters: Path, tmp_path: Path) -> None:
    sources = find_sources([letters], output=tmp_path / "result", name_links=True)
    report = new_batch(
        sources, tmp_path / "result", BatchSettings(PROJECT), load=load_fake,
        open_vault=make_vault(tmp_path / "vault"),
    ).run()  # fmt: skip
    assert report.errors == {"UnsupportedInputError": 2}
    written = [path for path in (tmp_path / "result").rglob("*.txt") if ".nymlink" not in path.parts]
    assert [path.name for path in written] == ["within.txt"]
    told = (tmp_path / "result" / ".nymlink" / "documents.jsonl").read_text()
    assert "leads out of the input" in told
