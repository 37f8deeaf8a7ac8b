"""The search for the last event that counts something goes over each event once."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from pseudonymizer import FileKey, Vault
from pseudonymizer.audit import Entry

COUNTED = "a count of this test"


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    folder = tmp_path_factory.mktemp("trail")
    key = FileKey(folder / "kek.key")
    key.create()
    with Vault.create(f"sqlite:///{folder / 'vault.db'}", key) as made:
        yield made


def written(vault: Vault, counts: dict[str, int], *, is_kept: bool = True) -> None:
    vault.begin()
    vault.trail.append([Entry("test", counts=counts)], occurred_at=vault.clock())
    if is_kept:
        vault.commit()
    else:
        vault.trail.last_count(COUNTED, after=0)  # an event is seen that will never have been
        vault.rollback()


def recounted(vault: Vault, after: int) -> tuple[int, int] | None:
    """The last event above a number with the count, by reading all of them."""
    found = [(e.sequence, e.counts[COUNTED]) for e in vault.trail.events(after=after) if COUNTED in e.counts]
    return found[-1] if found else None


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=some.lists(
        some.sampled_from(["other", "counts", "rolled back", "asked anew", "asked"]), max_size=12
    )
)
def test_what_is_found_equals_a_search_of_everything(vault: Vault, steps: list[str]) -> None:
    after = 0
    for number, step in enumerate(steps):
        if step in ("other", "counts"):
            written(vault, {COUNTED: number} if step == "counts" else {"other": 1})
        elif step == "rolled back":
            written(vault, {COUNTED: number}, is_kept=False)
        elif step == "asked anew":
            assert vault.trail.last_count(COUNTED, after=0) == recounted(vault, 0)
        else:
            found = vault.trail.last_count(COUNTED, after=after)
            assert found == recounted(vault, after)
            after = found[0] if found else after
    assert vault.trail.last_count(COUNTED, after=after) == recounted(vault, after)


def test_an_older_trail_that_grew_otherwise_is_searched_from_where_the_caller_says(tmp_path: Path) -> None:
    """An older copy is put back while the vault is open, and another process writes to it."""
    key = FileKey(tmp_path / "kek.key")
    key.create()
    address = f"sqlite:///{tmp_path / 'vault.db'}"
    with Vault.create(address, key) as vault:
        written(vault, {COUNTED: 1})
        found = vault.trail.last_count(COUNTED, after=0)
        assert found is not None
        first = found[0]
        written(vault, {"other": 1})
        assert vault.trail.last_count(COUNTED, after=first) is None
        # The same numbers with other digests, as another history has them.
        with sqlite3.connect(tmp_path / "vault.db") as other:
            other.execute(
                "UPDATE audit_event SET digest = randomblob(32), counts = ? WHERE sequence = ?",
                (f'{{"{COUNTED}": 7}}', first + 1),
            )
        assert vault.trail.last_count(COUNTED, after=first) == (first + 1, 7)


def test_events_that_were_searched_are_not_read_again(vault: Vault) -> None:
    for _ in range(5):
        written(vault, {"other": 1})
    after, _ = vault.trail.last_count(COUNTED, after=0) or (0, 0)
    written(vault, {"other": 1})
    end = vault.trail.checked_head()[0].sequence
    driver = vault.store.connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    statements: list[str] = []
    driver.set_trace_callback(statements.append)
    vault.trail.last_count(COUNTED, after=after)
    vault.trail.last_count(COUNTED, after=after)
    driver.set_trace_callback(None)
    searches = [statement for statement in statements if "LIKE" in statement]
    assert len(searches) <= 1
    assert all(f"sequence > {end - 1} " in statement for statement in searches)
