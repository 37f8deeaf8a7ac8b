"""What else in an output folder holds names is counted by kind: files of our verbs, and all others."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from linkage.records import FormLink, LinkageResult, LinkDecision
from linkage.review import Judgement, Verdict, write_judgements
from pseudonymizer.answers import Failure, Foreseen, FoundDocument
from pseudonymizer.cli.lines import jsonl
from pseudonymizer.desk.view import ViewedKinds, view_page
from pseudonymizer.mention_lines import link_lines, mention_line
from pseudonymizer.runs import names_in_folder
from pseudonymizer.runs.names_in_folder import NamesInFolder, names_in
from pseudonymizer.treatments.treatment import Treatment
from pseudonymizer.vault import Vault
from tests.fakes import linkage_result
from tests.pseudonymizer.batch_fakes import make_vault
from tests.pseudonymizer.runs.test_run import fill, run

OpenVault = Callable[[], AbstractContextManager[Vault]]
RESULT = linkage_result({"a": "Jan Tolsma belt"}, [[("a", "Jan Tolsma")]])


def written_by_our_verbs(folder: Path) -> None:
    """A file of each verb that writes names, under a name that says nothing."""
    (folder / "sub").mkdir(parents=True)
    found = FoundDocument("a.txt", RESULT.mentions)
    failed = FoundDocument("b.txt", (), failure=Failure("OSError", "gone"))
    (folder / "1").write_bytes(jsonl([mention_line(found), mention_line(failed)]))
    (folder / "2").write_bytes(jsonl([mention_line(failed), mention_line(found, RESULT)]))
    judged = Judgement("Jan", "Els", Verdict.REJECT, judged_at=datetime.now(UTC).isoformat(), judge="x")
    write_judgements(folder / "sub" / "3", [judged])
    linked = LinkageResult(
        (), (), form_links=(FormLink("Jan", "J.", 0.9, LinkDecision.LINK, "", float("nan")),)
    )
    (folder / "4").write_bytes(jsonl(link_lines(linked)))
    seen = ViewedKinds(Foreseen(Treatment.KEEP), ())
    (folder / "sub" / "5").write_text("".join(view_page([], RESULT, seen)))


def test_files_of_our_verbs_are_known_by_their_content(tmp_path: Path) -> None:
    written_by_our_verbs(tmp_path)
    fill(tmp_path, {
        "a.jsonl": b'{"doc_id": "a", "text": "Jan Tolsma"}\n', "empty": b"", "vault.db": b"SQLite format 3\0",
        "left.jsonl": b'{"left": "a", "right": "b"}\n', ".nymlink/work.db": b"", ".nymlink/report.json": b"",
        "sub/.nymlink/x": b"",
    })  # fmt: skip
    (tmp_path / "link").symlink_to(tmp_path / "1")
    expected = NamesInFolder(sealed=1, mentions=2, judgements=1, links=1, pages=1, other=6, old_paths=7)
    assert names_in(tmp_path, lambda _: False, old_paths=7) == expected
    assert names_in(tmp_path, lambda _: True) == NamesInFolder(sealed=1)


def test_of_very_many_files_some_are_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names_in_folder, "_MOST_READ", 1)
    written_by_our_verbs(tmp_path)
    found = names_in(tmp_path, lambda _: False)
    assert found.other == 4
    assert found.mentions + found.links == 1


def test_outputs_of_this_and_earlier_runs_are_no_other_files(tmp_path: Path) -> None:
    open_vault: OpenVault = make_vault(tmp_path / "vault")
    out = tmp_path / "out"
    run(open_vault, [fill(tmp_path / "one", {"Jan Tolsma.txt": b"Els Mol", "sub/b.txt": b"x"})], out)
    fill(out, {"eigen.txt": b"van iemand"})
    report = run(open_vault, [fill(tmp_path / "two", {"c.txt": b"Jan Tolsma"})], out)
    assert report.names_in_folder == NamesInFolder(sealed=1, other=1)
    stored = json.loads((out / ".nymlink" / "report.json").read_bytes())["names_in_folder"]
    assert (stored["sealed"], stored["other"]) == (1, 1)
    assert run(open_vault, [tmp_path / "one"], out, dry_run=True).names_in_folder == NamesInFolder()
