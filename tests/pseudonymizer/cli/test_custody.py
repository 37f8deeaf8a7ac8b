"""Exports, imports and new keys say which key they want."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
VAULT = STORE[:4]
PASSPHRASE = ("--passphrase-file", "passphrase.txt")
KEY = re.compile(r"key [0-9a-f]{4}-[0-9a-f]{4}")


@pytest.fixture
def exported(nymlink: Nymlink, corpus: Path) -> str:
    """What an export says that it wants; k.key is another key by the end, old.key the one of the export."""
    nymlink("run", "in", "--out", "out", *STORE)
    (corpus / "passphrase.txt").write_text("een lange zin als wachtwoord\n")
    done = nymlink("vault", "export-vault", *VAULT, "--purpose", "x", "--out", "v.bundle", *PASSPHRASE)
    (wanted,) = KEY.findall(done.out)
    shutil.copy(corpus / "k.key", corpus / "old.key")
    turned = nymlink("vault", "rotate", "kek", *VAULT, "--new-key-file", "new.key")
    now, before = KEY.findall(turned.out)
    assert before == wanted != now
    return str(wanted)


def test_an_import_with_the_key_of_today_says_which_one_it_wants(
    nymlink: Nymlink, corpus: Path, exported: str
) -> None:
    to = ("vault", "import", "v.bundle", "--vault", "sqlite:///other.db", *PASSPHRASE, "--key-file")
    refused = nymlink(*to, "new.key")
    assert refused.status == 1
    assert f"it wants {exported} of " in refused.err
    assert "wants the key that the vault had when it was made" in refused.err
    assert not (corpus / "other.db").exists()
    assert nymlink(*to, "old.key").status == 0


def test_the_old_key_of_a_vault_is_told_too(nymlink: Nymlink, corpus: Path, exported: str) -> None:
    refused = nymlink("vault", "verify", *VAULT[:2], "--key-file", "old.key")
    assert f"and this is {exported};" in refused.err
    assert corpus.exists()


def test_json_has_the_key_that_an_export_wants(nymlink: Nymlink, corpus: Path, exported: str) -> None:
    here = ("--vault", "sqlite:///v.db", "--key-file", "new.key")
    done = nymlink(
        "vault", "export-keys", *here, "--purpose", "x", "--out", "k.bundle", *PASSPHRASE, "--json"
    )
    assert KEY.match(json.loads(done.out)["wants"])
    assert exported not in done.out
    assert corpus.exists()


def test_a_service_does_not_start_for_a_front_that_is_no_user(nymlink: Nymlink, corpus: Path) -> None:
    started = nymlink("vault", "serve", *VAULT, "--socket", "s/v.sock", "--front-user", "niemand-van-hier")
    assert started.status == 1
    assert "--front-user: there is no user of this name" in started.err
    assert not (corpus / "s").exists()
