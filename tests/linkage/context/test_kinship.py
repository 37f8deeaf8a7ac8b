"""Relatives whom a text names beside each other. All names are invented."""

import re

import pytest

from linkage.context.kinship import relatives
from linkage.language import Language
from linkage.normalization.context import sentence_starts
from linkage.records import Detector, Document, DocumentId, Mention, Span

_DUTCH = Language.load("nl")


def _found(marked: str) -> set[tuple[int, int]]:
    """Pairs of the mentions in [brackets]."""
    text, spans = "", []
    for part in re.split(r"(\[[^]]*\])", marked):
        if part.startswith("["):
            spans.append(Span(len(text), len(text) + len(part) - 2))
            part = part[1:-1]
        text += part
    document = Document(DocumentId("d"), text)
    mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
    return relatives(text, mentions, sentence_starts(text, mentions, _DUTCH), _DUTCH)


@pytest.mark.parametrize(
    "marked",
    [
        "Mevrouw [Zandwijk] kwam met haar dochter [Lotte Zandwijk].",
        "Meneer [Zandwijk] en zijn oudste zoon [Jan Zandwijk] tekenden.",
        "[Willem Zandwijk] is de vader van [Willem Zandwijk].",
        "[Willem Zandwijk], zoon van de heer [Willem Zandwijk], verklaart",
        "[Jan]s zoon [Jan] belt.",
        "De zoon van [Piet Zandwijk], [Piet Zandwijk], belt.",
        "[S. Kuipers] en haar advocaat mr. [Kuipers] waren er.",
    ],
)
def test_relatives_are_two_people(marked: str) -> None:
    assert _found(marked) == {(0, 1)}


@pytest.mark.parametrize(
    "marked",
    [
        "Mevrouw [Zandwijk] kwam. Haar dochter is ziek. [Zandwijk] ging.",
        "Mevrouw [Zandwijk] kwam later. Bel haar dochter [Lotte].",
        "[Willem Zandwijk] is de naam van [Zandwijk]",
        "Vader [Willem Zandwijk], [Zandwijk] dus, belt.",
        "[Willem] zei dat zijn zoon belt, zei [Willem] nog.",
        "Ik sprak de moeder van [Fenna], [Fenna] was er niet bij.",
        "Dit is de vader van [Lotte Zandwijk], [Lotte Zandwijk] is 5.",
        "[Lotte] belde haar moeder, [Lotte] huilde.",
        "Ik sprak de ouders van [Lotte] ([Lotte Zandwijk]).",
    ],
)
def test_nothing_is_read_into_other_words(marked: str) -> None:
    assert not _found(marked)


def test_only_the_name_right_before_a_relative_is_told_apart() -> None:
    marked = "[Jan Zandwijk] belde [Fenna] over haar zoon [Jan]."
    assert _found(marked) == {(1, 2)}
