"""The code style: made, checked, told from other text, drawn."""

import itertools
import random
from collections import Counter
from collections.abc import Collection
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.errors import SurrogatesExhaustedError
from pseudonymizer.styles.code import (
    LONGEST,
    SHORTEST,
    CodeLabels,
    CodeMaker,
    CodesGiven,
    code_of,
    code_text,
    has_form,
    numbers_of,
    typed_code,
)
from pseudonymizer.styles.labels import ALPHABET, LabelRequest

KEY: Final = bytes(range(32))
MAKER: Final = CodeMaker(KEY, {1: bytes(32), 2: bytes([7]) * 32})
FROZEN: Final = ["2NRNR", "SB0WAK", "F8MDBS3S4"]
LENGTHS: Final = st.integers(SHORTEST, LONGEST)


def nothing(_: Collection[str]) -> Collection[str]:
    return ()


def codes(count: int, maker: CodeMaker = MAKER) -> list[str]:
    return [code_of(label) or "" for label in CodeLabels(maker).draw([LabelRequest()] * count, taken=nothing)]


def test_frozen_codes() -> None:
    """Codes stand in texts for good: what makes and checks them never changes. Some lack a digit."""
    assert [MAKER.code(12_345, 5), MAKER.code(12_345, 6), MAKER.code(2**30, 9)] == FROZEN
    assert MAKER.code(31_999, 5) == "Y8EX6"
    assert [MAKER.is_valid(code) for code in FROZEN] == [has_form(code) for code in FROZEN]


@given(st.integers(0, 2**15 - 1), LENGTHS)
def test_every_code_with_a_digit_and_a_letter_is_valid_under_its_own_keys_alone(
    number: int, length: int
) -> None:
    code = MAKER.code(number, length)
    assert len(code) == length
    assert MAKER.is_valid(code) is has_form(code)
    assert CodeMaker(KEY, {2: bytes([7]) * 32}).is_valid(code) is has_form(code)


def test_every_single_wrong_letter_and_every_swap_is_found() -> None:
    for code in [*codes(200), *codes(1_500)[-200:]]:
        assert MAKER.is_valid(code)
        for at, letter in itertools.product(range(len(code)), ALPHABET):
            assert letter == code[at] or not MAKER.is_valid(code[:at] + letter + code[at + 1 :])
        for left, right in itertools.combinations(range(len(code)), 2):
            if code[left] != code[right]:
                letters = list(code)
                letters[left], letters[right] = code[right], code[left]
                assert not MAKER.is_valid("".join(letters))


def test_a_rotated_key_checks_and_a_wrong_letter_fits_no_version() -> None:
    before = CodeMaker(KEY, {1: bytes(32)})
    old = codes(300, before)
    assert all(MAKER.is_valid(code) for code in old)
    for code in old[:100]:
        for at, letter in itertools.product(range(len(code)), ALPHABET):
            assert letter == code[at] or not MAKER.is_valid(code[:at] + letter + code[at + 1 :])


def test_one_in_a_thousand_codes_of_another_project_passes() -> None:
    other = CodeMaker(bytes(reversed(KEY)), {1: b"x" * 32})
    foreign = codes(60_000, other)
    assert sum(CodeMaker(KEY, {1: bytes(32)}).is_valid(code) for code in foreign) <= 60_000 / 1024 * 1.5


@pytest.mark.parametrize(
    ("text", "is_form"),
    [
        ("7KQM3", True), ("77773A", True), ("7KQM", False), ("7KQM37KQM3", False), ("AAAAA", False),
        ("22222", False), ("A0101", False), ("7KQU3", False), ("7kqm3", False), ("", False),
    ],
)  # fmt: skip
def test_the_form_of_a_code(text: str, is_form: bool) -> None:
    assert has_form(text) is is_form


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("PERSOON-7KQM3", "7KQM3"), ("persoon-7KQM3", None), ("PERSOON7KQM3", None), ("P1-7KQM3", None),
        ("<PERSOON-3>", None), ("PERSOON-2-7KQM3", None), ("-7KQM3", None), ("Yona van Hoorne", None),
    ],
)  # fmt: skip
def test_the_code_of_a_label(label: str, code: str | None) -> None:
    assert code_of(label) == code


