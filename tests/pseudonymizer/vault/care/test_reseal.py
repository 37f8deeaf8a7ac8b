"""A vault of 8952b15 is sealed anew at once: whole, resumed after SIGKILL at each step, and copied first."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from linkage.records import KnownIdentity
from pseudonymizer.errors import AccessRefusedError, SettingsError
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.reseal import copy_and_reseal, is_begun, is_needed, reseal
from pseudonymizer.vault.rows.entities import sealers_of
from pseudonymizer.vault.rows.fact_rows import has_older, stored_facts
from pseudonymizer.vault.rows.forms import Fact
from pseudonymizer.vault.store.copies import copies_beside
from pseudonymizer.vault.store.migration import current_revision
from pseudonymizer.vault.store.stores import Store, make_engine, store_addresses
from tests.fakes import linkage_result
from tests.kept.material import rows_of, unpack
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.store.test_copies import AT

Facts = Mapping[str, Mapping[int, set[Fact]]]
BATCH = 3  # people: the kept vault has some hundred in ten projects
BATCH_OF_KILLED = 9  # people: some ten processes are killed in each way


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack("projects", tmp_path_factory.mktemp("kept")) / "vault"


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    shutil.copytree(kept, tmp_path / "vault")
    return tmp_path / "vault"


def opened(folder: Path) -> Vault:
    return Vault.open(folder / "vault.db", FileKey(folder / "kek.key"), actor="keeper")


def facts_in(vault: Vault) -> Facts:
    found: dict[str, dict[int, set[Fact]]] = {}
    for name in vault.projects():
        keys = vault.keys_of(name)
        rows = vault.store.rows("SELECT entity_id FROM entity WHERE project_id = ?", (keys.project_id,))
        stored = stored_facts(vault, keys, sealers_of(vault, keys, [row[0] for row in rows]))
        found[name] = {number: set(facts) for number, facts in stored.items()}
    return found


def known_in(vault: Vault) -> Mapping[str, tuple[KnownIdentity, ...]]:
    return {name: vault.known_identities(name) for name in vault.projects()}


def projects_with_older(vault: Vault) -> set[str]:
    found = set()
    for name in vault.projects():
        keys = vault.keys_of(name)
        rows = vault.store.rows("SELECT entity_id FROM entity WHERE project_id = ?", (keys.project_id,))
        if has_older(vault, keys, sealers_of(vault, keys, [row[0] for row in rows])):
            found.add(name)
    return found


def test_everything_is_sealed_anew_and_says_what_it_said(folder: Path) -> None:
    with opened(folder) as vault:
        before, known = facts_in(vault), known_in(vault)
        assert len(projects_with_older(vault)) > 8
        assert is_needed(vault)
        assert current_revision(vault.store.address) == "vault_0002"
        counted: list[int] = []
        rows = reseal(vault, batch=BATCH, progress=counted.append)
        assert rows == counted[-1] > 50
        assert len(counted) > 10
        assert facts_in(vault) == before
        assert known_in(vault) == known
        assert projects_with_older(vault) == set()
        assert (is_needed(vault), is_begun(vault)) == (False, False)
        assert current_revision(vault.store.address) == "vault_0006"
        assert vault.verify().findings == ()
        events = [e for e in vault.audit_events() if e.action == "reseal"]
        assert [(e.outcome, e.counts.get("rows")) for e in events] == [("started", None), ("done", rows)]
        again = rows_of(folder / "vault.db")["form"]
        assert reseal(vault) == 0
        assert rows_of(folder / "vault.db")["form"] == again


def _killed_at(folder: Path, moment: int, method: str, *, after: bool) -> None:
    """Seal anew, and be killed before or after the moment-th call of a method of a store."""
    calls = 0
    original: Callable[[Store], None] = getattr(Store, method)

    def counted(store: Store) -> None:
        nonlocal calls
        calls += 1
        if calls == moment and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        original(store)
        if calls == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    with opened(folder) as vault:
        setattr(Store, method, counted)
        reseal(vault, batch=BATCH_OF_KILLED)


@pytest.mark.parametrize(
    ("method", "after"), [("commit", False), ("commit", True), ("begin_write", True), ("truncate_log", False)]
)
def test_killed_at_each_step_it_goes_on(folder: Path, method: str, *, after: bool) -> None:
    context = multiprocessing.get_context("fork")
    with opened(folder) as vault:
        before = facts_in(vault)
    exits: list[int | None] = []
    moment = 1
    while not exits or exits[-1] == -signal.SIGKILL:
        arguments = (folder, moment, method)
        process = context.Process(target=_killed_at, args=arguments, kwargs={"after": after})
        process.start()
        process.join()
        exits.append(process.exitcode)
        with opened(folder) as vault:
            assert facts_in(vault) == before
            assert vault.verify().findings == ()
        if method == "truncate_log":
            break
        moment = 1 + moment % 7  # each run gets some steps further than the one before
    with opened(folder) as vault:
        reseal(vault, batch=BATCH_OF_KILLED)
        assert facts_in(vault) == before
        assert (is_begun(vault), projects_with_older(vault)) == (False, set())
        assert vault.verify().findings == ()
    assert exits.count(-signal.SIGKILL) > (0 if method == "truncate_log" else 3)


def test_it_goes_on_where_it_was_cut_off(folder: Path) -> None:
    with opened(folder) as vault:
        total = 0

        def stop(rows: int) -> None:
            nonlocal total
            total = rows
            if rows > 30:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            reseal(vault, batch=BATCH, progress=stop)
        vault.rollback()
    with opened(folder) as vault:
        assert is_begun(vault)
        assert vault.verify().findings == ()
        whole: list[int] = []
        rest = reseal(vault, batch=BATCH, progress=whole.append)
        assert rest > 0
        assert projects_with_older(vault) == set()
    with opened(folder) as vault:
        assert total + rest == vault.store.scalar("SELECT count(*) FROM form") - _rows_made_today(vault)


def _rows_made_today(vault: Vault) -> Any:
    return vault.store.scalar("SELECT count(*) FROM form WHERE revision = 1")


def test_the_vault_is_copied_first_and_not_again_where_it_goes_on(folder: Path) -> None:
    before = rows_of(folder / "vault.db")
    with opened(folder) as vault:
        rows, copy = copy_and_reseal(vault, at=AT, has_copy=False)
        assert rows > 50
        assert copies_beside(vault.store.address) == (copy,)
        assert copy is not None
        assert rows_of(copy)["form"] == before["form"]
        assert copy_and_reseal(vault, at=AT, has_copy=False) == (0, None)
    shutil.copy(copy, folder / "vault.db")
    for tail in ("-wal", "-shm"):
        (folder / f"vault.db{tail}").unlink(missing_ok=True)
    with opened(folder) as vault:
        with pytest.raises(KeyboardInterrupt):
            reseal(vault, batch=BATCH, progress=_interrupt)
        vault.rollback()
        rows, another = copy_and_reseal(vault, at=AT, has_copy=False)
        assert (rows > 0, another) == (True, None)


def _interrupt(_rows: int) -> None:
    raise KeyboardInterrupt


def test_who_may_not_rotate_may_not_reseal(folder: Path) -> None:
    with opened(folder) as vault:
        vault.give_role("keeper", Role.ANALYST)
        vault.commit()
        before = rows_of(folder / "vault.db")["form"]
        with pytest.raises(AccessRefusedError):
            is_needed(vault)
        with pytest.raises(AccessRefusedError):
            reseal(vault)
    assert rows_of(folder / "vault.db")["form"] == before
    assert list(folder.glob("vault.db.copy-*")) == []


def test_on_a_server_somebody_must_say_that_there_is_a_backup(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.fakes import FakeClock
    from tests.old_facts import form_fact, row

    place = VaultPlace(postgres_url, tmp_path, FileKey(tmp_path / "kek.key"), FakeClock())
    result = linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]])
    old = row([form_fact("Jan Tolsma", result.mentions[0].name)])
    with place.create() as vault, monkeypatch.context() as patched:
        patched.setattr("pseudonymizer.vault.rows.fact_rows.pack", lambda _facts: [old])
        vault.assign(result, project="p")
        vault.commit()
    with make_engine(store_addresses(postgres_url, None)[0]).connect() as connection:
        connection.exec_driver_sql("UPDATE nymlink.alembic_version SET version_num = 'vault_0003'")
    with place.open() as vault:
        with pytest.raises(SettingsError, match="--i-have-a-backup"):
            copy_and_reseal(vault, at=AT, has_copy=False)
        assert projects_with_older(vault) == {"p"}
        assert copy_and_reseal(vault, at=AT, has_copy=True) == (1, None)
        assert projects_with_older(vault) == set()
        assert current_revision(vault.store.address) == "vault_0006"
        assert vault.verify().findings == ()
