"""Scores of all kinds, on documents built by hand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.evaluation.detection import evaluate_detection
from linkage.evaluation.kind_comparison import FoundSpan, Leak
from linkage.evaluation.kind_scores import KindScores, evaluate_kinds
from linkage.evaluation.marked import PERSON, GoldDocument, GoldMention
from linkage.evaluation.schemes import scheme_of
from linkage.evaluation.scores import Score
from linkage.kinds import Kinds
from linkage.records import Document, DocumentId, Span

KINDS = Kinds.load()
TEXT = "Sjors Pol woont op Havenstraat 12. Mail s.pol@post.example of kom op 3 mei langs."
MARKS = (
    ("Sjors Pol", PERSON),
    ("Havenstraat 12", "STREET"),
    ("s.pol@post.example", "EMAIL"),
    ("3 mei", "DATE"),
)


def _span(surface: str, text: str = TEXT) -> Span:
    start = text.index(surface)
    return Span(start, start + len(surface))


def _gold(*marks: tuple[str, str], text: str = TEXT, flags: tuple[str, ...] = ()) -> GoldDocument:
    made = [GoldMention(_span(surface, text), kind=kind, unsure=surface in flags) for surface, kind in marks]
    people = tuple(mark for mark in made if mark.kind == PERSON)
    others = tuple(mark for mark in made if mark.kind != PERSON)
    return GoldDocument(Document(DocumentId("d"), text), people, others)


def _score(*found: tuple[str, str], gold: GoldDocument | None = None, scheme: str = "all") -> KindScores:
    document = gold or _gold(*MARKS)
    spans = [FoundSpan(_span(surface, document.document.text), kind) for surface, kind in found]
    return evaluate_kinds([document], {DocumentId("d"): spans}, scheme_of(KINDS, scheme))


def test_all_right_is_perfect_in_every_figure() -> None:
    scores = _score(*MARKS)
    for level in ("binary", "category", "kind"):
        for way in ("strict", "relaxed", "token"):
            assert scores.micro(level, way).f_beta(1) == 1
    assert scores.macro("strict") == {"precision": 1, "recall": 1, "f1": 1, "f2": 1}
    assert {leak.leaked for leak in scores.leaks.values()} == {0}
    assert set(scores.sentences.shares().values()) == {1}
    assert scores.binary.specificity == 1


def test_kind_category_and_binary_differ_where_the_kind_is_wrong() -> None:
    # A birth date is of the category DATE, a place of LOCATION; the street is found as an organization.
    scores = _score(("3 mei", "BIRTH_DATE"), ("Havenstraat 12", "ORGANIZATION"), ("Sjors Pol", PERSON))
    assert scores.micro("binary", "strict") == Score(3, 0, 1)
    assert scores.micro("category", "strict") == Score(2, 1, 2)
    assert scores.micro("kind", "strict") == Score(1, 2, 3)
    assert scores.micro("binary", "token") == Score(6, 0, 2)
    assert scores.micro("category", "token") == Score(4, 2, 4)
    assert scores.micro("kind", "token") == Score(2, 4, 6)
    assert dict(scores.confusion.together) == {
        (PERSON, PERSON): 1, ("DATE", "BIRTH_DATE"): 1, ("STREET", "ORGANIZATION"): 1,
    }  # fmt: skip
    assert dict(scores.confusion.missed) == {"EMAIL": 1}


def test_by_kind_strict_and_relaxed_and_their_means() -> None:
    scores = _score(("Sjors", PERSON), ("Pol", PERSON), ("op Havenstraat 12", "STREET"), ("3 mei", "DATE"))
    by_name = {group.name: group for group in scores.labels}
    assert [by_name[kind].strict for kind in (PERSON, "STREET", "DATE", "EMAIL")] == [
        Score(0, 2, 1), Score(0, 1, 1), Score(1, 0, 0), Score(0, 0, 1),
    ]  # fmt: skip
    assert [by_name[kind].relaxed for kind in (PERSON, "STREET", "DATE", "EMAIL")] == [
        Score(1, 0, 0), Score(1, 0, 0), Score(1, 0, 0), Score(0, 0, 1),
    ]  # fmt: skip
    assert scores.macro("relaxed")["recall"] == pytest.approx(3 / 4)
    assert scores.macro("strict")["precision"] == pytest.approx(1 / 4)


def test_sentences_after_the_thesis_ignore_the_kind() -> None:
    found = (("Sjors", "CITY"), ("Pol", "CITY"), ("op Havenstraat 12", "DATE"))
    shares = _score(*found).sentences.shares()
    assert (shares["strict_share"], shares["relaxed_share"], shares["covered_share"]) == (0, 0.5, 0.5)
    shares = _score(*found, ("woont", "CITY")).sentences.shares()
    assert (shares["relaxed_share"], shares["covered_share"]) == (0, 0.5)
    shares = _score(*MARKS, ("kom", "CITY")).sentences.shares()
    assert (shares["strict_share"], shares["relaxed_share"], shares["covered_share"]) == (0.5, 0.5, 1)


def test_leaked_letters_of_direct_identifiers_with_and_without_people() -> None:
    scores = _score(("Sjors Pol", PERSON), ("Havenstraat", "PLACE"), ("3 mei", "DATE"))
    # Sjors Pol 8, Havenstraat 12 13, s.pol@post.example 15 letters; a date is not direct.
    assert scores.leaks["direct"] == Leak(36, 17, 28)
    assert scores.leaks["direct_without_person"] == Leak(28, 17, 28)
    assert scores.leaks["all"] == Leak(40, 17, 32)
    street = next(group for group in scores.labels if group.name == "STREET")
    assert street.letters == Leak(13, 2, 13)


def test_numbers_cover_nothing_and_are_not_scored() -> None:
    scores = _score(("Havenstraat 12", "NUMBER"), ("Havenstraat 12", "LITERAL"))
    assert scores.micro("kind", "strict") == Score(0, 0, 4)
    assert scores.leaks["direct_without_person"] == Leak(28, 28, 28)
    marked = _gold(*MARKS, ("12", "NUMBER"))
    assert _score(("kom", "NUMBER"), gold=marked).micro("kind", "strict") == Score(0, 1, 5)


NESTED = (*MARKS, ("pol", PERSON))


def test_a_name_inside_an_address_is_a_mark_of_its_own() -> None:
    gold = _gold(*NESTED)
    assert _score(*NESTED, gold=gold).micro("kind", "strict") == Score(5, 0, 0)
    without = _score(*MARKS, gold=gold)
    assert without.micro("kind", "strict") == without.micro("binary", "strict") == Score(4, 0, 1)
    assert without.leaks["direct"].leaked == 0
    assert without.leaks["direct"].letters == 36  # the inner letters count once
    wrong = _score(*NESTED, ("post", PERSON), gold=gold)
    assert wrong.micro("kind", "strict") == Score(5, 1, 0)
    alone = _score(("pol", PERSON), gold=gold)
    assert dict(alone.confusion.together) == {(PERSON, PERSON): 1}
    assert alone.leaks["direct"].leaked == 33


def test_a_found_name_inside_a_found_address_is_not_punished_where_gold_marks_no_inner_ones() -> None:
    scores = _score(*NESTED)
    assert scores.micro("kind", "strict") == scores.micro("binary", "strict") == Score(4, 0, 0)
    assert not scores.confusion.false
    assert _score(("pol", PERSON)).micro("kind", "strict") == Score(0, 1, 4)  # no address around it is found
    # A name that the gold marks is never excused away, whatever lies around it.
    around = _score(("Sjors Pol", PERSON), ("Sjors Pol woont", "ORGANIZATION"))
    assert around.micro("kind", "strict") == Score(1, 1, 3)


def test_unsure_marks_are_neither_required_nor_punished_whatever_the_kind() -> None:
    gold = _gold(*MARKS, flags=("Havenstraat 12",))
    for kind in ("STREET", "PLACE"):
        assert _score(("Havenstraat 12", kind), gold=gold).micro("kind", "strict") == Score(0, 0, 3)
    assert _score(gold=gold).leaks["direct_without_person"].letters == 15


def test_a_coarser_scheme_forgives_what_it_does_not_tell_apart() -> None:
    found = (("3 mei", "BIRTH_DATE"), ("s.pol@post.example", "URL"))
    assert _score(*found, scheme="all").micro("kind", "strict") == Score(0, 2, 4)
    assert _score(*found, scheme="mortgage").micro("kind", "strict") == Score(1, 1, 3)
    # MAPA has no address of the net: neither gold nor found ones are scored, but their letters still leak.
    mapa = _score(*found, scheme="mapa")
    assert mapa.micro("kind", "strict") == Score(1, 0, 2)
    assert mapa.leaks["direct_without_person"].letters == 28


def test_gold_of_people_alone_scores_people_alone() -> None:
    gold = GoldDocument(Document(DocumentId("d"), TEXT), (GoldMention(_span("Sjors Pol")),))
    scores = _score(*MARKS, gold=gold)
    assert [group.name for group in scores.labels] == [PERSON]
    assert scores.micro("kind", "strict") == Score(1, 0, 0)


def test_documents_that_mark_people_alone_are_left_out_beside_others() -> None:
    people = GoldDocument(Document(DocumentId("p"), TEXT), ())
    scores = evaluate_kinds([_gold(*MARKS), people], {}, scheme_of(KINDS, "all"))
    assert (scores.documents, scores.binary.marks) == (1, 4)


def test_unseen_entities_by_kind() -> None:
    training = {PERSON: {"SJORS  POL"}, "STREET": {"Havenstraat 120", "3 mei"}, "DATE": {"4 juni"}}
    spans = {DocumentId("d"): [FoundSpan(_span("3 mei"), "DATE")]}
    scores = evaluate_kinds([_gold(*MARKS)], spans, scheme_of(KINDS, "all"), training=training)
    unseen = {group.name: group.unseen.mentions for group in scores.labels if group.unseen is not None}
    assert unseen == {PERSON: 0, "STREET": 0, "EMAIL": 1, "DATE": 1}  # "3 mei" was seen as a street only
    total = scores.unseen()
    assert total is not None
    assert (total.mentions, total.found_strict) == (2, 1)
    assert _score().unseen() is None


def test_people_score_as_they_do_alone() -> None:
    gold = _gold(*MARKS)
    found = [FoundSpan(Span(0, 5)), FoundSpan(_span("Havenstraat")), FoundSpan(_span("3 mei"), "DATE")]
    alone = evaluate_detection([gold], {DocumentId("d"): [f.span for f in found if f.kind == PERSON]})
    person = evaluate_kinds([gold], {DocumentId("d"): found}, scheme_of(KINDS, "all")).labels[0]
    assert (person.strict, person.relaxed, person.token) == (alone.strict, alone.relaxed, alone.token)
    assert person.specificity == alone.specificity


def test_json_holds_every_figure_and_no_text() -> None:
    scores = _score(("Sjors Pol", PERSON), ("Havenstraat", "PLACE"))
    told = json.dumps(scores.as_dict()) + repr(scores)
    assert not any(word in told for word in ("Sjors", "Pol", "Havenstraat", "post.example", "mei"))
    report = scores.as_dict()
    assert [[*report[key]] for key in ("entity", "token")] == [["binary", "category", "kind"]] * 2
    assert {"strict", "relaxed", "token", "leaked_share", "left_share"} <= report["by_kind"]["STREET"].keys()
    assert report["confusion"]["found_as"] == {PERSON: {PERSON: 1}, "STREET": {"PLACE": 1}}


_FOUND = st.lists(
    st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 20), st.sampled_from([*KINDS])), max_size=8
)


@given(_FOUND, st.sampled_from(["all", *KINDS.schemes]))
def test_figures_stay_in_range_and_in_order_whatever_is_found(
    places: list[tuple[int, int, str]], scheme: str
) -> None:
    spans = [FoundSpan(Span(start, min(start + length, len(TEXT))), kind) for start, length, kind in places]
    scores = evaluate_kinds([_gold(*NESTED)], {DocumentId("d"): spans}, scheme_of(KINDS, scheme))
    for way in ("strict", "relaxed", "token"):
        binary, category, kind = (scores.micro(level, way) for level in ("binary", "category", "kind"))
        assert 0 <= kind.recall <= 1
        if way != "token":
            assert kind.true_positives <= category.true_positives
        assert 0 <= binary.precision <= 1
    for leak in scores.leaks.values():
        assert 0 <= leak.leaked <= leak.left <= leak.letters
    told = scores.sentences
    assert told.strict <= told.relaxed <= told.covered <= told.sentences
    assert scores.leaks["direct_without_person"].letters == 28
