"""The verbs of a vault's life and of re-identification, on the corpus of test_cli."""

import getpass
import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pseudonymizer import open_vault
from pseudonymizer.keyring import FileKey
from tests.kept.material import command_in
from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink
from tests.pseudonymizer.vault.values_by_hand import BANK, IBAN, assigned, met, texts

__all__ = ["corpus", "nymlink"]  # fixtures
VAULT = STORE[:4]


def label_in(corpus: Path) -> str:
    return (corpus / "out" / "a.txt").read_text().split()[0]


def test_status_verify_migrate(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert json.loads(nymlink("vault", "status", "--vault", "sqlite:///v.db", "--json").out)["ways_in"] == 1
    assert json.loads(nymlink("vault", "verify", *VAULT, "--json").out)["findings"] == []
    assert nymlink("vault", "verify", *VAULT).out.endswith(
        "nothing is wrong: all of it is as the vault wrote it\n"
    )
    assert nymlink("vault", "migrate", "--vault", "sqlite:///v.db").status == 0
    assert nymlink("vault", "status", "--vault", "sqlite:///no.db").status == 1
    assert corpus.exists()


def test_migrate_keeps_a_copy_and_says_that_there_is_no_way_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    golden = Path(__file__).parent.parent / "vectors" / "golden"
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((golden / f"0001.{name}.gz").read_bytes()))
    command = command_in(tmp_path, monkeypatch)
    done = command("vault", "migrate", "--vault", "vault.db")
    (copy,) = tmp_path.glob("vault.db.copy-*")
    assert done.status == 0
    assert "older programs open it no more" in done.out
    assert copy.name in done.out
    again = json.loads(command("vault", "migrate", "--vault", "vault.db", "--json").out)
    assert (again["copy"], len(again["revisions"])) == (None, 2)
    assert list(tmp_path.glob("vault.db.copy-*")) == [copy]


def test_reseal_needs_the_key_and_says_what_it_did(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("vault", "migrate", *VAULT[:2], "--key-file", "k").status == 2
    done = nymlink("vault", "migrate", *VAULT, "--reseal")
    assert done.status == 0, done.err
    assert "0 rows are sealed in the present form" in done.out
    assert list(corpus.glob("*.copy-*")) == [], "there was nothing to do, so nothing to copy"
    assert nymlink("vault", "migrate", "--vault", "unix:/x.sock", "--reseal").status == 2


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
    assert (back.status, back.err, back.out) == (0, "", "2 without the erased\n")
    assert (corpus / "back" / "a.txt").read_text().startswith(label)


def test_what_nobody_was_erased_from_comes_back_exactly(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "c.txt").write_text("Piet Kok kwam")
    nymlink("run", "in", "--out", "out", *STORE)
    nymlink("vault", "erase", label_in(corpus), *STORE, "--purpose", "request 7")
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE, "--json")
    counts = json.loads(back.out)["files"]
    assert {how: count for how, count in counts.items() if count} == {"exact": 1, "without the erased": 2}
    assert (corpus / "back" / "c.txt").read_text() == "Piet Kok kwam"


@pytest.mark.parametrize("grant", ["", "nonsense", "G-", "G1" + "0" * 30 + "-aa"])
def test_what_is_no_grant_is_told_as_none(nymlink: Nymlink, corpus: Path, grant: str) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    done = nymlink("reveal", label_in(corpus), *STORE, "--purpose", "x", "--grant", grant, "--out", "n")
    assert done.status == 3
    assert "this is no grant" in done.err


