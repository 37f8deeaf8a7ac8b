"""Requests of an account are counted; others have their own count."""

from pseudonymizer.web.rates import Rates
from tests.pseudonymizer.web.test_sessions import Time


def test_a_bucket_empties_and_fills_again() -> None:
    time = Time()
    rates = Rates(60, time)
    assert [rates.take("a") for _ in range(60)] == [None] * 60
    assert rates.take("a") == 1
    assert rates.take("b") is None
    time.now = 2
    assert [rates.take("a") for _ in range(3)] == [None, None, 1]
    time.now = 0  # a clock that goes back gives nothing
    assert rates.take("a") == 1
