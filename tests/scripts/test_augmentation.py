import random

from ner_training.augmentation import Augmenter, _with_possessives
from ner_training.corpus import Window, tokenize
from ner_training.lexicon import NameLists

from linkage.training.labels import NAME, PERSON
from linkage.training.variation import misspell

LISTS = NameLists(
    given={"Sanne": 9.0, "Joris": 5.0, "Mei": 2.0},
    surnames={("", "Bakker"): 8.0, ("van der", "Lindenhof"): 3.0, ("", "Terpstra"): 2.0},
    foreign={"xx": (["Amara", "Tendai"], ["Okoro", "al-Nouri"])},
    places=["Zeist", "Oud Gastel"],
    attested=[("Wei", "Jialing"), ("Ana", "de", "la", "Vega")],
    other_names=[("Stichting", "Morgenrood"), ("Lagosia",)],
)
TOKENS = ["Minister", "Carla", "Overwater", "woont", "in", "Delft", ".", "¶", "Overwater", "zwijgt", "."]
SPANS = [(1, 3, PERSON), (5, 6, NAME), (8, 9, PERSON)]


def _copies(count: int) -> list[Window]:
    augmenter, generator = Augmenter(LISTS), random.Random(5)  # noqa: S311  seeded copies
    return [augmenter.augment(Window(list(TOKENS), list(SPANS)), generator) for _ in range(count)]


def test_copies_keep_labels_in_order_and_words_between() -> None:
    for copy in _copies(400):
        assert [label for *_, label in copy.spans] == [PERSON, NAME, PERSON]
        assert len(copy.tags()) == len(copy.tokens)
        outside = [
            t.lower() for t, tag in zip(copy.tokens, copy.tags(), strict=True) if tag == "O" and t != "¶"
        ]
        assert outside == ["minister", "woont", "in", ".", "zwijgt", "."]


def test_names_vary() -> None:
    names = {" ".join(c.tokens[c.spans[0][0] : c.spans[0][1]]) for c in _copies(400)}
    assert len(names) > 40
    assert any("Vega" in name for name in names)


def test_a_renamed_person_keeps_the_new_surname() -> None:
    augmenter, generator = Augmenter(LISTS), random.Random(7)  # noqa: S311  seeded copies
    renamed = 0
    for _ in range(300):
        window = augmenter._swap_names(
            Window(list(TOKENS), list(SPANS)),
            generator,
            person_chance=1.0,
            place_chance=0.0,
            foreign_chance=0.5,
        )
        full = window.tokens[window.spans[0][0] : window.spans[0][1]]
        later = window.tokens[window.spans[2][0] : window.spans[2][1]]
        surname_first = "," in full or (full[0].isupper() and "." not in full[0])
        if not surname_first:
            assert later[-1] == full[-1]
            renamed += full[-1] != "Overwater"
    assert renamed > 200


def test_the_original_is_left_alone() -> None:
    window = Window(list(TOKENS), list(SPANS))
    Augmenter(LISTS).augment(window, random.Random(1))  # noqa: S311  seeded
    assert (window.tokens, window.spans) == (TOKENS, SPANS)


def test_misspelling_changes_one_place_and_keeps_short_words() -> None:
    generator = random.Random(3)  # noqa: S311  seeded copies
    assert {misspell("Jan", generator) for _ in range(20)} == {"Jan"}
    for _ in range(200):
        wrong = misspell("Overwater", generator)
        assert wrong[0] == "O"
        assert abs(len(wrong) - 9) <= 1


def test_possessives_stand_outside_the_name() -> None:
    generator = random.Random(3)  # noqa: S311  seeded copies
    tokens = ["Dat", "is", "de", "jas", "van", "Toos", "en", "het", "boek", "van", "Jan", "Bos", "."]
    window = Window(tokens, [(5, 6, PERSON), (10, 12, PERSON)])
    made = {" ".join(_with_possessives(window, generator, chance=0.9).tokens) for _ in range(40)}
    assert "Dat is Toos ' jas en Jan Bos' boek ." not in made
    assert any(text.startswith("Dat is Toos ' jas en Jan Bos ") for text in made)
    for _ in range(40):
        copy = _with_possessives(window, generator, chance=1.0)
        names = [" ".join(copy.tokens[start:end]) for start, end, _ in copy.spans]
        assert names == ["Toos", "Jan Bos"]


def test_columns_are_parted_where_figures_or_empty_columns_stand_beside_them() -> None:
    text = "8831;Dineke Haverkamp;;Zilveren;€ 84,00"
    assert [text[start:end] for start, end in tokenize(text)] == [
        "8831", ";", "Dineke", "Haverkamp", ";", ";", "Zilveren", ";", "€", "84,00",
    ]  # fmt: skip
