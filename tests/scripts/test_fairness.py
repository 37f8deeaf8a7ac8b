"""Fairness: the same sentences with names of each origin, and which origin leaks more than others."""

from pathlib import Path

import pytest
from fairness.scoring import (
    OriginScore,
    above_twice_the_mean,
    carried,
    read_carriers,
    read_names,
    read_titles,
    score_of,
)

from linkage.records import Span

FOLDER = Path(__file__).resolve().parents[2] / "scripts" / "fairness"
ORIGINS = {
    "Dutch", "Frisian", "Moroccan", "Turkish", "Surinamese", "Antillean", "Chinese", "Slavic", "German",
    "English", "Spanish", "West African",
}  # fmt: skip


TITLES = read_titles(FOLDER / "titles.tsv")


def test_there_are_200_sentences_and_twelve_origins_of_equal_size() -> None:
    carriers, names = read_carriers(FOLDER / "carriers.tsv"), read_names(FOLDER / "names.tsv")
    assert len(set(carriers)) == 200
    assert names.keys() == ORIGINS
    assert {(len(one.given), len(one.family)) for one in names.values()} == {(24, 24)}
    assert all(sum(slot in carrier for slot in ("{N}", "{I}", "{S}", "{G}")) == 1 for carrier in carriers)


@pytest.mark.parametrize("origin", sorted(ORIGINS))
def test_each_document_marks_its_name(origin: str) -> None:
    names = read_names(FOLDER / "names.tsv")[origin]
    golds = carried(origin, names, read_carriers(FOLDER / "carriers.tsv"), TITLES)
    assert len({gold.document.doc_id for gold in golds}) == 200
    for gold in golds:
        (mention,) = gold.mentions
        surface = mention.span.cut(gold.document.text)
        assert "{" not in gold.document.text
        assert any(
            surface.casefold().endswith(name.casefold()) for name in (*names.family, *dict(names.given))
        )
    assert carried(origin, names, read_carriers(FOLDER / "carriers.tsv"), TITLES) == golds


def test_a_score_counts_letters_that_stay() -> None:
    names = read_names(FOLDER / "names.tsv")["Frisian"]
    golds = carried("Frisian", names, ("{N} belde.", "{G} belde."), TITLES)
    (first,), (second,) = (gold.mentions for gold in golds)
    score = score_of("Frisian", golds, {golds[0].document.doc_id: [first.span]})
    letters = [sum(map(str.isalpha, m.span.cut(g.document.text))) for g in golds for m in g.mentions]
    assert (score.names, score.names_leaked) == (2, 1)
    assert score.letters_leaked == pytest.approx(letters[1] / sum(letters))
    assert second.span == Span(0, letters[1])


def test_a_small_letter_for_the_particle_behind_a_given_name() -> None:
    names = read_names(FOLDER / "names.tsv")["Dutch"]
    texts = [gold.document.text for gold in carried("Dutch", names, ("{N}",) * 24 + ("{S}",) * 24, TITLES)]
    assert any(" van den Heuvel" in text for text in texts[:24])
    assert "Van den Heuvel" in texts[24:]


def test_origins_above_twice_the_mean() -> None:
    scores = [OriginScore("a", 10, 0, 0.0), OriginScore("b", 10, 1, 0.01), OriginScore("c", 10, 5, 0.05)]
    assert above_twice_the_mean(scores) == ("c",)
    assert above_twice_the_mean([]) == ()
