"""Sealing anew beside others: a process that writes, readers, erasures, kills between copy and start."""

import multiprocessing
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from linkage.records import PersonName
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault, erasure
from pseudonymizer.vault.care.reseal import copy_and_reseal, is_begun, reseal
from pseudonymizer.vault.erasure import erase
from pseudonymizer.vault.rows import fact_rows
from pseudonymizer.vault.rows.entities import sealers_of
from pseudonymizer.vault.rows.fact_reader import FactReader
from pseudonymizer.vault.rows.fact_rows import add_facts, replace_facts, stored_facts
from pseudonymizer.vault.rows.forms import Fact, SurfaceForm
from pseudonymizer.vault.rows.sealed_facts import pack
from pseudonymizer.vault.store import copies
from pseudonymizer.vault.store.copies import copies_beside
from tests.fakes import linkage_result
from tests.kept.material import rows_of, unpack
from tests.old_facts import form_fact, row
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.care.test_reseal import (
    BATCH,
    Facts,
    facts_in,
    known_in,
    opened,
    projects_with_older,
)
from tests.pseudonymizer.vault.store.test_copies import AT


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack("projects", tmp_path_factory.mktemp("kept")) / "vault"


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    shutil.copytree(kept, tmp_path / "vault")
    return tmp_path / "vault"


def person_of(vault: Vault, project: str) -> tuple[str, int]:
    """The label and the number of a person of a project."""
    keys = vault.keys_of(project)
    (found,) = vault.store.rows(
        "SELECT p.label, p.entity_id FROM pseudonym p JOIN entity e ON e.entity_id = p.entity_id "
        "WHERE p.project_id = ? AND e.kind = 1 AND p.scope = 'project' ORDER BY p.pseudonym_id DESC LIMIT 1",
        (keys.project_id,),
    )
    return found[0], found[1]


def without(facts: Facts, project: str, number: int) -> Facts:
    """The same facts but for those of one person."""
    rest = {n: told for n, told in facts[project].items() if n != number}
    return {**facts, project: rest}


def test_a_reader_that_keeps_the_log_does_not_fail_it(folder: Path) -> None:
    with (
        opened(folder) as vault,
        closing(sqlite3.connect(folder / "vault.db", isolation_level=None)) as reader,
    ):
        vault.store.connection.exec_driver_sql("PRAGMA busy_timeout=100")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM form").fetchone()
        assert reseal(vault, batch=BATCH) > 50
        assert (is_begun(vault), projects_with_older(vault)) == (False, set())


def test_another_process_that_had_the_old_vault_open_goes_on(folder: Path) -> None:
    """It reads, erases and assigns between the batches of the one that seals anew."""
    with opened(folder) as vault, opened(folder) as other:
        before, known = facts_in(other), known_in(other)
        project = max(before, key=lambda name: len(before[name]))
        label, number = person_of(other, project)
        new = linkage_result({"n": "Wessel Tadema"}, [[("n", "Wessel Tadema")]])
        batches = 0

        def between(_rows: int) -> None:
            nonlocal batches
            batches += 1
            if batches == 1:
                assert reveal(other, project=project, pseudonyms=[label], purpose="toets")
                other.assign(new, project=project)
                other.commit()
            if batches == 3:
                erase(other, project=project, pseudonyms=[label], purpose="toets")
            if batches % 4 == 0:
                assert facts_in(other).keys() == before.keys()

        reseal(vault, batch=BATCH, progress=between)
        assert batches > 10
        before = without(before, project, number)
        for one in (vault, other):
            after = facts_in(one)
            added = after[project].keys() - before[project].keys()
            assert {p: {n: f for n, f in own.items() if n not in added} for p, own in after.items()} == before
            assert len(added) == 1
            assert projects_with_older(one) == set()
            assert {p: k for p, k in known_in(one).items() if p != project} == {
                p: k for p, k in known.items() if p != project
            }
        assert vault.verify().findings == ()


def test_people_erased_while_it_is_cut_off_are_gone_and_their_receipt_names_the_copy(folder: Path) -> None:
    with opened(folder) as vault:
        before = facts_in(vault)
        project = max(before, key=lambda name: len(before[name]))
        label, number = person_of(vault, project)

    def stop(rows: int) -> None:
        if rows > 20:
            raise KeyboardInterrupt

    with opened(folder) as vault:
        copy = copies.copy_beside(vault.store.address, at=AT)
        with pytest.raises(KeyboardInterrupt):
            reseal(vault, batch=BATCH, progress=stop)
        vault.rollback()
    with opened(folder) as vault:
        assert is_begun(vault)
        receipt = erase(vault, project=project, pseudonyms=[label], purpose="verzoek")
        assert [line for line in receipt.remains if line.startswith(copy.name)]
        assert copy_and_reseal(vault, at=AT, has_copy=False)[1] is None, "it goes on: the copy is there"
        before = without(before, project, number)
        assert facts_in(vault) == before
        assert projects_with_older(vault) == set()
        assert vault.verify().findings == ()
    for file in [folder / "vault.db", *folder.glob("vault.db-*")]:
        old_rows = _sealed_of(copy, number)
        assert old_rows
        assert not any(sealed[-32:] in file.read_bytes() for sealed in old_rows)


def _sealed_of(store: Path, number: int) -> list[bytes]:
    with closing(sqlite3.connect(store)) as connection:
        rows = connection.execute("SELECT sealed FROM form WHERE entity_id = ?", (number,)).fetchall()
    return [bytes(sealed) for (sealed,) in rows]


