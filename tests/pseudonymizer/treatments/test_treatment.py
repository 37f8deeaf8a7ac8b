"""Treatments, and where values come back that they replaced."""

from linkage.kinds import KindId
from pseudonymizer.records import Style
from pseudonymizer.treatments.treatment import TreatedValue, Treatment, TreatmentKeys, WayBack


def test_labels_of_the_vault_come_back_in_pasted_text_and_nothing_else_does() -> None:
    by_text = {treatment for treatment in Treatment if treatment.way_back is WayBack.TEXT}
    assert {treatment.style for treatment in by_text} == {
        Style.CODE, Style.TOKEN, Style.TAG, Style.SURROGATE,
    }  # fmt: skip


def test_treatments_that_lose_something_have_no_way_back() -> None:
    kept = {treatment for treatment in Treatment if treatment.way_back is WayBack.FILE}
    assert kept == {
        Treatment.KEEP, Treatment.FOLLOW, Treatment.FOLLOW_OR_KEEP, Treatment.RANDOM, Treatment.SHIFT,
    }  # fmt: skip


def test_no_repr_shows_a_value_or_a_key() -> None:
    value = TreatedValue(KindId("PHONE"), "31612345678", "06-12345678", "NL")
    assert "12345678" not in repr(value)
    assert "secret" not in repr(TreatmentKeys(b"secret" * 6, b"secret" * 6))
