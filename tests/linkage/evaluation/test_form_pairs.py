"""Pairs of forms from gold, and scores of their probabilities."""

from linkage.evaluation.form_pairs import form_pairs, score_pairs
from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.records import Document, DocumentId, Span


def _document(doc_id: str, *marked: tuple[str, str | None]) -> GoldDocument:
    mentions, place = [], 0
    for form, entity in marked:
        mentions.append(GoldMention(Span(place, place + len(form)), entity))
        place += len(form) + 1
    return GoldDocument(Document(DocumentId(doc_id), " ".join(form for form, _ in marked)), tuple(mentions))


def test_distinct_forms_of_each_document_with_their_truth() -> None:
    found = form_pairs(
        [
            _document("a", ("Tet Pol", "t"), ("TET POL", "t"), ("Tet", "t"), ("Kaat", "k"), ("Sjors", None)),
            _document("b", ("Kaat", "k"), ("Kaatje", "k")),
        ]
    )
    assert list(zip(found.pairs, found.is_match, strict=True)) == [
        (("Kaat", "Tet"), False), (("Kaat", "Tet Pol"), False), (("Tet", "Tet Pol"), True),
        (("Kaat", "Kaatje"), True),
    ]  # fmt: skip
    assert "Kaat" not in repr(found)


def test_a_form_of_two_people_has_no_truth() -> None:
    found = form_pairs([_document("a", ("Pol", "tet"), ("Pol", "kaat"), ("Tet", "tet"), ("Kaat", "kaat"))])
    assert found.pairs == (("Kaat", "Tet"),)


def test_order_of_mentions_does_not_matter() -> None:
    marked = [("Tet Pol", "t"), ("Tet", "t"), ("Kaat", "k")]
    assert form_pairs([_document("a", *marked)]) == form_pairs([_document("a", *reversed(marked))])


def test_both_bounds_are_among_the_thresholds() -> None:
    scores = score_pairs([0.9, 0.2], [True, False], link_threshold=0.812, review_threshold=0.35)
    assert (scores.pairs, scores.matches) == (2, 1)
    thresholds = [point.threshold for point in scores.thresholds]
    assert thresholds == sorted(set(thresholds))
    assert {0.812, 0.35} <= set(thresholds)
    assert abs(scores.calibration.expected_error - 0.15) < 1e-12
