"""A vault goes through one encrypted file and comes back whole, also into another kind of database."""

from pathlib import Path

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    AccessRefusedError,
    BundleError,
    PurposeRequiredError,
    VaultExistsError,
    VaultOutdatedError,
)
from pseudonymizer.policy import Role
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

PASSPHRASE = "paard batterij nietje"  # noqa: S105  a test's
RESULT = linkage_result({"a": "Jan Tolsma, Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])


def exported(place: VaultPlace, path: Path, *, keys_only: bool = False) -> dict[str, str]:
    with place.create() as vault:
        pseudonyms = assign(RESULT, vault, project="p")
        vault.commit()
        bundle = export_bundle(
            vault, path, PASSPHRASE, purpose="verhuizing", keys_only=keys_only, memory_kib=64
        )
        assert bundle.rows["entity_key"] == 2
        assert ("form" in bundle.rows) is not keys_only
    return {m.mention.surface: pseudonyms[m.mention_id].label for m in RESULT.mentions}


def test_a_vault_moves_to_another_database(place: VaultPlace, tmp_path: Path) -> None:
    labels = exported(place, tmp_path / "export")
    assert (tmp_path / "export").stat().st_mode & 0o777 == 0o600
    raw = (tmp_path / "export").read_bytes()
    assert b"Tolsma" not in raw
    assert labels["Jan Tolsma"].encode() not in raw
    url = f"sqlite:///{tmp_path}/new.db"
    import_bundle(tmp_path / "export", PASSPHRASE, url)
    with Vault.open(url, place.key, clock=place.clock) as vault:
        names = reveal(vault, project="p", pseudonyms=list(labels.values()), purpose="toets")
        assert {n.name: label for label, n in names.items()} == labels
        assert vault.verify().findings == ()
    with pytest.raises(VaultExistsError):
        import_bundle(tmp_path / "export", PASSPHRASE, url)


def test_a_vault_moves_into_postgres(sqlite_place: VaultPlace, postgres_url: str, tmp_path: Path) -> None:
    labels = exported(sqlite_place, tmp_path / "export")
    import_bundle(tmp_path / "export", PASSPHRASE, postgres_url)
    with Vault.open(postgres_url, sqlite_place.key, clock=sqlite_place.clock) as vault:
        assert set(reveal(vault, project="p", pseudonyms=list(labels.values()), purpose="toets")) == set(
            labels.values()
        )
        assert vault.verify().findings == ()


def test_a_key_backup_brings_a_lost_key_store_back(sqlite_place: VaultPlace, tmp_path: Path) -> None:
    labels = exported(sqlite_place, tmp_path / "keys", keys_only=True)
    sqlite_place.keys_file.unlink()
    import_bundle(tmp_path / "keys", PASSPHRASE, sqlite_place.url)
    with sqlite_place.open() as vault:
        assert set(reveal(vault, project="p", pseudonyms=list(labels.values()), purpose="toets")) == set(
            labels.values()
        )


def test_a_wrong_passphrase_or_an_altered_file_leaves_nothing_behind(
    sqlite_place: VaultPlace, tmp_path: Path
) -> None:
    exported(sqlite_place, tmp_path / "export")
    raw = (tmp_path / "export").read_bytes()
    bad = tmp_path / "bad"
    for altered, passphrase in (
        (raw, "een andere zin van woorden"),
        (raw[:-1], PASSPHRASE),
        (raw[: len(raw) // 2], PASSPHRASE),
        (raw[:300] + bytes([raw[300] ^ 1]) + raw[301:], PASSPHRASE),
        (raw + b"x", PASSPHRASE),
        (b"iets anders", PASSPHRASE),
    ):
        bad.write_bytes(altered)
        with pytest.raises(BundleError):
            import_bundle(bad, passphrase, f"sqlite:///{tmp_path}/new.db")
        assert not list(tmp_path.glob("new*"))


@pytest.mark.parametrize("store", ["vault", "keys"])
def test_an_export_of_a_newer_program_is_told_as_that(
    sqlite_place: VaultPlace, tmp_path: Path, store: str
) -> None:
    exported(sqlite_place, tmp_path / "export")
    raw = (tmp_path / "export").read_bytes()
    start, rest = raw.split(f'"{store}_revision": "{store}_'.encode(), 1)
    (tmp_path / "newer").write_bytes(start + f'"{store}_revision": "{store}_99'.encode() + rest[2:])
    with pytest.raises(VaultOutdatedError, match="newer program"):
        import_bundle(tmp_path / "newer", PASSPHRASE, f"sqlite:///{tmp_path}/new.db")
    assert not list(tmp_path.glob("new.*"))


def test_an_export_needs_a_purpose_and_a_new_file(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(PurposeRequiredError):
        export_bundle(vault, tmp_path / "x", PASSPHRASE, purpose="")
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(BundleError):
        export_bundle(vault, tmp_path / "x", PASSPHRASE, purpose="t")
    with pytest.raises(BundleError):
        export_bundle(vault, tmp_path / "y", "kort", purpose="t")


@pytest.mark.parametrize("checked", [False, True])
def test_the_roles_of_a_vault_say_who_may_import_it(
    place: VaultPlace, tmp_path: Path, *, checked: bool
) -> None:
    with place.create("boss") as vault:
        give_role(vault, "kim", Role.KEYADMIN)
        give_role(vault, "ana", Role.ANALYST)
        vault.commit()
    with place.open("kim") as vault:
        export_bundle(vault, tmp_path / "export", PASSPHRASE, purpose="verhuizing", memory_kib=64)
    url = f"sqlite:///{tmp_path}/new.db"
    provider = place.key if checked else None
    for actor in ("ana", "boss", "iemand"):
        with pytest.raises(AccessRefusedError):
            import_bundle(tmp_path / "export", PASSPHRASE, url, provider=provider, actor=actor)
        assert not list(tmp_path.glob("new*"))
    import_bundle(tmp_path / "export", PASSPHRASE, url, provider=provider, actor="kim")
    with Vault.open(url, place.key, clock=place.clock, actor="boss") as vault:
        done = [(e.actor, e.role) for e in vault.trail.events() if e.action == "import-vault"]
    assert done == ([("kim", "keyadmin")] if checked else [])


def test_a_refused_import_leaves_no_table_on_a_server(
    sqlite_place: VaultPlace, postgres_url: str, tmp_path: Path
) -> None:
    with sqlite_place.create("boss") as vault:
        give_role(vault, "kim", Role.KEYADMIN)
        vault.commit()
    with sqlite_place.open("kim") as vault:
        export_bundle(vault, tmp_path / "export", PASSPHRASE, purpose="verhuizing", memory_kib=64)
    with pytest.raises(AccessRefusedError):
        import_bundle(tmp_path / "export", PASSPHRASE, postgres_url, provider=sqlite_place.key, actor="ana")
    import_bundle(tmp_path / "export", PASSPHRASE, postgres_url, provider=sqlite_place.key, actor="kim")
