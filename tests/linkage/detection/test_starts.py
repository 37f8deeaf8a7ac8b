"""Places where a pattern may begin: the sign that a pattern of data/kinds.toml names loses no match."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.detection.compiling import compiled_pattern
from linkage.detection.starts import Starts
from linkage.kinds import Kinds, Sign, patterns_of
from linkage.language import Language

_DUTCH = Language.load("nl")
_KINDS = Kinds.load()
# Signs that promise no more than that each match begins at such a place; the others cut matches on purpose.
_EXACT = (Sign.DIGIT, Sign.FIGURE, Sign.NEAR, Sign.CLOSE, Sign.DOTTED)
_SPELLINGS = sorted(
    {
        line.translate({ord("«"): None, ord("»"): None})
        for file in (Path(__file__).parent / "spellings").glob("*.txt")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    }
)
_WORD_BEFORE_FIGURE = re.compile(r"(?<!\w)\w(?=[^\d\n]{0,23}(?:\n[^\d\n]{0,8})?\d|(?<=\d))")


def _searches() -> list[tuple[str, Sign, re.Pattern[str], tuple[str, ...]]]:
    found = []
    for kind in _KINDS:
        for pattern in patterns_of(_KINDS, kind):
            compiled = compiled_pattern(pattern, _DUTCH, None)
            assert isinstance(compiled, re.Pattern)
            if pattern.sign in _EXACT:
                found.append((pattern.id, pattern.sign, compiled, pattern.letters))
    return found


_SEARCHES = _searches()
_PIECES = st.one_of(
    st.sampled_from(_SPELLINGS),
    st.text(alphabet="0123456789 .,:;/-+()*#°€\n_aBéx", min_size=1, max_size=12),
    st.sampled_from([" ", "\n", "_", "tel. ", "doorkiesnummer ", "\u0663\u0664", "postbus ", "€ 5", "A"]),
)


@settings(max_examples=300)
@given(st.lists(_PIECES, min_size=1, max_size=8).map("".join))
def test_no_pattern_loses_a_match(text: str) -> None:
    starts = Starts(text, _DUTCH)
    lowered = text.lower()
    for name, sign, pattern, letters in _SEARCHES:
        expected = [match.span() for match in pattern.finditer(text)]
        is_tried = starts.hold(sign) and (not letters or any(one in lowered for one in letters))
        found = [match.span() for match in starts.matches(pattern, sign)] if is_tried else []
        assert found == expected, name


@given(st.lists(_PIECES, min_size=1, max_size=8).map("".join))
def test_words_before_figures_are_those_of_the_expression(text: str) -> None:
    expected = [match.start() for match in _WORD_BEFORE_FIGURE.finditer(text)]
    found = [match.start() for match in Starts(text, _DUTCH).matches(re.compile(r"\w"), Sign.WORD)]
    assert found == expected


@pytest.mark.parametrize("sign", [Sign.FIGURE, Sign.NEAR, Sign.CLOSE, Sign.DOTTED])
def test_each_sign_has_patterns(sign: Sign) -> None:
    assert any(sign is one for _, one, _, _ in _SEARCHES)
