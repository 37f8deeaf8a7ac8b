"""Changed copies of windows."""

import random

from linkage.training.variation import NameVariation, drop_layout, misspell
from linkage.training.windows import LINE_BREAK, Window


def test_copies_keep_their_spans_over_whole_names() -> None:
    window = Window(["Abelo", "Kastrun", "mora", "Zutal"], [(0, 2, "PER"), (3, 4, "NAME")])
    variation, generator = NameVariation(["Tavina Ora"], ["Gralo"]), random.Random(1)  # noqa: S311
    copies = [variation.augment(window, generator) for _ in range(200)]
    for copy in copies:
        (_, end, _), (start, last, _) = copy.spans
        assert copy.tokens[end].lower() == "mora"
        assert start == end + 1
        assert last == len(copy.tokens)
    assert any(copy.tokens[:3] == ["Tavina", "Ora", "Gralo"] for copy in copies)
    assert window.tokens == ["Abelo", "Kastrun", "mora", "Zutal"]


def test_without_lists_no_name_is_swapped() -> None:
    window = Window(["mora", "Zutal"], [])
    copies = [NameVariation([], []).augment(window, random.Random(seed)) for seed in range(50)]  # noqa: S311
    assert {tuple(token.lower() for token in copy.tokens) for copy in copies} == {("mora", "zutal")}


def test_a_short_word_keeps_its_letters() -> None:
    assert misspell("Ora", random.Random(1)) == "Ora"  # noqa: S311
    assert misspell("Kastrun", random.Random(1)) != "Kastrun"  # noqa: S311


def test_layout_goes_and_spans_move() -> None:
    kept = drop_layout(Window([LINE_BREAK, "Abelo", LINE_BREAK, "Gralo"], [(1, 4, "PER")]))
    assert (kept.tokens, kept.spans) == (["Abelo", "Gralo"], [(0, 2, "PER")])
