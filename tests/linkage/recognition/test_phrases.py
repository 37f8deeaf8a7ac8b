"""Exact phrases of the user."""

from pathlib import Path

import pytest

from linkage.errors import GazetteerError
from linkage.gazetteer import Gazetteer
from linkage.recognition.name_tokens import WordBook
from linkage.recognition.phrases import PhraseMatcher, phrase_words, read_phrases


def found(gazetteer: Gazetteer, phrases: list[str], text: str) -> list[str]:
    tokens = WordBook(gazetteer).tokens(text)
    return [text[tokens[a].start : tokens[b - 1].end] for a, b, _ in PhraseMatcher.of(phrases).find(tokens)]


def test_phrases_are_found_in_any_case_and_across_line_ends(gazetteer: Gazetteer) -> None:
    phrases = ["Zoë de Wit", "J.P. Bos", "O'Brien"]
    text = "ZOE DE\nWIT en J. P. Bos; o'brien. Zoë  de Witte niet."
    assert found(gazetteer, phrases, text) == ["ZOE DE\nWIT", "J. P. Bos", "o'brien"]


def test_the_longest_phrase_wins_and_none_overlap(gazetteer: Gazetteer) -> None:
    assert found(gazetteer, ["Jan", "Jan Bos", "Bos"], "Jan Bos Bos Jan") == ["Jan Bos", "Bos", "Jan"]


def test_a_phrase_never_begins_inside_a_word(gazetteer: Gazetteer) -> None:
    assert found(gazetteer, ["Otto"], "Ottomotor in Bottrop, ottoman") == []


def test_no_phrases_no_finds(gazetteer: Gazetteer) -> None:
    assert found(gazetteer, [], "Jan Bos") == []
    assert len(PhraseMatcher.of(["", "--"])) == 0
    assert phrase_words("J.-P. d\u2019Arcy") == ("j", "p", "d", "arcy")


def test_reading_a_list(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# namen\nJan Bos\n\n  Zoë  \n", encoding="utf-8-sig")
    assert read_phrases(path, what="list of names") == ("Jan Bos", "Zoë")
    path.write_bytes(b"Zo\xeb\n")
    with pytest.raises(GazetteerError, match="UTF-8"):
        read_phrases(path, what="list of names")
    with pytest.raises(GazetteerError, match="allow list"):
        read_phrases(tmp_path / "none.txt", what="allow list")
