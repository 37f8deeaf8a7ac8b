"""Combinations of values that stay and that few documents share."""

from linkage.records import DocumentId, KindId, Span
from pseudonymizer.engine.records import Label, PartPlaces, PlacedValue
from pseudonymizer.runs.rare import TOTAL, RareCombinations, rare_of
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment

AGE, POSTCODE, PHONE = map(KindId, ("AGE", "POSTCODE", "PHONE"))


def text(number: int, age: str, postcode: str) -> PartPlaces:
    values = [
        PlacedValue(0, 2, AGE, age, age), PlacedValue(3, 7, POSTCODE, postcode, postcode),
        PlacedValue(8, 12, PHONE, f"{number}", f"{number}"),
    ]  # fmt: skip
    return PartPlaces("", [], [], values, DocumentId(f"d{number}"))


def totals(plan: Plan, *texts: PartPlaces) -> dict[str, int]:
    rare = RareCombinations(plan)
    for one in texts:
        rare.note([one], [])
    return rare.totals()


def test_a_combination_counts_until_five_documents_share_it() -> None:
    shared = [text(number, "42", "8933") for number in range(5)]
    assert totals(Plan.of_names(), *shared) == {}
    assert totals(Plan.of_names(), *shared[:4]) == {TOTAL: 4, "rare AGE + POSTCODE": 4}
    alone = text(9, "43", "8933")
    assert totals(Plan.of_names(), *shared, alone) == {TOTAL: 1, "rare AGE + POSTCODE": 1}


def test_values_that_are_replaced_tell_nothing_and_coarser_ones_what_is_written() -> None:
    texts = [text(number, f"4{number}", "8933") for number in range(5)]
    assert totals(Plan.made("direct"), *texts) == {}
    plan = Plan.made("names", {AGE: Treatment.BANDS})
    rare = RareCombinations(plan)
    for one in texts:
        rare.note([one], [Label("", Span(0, 2), "40-49", None, kind=AGE)])
    assert rare.totals() == {}
    assert totals(plan, *texts) == {TOTAL: 5, "rare AGE + POSTCODE": 5}


def test_one_kind_alone_is_no_combination_and_counts_are_told_by_kinds() -> None:
    one = PartPlaces("", [], [], [PlacedValue(0, 2, AGE, "97", "97")], DocumentId("d"))
    assert totals(Plan.of_names(), one) == {}
    told = {"identities": 3, TOTAL: 7, "rare AGE + CITY": 2, "rare AGE + POSTCODE": 6}
    assert rare_of(told) == {"AGE + POSTCODE": 6, "AGE + CITY": 2}
