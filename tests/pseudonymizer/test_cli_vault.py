"""The verbs of a vault's life and of re-identification, on the corpus of test_cli."""

import json
from pathlib import Path

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
VAULT = STORE[:4]


def label_in(corpus: Path) -> str:
    return (corpus / "out" / "a.txt").read_text().split()[0]


def test_status_verify_migrate(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert json.loads(nymlink("vault", "status", "--vault", "sqlite:///v.db", "--json").out)["ways_in"] == 1
    assert json.loads(nymlink("vault", "verify", *VAULT, "--json").out)["findings"] == []
    assert nymlink("vault", "migrate", "--vault", "sqlite:///v.db").status == 0
    assert nymlink("vault", "status", "--vault", "sqlite:///no.db").status == 1
    assert corpus.exists()


def test_rotate_the_key_file(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    (corpus / "new.key").unlink(missing_ok=True)
    made = nymlink("vault", "init", "--vault", "sqlite:///w.db", "--key-file", "new.key")
    assert made.status == 0
    assert nymlink("vault", "rotate", "kek", *VAULT).status == 2
    assert nymlink("vault", "rotate", "kek", *VAULT, "--new-key-file", "new.key").status == 0
    assert nymlink("vault", "verify", *VAULT).status == 1
    assert nymlink("vault", "verify", "--vault", "sqlite:///v.db", "--key-file", "new.key").status == 0


def test_rotate_the_keys_of_a_project(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("vault", "rotate", "wrap", *STORE).status == 0
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert back.out.strip() == "2 exact"
    assert (corpus / "back" / "a.txt").exists()


def test_erase_ends_the_way_back(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    label = label_in(corpus)
    assert nymlink("vault", "erase", *STORE, "--purpose", "request 7").status == 2
    done = nymlink("vault", "erase", label, *STORE, "--purpose", "request 7", "--json")
    assert json.loads(done.out)["pseudonyms"] == [label]
    assert nymlink("reveal", label, *STORE, "--purpose", "test", "--out", "n").status == 1
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert (back.status, back.err) == (0, "")
    assert (corpus / "back" / "a.txt").read_text().startswith(label)


def test_lookup_goes_to_a_file_only(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("lookup", "Jan Tolsma", *STORE, "--purpose", "test").status == 2
    assert nymlink("lookup", "Jan Tolsma", *STORE, "--purpose", "test", "--out", "l.json").status == 0
    found = json.loads((corpus / "l.json").read_text())
    assert found["pseudonyms"] == [label_in(corpus)]
    assert sorted(found["paths"]) == ["a.txt", "b.txt"]


def test_request_approve_grant_reveal(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    label = label_in(corpus)
    asked = json.loads(nymlink("request", label, *STORE, "--purpose", "test", "--json").out)
    number = str(asked["request"])
    assert nymlink("approve", number, *VAULT).status == 0
    permit = nymlink("grant", number, *VAULT).out.strip()
    given = ("--purpose", "test", "--grant", permit, "--out", "n.tsv")
    assert nymlink("reveal", label, *STORE, *given).status == 0
    assert (corpus / "n.tsv").read_text() == f"{label}\tJan Tolsma\n"
    assert nymlink("reveal", label, *STORE, *given).status == 3


def test_the_trail(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    lines = [json.loads(line) for line in nymlink("audit", "list", *VAULT, "--json").out.splitlines()]
    assert {"vault.init", "assign", "store"} <= {line["action"] for line in lines}
    assert "Tolsma" not in json.dumps(lines)
    assert nymlink("audit", "export-head", *VAULT, "--out", "head.json").status == 0
    proof = nymlink("audit", "verify", *VAULT, "--head", "head.json", "--json")
    assert json.loads(proof.out)["events"] == len(lines)
    assert corpus.exists()


def test_links_without_names(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("vault", "export", *STORE, "--out", "links.csv").status == 0
    assert "Tolsma" not in (corpus / "links.csv").read_text()
