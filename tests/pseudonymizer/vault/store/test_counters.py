"""Highest numbers in the key store: they never go down, are each project's own, and show when altered."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.schema import counter
from pseudonymizer.vault import Vault
from pseudonymizer.vault.store.counters import WHOLE_VAULT, Counted
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in


@pytest.fixture
def vault(sqlite_place: VaultPlace) -> Iterator[Vault]:
    with sqlite_place.create() as made:
        made.begin_keys()
        yield made


@pytest.fixture(scope="module")
def shared_vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    with sqlite_place_in(tmp_path_factory.mktemp("vault")).create() as made:
        yield made


@given(st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from(Counted), st.integers(0, 2**63 - 1))))
def test_a_number_is_the_highest_that_was_told_for_its_project_and_kind(
    shared_vault: Vault, told: list[tuple[str, Counted, int]]
) -> None:
    shared_vault.begin_keys()
    highest: dict[tuple[str, Counted], int] = {}
    for project, counted, number in told:
        shared_vault.counters.raise_to(project, counted, number)
        highest[project, counted] = max(number, highest.get((project, counted), 0))
    for project in "pq":
        for counted in Counted:
            assert shared_vault.counters.value(project, counted) == highest.get((project, counted), 0)
    shared_vault.rollback()


def test_a_number_that_is_stored_takes_the_place_of_a_higher_one(vault: Vault) -> None:
    vault.counters.raise_to("p", Counted.SURROGATE, 7)
    vault.counters.store("p", Counted.SURROGATE, 3)
    assert vault.counters.value("p", Counted.SURROGATE) == 3


def test_numbers_outlive_the_process_and_are_in_the_key_store_under_no_name(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        vault.begin_keys()
        vault.counters.raise_to("geheim-onderzoek", Counted.TAG, 31)
        vault.commit()
    with sqlite_place.open() as vault:
        assert vault.counters.value("geheim-onderzoek", Counted.TAG) == 31
        assert vault.counters.value(WHOLE_VAULT, Counted.TAG) == 0
    assert b"geheim" not in sqlite_place.keys_file.read_bytes()


def test_an_altered_number_is_refused_and_found(vault: Vault) -> None:
    vault.counters.raise_to("p", Counted.TAG, 7)
    vault.counters.raise_to("q", Counted.TAG, 9)
    assert vault.counters.findings() == (2, [])
    vault.key_records.execute(update(counter).where(counter.c.highest == 7).values(highest=6))
    with pytest.raises(VaultDamagedError, match="nymlink vault verify"):
        vault.counters.value("p", Counted.TAG)
    assert vault.counters.value("q", Counted.TAG) == 9
    assert vault.counters.findings() == (2, ["1 counters of the key store were altered or moved"])


def test_a_row_that_is_moved_to_another_project_is_found(vault: Vault) -> None:
    vault.counters.raise_to("p", Counted.TAG, 7)
    vault.counters.raise_to("q", Counted.TAG, 9)
    rows = {row.highest: (row.tag, row.binding) for row in vault.key_records.execute(counter.select())}
    vault.counters.store("q", Counted.TAG, 7)
    vault.key_records.execute(update(counter).where(counter.c.tag == rows[9][0]).values(binding=rows[7][1]))
    assert vault.counters.findings()[1] != []
