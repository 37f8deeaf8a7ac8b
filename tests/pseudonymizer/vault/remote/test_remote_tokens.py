"""Tokens of a project whose keys are elsewhere: told as the keys would tell them, each asked for once."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.styles.labels import TokenMaker, TokenReader
from pseudonymizer.vault.remote.remote_tokens import RemoteTokens

OWN, OTHER = TokenMaker(b"k" * 32, version=1), TokenMaker(b"f" * 32, version=1)
READER = TokenReader({1: OWN})
TOKENS = [OWN.derive("", b"1"), OWN.derive("", b"2"), OTHER.derive("", b"1")]
pieces = st.sampled_from([*TOKENS, TOKENS[0][:-1], " ", ", ", "x", "1"])


class Service:
    """Answers as the keys say, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def are_tokens(self, labels: Sequence[str]) -> list[bool]:
        self.asked.append(list(labels))
        return [READER.is_valid(label) for label in labels]


@given(st.lists(pieces).map("".join))
def test_they_are_told_as_the_keys_would_tell_them(text: str) -> None:
    tokens = RemoteTokens(Service().are_tokens)
    assert tokens.find(text) == READER.find(text)
    assert [tokens.is_valid(label) for label in TOKENS] == [True, True, False]


def test_each_text_is_asked_for_once_and_all_of_a_text_together() -> None:
    service = Service()
    tokens = RemoteTokens(service.are_tokens)
    tokens.find(f"{TOKENS[0]} en {TOKENS[2]} en {TOKENS[0]}")
    tokens.find(f"{TOKENS[0]} en {TOKENS[1]}")
    assert tokens.is_valid(TOKENS[2]) is False
    assert service.asked == [[TOKENS[0], TOKENS[2]], [TOKENS[1]]]


def test_where_nothing_looks_like_a_token_nobody_is_asked() -> None:
    service = Service()
    assert RemoteTokens(service.are_tokens).find("niets bijzonders") == ()
    assert service.asked == []
