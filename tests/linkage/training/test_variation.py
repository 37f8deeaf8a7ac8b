"""Changed copies of windows."""

import random

from linkage.training.variation import NameLists, NameVariation, drop_layout, misspell
from linkage.training.windows import LINE_BREAK, Window


def copies_of(window: Window, variation: NameVariation, number: int = 2000) -> list[Window]:
    generator = random.Random(1)  # noqa: S311
    return [variation.augment(window, generator) for _ in range(number)]


def test_copies_keep_their_spans_over_whole_names() -> None:
    window = Window(["Abelo", "Kastrun", "mora", "Zutal"], [(0, 2, "PER"), (3, 4, "NAME")])
    variation, generator = NameVariation(NameLists(["Tavina Ora"], ["Gralo"])), random.Random(1)  # noqa: S311
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
    copies = copies_of(window, NameVariation(NameLists([], [])), 50)
    assert {tuple(token.lower() for token in copy.tokens) for copy in copies} == {("mora", "zutal")}


def test_full_names_are_written_as_papers_write_them() -> None:
    window = Window(["mora", "Abelo", "Kastrun"], [(1, 3, "PER")])
    copies = copies_of(window, NameVariation(NameLists(["Tavina"], ["Gralo"]), particles=["van der"]))
    found = {" ".join(copy.tokens[1:]) for copy in copies}
    wanted = {
        "Tavina Gralo", "Gralo", "T. Gralo", "Gralo Tavina", "GRALO Tavina", "Gralo , Tavina",
        "Tavina van der Gralo", "Tavina Van der Gralo", "Tavina Gralo-Gralo",
    }  # fmt: skip
    assert wanted <= found
    assert all(copy.spans == [(1, len(copy.tokens), "PER")] for copy in copies)


def test_a_surname_alone_follows_the_full_name_before_it() -> None:
    window = Window(["Abelo", "Kastrun", "mora", "Kastrun"], [(0, 2, "PER"), (3, 4, "PER")])
    lists = NameLists(["Tavina"], [f"Gralo{letter}" for letter in "abcdefghijklmnop"])
    for copy in copies_of(window, NameVariation(lists), 300):
        first, last = copy.tokens[: copy.spans[0][1]], copy.tokens[copy.spans[1][0] :]
        new = {word for word in first if word.startswith("Gralo")}
        if len(new) == 1 and last[0].startswith("Gralo"):
            assert last[0] in new


def test_names_of_other_origins_stand_together() -> None:
    window = Window(["Abelo", "Kastrun"], [(0, 2, "PER")])
    elsewhere = [NameLists(["Yara"], ["Yendo"]), NameLists(["Zofi"], ["Zarro"]), NameLists(["Wanu"], [])]
    copies = copies_of(window, NameVariation(NameLists(["Tavina"], ["Gralo"]), elsewhere))
    found = {" ".join(copy.tokens) for copy in copies}
    assert {"Yara Yendo", "Zofi Zarro", "Tavina Gralo"} <= found
    assert not any({"Yara", "Zarro"} <= set(name.split()) or "Wanu" in name for name in found)


def test_letters_of_a_signature_stay() -> None:
    window = Window(["M", "K"], [(0, 2, "PER")])
    copies = copies_of(window, NameVariation(NameLists(["Tavina"], ["Gralo"])), 200)
    assert {tuple(token.upper() for token in copy.tokens) for copy in copies} == {("M", "K")}


def test_a_short_word_keeps_its_letters() -> None:
    assert misspell("Ora", random.Random(1)) == "Ora"  # noqa: S311
    assert misspell("Kastrun", random.Random(1)) != "Kastrun"  # noqa: S311


def test_layout_goes_and_spans_move() -> None:
    kept = drop_layout(Window([LINE_BREAK, "Abelo", LINE_BREAK, "Gralo"], [(1, 4, "PER")]))
    assert (kept.tokens, kept.spans) == (["Abelo", "Gralo"], [(0, 2, "PER")])
