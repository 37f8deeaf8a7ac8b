"""Workers that share nothing agree with each other and with the vault; their key ends, and opens nothing."""

import pytest

from linkage.records import NormalizedMention
from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    AccessRefusedError,
    GrantInvalidError,
    KeyUnavailableError,
    PurposeRequiredError,
    SettingsError,
    UnsealError,
)
from pseudonymizer.policy import Role
from pseudonymizer.reidentification import reveal
from pseudonymizer.runkeys import RunKey, RunWorker, accept, hand_out
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.care.rotation import Rotated, rotate
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace


def mentions(doc_id: str, *names: str) -> tuple[NormalizedMention, ...]:
    return linkage_result({doc_id: ", ".join(names)}, [[(doc_id, name)] for name in names]).mentions


def key_of(vault: Vault, hours: int = 2) -> RunKey:
    vault.ensure_project("p")
    vault.commit()
    return hand_out(vault, project="p", run="nacht 7", hours=hours, purpose="verwerking", ticket="T")


def test_two_workers_and_the_vault_agree(place: VaultPlace) -> None:
    with place.create() as vault:
        key = key_of(vault)
        assert RunKey.from_text(key.to_text()) == key
        one, two = (
            RunWorker(key, clock=place.clock),
            RunWorker(RunKey.from_text(key.to_text()), clock=place.clock),
        )
        here, there = mentions("a", "Jan Tolsma", "Wim", "Els Kok"), mentions("b", "JAN TOLSMA", "Wim")
        first = [one.labels(here)[m.mention_id] for m in here]
        second = [two.labels(there)[m.mention_id] for m in there]
        assert first[0] == second[0]
        assert first[1] != second[1]  # a first name alone is nobody in particular
        assert all(vault.tokens("p").is_valid(label) for label in [*first, *second])
        parcels = [one.parcel(here), two.parcel(there)]
        assert b"Tolsma" not in b"".join(parcels)
        assert accept(vault, project="p", run=key.run, parcels=parcels).mentions == 5
        again = accept(vault, project="p", run=key.run, parcels=parcels[1:])
        assert (again.mentions, again.people) == (2, 2)
        names = reveal(vault, project="p", pseudonyms=[*first, *second], purpose="toets")
        assert [names[label].name.casefold() for label in first] == ["jan tolsma", "wim", "els kok"]
        assert vault.verify().findings == ()
        found = assign(linkage_result({"c": "Els Kok"}, [[("c", "Els Kok")]]), vault, project="p")
        assert [p.label for p in found.values()] == [first[2]]


def test_who_has_a_pseudonym_keeps_it_and_the_label_of_the_run_leads_to_him(vault: Vault) -> None:
    before = assign(linkage_result({"c": "Els Kok"}, [[("c", "Els Kok")]]), vault, project="p")
    vault.commit()
    (label,) = [p.label for p in before.values()]
    worker = RunWorker(key := key_of(vault), clock=vault.clock)
    there = mentions("d", "Els Kok")
    (given,) = worker.labels(there).values()
    assert given != label
    for _ in range(2):
        accept(vault, project="p", run=key.run, parcels=[worker.parcel(there)])
    names = reveal(vault, project="p", pseudonyms=[label, given], purpose="toets")
    assert names[label].name == names[given].name == "Els Kok"
    later = assign(linkage_result({"e": "Els Kok"}, [[("e", "Els Kok")]]), vault, project="p")
    assert [p.label for p in later.values()] == [label]
    vault.commit()
    assert vault.verify().findings == ()


def test_the_key_ends_for_the_worker_and_for_the_vault(place: VaultPlace) -> None:
    with place.create() as vault:
        key = key_of(vault, hours=1)
        worker = RunWorker(key, clock=place.clock)
        parcel = worker.parcel(mentions("a", "Jan Tolsma"))
        place.clock.advance(minutes=61)
        for refused in (
            lambda: worker.labels(()),
            lambda: worker.parcel(()),
            lambda: accept(vault, project="p", run=key.run, parcels=[parcel]),
        ):
            with pytest.raises(GrantInvalidError, match="expired"):
                refused()
        name = key.run.rpartition("@")[0]
        with pytest.raises(UnsealError):
            accept(vault, project="p", run=f"{name}@2099-01-01T00:00:00+00:00", parcels=[parcel])
        for run in ("nacht 7", "", "x@gisteren"):
            with pytest.raises(GrantInvalidError):
                accept(vault, project="p", run=run, parcels=[parcel])


def test_a_parcel_belongs_to_its_run_and_project_and_an_altered_one_to_none(vault: Vault) -> None:
    key, other = key_of(vault, 2), key_of(vault, 3)
    vault.ensure_project("q")
    vault.commit()
    parcel = RunWorker(key, clock=vault.clock).parcel(mentions("a", "Jan Tolsma"))
    altered = bytearray(parcel)
    altered[-1] ^= 1
    for project, run, sent in (
        ("p", other.run, parcel),
        ("q", key.run, parcel),
        ("p", key.run, bytes(altered)),
    ):
        with pytest.raises(UnsealError):
            accept(vault, project=project, run=run, parcels=[sent])
        vault.rollback()
    assert vault.known_identities("p") == ()


def test_other_runs_give_other_labels_and_old_ones_stay_valid(vault: Vault) -> None:
    first, second = key_of(vault, 2), key_of(vault, 3)
    who = mentions("a", "Jan Tolsma")
    labels = {RunWorker(k, clock=vault.clock).labels(who)[who[0].mention_id] for k in (first, second)}
    assert len(labels) == 2
    rotate(vault, Rotated.TOKEN, project_name="p")
    assert all(vault.tokens("p").is_valid(label) for label in labels)
    third = key_of(vault, 2)
    assert third.version == first.version + 1


def test_who_may_have_one(place: VaultPlace) -> None:
    with place.create() as vault:
        key_of(vault)
        with pytest.raises(PurposeRequiredError):
            hand_out(vault, project="p", run="r", hours=1, purpose="")
        for run, hours in (("r", 0), ("r", 169), (" ", 1)):
            with pytest.raises(SettingsError):
                hand_out(vault, project="p", run=run, hours=hours, purpose="t")
        event = next(e for e in vault.audit_events() if e.action == "run-key" and e.outcome == "allowed")
        assert (event.purpose, event.ticket, event.counts["hours"]) == ("verwerking", "T", 2)
        give_role(vault, "ana", Role.ANALYST)
        give_role(vault, "cor", Role.CURATOR)
        vault.commit()
    with place.open("ana") as vault, pytest.raises(AccessRefusedError):
        hand_out(vault, project="p", run="r", hours=1, purpose="t")
    with place.open("cor") as vault:
        key = hand_out(vault, project="p", run="r", hours=1, purpose="t")
    assert key.label_key.hex() not in repr(key)
    for text in ("", "{}", "[1]", key.to_text()[:-9]):
        with pytest.raises(KeyUnavailableError):
            RunKey.from_text(text)
