"""What of the words on a picture a replacement changes, and black boxes; no engine is needed."""

import pytest
from PIL import Image

from pseudonymizer.formats.pictures.blacking import blacken, changed_words, without_colour, write_label
from pseudonymizer.formats.pictures.ocr import Box, ReadPicture, Word
from pseudonymizer.formats.tree.textmap import Change

OWNER = ("", None)


def read(*lines: str) -> ReadPicture:
    """Words of one letter wide boxes: a line is 10 high, a letter 5 wide."""
    words: list[Word] = []
    at = 0
    for number, line in enumerate(lines):
        column = 0
        for word in line.split(" "):
            box = Box(5 * column, 10 * number, 5 * (column + len(word)), 10 * number + 10)
            words.append(Word(at + column, at + column + len(word), box))
            column += len(word) + 1
        at += len(line) + 1
    return ReadPicture("\n".join(lines), tuple(words), 0, 1.0)


def change(page: ReadPicture, name: str, new: str) -> Change:
    start = page.text.index(name)
    return Change(start, start + len(name), new, OWNER)  # type: ignore[arg-type]  # nobody asks whose it is


def shown(page: ReadPicture, *changes: Change) -> list[str]:
    return [
        f"{word.start}-{word.end}" if isinstance(word, Word) else word[0]
        for word in changed_words(page, changes)
    ]


def test_what_stands_around_a_name_in_its_words_stays() -> None:
    page = read("dag (Jan de Boer), hallo")
    assert shown(page, change(page, "Jan de Boer", "X")) == ["0-3", "(X),", "19-24"]
    (changed,) = [
        one for one in changed_words(page, [change(page, "Jan de Boer", "X")]) if not isinstance(one, Word)
    ]
    assert changed[1] == Box(20, 0, 90, 10)


def test_a_name_over_two_lines_has_two_boxes_and_one_label() -> None:
    page = read("belde Jan van", "der Boer terug")
    made = changed_words(page, [change(page, "Jan van\nder Boer", "X")])
    assert made[1:3] == [("X", Box(30, 0, 65, 10)), ("", Box(0, 10, 40, 20))]
    assert len(made) == 4


def test_two_names_in_one_word_and_a_chain_of_words() -> None:
    page = read("Mol/Vos en Kok")
    assert shown(page, change(page, "Mol", "A"), change(page, "Vos", "B")) == ["A/B", "8-10", "11-14"]
    assert shown(page, change(page, "Mol", "A"), change(page, "Vos en Kok", "B")) == ["A/B"]


def test_a_change_between_words_changes_none() -> None:
    page = read("een twee")
    assert shown(page, Change(3, 4, "_", OWNER)) == ["0-3", "4-8"]  # type: ignore[arg-type]


def test_black_boxes_and_labels() -> None:
    page = Image.new("RGB", (200, 60), "white")
    blacken(page, [Box(10, 10, 190, 50)])
    assert page.getpixel((100, 30)) == (0, 0, 0)
    assert page.getpixel((5, 5)) == (255, 255, 255)
    write_label(page, "P1-7QK2", Box(10, 10, 190, 50))
    assert page.crop((10, 10, 190, 50)).convert("L").getextrema() == (0, 255)
    small = Image.new("RGB", (40, 12), "black")
    write_label(small, "P1-7QK2M9XWZ4T8VB3CDE5F", Box(0, 0, 40, 12))
    assert small.convert("L").getextrema() == (0, 0)  # it would be too small to read


@pytest.mark.parametrize(("colour", "mode"), [("grey", "L"), ("red", "RGB")])
def test_colours_are_kept_where_there_are_some(colour: str, mode: str) -> None:
    assert without_colour(Image.new("RGB", (4, 4), colour)).mode == mode
