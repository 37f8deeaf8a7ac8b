"""The token style: made, told apart from look-alikes, typed by people."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.errors import InvalidTokenError, SurrogatesExhaustedError
from pseudonymizer.styles.labels import (
    ALPHABET,
    TOKEN_LIKE,
    LabelRequest,
    TokenLabels,
    TokenMaker,
    TokenReader,
)

KEY = bytes(range(32))
FROZEN = json.loads((Path(__file__).parents[2] / "vectors" / "formats.json").read_text())
MAKER = TokenMaker(KEY, version=1)
READER = TokenReader({1: MAKER, 2: TokenMaker(bytes(32), version=2)})


def test_frozen_tokens() -> None:
    assert MAKER.draw(lambda n: bytes(range(n))) == FROZEN["token"]
    assert MAKER.derive("run", b"material") == FROZEN["derived"]
    # Before there were run keys the check letters were those of random tokens: these stay valid.
    assert MAKER.is_valid(FROZEN["derived_until_run_keys"])


@given(st.binary(min_size=10, max_size=10))
def test_a_token_is_valid_for_its_own_key_only(random: bytes) -> None:
    token = MAKER.draw(lambda _: random)
    assert TOKEN_LIKE.fullmatch(token)
    assert READER.is_valid(token)
    assert not TokenMaker(bytes(32), version=1).is_valid(token)


@given(st.binary(min_size=10, max_size=10), st.integers(3, 22), st.sampled_from(ALPHABET))
def test_one_wrong_letter_is_refused(random: bytes, position: int, letter: str) -> None:
    token = MAKER.draw(lambda _: random)
    altered = token[:position] + letter + token[position + 1 :]
    # Twenty check bits, of two kinds: one altered token in half a million passes. Hypothesis tries a hundred.
    assert READER.is_valid(altered) == (altered == token)


def test_the_letter_of_a_kind_is_part_of_what_the_check_letters_prove() -> None:
    token = MAKER.draw(lambda n: bytes(range(n)), letter="K")
    assert token == FROZEN["token_of_value"]
    assert READER.is_valid(token)
    assert READER.parse(token.lower()) == token
    assert [found.label for found in READER.find(f"van {token}, niet X{token}")] == [token]
    assert not any(READER.is_valid(letter + token[1:]) for letter in "ABCDEFGHIJLMNOPQRSTUVWXYZ")
    of_person = FROZEN["token"]
    assert not any(READER.is_valid(letter + of_person[1:]) for letter in "ABCDEFGHIJKLMNOQRSTUVWXYZ")
    drawn = TokenLabels(MAKER).draw([LabelRequest(), LabelRequest(letter="K")], taken=lambda _: ())
    assert [label[0] for label in drawn] == ["P", "K"]


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    for found in READER.find(text):
        assert found.span.cut(text) == found.label
    assert not READER.is_valid(text)
    with pytest.raises(InvalidTokenError):
        READER.parse(text)


def test_tokens_in_text_are_found_with_look_alikes_marked() -> None:
    token = MAKER.draw()
    text = f"Zie {token}, niet P1-00000000000000000000 of X{token} of {token}9."
    found = READER.find(text)
    assert [(f.label == token, f.is_valid) for f in found] == [(True, True), (False, False)]


def test_typing_is_forgiven_where_it_is_not_ambiguous() -> None:
    token = MAKER.draw(lambda n: bytes([0, 0x44]) * (n // 2))
    typed = token.lower().replace("0", "o", 1)
    assert READER.parse(f" {typed[:8]} {typed[8:]} ") == token


def test_a_broken_source_of_randomness_is_refused() -> None:
    labels = TokenLabels(MAKER, entropy=bytes)
    with pytest.raises(SurrogatesExhaustedError):
        labels.draw([LabelRequest(), LabelRequest()], taken=lambda _: ())
    with pytest.raises(SurrogatesExhaustedError):
        labels.draw([LabelRequest()], taken=lambda asked: asked)


def test_no_token_is_part_of_another_and_letters_are_even() -> None:
    tokens = [MAKER.draw() for _ in range(500)]
    assert len({len(t) for t in tokens}) == 1
    assert len(set(tokens)) == 500
    counts = Counter("".join(t[3:] for t in tokens))
    assert set(counts) == set(ALPHABET)