def test_an_erasure_that_was_killed_between_the_stores_is_finished_first(folder: Path) -> None:
    """Its keys are gone and its rows are there, in a vault that stays open meanwhile."""
    with opened(folder) as vault:
        before = facts_in(vault)
        project = max(before, key=lambda name: len(before[name]))
        label, number = person_of(vault, project)
        process = multiprocessing.get_context("fork").Process(
            target=_erase_and_be_killed, args=(folder, project, label)
        )
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        assert vault.store.scalar("SELECT count(*) FROM form WHERE entity_id = ?", (number,))
        assert not vault.key_records.rows("SELECT 1 FROM entity_key WHERE entity_id = ?", (number,))
        rows, copy = copy_and_reseal(vault, at=AT, has_copy=False)
        assert rows > 50
        assert copy is not None
        before = without(before, project, number)
        assert facts_in(vault) == before
        assert vault.verify().findings == ()


def _erase_and_be_killed(folder: Path, project: str, label: str) -> None:
    with opened(folder) as vault:
        original: Callable[[], None] = vault.key_records.commit
        bury = erasure._bury

        def buried(*arguments: object) -> None:
            bury(*arguments)  # type: ignore[arg-type]
            vault.key_records.commit = committed  # type: ignore[method-assign]

        def committed() -> None:
            original()
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(erasure, "_bury", buried)  # noqa: B010  a process of its own
        erase(vault, project=project, pseudonyms=[label], purpose="toets")


def _copy_and_be_killed(folder: Path, moment: int) -> None:
    """Copy and seal anew, and be killed at a step of the copy, or at the first commit after it."""
    if moment < 3:
        calls = 0
        on_disk = copies._on_disk

        def counted(place: Path) -> None:
            nonlocal calls
            calls += 1
            if calls == moment:
                os.kill(os.getpid(), signal.SIGKILL)
            on_disk(place)

        copies._on_disk = counted
    with opened(folder) as vault:
        if moment == 3:
            vault.store.commit = lambda: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
        copy_and_reseal(vault, at=AT, has_copy=False)


@pytest.mark.parametrize(
    ("moment", "left"),
    [(1, ["vault.db.copy-20260301T123000Z.part"]), (2, ["vault.db.copy-20260301T123000Z"]),
     (3, ["vault.db.copy-20260301T123000Z"])],
)  # fmt: skip
def test_killed_between_the_copy_and_the_start_nothing_is_lost_and_every_copy_is_named(
    folder: Path, moment: int, left: list[str]
) -> None:
    before = rows_of(folder / "vault.db")["form"]
    process = multiprocessing.get_context("fork").Process(target=_copy_and_be_killed, args=(folder, moment))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert rows_of(folder / "vault.db")["form"] == before
    with opened(folder) as vault:
        assert [file.name for file in copies_beside(vault.store.address)] == left
        facts = facts_in(vault)
        rows, copy = copy_and_reseal(vault, at=AT, has_copy=False)
        assert rows > 50
        assert copy is not None
        assert rows_of(copy)["form"] == before
        assert facts_in(vault) == facts
        project = max(facts, key=lambda name: len(facts[name]))
        receipt = erase(vault, project=project, pseudonyms=[person_of(vault, project)[0]], purpose="verzoek")
        named = [line.split()[0] for line in receipt.remains if "vault migrate" in line]
        assert named == sorted([*left, copy.name])


# -- people with more than one row


def named(count: int) -> list[Fact]:
    return [SurfaceForm(f"X{n} {'Y' * 60}", PersonName(given=f"x{n}", family="y" * 60)) for n in range(count)]


def with_rows(place: VaultPlace, rows: list[bytes]) -> tuple[Vault, int]:
    """A vault with one person who has these rows."""
    vault = place.create()
    vault.assign(linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]]), project="p")
    vault.commit()
    keys = vault.keys_of("p")
    ((number,),) = vault.store.rows("SELECT entity_id FROM entity")
    sealers = sealers_of(vault, keys, [number])
    vault.begin_keys()
    stored = fact_rows._rows_of(vault, keys, sealers)
    fact_rows._rewrite(vault, keys, stored, sealers, {number: rows[:1]})
    for plain in rows[1:]:
        add_facts(vault, keys, [(number, FactReader().facts([plain]), sealers[number])])
    vault.commit()
    return vault, number


def facts_of(vault: Vault, number: int) -> list[Fact]:
    keys = vault.keys_of("p")
    return stored_facts(vault, keys, sealers_of(vault, keys, [number]))[number]


def test_a_row_that_becomes_equal_to_another_of_the_person_is_no_conflict(place: VaultPlace) -> None:
    """The old row says what the first of two rows of today says, too."""
    facts = named(400)
    first, second = pack(facts)
    old = row([form_fact(f"X0 {'Y' * 60}", PersonName(given="x0", family="y" * 60))])
    vault, number = with_rows(place, [old, first, second])
    with vault:
        assert facts_of(vault, number) == facts
        assert reseal(vault) == 2
        assert facts_of(vault, number) == facts
        assert vault.store.scalar("SELECT count(*) FROM form") == 2
        assert vault.verify().findings == ()


def test_rows_may_take_each_others_place_when_facts_are_taken_away(place: VaultPlace) -> None:
    facts = named(800)
    rows = pack(facts)
    assert len(rows) == 4
    vault, number = with_rows(place, rows)
    left = facts[400:]
    assert pack(left) == rows[2:]
    with vault:
        keys = vault.keys_of("p")
        vault.begin_keys()
        replace_facts(vault, keys, number, sealers_of(vault, keys, [number])[number], left)
        vault.commit()
        assert facts_of(vault, number) == left
        assert vault.verify().findings == ()
