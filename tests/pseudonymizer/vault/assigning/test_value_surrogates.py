"""Surrogates of values: the first candidate that is new to the project and no real value of it, for ever."""

import shutil
from collections.abc import Sequence

import pytest

from pseudonymizer.errors import SettingsError, SurrogatesExhaustedError
from pseudonymizer.records import Scope, Style
from pseudonymizer.values import Candidate, MetValue, Value
from pseudonymizer.vault import Vault
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.values_by_hand import BANK, FAX, PHONE, assigned, met, offering, texts


def drawn(
    vault: Vault, found: Sequence[MetValue], *rounds: Sequence[str], scope: Scope = Scope.PROJECT
) -> list[str]:
    """The surrogates of values, each from the same candidates."""
    table = {one.value: rounds for one in found}
    made = assigned(vault, found, Style.SURROGATE, scope, candidates=offering(table))
    return texts(made, found)


def test_the_first_candidate_that_is_free_is_taken_and_stays(vault: Vault) -> None:
    found = [met(PHONE, "0201234567"), met(PHONE, "0207654321", at=40)]
    assert drawn(vault, found, ["0200000001", "0200000002"]) == ["0200000001", "0200000002"]
    vault.commit()
    assert drawn(vault, found, ["0200000009"]) == ["0200000001", "0200000002"]
    later = [met(PHONE, "0301234567", doc="e")]
    assert drawn(vault, later, ["0200000001", "0200000002"], ["0200000003"]) == ["0200000003"]


def test_no_surrogate_is_a_real_value_of_the_project(vault: Vault) -> None:
    assigned(vault, [met(PHONE, "0201111111"), met(FAX, "0202222222", at=40)])
    vault.commit()
    here = [met(PHONE, "0203333333"), met(PHONE, "0204444444", at=40), met(FAX, "0205555555", at=80)]
    real = ["0201111111", "0202222222", "0203333333", "0204444444", "0205555555"]
    table = {one.value: [[*real, f"029000000{n}"]] for n, one in enumerate(here)}
    made = texts(assigned(vault, here, Style.SURROGATE, candidates=offering(table)), here)
    assert made[:2] == ["0290000000", "0290000001"]
    # Of a fax number nothing but fax numbers is asked here; a candidate that is given already goes to nobody.
    assert made[2] == "0201111111"


def test_two_spellings_of_one_invented_value_are_not_two(vault: Vault) -> None:
    forms = ["020 000 0001", "0200000001", "020-0000001", "0200000002"]

    def spelled(_: Value, attempt: int) -> list[Candidate]:
        return [Candidate(one, one.replace(" ", "").replace("-", "")) for one in forms[attempt : attempt + 1]]

    found = [met(PHONE, "0201234567"), met(PHONE, "0207654321", at=40)]
    made = assigned(vault, found, Style.SURROGATE, candidates=spelled)
    assert texts(made, found) == ["020 000 0001", "0200000002"]


def test_each_document_has_its_own_surrogate_in_its_scope(vault: Vault) -> None:
    found = [met(PHONE, "0201234567"), met(PHONE, "0201234567", at=40), met(PHONE, "0201234567", doc="e")]
    made = drawn(vault, found, ["0200000001"], ["0200000002"], ["0200000003"], scope=Scope.DOCUMENT)
    assert made[0] == made[1] != made[2]


@pytest.mark.parametrize("look", ["K1-0123456789ABCDEFGHJK", "<TELEFOON-9>", "TELEFOON-7KQM3", ""])
def test_a_candidate_that_reads_as_a_label_is_not_taken(vault: Vault, look: str) -> None:
    assert drawn(vault, [met(PHONE, "0201234567")], [look, "0200000001"]) == ["0200000001"]


def test_without_a_free_candidate_it_is_an_error_and_nothing_is_stored(vault: Vault) -> None:
    found = [met(PHONE, "0201234567")]
    with pytest.raises(SurrogatesExhaustedError, match="PHONE") as caught:
        drawn(vault, found, ["0201234567"])
    assert "0201234567" not in str(caught.value)
    vault.rollback()
    assert vault.store.scalar("SELECT count(*) FROM entity") == 0
    with pytest.raises(SettingsError, match="candidates"):
        assigned(vault, found, Style.SURROGATE)
    vault.rollback()
    endless = 0

    def real(value: Value, attempt: int) -> list[Candidate]:
        nonlocal endless
        endless = attempt
        return [Candidate(value.normal, value.normal)]

    with pytest.raises(SurrogatesExhaustedError):
        assigned(vault, found, Style.SURROGATE, candidates=real)
    assert 10 < endless < 1_000, "who only ever offers what is taken is not asked for ever"


def test_a_surrogate_is_never_given_again_after_an_erasure(vault: Vault) -> None:
    found = met(PHONE, "0201234567")
    drawn(vault, [found], ["020 000 0001"])
    vault.commit()
    vault.erase_values(project="p", values=[found.value], purpose="verzoek")
    later = [met(PHONE, "0207654321", doc="e")]
    assert drawn(vault, later, ["020 000 0001"], ["0200000002"]) == ["0200000002"]
    vault.commit()
    assert vault.verify().findings == ()


@pytest.mark.parametrize("store", ["vault", "keys"])
def test_nor_after_an_older_copy_of_either_store_is_put_back(sqlite_place: VaultPlace, store: str) -> None:
    file = sqlite_place.vault_file if store == "vault" else sqlite_place.keys_file
    with sqlite_place.create() as vault:
        # A copy of the key store without keys of later entities would be damage: this one has them all.
        drawn(vault, [met(PHONE, "0209999999", doc="z")], ["0200000000"])
        assigned(vault, [met(PHONE, "0201234567")], None)
        vault.commit()
        vault.close()
        shutil.copy2(file, sqlite_place.folder / "older")
        drawn(vault, [met(PHONE, "0201234567")], ["0200000001"])
        vault.commit()
    shutil.copy2(sqlite_place.folder / "older", file)
    with sqlite_place.open() as vault:
        later = [met(PHONE, "0201234567"), met(PHONE, "0207654321", at=40)]
        made = drawn(vault, later, ["0200000001"], ["0200000002"], ["0200000003"])
        assert made == (["0200000002", "0200000003"] if store == "vault" else ["0200000001", "0200000002"])


def test_a_real_value_that_comes_later_is_told(vault: Vault) -> None:
    drawn(vault, [met(PHONE, "0201234567")], ["0200000001"])
    vault.commit()
    assert vault.verify().findings == ()
    late = assigned(vault, [met(PHONE, "0200000001", doc="e"), met(BANK, "0200000001", doc="f")])
    assert late.clashes == 1
    vault.commit()
    (finding,) = vault.verify().findings
    assert "1 surrogates of values" in finding


def test_surrogates_of_people_and_of_values_are_told_apart(vault: Vault) -> None:
    people = linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]])
    vault.assign(people, project="p")
    drawn(vault, [met(PHONE, "0201234567")], ["Anders Zolang"])
    vault.commit()
    assert vault.stored_value_labels("p", Style.SURROGATE) == ("Anders Zolang",)
    assert vault.stored_labels("p", Style.SURROGATE) == ()
    assert vault.stored_value_labels("p", Style.TOKEN) == ()
