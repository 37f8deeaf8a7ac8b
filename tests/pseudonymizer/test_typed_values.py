"""A value as somebody types it leads to the stored one, whatever its spelling."""

import pytest

from linkage.records import PersonName
from pseudonymizer.errors import SettingsError, UnknownPseudonymError
from pseudonymizer.typed_values import erase_typed, kind_named, lookup_typed, readings
from pseudonymizer.values import Value
from pseudonymizer.vault import Vault
from tests.pseudonymizer.vault.values_by_hand import BANK, IBAN, assigned, met, texts

FOUND = [met(BANK, IBAN, "NL91-ABNA-0417-1643-00")]


def test_a_kind_is_named_in_capitals_or_small_letters() -> None:
    assert [kind_named(name) for name in ("BANK_ACCOUNT", "bank-account", " own kind".replace(" ", ""))] == [
        BANK, BANK, "OWNKIND",
    ]  # fmt: skip
    for wrong in ("person", "", "a b"):
        with pytest.raises(SettingsError, match="kind of values"):
            kind_named(wrong)


def test_a_text_is_read_by_the_patterns_of_its_kind_and_as_it_is() -> None:
    assert readings(kind_named(BANK), " NL91 ABNA 0417 1643 00 ") == (
        Value(BANK, IBAN), Value(BANK, "NL91 ABNA 0417 1643 00"),
    )  # fmt: skip
    assert readings(kind_named(BANK), "rekening 12") == (Value(BANK, "rekening 12"),)
    # A kind of the user's, whose way of folding is not known here.
    assert readings(kind_named("OWN"), " X-1  a ") == tuple(
        Value("OWN", normal) for normal in ("X1A", "x-1  a", "x-1 a", "X-1  a")
    )


@pytest.mark.parametrize("typed", [IBAN, "NL91 ABNA 0417 1643 00", "nl91-abna-0417-1643-00"])
def test_it_is_looked_up_and_erased_in_any_spelling(vault: Vault, typed: str) -> None:
    (label,) = texts(assigned(vault, FOUND), FOUND)
    vault.commit()
    assert lookup_typed(vault, "p", ("bank_account", typed), purpose="toets").pseudonyms == (label,)
    assert lookup_typed(vault, "p", ("phone", typed), purpose="toets").pseudonyms == ()
    with pytest.raises(UnknownPseudonymError):
        erase_typed(vault, "p", ("phone", typed), purpose="toets")
    assert erase_typed(vault, "p", ("bank_account", typed), purpose="toets").pseudonyms == (label,)
    assert lookup_typed(vault, "p", ("bank_account", typed), purpose="toets").pseudonyms == ()


def test_the_parts_of_a_name_are_no_value(vault: Vault) -> None:
    with pytest.raises(SettingsError, match="parts of a name"):
        lookup_typed(vault, "p", (BANK, PersonName(family="tolsma")), purpose="toets")
