"""Sentences of a page are counted as a reader reads them."""

import pytest

from tests.prose import sentences, words


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("# A heading\n\nOne line\nand its end. Another one.\n", ["One line and its end.", "Another one."]),
        ("- an item\n- a second\n  line\n", ["an item", "a second line"]),
        ("Before:\n\n```sh\nnymlink run. Not this.\n```\n\nAfter.\n", ["Before:", "After."]),
        ("| a table. | no prose |\n\n    scripts/code\n", []),
        ("See [the page](a.md) and `a.b. c`.", ["See the page and code."]),
        ("Mr. Jansen came (late.) Then he left.", ["Mr Jansen came (late.)", "Then he left."]),
    ],
)
def test_sentences_are_told_apart(page: str, found: list[str]) -> None:
    assert sentences(page) == found


def test_numbers_are_no_words() -> None:
    assert words("It takes 2.8 ms, or 56 s, of Jan's time") == 8
