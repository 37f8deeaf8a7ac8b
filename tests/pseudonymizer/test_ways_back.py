"""The ways back of a project, from Python."""

from pathlib import Path

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.project import Project
from pseudonymizer.records import HowToRestore, Style
from pseudonymizer.vault import Vault
from tests.pseudonymizer.vault.rows.test_published import give


def test_a_text_tells_what_was_restored_and_what_was_left(vault: Vault, tmp_path: Path) -> None:
    (label,) = give(vault, Style.CODE, "Jan Tolsma")
    give(vault, Style.TAG, "Jan Tolsma")
    give(vault, Style.TAG, "Els Kok", project="q")
    project = Project.open(vault, "p")
    text = f"{label.lower()}, <PERSOON-1> en PERSOON-22A"
    back = project.restore_text(text, purpose="toets")
    assert back.content.decode() == "Jan Tolsma, <PERSOON-1> en PERSOON-22A"
    assert (back.labels.restored, back.labels.unknown, back.labels.malformed) == (
        1, ("<PERSOON-1>",), ("PERSOON-22A",),
    )  # fmt: skip
    assert project.restore(text, purpose="toets") == back.content
    sure = project.restore_text(text, purpose="toets", is_confirmed=True)
    assert sure.content.decode() == "Jan Tolsma, Jan Tolsma en PERSOON-22A"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(text)
    files = find_sources([tmp_path / "in"])
    how = HowToRestore(is_confirmed=True)
    report = project.restore_files(files, tmp_path / "back", purpose="toets", how=how)
    assert (report.labels.restored, report.labels_left) == (2, 1)
    assert project.lookup("Jan Tolsma", purpose="toets").pseudonyms == ("<PERSOON-1>", label)
    assert "Tolsma" not in repr(back)
