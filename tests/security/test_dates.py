"""The days that retention goes by: altered, put back, and read by a clock that is ahead."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.errors import ClockAheadError, VaultDamagedError, VaultError
from pseudonymizer.keyring import EnvironmentKey
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import Rotated, rotate
from pseudonymizer.vault.erasure import erase, erase_unseen_since
from pseudonymizer.vault.rows.entities import touch
from pseudonymizer.vault.store.migration import current_revision
from tests.fakes import FakeClock, linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in

GOLDEN = Path(__file__).parents[1] / "vectors" / "golden"
KEY = EnvironmentKey(environment={"NYMLINK_KEY": "11" * 32})
RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok, Wim Faber"},
    [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Wim Faber")]],
)


@pytest.fixture
def place(tmp_path: Path) -> VaultPlace:
    made = sqlite_place_in(tmp_path)
    with made.create() as vault:
        assign(RESULT, vault, project="p")
        vault.commit()
    return made


def change(place: VaultPlace, statement: str) -> None:
    with closing(sqlite3.connect(place.vault_file)) as connection, connection:
        connection.execute(statement)


def count(vault: Vault) -> int:
    found: int = vault.store.scalar("SELECT count(*) FROM entity")
    return found


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entity SET last_seen_on = 1",
        "UPDATE entity SET last_seen_on = last_seen_on - 400 WHERE entity_id = 2",
        "UPDATE entity SET last_seen_on = last_seen_on + 1 WHERE entity_id = 2",
        "UPDATE entity SET last_seen_on = last_seen_on + (entity_id - 2)",  # the sum of the days stays
        "DELETE FROM checkpoint WHERE table_name = 'last_seen_on'",
        "UPDATE checkpoint SET row_count = 2, revision = revision + 1 WHERE table_name = 'last_seen_on'",
    ],
)
def test_an_altered_day_is_found_and_erases_nobody(place: VaultPlace, statement: str) -> None:
    change(place, statement)
    with place.open() as vault:
        before = count(vault)
        assert vault.verify().findings
        with pytest.raises(VaultError):
            erase_unseen_since(vault, project="p", days=0, purpose="bewaartermijn")
        assert count(vault) == before
        assert not vault.has_open_work()
        assert vault.verify().findings


def test_days_that_were_put_back_with_their_count_erase_nobody(place: VaultPlace) -> None:
    columns = "entity_id, last_seen_on"
    with closing(sqlite3.connect(place.vault_file)) as connection:
        days = connection.execute(f"SELECT {columns} FROM entity").fetchall()  # noqa: S608
        counts = connection.execute("SELECT * FROM checkpoint WHERE table_name = 'last_seen_on'").fetchall()
    place.clock.advance(days=20)
    with place.open() as vault:
        keys = vault.begin_in("p")
        touch(vault, keys, [number for number, _ in days])
        vault.commit()
        assert vault.verify().findings == ()
    with closing(sqlite3.connect(place.vault_file)) as connection, connection:
        connection.executemany(
            "UPDATE entity SET last_seen_on = ? WHERE entity_id = ?", [(d, n) for n, d in days]
        )
        connection.execute("DELETE FROM checkpoint WHERE table_name = 'last_seen_on'")
        connection.executemany("INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)", counts)
    with place.open() as vault:
        assert vault.verify().findings
        with pytest.raises(VaultDamagedError, match="last met"):
            erase_unseen_since(vault, project="p", days=10, purpose="bewaartermijn")
        assert count(vault) == len(days)


def test_a_clock_far_ahead_erases_nobody_until_somebody_says_that_it_is_right(place: VaultPlace) -> None:
    place.clock.advance(days=365)
    with place.open() as vault:
        with pytest.raises(ClockAheadError, match="365 days"):
            erase_unseen_since(vault, project="p", days=30, purpose="bewaartermijn")
        assert (count(vault), vault.has_open_work()) == (3, False)
        receipt = erase_unseen_since(
            vault, project="p", days=30, purpose="bewaartermijn", clock_is_right=True
        )
        assert receipt is not None
        assert len(receipt.pseudonyms) == 3
        assert vault.verify().findings == ()


def test_meeting_rotating_and_erasing_keep_the_days_counted(place: VaultPlace) -> None:
    with place.open() as vault:
        labels = [row[0] for row in vault.store.rows("SELECT label FROM pseudonym ORDER BY pseudonym_id")]
        place.clock.advance(days=5)
        later = linkage_result({"z": "Els Kok"}, [[("z", "Els Kok")]])
        assign(later, vault, project="p")
        vault.commit()
        assert vault.verify().findings == ()
        rotate(vault, Rotated.DATA, project_name="p")
        erase(vault, project="p", pseudonyms=labels[:1], purpose="verzoek")
        assert vault.verify().findings == ()
        assert vault.store.scalar(
            "SELECT row_count FROM checkpoint WHERE table_name = 'last_seen_on'"
        ) == count(vault)


@pytest.mark.parametrize("revision", ["0002", "0003", "0004", "0005"])
def test_an_older_vault_counts_its_days_from_the_first_write_that_needs_this_program(
    tmp_path: Path, revision: str
) -> None:
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"{revision}.{name}.gz").read_bytes()))
    place = sqlite_place_in(tmp_path)
    clock = FakeClock()
    clock.advance(days=2)
    with Vault.open(tmp_path / "vault.db", KEY, clock=clock) as vault:
        touch(vault, vault.begin_in("p"), [1])
        vault.commit()
        assert current_revision(vault.store.address) == f"vault_{revision}", (
            "the days alone need nothing newer"
        )
        assert vault.verify().findings == ()
        assign(RESULT, vault, project="p")
        vault.commit()
        assert current_revision(vault.store.address) == "vault_0006"
        assert vault.verify().findings == ()
    change(place, "UPDATE entity SET last_seen_on = 1 WHERE entity_id = 1")
    with Vault.open(tmp_path / "vault.db", KEY, clock=clock) as vault:
        assert vault.verify().findings
        with pytest.raises(VaultDamagedError, match="last met"):
            erase_unseen_since(vault, project="p", days=30, purpose="bewaartermijn")
