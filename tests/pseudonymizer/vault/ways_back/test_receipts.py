"""Receipts: a caller gets back what he sent himself, as he sent it, and nothing else; on record."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import PERSON, EntityId, KindId
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.errors import AccessRefusedError, ReceiptInvalidError, VaultClosedError
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.receipts import RECEIPT_HOURS, GivenPlace, SentPlace, SentText
from pseudonymizer.records import AuditEvent, Rotated
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.care.rotation import rotate_kek
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.values_by_hand import BANK, IBAN, assigned, met

RESULT = linkage_result(
    {"a": "Jan Pieter Tolsma, J. Tolsma, Els Kok"},
    [[("a", "Jan Pieter Tolsma"), ("a", "J. Tolsma")], [("a", "Els Kok")]],
)
EMAIL = KindId("EMAIL")
OUTPUT = digest_sha256((b"uit",))


def people(vault: Vault) -> dict[str, tuple[str, EntityId]]:
    """Label and person of each surface, committed."""
    found = vault.assign(RESULT, project="p")
    vault.commit()
    told = {}
    for one in RESULT.mentions:
        pseudonym = found[one.mention_id]
        told[one.mention.surface] = (pseudonym.label, pseudonym.entity_id)
    return told


def place(entity_id: EntityId, form: str, kind: str = PERSON, start: int = 0, end: int = 0) -> SentPlace:
    return SentPlace(start, end, entity_id, KindId(kind), form)


def made(vault: Vault, *places: SentPlace, output: bytes = OUTPUT, lost: int = 0) -> str:
    return vault.receipt("p", [SentText(output, places, lost)])


def given_names(vault: Vault, receipt: str, labels: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    found = vault.give_back(project="p", receipt=receipt, labels=labels)
    return {label: one.forms for label, one in found.names.items()}


def last(vault: Vault) -> AuditEvent:
    return list(vault.trail.events())[-1]


def test_a_caller_gets_what_he_sent_and_never_a_longer_form_that_the_vault_knows(vault: Vault) -> None:
    label, jan = people(vault)["Jan Pieter Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma"), place(jan, "Tolsma"), place(jan, "J. Tolsma"))
    assert given_names(vault, receipt, [label]) == {label: ("J. Tolsma", "Tolsma")}
    assert b"Pieter" not in receipt.encode()


def test_labels_of_other_requests_stay_though_the_project_has_them(vault: Vault) -> None:
    told = people(vault)
    (label, jan), (other, _) = told["J. Tolsma"], told["Els Kok"]
    receipt = made(vault, place(jan, "J. Tolsma"))
    assert given_names(vault, receipt, [other, label, "PERSOON-XXXXX"]) == {label: ("J. Tolsma",)}


def test_values_come_back_and_addresses_are_no_form_of_a_name(vault: Vault) -> None:
    told = people(vault)
    values = [met(BANK, IBAN, "NL91 ABNA 0417 1643 00")]
    found = assigned(vault, values)
    vault.commit()
    account = found.pseudonyms[values[0].mention_id]
    label, jan = told["J. Tolsma"]
    receipt = made(
        vault, place(account.entity_id, "NL91 ABNA 0417 1643 00", BANK),
        place(jan, "jan@tolsma.nl", EMAIL), place(jan, "j.tolsma", "USERNAME"), place(jan, "J. Tolsma"),
    )  # fmt: skip
    back = vault.give_back(project="p", receipt=receipt, labels=[label, account.label])
    assert back.names[account.label].forms == ("NL91 ABNA 0417 1643 00",)
    assert back.names[account.label].kind == BANK
    assert (back.names[label].forms, back.names[label].addresses) == (("J. Tolsma",), ("jan@tolsma.nl",))


def test_an_output_that_comes_back_unchanged_is_undone_place_by_place(vault: Vault) -> None:
    label, jan = people(vault)["J. Tolsma"]
    receipt = made(
        vault, place(jan, "J. Tolsma", PERSON, 0, 13), place(jan, "Jan", PERSON, 20, 33),
        place(EntityId("vault:987654"), "Niemand", PERSON, 40, 50), lost=2,
    )  # fmt: skip
    back = vault.give_back(
        project="p", receipt=receipt, labels=[label], outputs=[digest_sha256((b"ander",)), OUTPUT]
    )
    assert set(back.texts) == {OUTPUT}
    assert back.texts[OUTPUT].places == (GivenPlace(0, 13, "J. Tolsma"), GivenPlace(20, 33, "Jan"))
    assert back.texts[OUTPUT].lost == 3  # two had no way back, and one is nobody


def test_it_is_on_record_before_the_name_is_given(vault: Vault) -> None:
    label, jan = people(vault)["J. Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma"))
    assert last(vault).action != "give-back"
    vault.give_back(project="p", receipt=receipt, labels=[label], ticket="T1")
    event = last(vault)
    assert (event.action, event.actor, event.subjects, event.outcome) == (
        "give-back", "tester", (label,), "allowed",
    )  # fmt: skip
    assert (event.ticket, event.counts["names"], event.sequence) == ("T1", 1, vault.last_event)
    assert "Tolsma" not in repr(event)
    vault.verify_audit()


def test_without_a_record_nothing_is_given(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    label, jan = people(vault)["J. Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma"))

    def broken(*_: object, **__: object) -> int:
        raise OSError("no space")

    monkeypatch.setattr(vault.trail, "append", broken)
    with pytest.raises(OSError, match="no space"):
        vault.give_back(project="p", receipt=receipt, labels=[label])


def test_open_work_is_not_committed_by_it(vault: Vault) -> None:
    _, jan = people(vault)["J. Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma"))
    vault.assign(linkage_result({"z": "Kee Vos"}, [[("z", "Kee Vos")]]), project="p")
    with pytest.raises(VaultClosedError):
        vault.give_back(project="p", receipt=receipt, labels=[])


def test_erased_people_are_not_given_back_and_their_names_in_the_receipt_are_destroyed(
    vault: Vault,
) -> None:
    told = people(vault)
    (label, jan), (other, els) = told["J. Tolsma"], told["Els Kok"]
    receipt = made(
        vault, place(jan, "J. Tolsma", PERSON, 0, 5), place(els, "Els Kok", PERSON, 9, 12)
    )  # fmt: skip
    vault.erase(project="p", pseudonyms=[label], purpose="verzoek")
    assert given_names(vault, receipt, [label, other]) == {other: ("Els Kok",)}
    back = vault.give_back(project="p", receipt=receipt, labels=[], outputs=[OUTPUT])
    assert back.texts[OUTPUT].places == (GivenPlace(9, 12, "Els Kok"),)
    assert back.texts[OUTPUT].lost == 1
    again = made(vault, place(jan, "J. Tolsma"), place(els, "Els Kok"))  # of a text that was in the making
    assert given_names(vault, again, [label, other]) == {other: ("Els Kok",)}


@pytest.mark.parametrize("what", [one for one in Rotated if one is not Rotated.DATA])
def test_it_outlives_the_rotation_of_keys(vault: Vault, what: Rotated) -> None:
    label, jan = people(vault)["J. Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma"))
    vault.rotate(what, project_name="p")
    assert given_names(vault, receipt, [label]) == {label: ("J. Tolsma",)}


def test_it_outlives_a_new_daily_key(sqlite_place: VaultPlace) -> None:
    new_key = FileKey(sqlite_place.folder / "new.key")
    with sqlite_place.create() as vault:
        label, jan = people(vault)["J. Tolsma"]
        receipt = made(vault, place(jan, "J. Tolsma"))
        rotate_kek(vault, new_key)
    with Vault.open(sqlite_place.url, new_key, actor="tester", clock=sqlite_place.clock) as vault:
        assert given_names(vault, receipt, [label]) == {label: ("J. Tolsma",)}


def test_new_data_keys_end_it_for_everybody_and_that_is_counted(vault: Vault) -> None:
    label, jan = people(vault)["J. Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma", PERSON, 0, 5))
    vault.rotate(Rotated.DATA, project_name="p")
    back = vault.give_back(project="p", receipt=receipt, labels=[label], outputs=[OUTPUT])
    assert (back.names, back.texts[OUTPUT].places, back.texts[OUTPUT].lost) == ({}, (), 1)


def test_it_outlives_a_split_and_its_label_stays_with_the_first_person(vault: Vault) -> None:
    from pseudonymizer.splits import Part

    label, jan = people(vault)["J. Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma"))
    vault.split(project="p", pseudonym=label, part=Part(["J. Tolsma"]), purpose="toets")
    assert given_names(vault, receipt, [label]) == {label: ("J. Tolsma",)}


def test_expired_altered_and_foreign_receipts_have_one_answer_which_is_on_record(
    sqlite_place: VaultPlace,
) -> None:
    answers = set()
    with sqlite_place.create("ana") as vault:
        label, jan = people(vault)["J. Tolsma"]
        vault.ensure_project("q")
        vault.commit()
        receipt = made(vault, place(jan, "J. Tolsma"))
        strange = ["", "nyr_", "nyr_é", "nyr_AAAA", receipt[4:], receipt[:-8], receipt + "AAAA", "x" * 9_999]
        middle = len(receipt) // 2
        strange.append(receipt[:middle] + ("A" if receipt[middle] != "A" else "B") + receipt[middle + 1 :])
        for one in strange:
            with pytest.raises(ReceiptInvalidError) as refused:
                vault.give_back(project="p", receipt=one, labels=[label])
            answers.add(str(refused.value))
            event = last(vault)
            assert (event.action, event.outcome, event.subjects) == ("give-back", "refused:receipt", ())
        with pytest.raises(ReceiptInvalidError) as refused:
            vault.give_back(project="q", receipt=receipt, labels=[label])
        answers.add(str(refused.value))
    with sqlite_place.open("bob") as vault:
        with pytest.raises(ReceiptInvalidError) as refused:
            vault.give_back(project="p", receipt=receipt, labels=[label])
        answers.add(str(refused.value))
    with sqlite_place.open("ana") as vault:
        sqlite_place.clock.advance(hours=RECEIPT_HOURS)
        assert given_names(vault, receipt, [label]) == {label: ("J. Tolsma",)}
        sqlite_place.clock.advance(seconds=2)
        with pytest.raises(ReceiptInvalidError) as refused:
            vault.give_back(project="p", receipt=receipt, labels=[label])
        answers.add(str(refused.value))
    assert len(answers) == 1


def test_another_vault_takes_no_receipt(
    sqlite_place: VaultPlace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from tests.pseudonymizer.conftest import sqlite_place_in

    with sqlite_place.create() as vault:
        label, jan = people(vault)["J. Tolsma"]
        receipt = made(vault, place(jan, "J. Tolsma"))
    with sqlite_place_in(tmp_path_factory.mktemp("other")).create() as other:
        people(other)
        with pytest.raises(ReceiptInvalidError):
            other.give_back(project="p", receipt=receipt, labels=[label])


def test_who_may_not_pseudonymize_neither_makes_nor_uses_one(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create("boss") as vault:
        label, jan = people(vault)["J. Tolsma"]
        for actor, role in (("ana", Role.ANALYST), ("rik", Role.REQUESTER)):
            give_role(vault, actor, role)
        vault.commit()
    with sqlite_place.open("ana") as vault:
        receipt = made(vault, place(jan, "J. Tolsma"))
        assert given_names(vault, receipt, [label]) == {label: ("J. Tolsma",)}
    with sqlite_place.open("rik") as vault:
        with pytest.raises(AccessRefusedError):
            made(vault, place(jan, "J. Tolsma"))
        with pytest.raises(AccessRefusedError, match="no role that allows give-back"):
            vault.give_back(project="p", receipt=receipt, labels=[label])
    with sqlite_place.open("boss") as vault:  # who lost the role loses what he was given
        vault.take_role("ana", Role.ANALYST)
        vault.commit()
    with sqlite_place.open("ana") as vault, pytest.raises(AccessRefusedError):
        vault.give_back(project="p", receipt=receipt, labels=[label])


def test_no_limit_counts_it(vault: Vault) -> None:
    label, jan = people(vault)["J. Tolsma"]
    receipt = made(vault, place(jan, "J. Tolsma"))
    for _ in range(3):
        vault.give_back(project="p", receipt=receipt, labels=[label])
    assert vault.store.rows("SELECT * FROM rate_bucket") == []


def test_the_vault_keeps_nothing_of_it(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        _, jan = people(vault)["J. Tolsma"]
        files = (sqlite_place.vault_file, sqlite_place.keys_file)
        before = [file.read_bytes() for file in files]
        made(vault, place(jan, "J. Tolsma"))
        assert not vault.has_open_work()
        vault.commit()
        assert [file.read_bytes() for file in files] == before


@given(st.text(max_size=60))
def test_any_form_comes_back_as_it_was(shared: tuple[Vault, str, EntityId], form: str) -> None:
    vault, label, jan = shared
    receipt = made(vault, place(jan, form))
    assert given_names(vault, receipt, [label]) == {label: (form,)}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    from tests.pseudonymizer.conftest import sqlite_place_in

    with sqlite_place_in(tmp_path_factory.mktemp("vault")).create() as vault:
        yield (vault, *people(vault)["J. Tolsma"])
