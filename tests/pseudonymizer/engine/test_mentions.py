"""Which mentions of a text count: given ones, those that the format marks, and none inside a label."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import DocumentError
from linkage.records import Detector, Document, DocumentId, KindId, Mention, Span
from pseudonymizer.engine.mentions import (
    as_mentions,
    as_values,
    given_for,
    outside_tokens,
    professionals_in,
    values_beside,
    with_names_of_format,
)
from pseudonymizer.engine.records import AnalyzeTask, GivenFor, GivenMention
from pseudonymizer.formats import TextPart, read
from pseudonymizer.formats.units import Unit
from pseudonymizer.rewriting import labels_in
from pseudonymizer.styles.labels import LABEL_LIKE
from tests.fakes import span_of
from tests.pseudonymizer.engine.records_by_hand import mention, part_found, token

DOC = DocumentId("d1")
NOTE = GivenMention(Span(0, 10), "Jan Tolsma")
OTHER = GivenMention(Span(0, 3), "Els")


def task(parts: Mapping[str, tuple[GivenMention, ...]] | None, unit: Unit | None = None) -> AnalyzeTask:
    return AnalyzeTask(DOC, Path("x.txt"), given=None if parts is None else GivenFor(parts), unit=unit)


def prose(*part_ids: str) -> list[TextPart]:
    return [TextPart(part_id, "Jan Tolsma belde.") for part_id in part_ids]


def unit(first: int) -> Unit:
    return Unit(1, 0, 10, first, "csv")


@pytest.mark.parametrize(
    ("parts", "texts", "expected"),
    [
        (None, ["1", "2"], [None, None]),
        ({"": (NOTE,)}, [""], [(NOTE,)]),
        ({"": (NOTE,)}, ["1"], [(NOTE,)]),  # the only text of a file has the name of the file
        ({"1": (NOTE,), "2": ()}, ["1", "2"], [(NOTE,), ()]),
        ({"2": (NOTE,)}, ["1", "2"], [None, (NOTE,)]),  # in the others names are looked for
        ({"": (OTHER,), "1": (NOTE,)}, ["1", ""], [(NOTE,), (OTHER,)]),
    ],
)
def test_what_is_given_goes_to_its_text(
    parts: dict[str, tuple[GivenMention, ...]] | None, texts: list[str], expected: list[object]
) -> None:
    assert given_for(task(parts), prose(*texts)) == expected


@pytest.mark.parametrize(
    ("parts", "texts", "of_unit"),
    [
        ({"3": (NOTE,)}, ["1", "2"], None),
        ({"": (NOTE,)}, ["1", "2"], None),
        ({"3": (NOTE,)}, ["rows-0"], unit(0)),  # given for single rows, and read as one text
        ({"rows-7": (NOTE,)}, ["7", "8"], unit(7)),  # the other way round
    ],
)
def test_what_is_given_for_a_text_that_is_not_there_is_refused(
    parts: dict[str, tuple[GivenMention, ...]], texts: list[str], of_unit: Unit | None
) -> None:
    with pytest.raises(DocumentError, match="mentions are given for 1 texts") as error:
        given_for(task(parts, of_unit), prose(*texts))
    assert "Tolsma" not in str(error.value)


def test_what_is_given_for_other_units_of_the_file_is_passed_by() -> None:
    whole = {"rows-0": (NOTE,), "rows-50": (OTHER,)}
    assert given_for(task(whole, unit(50)), prose("rows-50")) == [(OTHER,)]
    single = {"3": (NOTE,), "51": (OTHER,)}
    assert given_for(task(single, unit(50)), prose("50", "51")) == [None, (OTHER,)]


def test_given_mentions_keep_what_they_say() -> None:
    document = Document(DOC, "Jan Tolsma en Els")
    given_here = [
        GivenMention(Span(14, 17), "Els", Detector.TYPO, 0.5, "Elz"),
        GivenMention(Span(0, 10), "Jan Tolsma"),
    ]
    first, second = as_mentions(document, given_here)
    assert (first.surface, first.detector, first.confidence) == ("Jan Tolsma", Detector.REGISTRY, 1.0)
    assert (second.surface, second.detector, second.confidence, second.typo_of) == (
        "Els", Detector.TYPO, 0.5, "Elz",
    )  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        [GivenMention(Span(0, 10), "Jan Tolsmo")],
        [GivenMention(Span(0, 10), "Jan Tolsma"), GivenMention(Span(4, 10), "Tolsma")],
        [GivenMention(Span(14, 40), "Els")],
    ],
    ids=["other text", "overlap", "beyond the text"],
)
def test_given_mentions_that_do_not_fit_are_refused_without_their_text(wrong: list[GivenMention]) -> None:
    with pytest.raises(DocumentError, match="must come from `nymlink detect`") as error:
        as_mentions(Document(DOC, "Jan Tolsma en Els"), wrong)
    assert "Tolsm" not in str(error.value)


def found_in(text: str, *surfaces: str) -> list[Mention]:
    return [mention(DOC, text, surface).mention for surface in surfaces]


@pytest.mark.parametrize(
    ("detected", "marked", "expected"),
    [
        ([], ["Jan Tolsma"], ["Jan Tolsma"]),
        (["Jan Tolsma"], ["Jan Tolsma"], ["Jan Tolsma"]),
        (["Tolsma"], ["Jan Tolsma"], ["Tolsma"]),  # what detection found inside stays as it is
        (["Jan Tolsma: hallo"], ["Jan Tolsma"], ["Jan Tolsma"]),  # too long: the format knows better
        (["Els"], ["Jan Tolsma"], ["Jan Tolsma", "Els"]),
        (["Els"], [], ["Els"]),
    ],
)
def test_names_that_the_format_marks(detected: list[str], marked: list[str], expected: list[str]) -> None:
    text = "Jan Tolsma: hallo Els"
    spans = [span_of(text, surface) for surface in marked]
    kept = with_names_of_format(Document(DOC, text), found_in(text, *detected), spans)
    assert [one.surface for one in kept] == expected


def test_people_who_act_by_profession_are_told_in_prose_alone() -> None:
    text = "rechter Jan Tolsma en Els Wiersma"
    raw = f'{{"text": "{text}"}}\n'.encode()
    parsed = read(raw, name="x.jsonl")
    (part,) = parsed.parts
    jan, els = mention(DOC, part.text, "Jan Tolsma"), mention(DOC, part.text, "Els Wiersma")
    here = part_found(part.text, [jan, els], part_id=part.part_id)
    elsewhere = part_found(part.text, [jan], part_id="/path")
    assert professionals_in(parsed, [here, elsewhere]) == (jan.mention_id,)


pieces = st.sampled_from(["Jan", " ", "Tolsma", "-", token(1), "<PERSOON-3>", "\n", "é"])


@given(st.lists(pieces, max_size=8), st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40)), max_size=3))
def test_no_text_of_a_label_is_left_in_a_mention_and_no_other_letter_is_lost(
    texts: list[str], places: list[tuple[int, int]]
) -> None:
    text = "".join(texts)
    document = Document(DOC, text)
    looks = labels_in(text, LABEL_LIKE)
    read_to = 0
    mentions = []
    for start, length in sorted(places):
        if read_to <= start and start + length <= len(text):
            span = Span(start, start + length)
            mentions.append(Mention.at(document, span, detector=Detector.TYPO, confidence=0.5))
            read_to = span.end
    kept = outside_tokens(document, mentions, looks)
    assert all(one.surface == one.span.cut(text) for one in kept)
    assert all(one in mentions or one.surface == one.surface.strip() for one in kept)
    assert not any(one.span.overlaps(look) for one in kept for look in looks)
    assert {(one.detector, one.confidence) for one in kept} <= {(Detector.TYPO, 0.5)}

    def letters(spans: Sequence[Span]) -> set[int]:
        return {at for span in spans for at in range(span.start, span.end) if text[at].isalpha()}

    named = letters([one.span for one in mentions])
    assert letters([one.span for one in kept]) == named - letters(looks)


def test_a_mention_around_a_label_falls_into_its_pieces() -> None:
    text = f"Jan {token(1)} Tolsma, {token(2)}"
    whole = Mention.at(Document(DOC, text), Span(0, len(text)), detector=Detector.NER, confidence=0.9)
    kept = outside_tokens(Document(DOC, text), [whole], labels_in(text, LABEL_LIKE))
    assert [one.surface for one in kept] == ["Jan", "Tolsma,"]


def test_given_values_win_over_found_ones_and_have_their_normal_form() -> None:
    document = Document(DOC, "BSN 295755131 en NL91 ABNA 0417 1643 00 bij jan@post.example")
    given_here = [
        GivenMention(Span(17, 39), "NL91 ABNA 0417 1643 00", kind=KindId("BANK_ACCOUNT")),
        GivenMention(Span(4, 13), "295755131", kind=KindId("CASE_NUMBER")),
    ]
    assert as_mentions(document, given_here) == []
    values = values_beside(document, [], [], as_values(document, given_here))
    assert [(value.kind, value.normal) for value in values] == [
        ("CASE_NUMBER", "295755131"),
        ("BANK_ACCOUNT", "NL91ABNA0417164300"),
        ("EMAIL", "jan@post.example"),
    ]


def test_a_given_value_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(DocumentError, match="unknown kind COLOUR"):
        as_values(Document(DOC, "rood"), [GivenMention(Span(0, 4), "rood", kind=KindId("COLOUR"))])


def test_what_looks_like_a_label_is_a_value_and_no_other_value_cuts_it() -> None:
    text = "P1-0123456789ABCDEFGHJK, AB-123-C"
    values = values_beside(Document(DOC, text), [], [Span(0, 23)])
    assert [value.kind for value in values] == ["LITERAL", "VEHICLE"]
