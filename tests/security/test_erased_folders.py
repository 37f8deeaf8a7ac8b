"""What work files in output folders hold of a person goes when the person is erased, and with the folder."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.crypto import Sealer, key_id_of
from pseudonymizer.errors import (
    AccessRefusedError,
    PseudonymizerError,
    UnknownFolderError,
    UnknownPseudonymError,
    UnsealError,
    WorkFileError,
)
from pseudonymizer.policy import Role
from pseudonymizer.records import ErasureReceipt, Rotated
from pseudonymizer.runs import run as running
from pseudonymizer.runs import work_folder
from pseudonymizer.runs.path_records import path_lines
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_folder import open_work_file
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rows import work_keys
from pseudonymizer.vault.store.stores import Store
from pseudonymizer.work_files import contexts, store
from pseudonymizer.work_files.sealing import FolderKeys, FolderSealing
from tests.pseudonymizer.batch_fakes import PROJECT
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in
from tests.pseudonymizer.runs.test_run import fill, outputs, restored, run
from tests.pseudonymizer.service.test_server import running as served_by

FILES: Final = {
    "brief Jan Tolsma.txt": b"Jan Tolsma kwam bij Els Mol.",
    "b.txt": b"Els Mol ging, en Jan Tolsma bleef.",
    "c.txt": b"Ria Douma belde.",
}
OpenVault = Callable[[], AbstractContextManager[Vault]]


@pytest.fixture
def sqlite_place(tmp_path: Path) -> VaultPlace:
    return sqlite_place_in(tmp_path)


@pytest.fixture
def open_vault(sqlite_place: VaultPlace) -> OpenVault:
    with sqlite_place.create() as vault:
        vault.commit()
    return sqlite_place.open


def work_db(out: Path) -> Path:
    return out / ".nymlink" / "work.db"


def sealed_values(file: Path) -> Iterator[tuple[bytes, bytes]]:
    """The sealed values of a work file, each with its context."""
    with closing(sqlite3.connect(file)) as connection:
        for column, context in (
            ("path", contexts.path_context), ("output", contexts.output_context),
            ("mentions", contexts.analysis_context), ("labels", contexts.labels_context),
        ):  # fmt: skip
            for doc_id, value in connection.execute(f"select doc_id, {column} from source"):  # noqa: S608
                if value:
                    yield value, context(doc_id)
        for entity_id, value in connection.execute("select entity_id, person from person"):
            yield value, contexts.person_context(entity_id)
        for kind, number, value in connection.execute("select kind, number, rows from linked"):
            yield value, contexts.linked_context(kind, number)
        for name, value in connection.execute("select name, value from meta"):
            yield value, contexts.meta_context(name)


def plain_text(vault: Vault, file: Path) -> bytes:
    """Everything that the keys of the vault open in a work file."""
    keys = vault.keys_of(PROJECT)
    folder_id = store.folder_id_of(file)
    found = {one.version: one.facts.key for one in work_keys.work_keys(vault, keys, folder_id)}
    before = vault.work_sealer(PROJECT)
    opened = b""
    for value, context in sealed_values(file):
        sealing = before if not found else FolderSealing(folder_id or b"", FolderKeys(found), before)
        try:
            opened += sealing.unseal(value, context=context)
        except UnsealError:
            continue
    return opened


def label_of(vault: Vault, name: str) -> str:
    return vault.lookup(project=PROJECT, name=name, purpose="t").pseudonyms[0]


def erase(open_vault: OpenVault, name: str = "Jan Tolsma") -> ErasureReceipt:
    with open_vault() as vault:
        return vault.erase(project=PROJECT, pseudonyms=[label_of(vault, name)], purpose="verzoek")


def verified(open_vault: OpenVault) -> tuple[str, ...]:
    with open_vault() as vault:
        return vault.verify().findings


def test_the_work_file_holds_nothing_of_the_erased_and_all_of_the_others(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out)
    shutil.copy(work_db(out), tmp_path / "copy.db")
    with open_vault() as vault:
        before = plain_text(vault, work_db(out))
        assert b"tolsma" in before.lower()
        assert b"mol" in before.lower()
    receipt = erase(open_vault)
    assert not [line for line in receipt.remains if "not reached" in line]
    with open_vault() as vault:
        after = plain_text(vault, work_db(out))
        assert b"tolsma" not in after.lower()
        assert b"mol" in after.lower()
        assert plain_text(vault, tmp_path / "copy.db") == b"", "a copy from before opens with no key of now"
    written = outputs(out)
    shown = path_lines(out, open_vault, PROJECT)
    assert b"Tolsma" not in shown
    assert b"c.txt" in shown
    report = run(open_vault, [source], out)
    assert (report.documents["ok"], report.documents["waiting"]) == (3, 0)
    assert outputs(out) == written
    assert b"Tolsma" in path_lines(out, open_vault, PROJECT), "the input is still there, under its name"
    assert verified(open_vault) == ()


def test_what_was_searched_and_not_written_goes_too_and_is_searched_again(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out, limit=2)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(WorkFile, "save_labels", killed)
        with pytest.raises(KeyboardInterrupt):
            run(open_vault, [fill(tmp_path / "in", {"d.txt": b"Jan Tolsma en Ria Douma"})], out)
    with open_vault() as vault:
        assert b"Jan Tolsma" in plain_text(vault, work_db(out))
    erase(open_vault)
    with open_vault() as vault:
        assert b"tolsma" not in plain_text(vault, work_db(out)).lower()
    report = run(open_vault, [source], out)
    assert report.documents["ok"] == 4
    assert b"Jan Tolsma" not in b"".join(outputs(out).values())
    assert restored(open_vault, out, tmp_path / "back")["d.txt"] == b"Jan Tolsma en Ria Douma"


def test_what_failed_is_tried_again_after_an_erasure(tmp_path: Path, open_vault: OpenVault) -> None:
    """The file that failed may name somebody who was erased since: under a new pseudonym, as a new person."""
    source = fill(tmp_path / "in", {**FILES, "stuk.txt": b"Jan Tolsma en Els Mol \xe9\x81\xff"})
    report = run(open_vault, [source], tmp_path / "out")
    assert (report.documents["ok"], report.documents["failed"]) == (3, 1)
    before = outputs(tmp_path / "out")
    with open_vault() as vault:
        jan, els = label_of(vault, "Jan Tolsma"), label_of(vault, "Els Mol")
    erase(open_vault)
    assert run(open_vault, [source], tmp_path / "out", retry_failed=True).documents["failed"] == 1
    fill(source, {"stuk.txt": b"Jan Tolsma en Els Mol."})
    report = run(open_vault, [source], tmp_path / "out", retry_failed=True)
    assert (report.documents["ok"], report.documents["failed"]) == (1, 0)
    after = outputs(tmp_path / "out")
    assert {name: after[name] for name in before} == before, "what was written stays as it was"
    assert els.encode() in after["stuk.txt"]
    assert jan.encode() not in after["stuk.txt"]
    assert b"Tolsma" not in after["stuk.txt"]
    with open_vault() as vault:
        assert label_of(vault, "Jan Tolsma").encode() in after["stuk.txt"]
        with pytest.raises(UnknownPseudonymError):
            vault.reveal(project=PROJECT, pseudonyms=[jan], purpose="toets")
    assert verified(open_vault) == ()


def test_a_folder_out_of_reach_is_told_and_forgets_with_the_next_run(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out)
    run(open_vault, [source], tmp_path / "second")
    out.rename(tmp_path / "moved")
    receipt = erase(open_vault)
    assert len([line for line in receipt.remains if "was not reached" in line]) == 1
    with open_vault() as vault:
        (left,) = [one for one in vault.output_folders(PROJECT) if one.erased]
        assert left.place == str(out)
        assert b"tolsma" in plain_text(vault, work_db(tmp_path / "moved")).lower()
        assert b"tolsma" not in plain_text(vault, work_db(tmp_path / "second")).lower()
    shutil.copy(work_db(tmp_path / "moved"), tmp_path / "copy.db")
    (source / "brief Jan Tolsma.txt").unlink()
    run(open_vault, [source], tmp_path / "moved")
    with open_vault() as vault:
        assert b"tolsma" not in plain_text(vault, work_db(tmp_path / "moved")).lower()
        assert not [one for one in vault.output_folders(PROJECT) if one.erased]
        assert plain_text(vault, tmp_path / "copy.db") == b""
    assert verified(open_vault) == ()


def test_a_folder_in_which_a_run_goes_on_is_told(tmp_path: Path, open_vault: OpenVault) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out)
    with open_vault() as vault:
        work = open_work_file(vault, PROJECT, out)
    try:
        receipt = erase(open_vault)
    finally:
        work.close()
    assert [line for line in receipt.remains if "was not reached" in line]
    run(open_vault, [source], out)
    with open_vault() as vault:
        assert not [one for one in vault.output_folders(PROJECT) if one.erased]


def test_another_file_where_the_folder_was_is_left_alone(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "out" / ".nymlink").mkdir(parents=True)
    with closing(sqlite3.connect(work_db(tmp_path / "out"))) as connection, connection:
        connection.execute("create table person(entity_id, person)")
        connection.execute("insert into person values ('x', 'y')")
    before = work_db(tmp_path / "out").read_bytes()
    assert [line for line in erase(open_vault).remains if "was not reached" in line]
    assert work_db(tmp_path / "out").read_bytes() == before
    work_db(tmp_path / "out").unlink()
    work_db(tmp_path / "out").symlink_to(tmp_path / "vault.db")
    kept = (tmp_path / "vault.db").stat().st_size
    assert [line for line in erase(open_vault, "Els Mol").remains if "was not reached" in line]
    assert (tmp_path / "vault.db").stat().st_size >= kept


def test_a_folder_of_another_project_keeps_what_it_has(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    with open_vault() as vault:
        vault.ensure_project("other")
        vault.commit()
        with pytest.raises(WorkFileError, match="another vault or project"):
            open_work_file(vault, "other", tmp_path / "out")
    before = work_db(tmp_path / "out").read_bytes()
    with open_vault() as vault:
        folder_id = vault.output_folders(PROJECT)[0].folder_id
        with pytest.raises(UnknownFolderError):
            vault.give_up_folders(project="other", folders=[folder_id], purpose="t")
    assert work_db(tmp_path / "out").read_bytes() == before


# -- folders given up ----------------------------------------------------------------------------------------


def test_nothing_opens_a_folder_that_was_given_up(tmp_path: Path, open_vault: OpenVault) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out)
    shutil.copy(work_db(out), tmp_path / "copy.db")
    shutil.copy(tmp_path / "vault.keys.db", tmp_path / "old.keys.db")
    with open_vault() as vault:
        (folder,) = vault.output_folders(PROJECT)
        (stored,) = vault.key_records.rows("SELECT wrapped FROM work_key")
        assert vault.give_up_folders(project=PROJECT, folders=[folder.folder_id], purpose="einde") == 1
        assert vault.output_folders(PROJECT) == ()
        assert plain_text(vault, tmp_path / "copy.db") == b""
        assert plain_text(vault, work_db(out)) == b""
    assert bytes(stored[0])[-32:] not in (tmp_path / "vault.keys.db").read_bytes()
    with pytest.raises(WorkFileError, match="given up"):
        run(open_vault, [source], out)
    assert restored(open_vault, out, tmp_path / "back") == {**FILES}
    assert verified(open_vault) == ()
    assert run(open_vault, [source], tmp_path / "anew").documents["ok"] == 3
    with open_vault() as vault:
        (event,) = [e for e in vault.audit_events() if e.action == "folder.give-up"]
        assert (event.subjects, event.purpose) == ((folder.folder_id,), "einde")
    # The key comes back with an older key store alone, and verify says so.
    with closing(sqlite3.connect(tmp_path / "old.keys.db")) as old:
        rows = old.execute("select * from work_key").fetchall()
    with closing(sqlite3.connect(tmp_path / "vault.keys.db")) as now, now:
        now.executemany("insert into work_key values (?, ?, ?, ?)", rows)
    assert sum("given up" in finding for finding in verified(open_vault)) == 1


def test_retention_gives_up_folders_that_no_run_went_into(
    tmp_path: Path, open_vault: OpenVault, sqlite_place: VaultPlace
) -> None:
    source = fill(tmp_path / "in", FILES)
    run(open_vault, [source], tmp_path / "out")
    sqlite_place.clock.advance(days=20)
    run(open_vault, [source], tmp_path / "later")
    sqlite_place.clock.advance(days=20)
    with open_vault() as vault:
        vault.erase_unseen_since(project=PROJECT, days=30, purpose="bewaartermijn")
        (kept,) = vault.output_folders(PROJECT)
    assert kept.place == str(tmp_path / "later")
    with pytest.raises(WorkFileError, match="given up"):
        run(open_vault, [source], tmp_path / "out")


def test_only_who_may_erase_lists_folders_and_gives_them_up(
    tmp_path: Path, open_vault: OpenVault, sqlite_place: VaultPlace
) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    with open_vault() as vault:
        vault.give_role("ana", Role.ANALYST)
        vault.commit()
    with sqlite_place.open("ana") as vault:
        for act in (
            lambda: vault.output_folders(PROJECT),
            lambda: vault.give_up_folders(project=PROJECT, folders=["00"], purpose="t"),
        ):
            with pytest.raises(AccessRefusedError):
                act()


# -- keys ----------------------------------------------------------------------------------------------------


def test_new_wrapping_keys_open_the_folders_as_before(tmp_path: Path, open_vault: OpenVault) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out)
    with open_vault() as vault:
        vault.rotate(Rotated.WRAP, project_name=PROJECT)
    with open_vault() as vault:
        (wrapped,) = vault.key_records.rows("SELECT wrapped FROM work_key")
        assert key_id_of(bytes(wrapped[0])) == 2
    assert run(open_vault, [source], out).documents["ok"] == 3
    erase(open_vault)
    assert verified(open_vault) == ()


@pytest.mark.parametrize("column", ["folder_id", "version", "project_id", "wrapped"])
def test_a_key_that_was_altered_or_moved_opens_nothing(
    tmp_path: Path, open_vault: OpenVault, column: str
) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out)
    new = {"folder_id": "randomblob(16)", "version": "version + 1", "project_id": "project_id + 1"}
    value = new.get(column, "substr(wrapped, 1, 40) || x'00' || substr(wrapped, 42)")
    with closing(sqlite3.connect(tmp_path / "vault.keys.db")) as connection, connection:
        connection.execute(f"update work_key set {column} = {value}")  # noqa: S608
    with pytest.raises(PseudonymizerError):
        run(open_vault, [source], out)
    assert work_db(out).is_file()


def plainly(vault: Vault, project: str, folder: Path) -> WorkFile:
    """As a version before 0.2 opened work files."""
    return WorkFile.open(work_db(folder), vault.work_sealer(project))


@pytest.fixture
def old_folder(tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch) -> Path:
    with monkeypatch.context() as patch:
        patch.setattr(running, "open_work_file", plainly)
        run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    return tmp_path / "out"


def test_a_folder_of_an_earlier_version_is_read_and_gets_its_key_with_the_next_run(
    tmp_path: Path, open_vault: OpenVault, old_folder: Path
) -> None:
    before = work_db(old_folder).read_bytes()
    assert b"Tolsma" in path_lines(old_folder, open_vault, PROJECT)
    assert work_db(old_folder).read_bytes() == before
    with open_vault() as vault:
        assert vault.output_folders(PROJECT) == ()
    report = run(open_vault, [tmp_path / "in"], old_folder)
    assert report.documents["ok"] == 3
    assert b"Tolsma" in path_lines(old_folder, open_vault, PROJECT)
    with open_vault() as vault:
        sealer = vault.work_sealer(PROJECT)
        for value, context in sealed_values(work_db(old_folder)):
            with pytest.raises(UnsealError):
                sealer.unseal(value, context=context)
    erase(open_vault)
    with open_vault() as vault:
        assert b"tolsma" not in plain_text(vault, work_db(old_folder)).lower()


# -- killed at each step -------------------------------------------------------------------------------------


class Killed(BaseException):
    pass


class NotKilledError(Exception):
    pass


@contextmanager
def killed_at(moment: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends the process, as it were, at a commit of a store or a work file: an even number before it is
    durable, an odd one after.
    """
    seen = 0
    commit, transaction = Store.commit, store._transaction_of

    def strike(*, after: bool) -> None:
        nonlocal seen
        if seen == moment and moment % 2 == int(after):
            seen += 1
            raise Killed
        seen += 1

    def committed(self: Store) -> None:
        if not self.in_transaction:
            return
        strike(after=False)
        commit(self)
        strike(after=True)

    @contextmanager
    def in_transaction(connection: sqlite3.Connection) -> Iterator[None]:
        with transaction(connection):
            yield
            strike(after=False)
        strike(after=True)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "commit", committed)
        patch.setattr(store, "_transaction_of", in_transaction)
        try:
            yield
        except Killed:
            return
    if seen <= moment:
        raise NotKilledError