def test_letters_that_look_alike_read_as_one() -> None:
    assert typed_code("olI2k") == "0112K"


@pytest.mark.parametrize("length", [5, 6])
def test_the_order_is_a_permutation_that_is_no_counting(length: int) -> None:
    numbers = range(32 ** (length - 2)) if length == 5 else range(5_000)
    made = [MAKER.code(number, length) for number in numbers]
    assert len(set(made)) == len(made)
    assert [MAKER.number(code) for code in made] == list(numbers)
    first = Counter(code[0] for code in made[:1_000])
    assert len(first) == 32
    assert max(first.values()) < 65, "of 31 on average"


def test_a_length_is_used_up_to_one_in_thirty_two() -> None:
    assert [numbers_of(length) for length in range(5, 9)] == [1_024, 2**15, 2**20, 2**25]
    lengths = Counter(len(code) for code in codes(1_000))
    assert set(lengths) == {5, 6}
    assert 730 < lengths[5] < 830, "of 1,024 numbers three in four make a code"


def test_codes_go_on_where_the_project_is() -> None:
    drawn: list[str] = []
    given = CodesGiven()
    for _ in range(8):
        labels = CodeLabels(MAKER, given=lambda: given)  # noqa: B023  drawn from at once
        drawn += [code_of(label) or "" for label in labels.draw([LabelRequest()] * 125, taken=nothing)]
        given = max(given, CodesGiven.by(MAKER, drawn))
    assert drawn == codes(1_000)


@pytest.mark.parametrize(
    ("given", "lengths"),
    [(CodesGiven(5, 1_024), [6, 6]), (CodesGiven(7), [7, 7]), (CodesGiven(8, 2**25), [9, 9])],
)
def test_a_length_that_is_used_up_is_left(given: CodesGiven, lengths: list[int]) -> None:
    drawn = CodeLabels(MAKER, given=lambda: given).draw([LabelRequest()] * 2, taken=nothing)
    assert [len(code_of(label) or "") for label in drawn] == lengths


def test_a_kind_has_its_word_and_all_kinds_share_the_codes() -> None:
    labels = CodeLabels(MAKER, word="CLIENT").draw(
        [LabelRequest(word="KENTEKEN"), LabelRequest(), LabelRequest(word="KENTEKEN")], taken=nothing
    )
    assert [label.partition("-")[0] for label in labels] == ["KENTEKEN", "CLIENT", "KENTEKEN"]
    assert [code_of(label) for label in labels] == codes(3)


def test_what_the_inputs_hold_is_not_drawn() -> None:
    first, second = codes(2)
    avoiding = CodeLabels(MAKER, avoid=[f"persoon-{first.lower()}"])
    assert avoiding.draw([LabelRequest()], taken=nothing) == [f"PERSOON-{second}"]


def test_a_code_that_is_taken_is_refused() -> None:
    with pytest.raises(SurrogatesExhaustedError, match="taken already"):
        CodeLabels(MAKER).draw([LabelRequest()], taken=lambda labels: labels)


def test_a_project_at_the_end_of_all_lengths_is_told() -> None:
    labels = CodeLabels(MAKER, given=lambda: CodesGiven(LONGEST, numbers_of(LONGEST)))
    with pytest.raises(SurrogatesExhaustedError, match="used up"):
        labels.draw([LabelRequest()], taken=nothing)


def test_at_most_one_random_string_in_twenty_thousand_reads_as_issued() -> None:
    """Ten projects that have used up their first length, and 100,000 strings in the form of a code each."""
    source = random.Random(11)  # noqa: S311  a test's
    hits = 0
    for _ in range(10):
        maker = CodeMaker(source.randbytes(32), {1: source.randbytes(32)})
        issued = set(codes(770, maker))
        strings = 0
        while strings < 100_000:
            text = "".join(source.choices(ALPHABET, k=5))
            if has_form(text):
                strings += 1
                hits += text in issued
    assert hits <= 10 * 100_000 / 20_000


def test_a_label_is_word_and_code() -> None:
    assert code_text("PERSOON", "7KQM3") == "PERSOON-7KQM3"