def test_the_first_role_says_what_it_ends(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("vault", "roles", "give", "alice", "analyst", *VAULT)
    assert done.out.startswith("alice: analyst\nyou are dpo")
    assert nymlink("vault", "roles", "give", "bob", "auditor", *VAULT).out == "bob: auditor\n"
    assert corpus.exists()


def test_a_refusal_says_which_role_it_takes(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("vault", "roles", "give", "alice", "analyst", *VAULT)
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 3
    assert "no role that allows pseudonymize, which takes analyst or curator;" in done.err
    assert "An actor of the role dpo gives it: `nymlink vault roles give ACTOR analyst`" in done.err
    assert corpus.exists()


def test_an_approval_says_how_many_there_are(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("request", label_in(corpus), *STORE, "--purpose", "x").status == 0
    assert nymlink("approve", "1", *VAULT).out == "request 1: approved, 1 of 1 approvals\n"


def test_a_name_without_letters_is_not_looked_up(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("lookup", " 1", *STORE, "--purpose", "x", "--out", "l").status == 2
    assert not (corpus / "l").exists()


def test_lookup_goes_to_a_file_only(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("lookup", "Jan Tolsma", *STORE, "--purpose", "test").status == 2
    assert nymlink("lookup", "Jan Tolsma", *STORE, "--purpose", "test", "--out", "l.json").status == 0
    found = json.loads((corpus / "l.json").read_text())
    assert found["pseudonyms"] == [label_in(corpus)]
    assert sorted(found["paths"]) == ["a.txt", "b.txt"]


def test_a_value_is_looked_up_and_erased_by_its_kind(nymlink: Nymlink, corpus: Path) -> None:
    found = [met(BANK, IBAN, "NL91-ABNA-0417-1643-00")]
    with open_vault(corpus / "v.db", FileKey(corpus / "k.key")) as vault:
        (label,) = texts(assigned(vault, found), found)
        vault.commit()
    why = (*STORE, "--purpose", "request 7")
    lookup = ("lookup", "NL91 ABNA 0417 1643 00", *why, "--out", "l.json")
    assert nymlink(*lookup, "--kind", "bank-account").status == 0
    assert json.loads((corpus / "l.json").read_text())["pseudonyms"] == [label]
    assert nymlink(*lookup, "--kind", "person").status == 1
    erase = ("vault", "erase", *why, "--value", IBAN)
    assert nymlink(*erase).status == 2
    assert nymlink(*erase, "--kind", "PHONE").status == 1
    assert nymlink(*erase, "--kind", "BANK_ACCOUNT", "--unseen-days", "3").status == 2
    done = nymlink(*erase, "--kind", "BANK_ACCOUNT", "--json")
    assert json.loads(done.out)["pseudonyms"] == [label]
    assert IBAN not in done.out
    (corpus / "l.json").unlink()
    assert nymlink(*lookup, "--kind", "BANK_ACCOUNT").status == 0
    assert json.loads((corpus / "l.json").read_text())["pseudonyms"] == []


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
    lines = json.loads(nymlink("audit", "list", *VAULT, "--json").out)["items"]
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


ME = getpass.getuser()


def test_roles_are_given_listed_and_taken(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert "everyone" in nymlink("vault", "roles", "list", *VAULT).out
    assert nymlink("vault", "roles", "give", "ana", "analyst", *VAULT, "--actor", "bas").status == 0
    listed = json.loads(nymlink("vault", "roles", "list", *VAULT, "--actor", "bas", "--json").out)["items"]
    assert listed == [{"actor": "ana", "role": "analyst"}, {"actor": "bas", "role": "dpo"}]
    asked = ("reveal", label_in(corpus), *STORE, "--purpose", "t", "--out", "n", "--actor", "ana")
    assert nymlink(*asked).status == 3
    assert nymlink("vault", "roles", "give", "ana", "dpo", *VAULT, "--actor", "ana").status == 3
    assert nymlink("vault", "roles", "take", "ana", "analyst", *VAULT, "--actor", "bas").status == 0
    assert nymlink("vault", "roles", "take", "bas", "dpo", *VAULT, "--actor", "bas").status == 3
    assert nymlink("vault", "roles", "give", "ana", "king", *VAULT).status == 2


def test_the_projects_of_a_vault_are_listed(nymlink: Nymlink, corpus: Path) -> None:
    assert nymlink("vault", "projects", *VAULT).out == ""
    nymlink("run", "in", "--out", "out", *STORE)
    nymlink("run", "in", "--out", "other", *VAULT, "--project", "q")
    assert nymlink("vault", "projects", *VAULT).out == "p\tcode\nq\tcode\n"
    told = json.loads(nymlink("vault", "projects", *VAULT, "--json").out)["items"]
    assert told == [{"project": "p", "style": "code"}, {"project": "q", "style": "code"}]
    assert corpus.exists()


def test_settings_are_shown_and_changed(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert json.loads(nymlink("vault", "settings", *STORE).out)["single_approval"] is True
    changed = nymlink("vault", "settings", "single_approval=false", "approvals_needed=2", *STORE)
    assert json.loads(changed.out)["approvals_needed"] == 2
    assert json.loads(nymlink("vault", "settings", *STORE).out)["single_approval"] is False
    assert nymlink("vault", "settings", "approvals_needed=0", *STORE).status == 1
    assert nymlink("vault", "settings", "unknown=1", *STORE).status == 1
    assert nymlink("vault", "settings", "approvals_needed", *STORE).status == 2
    assert corpus.exists()


def test_restore_with_a_grant_for_exactly_these_files(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    nymlink("vault", "settings", "single_approval=false", *STORE)
    back = ("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert nymlink(*back).status == 3
    asked = nymlink("request", "--restore", "out", *STORE, "--purpose", "test", "--json")
    number = str(json.loads(asked.out)["request"])
    assert nymlink("approve", number, *VAULT).status == 3
    assert nymlink("approve", number, *VAULT, "--actor", "ander").status == 0
    permit = nymlink("grant", number, *VAULT).out.strip()
    assert (
        nymlink(
            "restore", "out/a.txt", "--out", "back", "--purpose", "test", *STORE, "--grant", permit
        ).status
        == 3
    )
    done = nymlink(*back, "--grant", permit)
    assert done.out.strip() == "2 exact"
    assert (corpus / "back" / "a.txt").read_bytes() == (corpus / "in" / "a.txt").read_bytes()
    assert nymlink(*back, "--grant", permit).status == 3
    assert nymlink("request", *STORE, "--purpose", "test").status == 2


def test_export_import_and_key_backup(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    (corpus / "pass").write_text("paard batterij nietje\n")
    secret = ("--passphrase-file", "pass")
    why = ("--purpose", "verhuizing")
    assert nymlink("vault", "export-vault", *VAULT, "--out", "v.bundle", *why, *secret).status == 0
    assert nymlink("vault", "export-keys", *VAULT, "--out", "k.bundle", *why, *secret).status == 0
    assert nymlink("vault", "export-keys", *VAULT, "--out", "k.bundle", *why, *secret).status == 1
    new = ("--vault", "sqlite:///new.db", "--key-file", "k.key")
    assert nymlink("vault", "import", "v.bundle", *new, *secret).status == 0
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *new, "--project", "p")
    assert back.out.strip() == "2 exact"
    (corpus / "v.keys.db").unlink()
    assert nymlink("vault", "verify", *VAULT).status == 1
    assert nymlink("vault", "import", "k.bundle", *VAULT, *secret).status == 0
    assert nymlink("vault", "verify", *new).status == 0


def test_a_recovery_key_brings_the_way_in_back(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("vault", "recovery-key", *VAULT).status == 2
    assert nymlink("vault", "recovery-key", *VAULT, "--out", "paper").status == 0
    (corpus / "k.key").unlink()
    assert nymlink("vault", "verify", *VAULT).status == 1
    given = ("--vault", "sqlite:///v.db", "--recovery-file", "paper", "--new-key-file", "new.key")
    assert nymlink("vault", "rotate", "kek", *given).status == 0
    assert nymlink("vault", "verify", "--vault", "sqlite:///v.db", "--key-file", "new.key").status == 0
    assert nymlink("vault", "rotate", "wrap", "--recovery-file", "paper", *VAULT).status == 2


def test_links_between_two_projects(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    nymlink("run", "in", "--out", "out2", *VAULT, "--project", "q")
    given = ("--other", "q", "--out", "c.csv", "--purpose", "koppeling")
    assert nymlink("vault", "link-projects", *STORE, *given).status == 0
    rows = (corpus / "c.csv").read_text().splitlines()
    other = (corpus / "out2" / "a.txt").read_text().split()[0]
    assert f"{label_in(corpus)},{other},full name" in rows
    assert "Tolsma" not in "".join(rows)
    nymlink("vault", "settings", "single_approval=false", *VAULT, "--project", "q")
    assert nymlink("vault", "link-projects", *STORE, *given).status == 3
    asked = nymlink("request", "--link-with", "q", *STORE, "--purpose", "koppeling", "--json")
    number = str(json.loads(asked.out)["request"])
    assert nymlink("approve", number, *VAULT, "--actor", "ander").status == 0
    permit = nymlink("grant", number, *VAULT).out.strip()
    assert nymlink("vault", "link-projects", *STORE, *given, "--grant", permit).status == 0


SERVE = """
import sys
from pseudonymizer.cli import main, options
from tests.pseudonymizer.batch_fakes import load_fake
options.load_linker = lambda _: load_fake().linker
sys.argv = ["nymlink", "vault", "serve", *sys.argv[1:]]
main()
"""


def test_a_run_and_its_restore_through_a_service(nymlink: Nymlink, corpus: Path) -> None:
    for role in ("analyst", "requester", "approver", "curator"):
        assert nymlink("vault", "roles", "give", ME, role, *VAULT).status == 0
    with tempfile.TemporaryDirectory(prefix="nym") as folder:
        place = f"{folder}/s/v.sock"
        service = subprocess.Popen(  # noqa: S603  our own interpreter
            [sys.executable, "-c", SERVE, *VAULT, "--socket", place],
            cwd=corpus, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        )  # fmt: skip
        try:
            assert service.stderr is not None
            told = next(line for line in service.stderr if line.startswith("{"))
            assert json.loads(told)["core_dumps_off"] is True
            there = ("--vault", f"unix:{place}", "--project", "p")
            status = json.loads(nymlink("vault", "status", *there[:2], "--json").out)
            assert (status["actor"], "analyst" in status["roles"]) == (ME, True)
            first = nymlink("run", "in", "--out", "out", *there)
            assert (first.status, first.err) == (0, "")
            assert label_in(corpus).startswith("PERSOON-")
            again = nymlink("run", "in", "--out", "out2", *there)
            assert again.status == 0
            assert (corpus / "out2" / "a.txt").read_text() == (corpus / "out" / "a.txt").read_text()
            back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *there)
            assert back.out.strip() == "2 exact"
            assert (corpus / "back" / "b.txt").read_bytes() == (corpus / "in" / "b.txt").read_bytes()
            assert nymlink("run", "in", "--out", "o", *there, "--key-file", "k.key").status == 2
            taking = ("vault", "split", label_in(corpus), *there, "--purpose", "beoordeling", "--document")
            made = json.loads(nymlink(*taking, "out/b.txt", "--json").out)
            assert (made["edits"], made["pseudonym"] != label_in(corpus)) == (1, True)
            assert nymlink(*taking, "in/b.txt").status == 1
            assert nymlink("vault", "rotate", "kek", *there[:2], "--new-key-file", "n.key").status == 2
            assert nymlink("vault", "verify", *there[:2]).status == 3
        finally:
            service.send_signal(signal.SIGTERM)
            rest = service.communicate(timeout=60)[1]
        assert service.returncode == 0, rest
        assert "Tolsma" not in rest
        assert not Path(place).exists()


def test_merge_and_split(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    why = (*STORE, "--purpose", "beoordeling")
    both = [(corpus / "out" / "a.txt").read_text().split()[n] for n in (0, 2)]
    both[1] = both[1].rstrip(".")
    assert nymlink("vault", "merge", *both, *why).out == "merged: 1 links are made between the pseudonyms\n"
    assert json.loads(nymlink("vault", "split", *both, *why, "--json").out)["links"] == 1
    assert nymlink("vault", "split", *both, *why).status == 1
    assert nymlink("vault", "split", both[0], *why).status == 2
    made = json.loads(nymlink("vault", "split", both[0], *why, "--document", "out/b.txt", "--json").out)
    assert made["edits"] == 1
    assert nymlink("vault", "split", both[0], *why, "--document", "in/b.txt").status == 1
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert back.out.strip() == "2 exact"


def test_the_key_may_come_from_other_sources(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = (corpus / "k.key").read_text()
    monkeypatch.setenv("STUDY_KEY", key)
    (corpus / "mounted").write_text(key)
    (corpus / "mounted").chmod(0o644)
    for source in ("env:STUDY_KEY", "secret:mounted"):
        assert nymlink("vault", "verify", "--vault", "sqlite:///v.db", "--key-file", source).status == 0
    monkeypatch.delenv("STUDY_KEY")
    monkeypatch.delenv("VAULT_ADDR", raising=False)
    for source in ("env:STUDY_KEY", "secret:none", "transit:nymlink", "other:k.key"):
        refused = nymlink("vault", "verify", "--vault", "sqlite:///v.db", "--key-file", source)
        assert refused.status == 1, source
        assert key.split()[1] not in refused.err
    monkeypatch.setenv("VAULT_ADDR", "http://127.0.0.1:9")
    monkeypatch.setenv("VAULT_TOKEN", "geheim")
    refused = nymlink("vault", "verify", "--vault", "sqlite:///v.db", "--key-file", "transit:nymlink")
    assert refused.status == 1
    assert "geheim" not in refused.err


def test_retention_erases_whom_no_run_has_met_for_so_long(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    erase = ("vault", "erase", *STORE, "--purpose", "bewaartermijn")
    assert nymlink(*erase, "--retention").status == 1
    assert nymlink("vault", "settings", "retention_days=30", *STORE).status == 0
    assert nymlink(*erase, "--retention").out == "nobody to erase\n"
    assert nymlink(*erase, "--unseen-days", "0", "--json").status == 0
    assert nymlink(*erase, "--retention", "--unseen-days", "3").status == 2
    assert nymlink("vault", "verify", *VAULT).status == 0
    assert corpus.exists()
