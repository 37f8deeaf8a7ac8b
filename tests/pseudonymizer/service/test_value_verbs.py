"""Values through a vault service: as in a vault of one's own, by the rights of the caller."""

from collections.abc import Iterator

import pytest

from pseudonymizer.errors import (
    AccessRefusedError,
    ServiceError,
    SettingsError,
    SurrogatesExhaustedError,
    UnknownPseudonymError,
)  # fmt: skip
from pseudonymizer.policy import Role
from pseudonymizer.records import Scope, Style
from pseudonymizer.values import Candidate, Value
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.remote import value_messages as m
from pseudonymizer.vault.remote import values_client
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.service.test_server import Served, running
from tests.pseudonymizer.vault.values_by_hand import (
    BANK,
    BSN,
    FAX,
    IBAN,
    NATIONAL,
    PHONE,
    assigned,
    met,
    offering,
    texts,
)  # fmt: skip

FOUND = [met(BANK, IBAN, "NL91 ABNA 0417 1643 00"), met(BANK, IBAN, at=40), met(NATIONAL, BSN, at=80)]
ACTORS = {"ana": Role.ANALYST, "rik": Role.REQUESTER, "dirk": Role.DPO, "kim": Role.KEYADMIN}
WHY = {"project": "p", "purpose": "toets"}


@pytest.fixture
def served(sqlite_place: VaultPlace) -> Iterator[Served]:
    with sqlite_place.create("boss") as vault:
        vault.ensure_project("p")
        for actor, role in (
            ("ana", Role.ANALYST),
            ("rik", Role.REQUESTER),
            ("dirk", Role.DPO),
            ("kim", Role.KEYADMIN),
        ):
            give_role(vault, actor, role)
        vault.commit()
    with running(sqlite_place) as service:
        yield service


@pytest.mark.parametrize("scope", sorted(Scope))
@pytest.mark.parametrize("style", [Style.CODE, Style.TOKEN, Style.TAG, None])
def test_a_client_gets_what_a_vault_of_ones_own_gives(
    served: Served, sqlite_place: VaultPlace, style: Style | None, scope: Scope
) -> None:
    with served.connect("ana") as client:
        found = assigned(client, FOUND, style, scope)
        assert assigned(client, FOUND, style, scope) == found
    with sqlite_place.open("ana") as vault:
        assert assigned(vault, FOUND, style, scope) == found
    with sqlite_place.open("kim") as vault:
        assert vault.verify().findings == ()


def test_candidates_are_asked_of_the_client_until_one_is_free(
    served: Served, sqlite_place: VaultPlace
) -> None:
    phones = [met(PHONE, f"020123456{n}", at=40 * n) for n in range(3)]
    asked: list[tuple[str, int]] = []

    def candidates(value: Value, attempt: int) -> list[Candidate]:
        asked.append((value.normal, attempt))
        return [Candidate(f"020000000{attempt}", f"020000000{attempt}")]

    with served.connect("ana") as client:
        made = assigned(client, phones, Style.SURROGATE, candidates=candidates)
        assert sorted(texts(made, phones)) == ["0200000000", "0200000001", "0200000002"]
        assert len(asked) == len(set(asked)) == 6, "each value once an attempt"
        again = assigned(client, phones, Style.SURROGATE, candidates=candidates)
        assert (again.pseudonyms, len(asked)) == (made.pseudonyms, 6)
        assert client.stored_value_labels("p", Style.SURROGATE) != ()
        assert client.stored_labels("p", Style.SURROGATE) == ()
    with sqlite_place.open("ana") as vault:
        (event,) = [e for e in vault.trail.events() if e.action == "assign.values" and e.counts["new_values"]]
        assert event.counts["values"] == 3, "what was asked before the last call left nothing"


def test_very_many_values_go_in_several_messages(
    served: Served, sqlite_place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values_client, "_VALUES_A_MESSAGE", 2)
    phones = [met(PHONE, f"020000000{n}", at=40 * n) for n in range(5)]
    # Each offers the number of a later one first.
    table = {one.value: [[f"020000000{n + 1}", f"029999999{n}"]] for n, one in enumerate(phones[:4])}
    table[phones[4].value] = [["0299999994"]]
    with served.connect("ana") as client:
        made = assigned(client, phones, Style.SURROGATE, candidates=offering(table))
        assert texts(made, phones) == [f"029999999{n}" for n in range(5)]
        assert set(made.owners) == {one.mention_id for one in phones}
        assert assigned(client, []).owners == {}
    with sqlite_place.open("ana") as vault:
        assert assigned(vault, phones, Style.SURROGATE) == made
        assert vault.store.scalar("SELECT count(*) FROM entity") == 5


def test_what_is_wrong_is_told_as_in_a_vault_of_ones_own(served: Served) -> None:
    phone = met(PHONE, "0201234567")
    with served.connect("ana") as client:
        with pytest.raises(SurrogatesExhaustedError, match="PHONE"):
            assigned(client, [phone], Style.SURROGATE, candidates=offering({phone.value: [["0201234567"]]}))
        with pytest.raises(SettingsError, match="candidates"):
            assigned(client, [phone], Style.SURROGATE)
        with pytest.raises(SettingsError, match="names only"):
            assigned(client, FOUND, deterministic=True)
        with pytest.raises(SettingsError, match=FAX):
            client.assign_values("p", [met(FAX, "1")], {})
        wrong = m.LabelsRow(FAX, Style.MASK, "", "", Scope.PROJECT, ())
        with pytest.raises(ServiceError, match="protocol"):
            client.ask(m.ASSIGN_VALUES, m.AssignValues(project="p", values=(), labels=(wrong,)))


def test_a_value_is_looked_up_and_erased_by_who_may(served: Served) -> None:
    with served.connect("ana") as client:
        account = texts(assigned(client, FOUND), FOUND)[0]
        with pytest.raises(AccessRefusedError):
            client.lookup_value(value=Value(BANK, IBAN), **WHY)
        with pytest.raises(AccessRefusedError):
            client.erase_values(values=[Value(BANK, IBAN)], **WHY)
    with served.connect("rik") as client, pytest.raises(AccessRefusedError):
        assigned(client, FOUND)
    with served.connect("dirk") as client:
        assert client.lookup_value(value=Value(BANK, "nl91 abna0417164300"), **WHY).pseudonyms == (account,)
        receipt = client.erase_values(values=[Value(BANK, IBAN)], **WHY)
        assert receipt.pseudonyms == (account,)
        with pytest.raises(UnknownPseudonymError):
            client.erase_values(values=[Value(BANK, IBAN)], **WHY)


def test_who_may_pseudonymize_gets_the_secret_of_treatments(served: Served, sqlite_place: VaultPlace) -> None:
    with served.connect("ana") as client, sqlite_place.open("ana") as vault:
        assert client.treatment_key("p") == vault.treatment_key("p")
    for actor in ("rik", "dirk", "kim"):
        with served.connect(actor) as client, pytest.raises(AccessRefusedError):
            client.treatment_key("p")


def test_an_analyst_learns_no_value_from_a_service(served: Served) -> None:
    """Known people hold no values, and no verb of an analyst answers with one."""
    with served.connect("ana") as client:
        made = assigned(client, FOUND)
        with pytest.raises(AccessRefusedError):
            client.reveal(pseudonyms=texts(made, FOUND), **WHY)
        linked = client.linked("p", [])
        assert linked.result.identities == ()
    assert IBAN not in f"{m.MetRow.of(FOUND[0])} {m.AssignValues(project='p', values=(), labels=())}"
