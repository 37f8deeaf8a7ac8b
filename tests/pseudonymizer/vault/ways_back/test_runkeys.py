"""Workers without a vault: what their labels hang on, what their parcels show, which runs are taken in."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import NormalizedMention
from linkage.texts import KindId
from pseudonymizer.crypto import seal_for
from pseudonymizer.errors import GrantInvalidError, SettingsError, UnknownProjectError
from pseudonymizer.records import RunKey
from pseudonymizer.vault import Vault, wire
from pseudonymizer.vault.rows.forms import normal_form
from pseudonymizer.vault.ways_back.runkeys import MOST_HOURS, RunWorker, _context, accept, hand_out
from tests.fakes import FakeClock, linkage_result
from tests.pseudonymizer.conftest import VaultPlace

KEY = RunKey("00", "p", "nacht@2027", FakeClock()() + timedelta(hours=1), 1, b"l" * 32, b"c" * 32, b"p" * 32)
NAMES = ["Jan Tolsma", "JAN TOLSMA", "Els Kok", "Jan", "Tolsma"]


@pytest.fixture
def vault(sqlite_place: VaultPlace) -> Iterator[Vault]:
    with sqlite_place.create() as made:
        made.ensure_project("p")
        made.commit()
        yield made


def mentions(doc_id: str, *names: str) -> tuple[NormalizedMention, ...]:
    return linkage_result({doc_id: ", ".join(names)}, [[(doc_id, name)] for name in names]).mentions


@given(st.lists(st.sampled_from(NAMES), max_size=5), st.lists(st.sampled_from(NAMES), max_size=5))
def test_labels_of_two_workers_are_equal_where_full_names_are(here: list[str], there: list[str]) -> None:
    found = []
    for doc_id, names in (("a", here), ("b", there)):
        worker = RunWorker(KEY, clock=FakeClock())
        met = mentions(doc_id, *names)
        labels = worker.labels(met)
        assert labels.keys() == {one.mention_id for one in met}
        found += [(normal_form(one.name) or one.mention_id, labels[one.mention_id]) for one in met]
    assert len(dict(found)) == len(set(found)) == len({label for _, label in found})


def test_another_run_and_another_project_give_other_labels(vault: Vault) -> None:
    vault.ensure_project("q")
    vault.commit()
    jan = mentions("a", "Jan Tolsma")
    labels = set()
    for project, run in (("p", "een"), ("p", "twee"), ("q", "een")):
        key = hand_out(vault, project=project, run=run, hours=1, purpose="t")
        labels |= set(RunWorker(key, clock=vault.clock).labels(jan).values())
    assert len(labels) == 3


def test_no_key_of_a_run_takes_values(vault: Vault) -> None:
    """Whoever keeps it could try all numbers against the labels."""
    (jan,) = mentions("a", "Jan Tolsma")
    number = replace(jan, mention=replace(jan.mention, kind=KindId("NATIONAL_ID")))
    key = hand_out(vault, project="p", run="nacht", hours=1, purpose="t")
    worker = RunWorker(key, clock=vault.clock)
    for act in (worker.labels, worker.parcel):
        with pytest.raises(SettingsError, match="NATIONAL_ID"):
            act([jan, number])
    sealed = seal_for(
        key.parcel_key, wire.encode([number]), context=_context(key.vault_id, "p", key.run), key_id=0
    )
    before = vault.store.scalar("SELECT count(*) FROM entity")
    with pytest.raises(SettingsError, match="NATIONAL_ID"):
        accept(vault, project="p", run=key.run, parcels=[sealed])
    vault.rollback()
    assert vault.store.scalar("SELECT count(*) FROM entity") == before


@pytest.mark.parametrize(("run", "hours"), [("", 1), ("  ", 1), ("nacht", 0), ("nacht", MOST_HOURS + 1)])
def test_a_run_has_a_name_and_an_end(vault: Vault, run: str, hours: int) -> None:
    before = len(list(vault.audit_events()))
    with pytest.raises(SettingsError, match=f"within {MOST_HOURS} hours"):
        hand_out(vault, project="p", run=run, hours=hours, purpose="t")
    assert len(list(vault.audit_events())) == before
    assert hand_out(vault, project="p", run="nacht", hours=MOST_HOURS, purpose="t").expires_at == (
        vault.clock() + timedelta(hours=MOST_HOURS)
    )


def test_a_run_key_is_for_a_project_that_exists(vault: Vault) -> None:
    with pytest.raises(UnknownProjectError):
        hand_out(vault, project="q", run="nacht", hours=1, purpose="t")


def test_a_parcel_shows_nothing_and_no_two_are_alike(vault: Vault) -> None:
    key = hand_out(vault, project="p", run="nacht", hours=1, purpose="t")
    worker = RunWorker(key, clock=vault.clock)
    parcels = [worker.parcel(mentions("a", "Jan Tolsma")) for _ in range(2)]
    assert parcels[0] != parcels[1]
    assert not any(word in parcel for parcel in parcels for word in (b"Jan", b"olsma"))
    assert "b'" not in repr(key)


def test_a_key_that_has_ended_gives_neither_labels_nor_parcels() -> None:
    clock = FakeClock()
    worker = RunWorker(KEY, clock=clock)
    jan = mentions("a", "Jan Tolsma")
    clock.advance(hours=1)
    assert worker.labels(jan)
    clock.advance(seconds=1)
    with pytest.raises(GrantInvalidError, match="expired"):
        worker.labels(jan)
    with pytest.raises(GrantInvalidError, match="expired"):
        worker.parcel(jan)


@pytest.mark.parametrize("run", ["nacht", "nacht@", "nacht@morgen", "", "nacht@2027-01-01"])
def test_a_run_is_named_as_its_key_tells_it(vault: Vault, run: str) -> None:
    with pytest.raises(GrantInvalidError, match="full name"):
        accept(vault, project="p", run=run, parcels=[])


def test_what_is_taken_in_twice_is_there_once(vault: Vault) -> None:
    key = hand_out(vault, project="p", run="nacht", hours=1, purpose="t")
    worker = RunWorker(key, clock=vault.clock)
    met = mentions("a", "Jan Tolsma", "Els Kok", "Wim")
    parcel = worker.parcel(met)
    taken = accept(vault, project="p", run=key.run, parcels=[parcel, parcel])
    assert (taken.mentions, taken.people) == (3, 3)
    accept(vault, project="p", run=key.run, parcels=[parcel])
    assert len(vault.known("p").people) == 3
    assert set(vault.reveal(project="p", pseudonyms=list(worker.labels(met).values()), purpose="t")) == set(
        worker.labels(met).values()
    )
