"""No pseudonym is given twice: not after an erasure, nor after an older copy of either store was put back."""

import gzip
import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData

from linkage.records import Gender
from pseudonymizer.errors import SurrogatesExhaustedError, VaultDamagedError, VaultError, VaultOutdatedError
from pseudonymizer.keyring import EnvironmentKey
from pseudonymizer.records import Scope, Style
from pseudonymizer.reidentification import reveal
from pseudonymizer.settings import StyleSettings, StylesWanted
from pseudonymizer.styles.name_pool import FamilyWord, InventedNames, NamePool, is_reserved
from pseudonymizer.styles.surrogate import TagLabels, label_words
from pseudonymizer.vault import Vault
from pseudonymizer.vault.assigning.assignment import HowToAssign, assign
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.erasure import erase, resume
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.counters import Counted
from pseudonymizer.vault.store.stores import StoreAddress, make_engine, store_addresses
from tests.fakes import FakeClock, linkage_result
from tests.pseudonymizer.conftest import VaultPlace

GOLDEN = Path(__file__).parents[3] / "vectors" / "golden"
PASSPHRASE = "paard batterij nietje"  # noqa: S105  a test's
_DOUBLES = [w for w in map("".join, itertools.product("BDFG", "aeiou", "mnrst", "ae")) if is_reserved(w)]
_SINGLES = [w for w in map("".join, itertools.product("BDFG", "aeiou", "mnrst", "ae")) if not is_reserved(w)]


class FewNames(InventedNames):
    """One given name and one family name of their own; whoever comes later gets a double name."""

    def __init__(self) -> None:
        super().__init__(dict)  # type: ignore[arg-type]  # no list is read: genders are unknown

    @property
    def pool(self) -> NamePool:
        given = dict.fromkeys(Gender, ())
        families = (_SINGLES[1], *_DOUBLES[4:8])
        return NamePool(
            {**given, Gender.FEMALE: (_SINGLES[0], *_DOUBLES[:4])},
            tuple(FamilyWord(word, ()) for word in families),
        )


def give(
    vault: Vault, style: Style, *names: str, project: str = "p", scope: Scope = Scope.PROJECT
) -> list[str]:
    """The labels of new people, one document each, in order."""
    found = []
    for name in names:
        result = linkage_result({name: name}, [[(name, name)]])
        wanted = StylesWanted(StyleSettings(style=style), scope)
        by_style = vault.assign_styled(result, wanted, project=project, invented=FewNames()).by_style
        vault.commit()
        (made,) = by_style[style].values()
        found.append(made.label)
    return found


def new_names(start: int = 0) -> Iterator[str]:
    letters = itertools.product("bdfgklmnprst", "aeiou", "bdfgklmnprst")
    return (f"Voor{''.join(word)} Achter{''.join(word)}" for word in itertools.islice(letters, start, None))


class Copies:
    """An older state of both stores, on either database."""

    def __init__(self, url: str) -> None:
        self._addresses = dict(zip(("vault", "keys"), store_addresses(url, None), strict=True))
        self._rows = {store: self._read(address) for store, address in self._addresses.items()}

    def put_back(self, store: str) -> None:
        address = self._addresses[store]
        with make_engine(address).connect() as connection:
            connection.exec_driver_sql("BEGIN")
            for table in self._tables(address).sorted_tables:
                connection.execute(table.delete())
                if rows := self._rows[store][table.name]:
                    connection.execute(table.insert(), rows)
            connection.exec_driver_sql("COMMIT")

    def _read(self, address: StoreAddress) -> dict[str, list[dict[str, Any]]]:
        with make_engine(address).connect() as connection:
            return {
                table.name: [dict(row) for row in connection.execute(table.select()).mappings()]
                for table in self._tables(address).sorted_tables
            }

    def _tables(self, address: StoreAddress) -> MetaData:
        found = MetaData()
        found.reflect(make_engine(address), schema=None if address.is_sqlite else address.schema)
        return found


@pytest.fixture
def names() -> Iterator[str]:
    return new_names()


def some(names: Iterator[str], count: int) -> list[str]:
    return list(itertools.islice(names, count))


def test_the_number_of_an_erased_person_is_not_given_again(place: VaultPlace, names: Iterator[str]) -> None:
    with place.create() as vault:
        labels = give(vault, Style.TAG, *some(names, 5))
        erase(vault, project="p", pseudonyms=[labels[-1]], purpose="verzoek")
        assert give(vault, Style.TAG, *some(names, 2)) == ["<PERSOON-6>", "<PERSOON-7>"]
        erase(vault, project="p", pseudonyms=[*labels[:4], "<PERSOON-6>", "<PERSOON-7>"], purpose="verzoek")
    with place.open() as vault:
        assert give(vault, Style.TAG, *some(names, 1)) == ["<PERSOON-8>"], "nobody is left in the project"
        assert vault.verify().findings == ()


