"""Tokens that are told from look-alikes elsewhere: each text is asked for once."""

from collections.abc import Sequence

from linkage.records import Span
from pseudonymizer.records import FoundToken
from pseudonymizer.vault.remote_tokens import RemoteTokens

OURS, THEIRS = "P1-" + "A" * 20, "P1-" + "B" * 20


def test_each_text_is_asked_for_once() -> None:
    asked: list[Sequence[str]] = []

    def are_tokens(texts: Sequence[str]) -> list[bool]:
        asked.append(tuple(texts))
        return [text == OURS for text in texts]

    tokens = RemoteTokens(are_tokens)
    text = f"{OURS} en {THEIRS} en {OURS}"
    assert tokens.find(text) == (
        FoundToken(Span(0, 23), OURS, is_valid=True),
        FoundToken(Span(27, 50), THEIRS, is_valid=False),
        FoundToken(Span(54, 77), OURS, is_valid=True),
    )
    assert tokens.is_valid(OURS)
    assert not tokens.is_valid("Jan")
    assert asked == [(OURS, THEIRS), ("Jan",)]


def test_a_text_without_a_token_asks_nobody() -> None:
    assert RemoteTokens(lambda _: 1 / 0).find("Jan belde.") == ()  # type: ignore[arg-type, return-value]
