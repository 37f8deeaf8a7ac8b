"""relink: what one go over a project finds otherwise, by pseudonym."""

import json
from pathlib import Path

import pytest

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
WHY = (*STORE, "--purpose", "nieuwe levering")


def test_changes_are_listed_by_pseudonym_and_made_when_asked(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    found = json.loads(nymlink("relink", *WHY, "--json").out)
    assert found["verb"] == "relink"
    assert (found["items"], found["applied"]) == ([], False)
    assert found["people"] > 1
    done = nymlink("relink", *WHY)
    assert done.status == 0
    assert (
        done.out
        == f"{found['people']} people, {found['mentions']} mentions: 0 merge, 0 unmerge, 0 split, 0 open\n"
        "nothing to change: text by text came to the same as one go over everything\n"
    )
    (corpus / "in" / "z.txt").write_text("Jan Tolsma belde Jan Tolsma.", encoding="utf-8")
    nymlink("run", "in", "--out", "out", *STORE)
    assert json.loads(nymlink("relink", *WHY, "--apply", "--json").out)["applied"] is True
    refused = nymlink("relink", *WHY, "--names")
    assert (refused.status, refused.out) == (2, "")
    assert nymlink("relink", *WHY, "--names", "--out", "anew.tsv").out == ""
    assert (corpus / "anew.tsv").stat().st_mode & 0o777 == 0o600
    events = nymlink("audit", "list", *STORE[:4]).out
    assert "relink" in events
    assert "Tolsma" not in events
    monkeypatch.setattr("tests.pseudonymizer.test_cli._Bytes.isatty", lambda _: True)
    assert nymlink("relink", *WHY, "--names").status == 0


def test_a_change_is_told_on_a_line(nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pseudonymizer.project import Project
    from pseudonymizer.relinks import ChangeKind, RelinkChange, Relinked, RelinkedPerson

    one, other = RelinkedPerson(("P-1",), "Jan\tTolsma"), RelinkedPerson(())
    changes = (
        RelinkChange(ChangeKind.SPLIT, (one, other), 3), RelinkChange(ChangeKind.OPEN, (one, one), 0, 0.612),
    )  # fmt: skip
    monkeypatch.setattr(Project, "relink", lambda *_, **__: Relinked(changes, 2, 9))
    nymlink("run", "in", "--out", "out", *STORE)
    nymlink("relink", *WHY, "--names", "--out", "anew.tsv")
    assert (corpus / "anew.tsv").read_text(encoding="utf-8").splitlines() == [
        "split\tP-1 Jan\\tTolsma\t(a new pseudonym)\t3 mentions",
        "open\tP-1 Jan\\tTolsma\tP-1 Jan\\tTolsma\t0.61",
        "2 people, 9 mentions: 0 merge, 0 unmerge, 1 split, 1 open",
        "nothing was changed; --apply makes these changes",
    ]
    nymlink("relink", *WHY, "--names", "--json", "--out", "anew.json")
    told = json.loads((corpus / "anew.json").read_text(encoding="utf-8"))
    assert told["items"][0] == {
        "kind": "split", "people": [{"pseudonyms": ["P-1"], "name": "Jan\tTolsma"}, {"pseudonyms": []}],
        "mentions": 3, "probability": None,
    }  # fmt: skip