@pytest.mark.parametrize("scope", Scope)
def test_the_number_goes_on_in_every_scope(sqlite_place: VaultPlace, scope: Scope) -> None:
    with sqlite_place.create() as vault:
        (label,) = give(vault, Style.TAG, "Jan Tolsma", scope=scope)
        erase(vault, project="p", pseudonyms=[label], purpose="verzoek")
        assert give(vault, Style.TAG, "Els Kok", scope=scope) == ["<PERSOON-2>"]


@pytest.mark.parametrize("older", ["vault", "keys"])
def test_numbers_go_on_after_an_older_copy_of_one_store(
    place: VaultPlace, names: Iterator[str], older: str
) -> None:
    with place.create() as vault:
        labels = give(vault, Style.TAG, *some(names, 2))
    copies = Copies(place.url)
    with place.open() as vault:
        labels += give(vault, Style.TAG, *some(names, 3))
    copies.put_back(older)
    with place.open() as vault:
        labels += give(vault, Style.TAG, *some(names, 2))
    assert labels == [f"<PERSOON-{n}>" for n in range(1, 8)]
    copies.put_back("keys" if older == "vault" else "vault")
    with place.open() as vault:
        assert give(vault, Style.TAG, *some(names, 1)) == ["<PERSOON-8>"], "each store has the last number"


def test_numbers_go_on_where_the_older_vault_does_not_know_the_project(
    place: VaultPlace, names: Iterator[str]
) -> None:
    place.create().close()
    copies = Copies(place.url)
    with place.open() as vault:
        give(vault, Style.TAG, *some(names, 3))
        kept = vault.key_records.rows("SELECT wrapped FROM project_key WHERE project_id = 1")
    copies.put_back("vault")
    with place.open() as vault:
        give(vault, Style.TAG, *some(names, 1), project="een ander")
        assert give(vault, Style.TAG, *some(names, 1)) == ["<PERSOON-4>"]
        now = vault.key_records.rows("SELECT wrapped FROM project_key WHERE project_id = 1")
        assert sorted(now) == sorted(kept), "the keys of a project that a newer copy of the vault knows stay"
        assert ["put back" in finding for finding in vault.verify().findings] == [True]


def test_projects_count_apart(vault: Vault, names: Iterator[str]) -> None:
    for project in ("p", "q"):
        labels = give(vault, Style.TAG, *some(names, 2), project=project)
        assert labels == ["<PERSOON-1>", "<PERSOON-2>"]


def test_an_import_goes_on_above_the_last_number(
    sqlite_place: VaultPlace, names: Iterator[str], tmp_path: Path
) -> None:
    with sqlite_place.create() as vault:
        labels = give(vault, Style.TAG, *some(names, 3))
        erase(vault, project="p", pseudonyms=labels[1:], purpose="verzoek")
        export_bundle(vault, tmp_path / "export", PASSPHRASE, purpose="verhuizing", memory_kib=64)
    url = f"sqlite:///{tmp_path}/new.db"
    import_bundle(tmp_path / "export", PASSPHRASE, url)
    with Vault.open(url, sqlite_place.key, clock=sqlite_place.clock) as vault:
        assert give(vault, Style.TAG, *some(names, 1)) == ["<PERSOON-4>"]
        assert vault.verify().findings == ()


def test_a_key_backup_from_before_goes_on_above_the_last_number(
    sqlite_place: VaultPlace, names: Iterator[str], tmp_path: Path
) -> None:
    with sqlite_place.create() as vault:
        give(vault, Style.TAG, *some(names, 2))
        export_bundle(vault, tmp_path / "keys", PASSPHRASE, purpose="kopie", keys_only=True, memory_kib=64)
        give(vault, Style.TAG, *some(names, 2))
    for tail in ("", "-wal", "-shm"):
        sqlite_place.keys_file.with_name(sqlite_place.keys_file.name + tail).unlink(missing_ok=True)
    import_bundle(tmp_path / "keys", PASSPHRASE, sqlite_place.url)
    with sqlite_place.open() as vault:
        assert give(vault, Style.TAG, *some(names, 1)) == ["<PERSOON-5>"]


