"""The table of numbers that say who a name is."""

import msgspec
import pytest

from linkage.clustering.who import WhoNumbers, who_numbers


def test_shares_lie_between_nothing_and_all_and_a_common_name_is_somebody_unknown_more_often() -> None:
    numbers = who_numbers()
    shares = {
        **msgspec.structs.asdict(numbers.person), **msgspec.structs.asdict(numbers.nobody),
        **msgspec.structs.asdict(numbers.open),
    }  # fmt: skip
    above = {shares.pop(name) for name in ("role", "circle", "circle_of_initials")}
    assert min(above) >= 1
    assert all(0 < share < 1 for share in shares.values())
    nobody = numbers.nobody
    assert nobody.letters < nobody.one_letter
    assert max(nobody.given, nobody.family, nobody.initials) < nobody.letters


def test_a_number_that_nothing_asks_for_is_an_error() -> None:
    table = msgspec.to_builtins(who_numbers())
    table["nobody"]["knwon_about"] = table["nobody"].pop("known_about")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(table, WhoNumbers)
