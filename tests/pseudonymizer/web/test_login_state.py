"""Whom a provider names is never shown by accident, and the cookie of a login is for this service alone."""

from pseudonymizer.web.login_state import COOKIE, Known, LoginFailedError, ProviderError


def test_a_name_is_in_no_repr() -> None:
    assert "Tolsma" not in repr(Known("Tolsma-1", "Jan Tolsma", frozenset({"Tolsma"})))
    assert COOKIE.startswith("__Host-")
    assert not issubclass(LoginFailedError, ProviderError)