def test_a_number_is_durable_in_the_key_store_first(
    sqlite_place: VaultPlace, names: Iterator[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class CutOffError(Exception):
        pass

    def stop() -> None:
        raise CutOffError

    with sqlite_place.create() as vault:
        give(vault, Style.TAG, *some(names, 1))
        with monkeypatch.context() as patch:
            patch.setattr(vault.store, "commit", stop)
            with pytest.raises(CutOffError):
                give(vault, Style.TAG, *some(names, 1))
    with sqlite_place.open() as vault:
        assert give(vault, Style.TAG, *some(names, 1)) == ["<PERSOON-3>"]
        assert vault.verify().findings == ()


def _race(url: str, key: Any, start: int, barrier: Any, results: Any) -> None:
    with Vault.open(url, key) as vault:
        barrier.wait(120)
        results.put(give(vault, Style.TAG, *some(new_names(start), 15)))


def test_processes_at_once_never_give_one_number_twice(place: VaultPlace) -> None:
    place.create().close()
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.pseudonymizer.vault.rows.test_published"])
    barrier, results = context.Barrier(2), context.Queue()
    workers = [
        context.Process(target=_race, args=(place.url, place.key, 100 * n, barrier, results))
        for n in range(2)
    ]
    for worker in workers:
        worker.start()
    found = [*results.get(timeout=240), *results.get(timeout=240)]
    for worker in workers:
        worker.join(60)
    assert sorted(found, key=_number) == [f"<PERSOON-{n}>" for n in range(1, 31)]
    with place.open() as vault:
        assert vault.counters.value("p", Counted.TAG) == 30
        assert vault.verify().findings == ()


def _number(tag: str) -> int:
    return int(re.sub(r"\D", "", tag))


def test_a_source_that_asks_nobody_is_refused(vault: Vault, names: Iterator[str]) -> None:
    (label,) = give(vault, Style.TAG, *some(names, 1))
    erase(vault, project="p", pseudonyms=[label], purpose="verzoek")
    name = next(names)
    stored = lambda: vault.stored_labels("p", Style.TAG)  # noqa: E731
    result = linkage_result({"a": name}, [[("a", name)]])
    with pytest.raises(SurrogatesExhaustedError, match="taken already"):
        assign(result, vault, HowToAssign(), project="p", labels=TagLabels(stored=stored))


# -- surrogates ----------------------------------------------------------------------------------------------


def words_of(*labels: str) -> list[str]:
    return [word for label in labels for word in label_words(label)]


def test_the_words_of_an_erased_surrogate_are_not_given_again(place: VaultPlace) -> None:
    with place.create() as vault:
        (first,) = give(vault, Style.SURROGATE, "Sanne Mulder")
        erase(vault, project="p", pseudonyms=[first], purpose="verzoek")
        (second,) = give(vault, Style.SURROGATE, "Hidde Terpstra")
        assert not set(words_of(first)) & set(words_of(second))
        assert vault.verify().findings == ()


def test_surrogates_are_new_after_an_older_copy_of_the_vault(place: VaultPlace) -> None:
    """Under an older key store nobody is drawn for: the names that a surrogate must avoid cannot be read."""
    with place.create() as vault:
        vault.ensure_project("p")
        vault.commit()
    copies = Copies(place.url)
    labels: list[str] = []
    for name in ("Sanne Mulder", "Hidde Terpstra", "Otto Rijk"):
        with place.open() as vault:
            labels += give(vault, Style.SURROGATE, name)
        copies.put_back("vault")
    assert len(set(words_of(*labels))) == len(words_of(*labels)) == 6


def test_key_store_rows_hold_no_pseudonym(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        labels = give(vault, Style.SURROGATE, "Sanne Mulder")
    files = [p for p in sqlite_place.folder.iterdir() if p.name.startswith(sqlite_place.keys_file.name)]
    raw = b"".join(p.read_bytes() for p in files).lower()
    assert [word for word in words_of(*labels) if word.encode() in raw] == []


# -- people --------------------------------------------------------------------------------------------------


def test_the_id_of_an_erased_person_is_not_given_again(vault: Vault, names: Iterator[str]) -> None:
    """A run that was cut off holds such ids in its work files."""
    labels = give(vault, Style.TOKEN, *some(names, 2))
    before = vault.store.scalar("SELECT max(entity_id) FROM entity")
    erase(vault, project="p", pseudonyms=labels, purpose="verzoek")
    give(vault, Style.TOKEN, *some(names, 1))
    assert vault.store.scalar("SELECT max(entity_id) FROM entity") > before


def test_who_bears_the_label_of_an_erased_person_can_be_erased_too(vault: Vault) -> None:
    """Deterministic labels come again with the name, and 8952b15 gave numbers twice."""
    result = linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]])
    for _ in range(2):
        (made,) = vault.assign(result, project="p", deterministic=True).values()
        vault.commit()
        erase(vault, project="p", pseudonyms=[made.label], purpose="verzoek")
    assert vault.store.scalar("SELECT count(*) FROM tombstone") == 1
    assert resume(vault) == 0
    assert vault.verify().findings == ()


# -- tampering -----------------------------------------------------------------------------------------------


def test_an_altered_counter_is_refused_and_found(vault: Vault, names: Iterator[str]) -> None:
    give(vault, Style.TAG, *some(names, 3))
    vault.begin_keys()
    vault.key_records.run_many("UPDATE counter SET highest = highest - ?", [(1,)])
    vault.commit()
    assert any("counter" in finding for finding in vault.verify().findings)
    with pytest.raises(VaultDamagedError):
        give(vault, Style.TAG, *some(names, 1))


