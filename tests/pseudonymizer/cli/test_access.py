"""people: who is in a project, for a file or a terminal, never a pipe."""

import json
from pathlib import Path

import pytest

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
WHY = (*STORE, "--purpose", "klacht 7")


def test_people_go_to_a_file_and_to_a_terminal_and_never_to_a_pipe(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    refused = nymlink("people", *WHY)
    assert (refused.status, refused.out) == (2, "")
    assert nymlink("people", *WHY, "--out", "people.tsv").out == ""
    place = corpus / "people.tsv"
    assert place.stat().st_mode & 0o777 == 0o600
    header, first, *_ = place.read_text().splitlines()
    assert header == "pseudonyms\tname\tspellings\tdocuments\tlabels"
    assert first.split("\t")[1:] == ["Jan Tolsma", "1", "2", "2"]
    nymlink("people", *WHY, "--out", "people.json", "--json", "--most", "1")
    told = json.loads((corpus / "people.json").read_text())
    assert [one["name"] for one in told["items"]] == ["Jan Tolsma"]
    monkeypatch.setattr("tests.pseudonymizer.test_cli._Bytes.isatty", lambda _: True)
    assert "Jan Tolsma" in nymlink("people", *WHY).out
    events = nymlink("audit", "list", *STORE[:4]).out
    assert events.count("see-names") == 3
    assert "Tolsma" not in events
