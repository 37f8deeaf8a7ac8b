import time

import pytest

from pseudonymizer.other_identifiers import count_other_identifiers


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("BSN 111222333", "bsn", 1),
        ("BSN 1112.22.333", "bsn", 1),
        ("nummer 111222334", "bsn", 0),  # wrong check digit
        ("order 91112223334", "bsn", 0),
        ("IBAN NL91ABNA0417164300.", "iban", 1),
        ("NL91 ABNA 0417 1643 00 TNV", "iban", 1),
        ("NL92ABNA0417164300", "iban", 0),
        ("bel 06-12345678 of +31 20 624 1111", "phone", 2),
        ("factuur 00000000", "phone", 0),
        ("a.b@c.nl, d@e.example", "email", 2),
        ("geb. 12-03-1951, geboren op 3 mei 1960", "birth_date", 2),
        ("afspraak 12-03-2024", "birth_date", 0),
        ("1234 AB Breda, 1000 SS, 0123 AB", "postcode", 1),
    ],
)
def test_counts(text: str, kind: str, count: int) -> None:
    assert count_other_identifiers(text)[kind] == count


def test_every_kind_is_there_even_without_text() -> None:
    assert set(count_other_identifiers("").values()) == {0}
    assert set(count_other_identifiers("")) == {"bsn", "iban", "phone", "email", "birth_date", "postcode"}


def test_an_address_without_a_figure_counts() -> None:
    assert count_other_identifiers("geboren: jan.mol@post.example") == count_other_identifiers(
        "0 geboren: jan.mol@post.example"
    )


@pytest.mark.parametrize("unit", ["a", "a.", "1", "0-", "geboorte"])
def test_a_long_line_takes_no_square_of_time(unit: str) -> None:
    text = unit * (100_000 // len(unit)) + " jan.mol@post.example"
    started = time.process_time()
    assert count_other_identifiers(text)["email"] == 1
    assert time.process_time() - started < 10  # seconds; the square takes minutes