def test_words_taken_out_of_the_key_store_are_found(vault: Vault) -> None:
    give(vault, Style.SURROGATE, "Sanne Mulder")
    vault.begin_keys()
    vault.key_records.run_many("DELETE FROM given_word WHERE tag <> ?", [(b"",)])
    vault.commit()
    assert any("words of surrogates" in finding for finding in vault.verify().findings)


# -- vaults made before --------------------------------------------------------------------------------------


def as_before(url: str) -> None:
    """Take the key store back to its first revision, as 8952b15 made it."""
    address = store_addresses(url, None)[1]
    with make_engine(address).connect() as connection:
        for statement in (
            "DROP TABLE counter",
            "DROP TABLE given_word",
            "DROP TABLE work_key",
            "DROP TABLE key_checkpoint",
            "UPDATE alembic_version SET version_num = 'keys_0001'",
        ):
            connection.exec_driver_sql(statement)


@contextmanager
def made_before(place: VaultPlace) -> Iterator[Vault]:
    """A vault whose trail tells nothing of the key store, which then goes back to its first revision."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pseudonymizer.vault.erasure.ERASURES", "untold")
        patch.setattr("pseudonymizer.vault.store.core.KEYS_REVISION", "untold keys")
        with place.create() as vault:
            yield vault
    as_before(place.url)


def revision(url: str) -> str | None:
    return migration.current_revision(store_addresses(url, None)[1])


def test_a_vault_made_before_opens_and_goes_on(place: VaultPlace, names: Iterator[str]) -> None:
    with made_before(place) as vault:
        labels = give(vault, Style.TAG, *some(names, 3))
        erase(vault, project="p", pseudonyms=labels[-1:], purpose="verzoek")
        surrogates = give(vault, Style.SURROGATE, "Sanne Mulder", project="q")
    with place.open() as vault:
        assert reveal(vault, project="p", pseudonyms=labels[:2], purpose="toets")
        assert vault.verify().findings == ()
        assert revision(place.url) == "keys_0001", "nothing was written, so nothing was changed"
        assert give(vault, Style.TAG, *some(names, 1)) == ["<PERSOON-4>"]
        surrogates += give(vault, Style.SURROGATE, "Hidde Terpstra", project="q")
        assert revision(place.url) == "keys_0004"
        assert vault.verify().findings == ()
    copies = Copies(place.url)
    with place.open() as vault:
        surrogates += give(vault, Style.SURROGATE, "Otto Rijk", project="q")
    copies.put_back("vault")
    with place.open() as vault:
        surrogates += give(vault, Style.SURROGATE, "Kees Laan", project="q")
    assert len(set(words_of(*surrogates))) == len(words_of(*surrogates)) == 8


@pytest.mark.parametrize("first", ["export", "erase"])
def test_whatever_writes_first_brings_the_key_store_up_to_date(
    sqlite_place: VaultPlace,
    names: Iterator[str],
    tmp_path: Path,
    first: str,
) -> None:
    with made_before(sqlite_place) as vault:
        (label,) = give(vault, Style.TOKEN, *some(names, 1))
    with sqlite_place.open() as vault:
        if first == "erase":
            erase(vault, project="p", pseudonyms=[label], purpose="verzoek")
        else:
            export_bundle(vault, tmp_path / "export", PASSPHRASE, purpose="verhuizing", memory_kib=64)
        assert vault.verify().findings == ()
    assert revision(sqlite_place.url) == "keys_0004"


def test_the_golden_vault_of_8952b15_opens_without_migration(tmp_path: Path, names: Iterator[str]) -> None:
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"0002.{name}.gz").read_bytes()))
    url, key = f"sqlite:///{tmp_path}/vault.db", EnvironmentKey(environment={"NYMLINK_KEY": "11" * 32})
    with Vault.open(url, key, clock=FakeClock()) as vault:
        assert give(vault, Style.TAG, *some(names, 2)) == ["<PERSOON-1>", "<PERSOON-2>"]
        assert vault.verify().findings == ()


def test_a_key_store_that_may_not_be_changed_says_who_can(
    sqlite_place: VaultPlace, names: Iterator[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite_place.create() as vault:
        vault.ensure_project("p")
        vault.commit()
    as_before(sqlite_place.url)

    def refused(*_: object) -> None:
        raise VaultError("the database of the vault failed (InsufficientPrivilege)")

    with sqlite_place.open() as vault:
        monkeypatch.setattr(migration, "upgrade", refused)
        with pytest.raises(VaultOutdatedError, match="nymlink vault migrate"):
            give(vault, Style.TAG, *some(names, 1))