def killed_everywhere(act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Does something again and again, each time killed at a later moment; once more, whole, at the end."""
    for moment in range(200):
        try:
            with killed_at(moment, monkeypatch):
                act()
        except NotKilledError:
            assert moment > 3
            return
        yield moment
    raise AssertionError("it never ends")


def test_an_erasure_that_is_killed_anywhere_is_finished(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = fill(tmp_path / "in", FILES)
    run(open_vault, [source], tmp_path / "out")
    with open_vault() as vault:
        jan = label_of(vault, "Jan Tolsma")
    template = tmp_path.with_name(f"{tmp_path.name}-template")
    shutil.copytree(tmp_path, template)

    def act() -> None:
        with open_vault() as vault:
            vault.erase(project=PROJECT, pseudonyms=[jan], purpose="verzoek")

    for _ in killed_everywhere(act, monkeypatch):
        with open_vault() as vault:  # the next opening finishes what was begun
            text = plain_text(vault, work_db(tmp_path / "out")).lower()
            begun = any(event.action == "erase" for event in vault.audit_events())
        assert (b"tolsma" in text) is not begun
        assert b"mol" in text
        assert run(open_vault, [source], tmp_path / "out").documents["ok"] == 3
        shutil.rmtree(tmp_path)
        shutil.copytree(template, tmp_path)


@pytest.mark.parametrize("what", ["new", "earlier version", "forgets"])
def test_a_run_that_is_killed_while_it_opens_the_folder_goes_on(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    if what != "new":
        with monkeypatch.context() as patch:
            if what == "earlier version":
                patch.setattr(running, "open_work_file", plainly)
            run(open_vault, [source], out)
    if what == "forgets":
        out.rename(tmp_path / "away")
        erase(open_vault)
        (tmp_path / "away").rename(out)
    else:
        with open_vault() as vault:
            vault.ensure_project(PROJECT)
            vault.commit()
        (out / ".nymlink").mkdir(parents=True, exist_ok=True)
    template = tmp_path.with_name(f"{tmp_path.name}-template")
    shutil.copytree(tmp_path, template)

    def act() -> None:
        with open_vault() as vault:
            open_work_file(vault, PROJECT, out).close()

    for _ in killed_everywhere(act, monkeypatch):
        act()
        with open_vault() as vault:
            (folder,) = vault.output_folders(PROJECT)
            assert folder.erased == 0
            stored = work_keys.work_keys(vault, vault.keys_of(PROJECT))
            assert len(stored) == 1
            text = plain_text(vault, work_db(out)).lower()
        assert (b"mol" in text) is (what != "new")
        assert (b"tolsma" in text) is (what == "earlier version")
        shutil.rmtree(tmp_path)
        shutil.copytree(template, tmp_path)
    assert run(open_vault, [source], out).documents["ok"] == 3


# -- behind the service --------------------------------------------------------------------------------------


def test_behind_the_service_a_folder_is_its_actors_own(tmp_path: Path, sqlite_place: VaultPlace) -> None:
    with sqlite_place.create("boss") as vault:
        vault.ensure_project(PROJECT)
        for actor, role in (("ana", Role.ANALYST), ("ben", Role.ANALYST), ("dee", Role.DPO)):
            vault.give_role(actor, role)
        vault.commit()
    out = tmp_path / "out"
    with served_by(sqlite_place) as served:
        fill(out, {".nymlink/x": b""})
        with served.connect("ana") as client:
            open_work_file(client, PROJECT, out).close()
            open_work_file(client, PROJECT, out).close()
        with served.connect("ben") as client, pytest.raises(AccessRefusedError, match="another actor"):
            open_work_file(client, PROJECT, out)
        with served.connect("dee") as client:
            (folder,) = client.output_folders(PROJECT)
            assert (folder.actor, folder.place) == ("ana", str(out))
            keys = {"project": PROJECT, "purpose": "einde"}
            assert client.give_up_folders(**keys, folders=[folder.folder_id]) == 1
        with served.connect("ana") as client, pytest.raises(PseudonymizerError, match="given up"):
            open_work_file(client, PROJECT, out)


def test_a_place_that_a_client_told_is_never_opened_by_the_vault(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    source, out = fill(tmp_path / "in", FILES), tmp_path / "out"
    run(open_vault, [source], out)
    with open_vault() as vault:
        vault.begin_keys()
        keys = vault.keys_of(PROJECT)
        (one,) = work_keys.work_keys(vault, keys)
        work_keys.put_work_key(vault, keys, work_keys.with_facts(one, is_remote=True))
        vault.commit()
    before = work_db(out).read_bytes()
    assert [line for line in erase(open_vault).remains if "was not reached" in line]
    assert work_db(out).read_bytes() == before
    run(open_vault, [source], out)
    with open_vault() as vault:
        assert b"wim" not in plain_text(vault, work_db(out)).lower()


def test_nothing_that_is_shown_of_a_folder_tells_its_key_or_its_place(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "Jan Tolsma")
    with open_vault() as vault:
        stored = work_keys.work_keys(vault, vault.keys_of(PROJECT))
        shown = repr((stored, stored[0].facts, vault.output_folders(PROJECT), Sealer, work_folder))
        assert "Tolsma" not in shown
        assert stored[0].facts.key.hex() not in shown
    for file in (tmp_path / "vault.db", tmp_path / "vault.keys.db"):
        assert b"Tolsma" not in file.read_bytes()
