"""A thousand changes of both stores, each found by verify before and after further writes, or known."""

import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace
from tests.security.store_changes import Change, changes_of
from tests.security.used_stores import FILES, UsedStores, as_actor, use_stores

pytestmark = pytest.mark.slow  # two minutes of processor time
KNOWN_FAILURES: Final = Path(__file__).parent / "known_store_changes.txt"
_NEW: Final = linkage_result({"z": "Otto Lok"}, [[("z", "Otto Lok")]])
_WRITTEN_AFTER: Final = 4  # further writes follow every fourth change, and each that is not found without
_SEED: Final = 20
_ROW: Final = re.compile(r"row \d+")  # the list of what is missed names columns, not rows


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> UsedStores:
    return use_stores(tmp_path_factory.mktemp("used"))


def _is_found(place: VaultPlace) -> bool:
    """Whether verify finds something, or the vault does not open."""
    try:
        with as_actor(place, "audra") as vault:
            return vault.verify().findings != ()
    except PseudonymizerError:
        return True


def _write_on(place: VaultPlace) -> None:
    """Further writes of two actors; each may be refused."""

    def pseudonymize(vault: Vault) -> None:
        assign(_NEW, vault, project="p")

    def ask(vault: Vault) -> None:
        reveal(vault, project="p", pseudonyms=["x"], purpose="toets")

    for actor, act in (("carl", pseudonymize), ("stranger", ask)):
        with suppress(PseudonymizerError), as_actor(place, actor) as vault:
            act(vault)
            vault.commit()


def _missed(changes: list[Change], stores: UsedStores, folder: Path) -> Iterator[str]:
    for number, change in enumerate(changes):
        place = stores.copied_to(folder)
        with closing(sqlite3.connect(folder / FILES[change.store])) as connection, connection:
            connection.execute("PRAGMA synchronous=OFF")
            change.act(connection)
        found = _is_found(place)
        if found and number % _WRITTEN_AFTER:
            continue
        _write_on(place)
        if not _is_found(place) or not found:
            yield change.name


def test_nothing_is_missed_but_what_is_known(stores: UsedStores, tmp_path: Path) -> None:
    changes = list(changes_of(stores))
    assert len(changes) > 1_000
    assert len({change.name for change in changes}) == len(changes)
    random.Random(_SEED).shuffle(changes)  # noqa: S311  which changes are followed by writes
    known = {line for line in KNOWN_FAILURES.read_text().splitlines() if line and not line.startswith("#")}
    missed = {_ROW.sub("a row", name) for name in _missed(changes, stores, tmp_path)}
    assert missed == known


def test_stores_that_nobody_changed_are_whole(stores: UsedStores, tmp_path: Path) -> None:
    place = stores.copied_to(tmp_path)
    assert not _is_found(place)
    _write_on(place)
    assert not _is_found(place)


def test_every_table_and_column_is_changed(stores: UsedStores) -> None:
    names = [change.name for change in changes_of(stores)]
    for store in stores.now:
        for table, rows in stores.now[store].items():
            assert rows, f"{table} has no row that could be changed"
            assert any(name.startswith(f"{store}.{table}.") for name in names)
