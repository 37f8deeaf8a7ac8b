"""Scores of a language: which documents measure, and what is counted of them."""

import json
from pathlib import Path

import pytest
from language_scores.gold_sets import GoldSet, is_held_out, read_set, sets_of, write_measuring_texts
from language_scores.linking import linking_scores_of
from language_scores.rates import scores_of

from linkage.detection import finder_of
from linkage.errors import GoldFormatError
from linkage.evaluation.kind_comparison import FoundSpan
from linkage.evaluation.marked import Labels
from linkage.evaluation.schemes import ALL_KINDS, scheme_of
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.own_kinds import OwnValues
from linkage.records import DocumentId, Span
from linkage.settings import LinkingSettings

FINDER = finder_of(OwnValues())
LABELS: Labels = scheme_of(FINDER.kinds, ALL_KINDS).file_labels()
TEXT = "Frau Körner wohnt in Bonn."


def gold_file(folder: Path, name: str = "office-de.identifiers.jsonl") -> Path:
    """Ten documents of one person and one city each, two about each of five domains."""
    rows = [
        {
            "doc_id": f"d{number}",
            "text": TEXT,
            "domain": ("clinical", "finance")[number % 2],
            "mentions": [{"start": 5, "end": 11, "text": "Körner", "entity": "p"}],
            "identifiers": [{"start": 21, "end": 25, "text": "Bonn", "kind": "CITY"}],
        }
        for number in range(10)
    ]
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_of_a_set_that_trains_every_fifth_document_measures(tmp_path: Path) -> None:
    path = gold_file(tmp_path)
    held, train, both = (read_set(path, "de", LABELS, part=part) for part in ("", "train", "all"))
    ids = [str(one.document.doc_id) for one in held.documents]
    assert ids == [f"d{n}" for n in range(10) if is_held_out(f"d{n}")]
    assert 0 < len(ids) < 10
    assert len(train.documents) + len(ids) == len(both.documents) == 10
    assert {one.document.language for one in held.documents} == {"de"}
    assert (held.name, both.name) == ("office-de (held)", "office-de")


def test_a_set_that_never_trains_measures_as_a_whole(tmp_path: Path) -> None:
    path = gold_file(tmp_path, "ntrex-dev-de.persons.jsonl")
    assert len(read_set(path, "de", LABELS).documents) == 10
    assert sets_of("de", tmp_path) == [path]
    assert sets_of("it", tmp_path) == []


def test_a_domain_is_a_row_of_its_own(tmp_path: Path) -> None:
    parts = read_set(gold_file(tmp_path), "de", LABELS, part="all").parts()
    assert [(one.name, len(one.documents)) for one in parts] == [
        ("office-de", 10),
        ("office-de clinical", 5),
        ("office-de finance", 5),
    ]


def test_titles_of_clinical_letters_are_no_person(tmp_path: Path) -> None:
    spans = [{"start": 0, "end": 4, "kind": "NAME_TITLE"}, {"start": 5, "end": 11, "kind": "NAME_PATIENT"}]
    path = tmp_path / "grascco-de.dev.jsonl"
    path.write_text(json.dumps({"doc_id": "a", "text": TEXT, "spans": spans}), encoding="utf-8")
    gold = read_set(path, "de", LABELS)
    assert [one.span for one in gold.documents[0].mentions] == [Span(5, 11)]
    assert not gold.has_kinds
    path.write_text(json.dumps({"doc_id": "a", "text": TEXT, "spans": [{"start": 0}]}), encoding="utf-8")
    with pytest.raises(GoldFormatError, match="line 1"):
        read_set(path, "de", LABELS)


def test_scores_tell_people_kinds_and_letters(tmp_path: Path) -> None:
    gold = read_set(gold_file(tmp_path), "de", LABELS, part="all")
    person, city, wrong = FoundSpan(Span(5, 11)), FoundSpan(Span(21, 25), "CITY"), FoundSpan(Span(12, 17))
    found = {DocumentId(f"d{n}"): [person, *([city] if n < 5 else [])] for n in range(9)}
    found[DocumentId("d9")] = [wrong, FoundSpan(Span(21, 25), "STREET")]
    scores = scores_of(gold, found, FINDER.kinds)
    assert (scores.documents, scores.mentions) == (10, 10)
    assert (scores.precision.value, scores.recall.value, scores.leaked.value) == (0.9, 0.9, 0.1)
    assert scores.leaked.low < 0.1 < scores.leaked.high
    assert scores.core is not None
    assert scores.core["CITY"].recall == 0.5
    assert scores.core_f1 is not None
    assert scores.core_f1.value == pytest.approx(2 * 14 / (2 * 14 + 2 + 6))
    # Of 100 letters of Körner and Bonn 54 + 20 lie under their label, 4 under no city but a street: a place.
    assert scores.letters_recall is not None
    assert scores.letters_recall.value == pytest.approx((54 + 20 + 4) / 100)
    assert scores.letters_precision is not None
    assert scores.letters_precision.value == pytest.approx(78 / (78 + 5))
    assert "Körner" not in json.dumps(scores.as_dict())


def test_a_set_of_people_alone_has_no_scores_of_kinds(tmp_path: Path) -> None:
    gold = read_set(gold_file(tmp_path), "de", LABELS, part="all")
    people = GoldSet("a", tuple(type(one)(one.document, one.mentions) for one in gold.documents))
    scores = scores_of(people, {}, FINDER.kinds)
    assert (scores.recall.value, scores.core_f1, scores.core) == (0.0, None, None)


def test_marked_texts_that_only_measure_are_a_set(tmp_path: Path) -> None:
    texts = tmp_path / "office7"
    texts.mkdir()
    marked = "=== h1 domain=finance language=de\n[PERSON:Ada Körner|p1] wohnt in [CITY:Bonn].\n"
    (texts / "de_01.txt").write_text(marked, encoding="utf-8")
    assert write_measuring_texts(texts, "it", tmp_path) is None
    path = write_measuring_texts(texts, "de", tmp_path)
    assert path is not None
    gold = read_set(path, "de", LABELS)
    assert (gold.name, len(gold.documents), gold.has_kinds) == ("office7-de", 1, True)
    assert [one.name for one in gold.parts()] == ["office7-de", "office7-de finance"]


def test_linkage_is_scored_document_by_document(tmp_path: Path) -> None:
    gazetteer = Gazetteer.load("de")
    rows = [
        {
            "doc_id": f"d{number}",
            "text": "Frau Körner kam. Körner und Maurer gingen.",
            "mentions": [
                {"start": start, "end": start + 6, "text": text, "entity": entity}
                for start, text, entity in ((5, "Körner", "p"), (17, "Körner", last), (28, "Maurer", "q"))
            ],
        }
        for number, last in enumerate(("p", "r"))
    ]
    path = tmp_path / "ntrex-dev-de.persons.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    gold = read_set(path, "de", LABELS)
    scores = linking_scores_of(
        gold, lambda text, names: normalize(text, names, gazetteer), Linker.load(LinkingSettings(), gazetteer)
    )
    # The second document has another person of this name, which nothing tells; people of two documents are
    # never set side by side.
    assert (scores.documents, scores.mentions) == (2, 6)
    assert (scores.pairwise.precision, scores.pairwise.recall) == (0.5, 1.0)
    assert scores.b_cubed.precision == pytest.approx(5 / 6)
    assert scores.b_cubed.recall == 1
    assert scores.b_cubed_f1.value == pytest.approx(10 / 11)
    assert scores.b_cubed_f1.low < scores.b_cubed_f1.value < scores.b_cubed_f1.high
    assert "Körner" not in json.dumps(scores.as_dict())
