"""From treated sources to answers: places in the new text, people and their counts, open links, failures."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import PERSON, DocumentId, EntityId, LinkageResult, MentionId, Span
from pseudonymizer.answering import pseudonymized
from pseudonymizer.answers import (
    Failure,
    OpenLink,
    PseudonymizedDocument,
    PseudonymizedPerson,
    PseudonymizedTexts,
    ReplacedSpan,
)
from pseudonymizer.engine.engine import Source, Treated, TreatedSources
from pseudonymizer.engine.labelling import Labelling
from pseudonymizer.engine.records import (
    AnalyzeTask,
    Replacement,
    SourceFailure,
    SourceFound,
    SourceRendered,
)
from pseudonymizer.engine.styling import Styled
from pseudonymizer.records import Pseudonym, Scope, Style
from pseudonymizer.settings import StyleSettings
from tests.fakes import linkage_result

JAN, ELS = EntityId("jan"), EntityId("els")


def source(name: str = "-") -> Source:
    return Source(AnalyzeTask(DocumentId(name), Path("x.txt")), name)


def treated(
    raw: bytes, replacements: tuple[Replacement, ...] = (), *, format_name: str = "txt", unplaced: int = 0
) -> Treated:
    found = SourceFound(
        DocumentId("d"), b"", 1, format_name, (), {"phone": 2}, {"image": 1}, 0.0,
        unread_places={"image (page 2)": 1},
    )  # fmt: skip
    rendered = SourceRendered(DocumentId("d"), format_name, raw, (), "out.txt", 0, unplaced, 0.0)
    return Treated(found, rendered, replacements)


def labelled(
    result: LinkageResult, labels: dict[str, str] | None = None, scope: Scope = Scope.PROJECT
) -> Labelling:
    """labels: by identity, which is its own entity here."""
    pseudonyms: dict[MentionId, Pseudonym] = {
        mention_id: Pseudonym(labels[one.identity_id], EntityId(one.identity_id), "p", scope)
        for one in result.identities
        for mention_id in one.mention_ids
        if labels
    }
    style = Style.TOKEN if labels else Style.MASK
    by_style = {style: pseudonyms} if labels else {}
    return Labelling(Styled(StyleSettings(style), result, by_style, scope), {})


def answer(
    *outcomes: Treated | SourceFailure,
    result: LinkageResult | None = None,
    labels: dict[str, str] | None = None,
    scope: Scope = Scope.PROJECT,
) -> PseudonymizedTexts:
    linked = result or LinkageResult((), ())
    sources = [source(f"text {number}") for number, _ in enumerate(outcomes, start=1)]
    return pseudonymized(sources, TreatedSources(outcomes, linked, labelled(linked, labels, scope)))


def person(start: int, end: int, text: str, entity: EntityId | None = JAN, part: str = "") -> Replacement:
    return Replacement(part, Span(start, end), text, entity, PERSON)


pieces = st.lists(
    st.tuples(
        st.text("ab é\n", max_size=4), st.text("XY", min_size=1, max_size=5), st.text("PQ", max_size=6)
    ),
    max_size=8,
)


@given(pieces, st.randoms(use_true_random=False))
def test_new_places_cut_the_labels_out_of_the_new_text(
    replaced: list[tuple[str, str, str]], random: Random
) -> None:
    replaced = [(before, name, label or "P") for before, name, label in replaced]
    old = new = ""
    replacements = []
    for before, name, label in replaced:
        start = len(old) + len(before)
        replacements.append(person(start, start + len(name), label))
        old, new = old + before + name, new + before + label
    random.shuffle(replacements)
    (document,) = answer(treated(new.encode(), tuple(replacements)))
    assert document.text == new
    assert [one.span.cut(old) for one in document.mentions] == [name for _, name, _ in replaced]
    assert [one.new_span and one.new_span.cut(new) for one in document.mentions] == [
        label for _, _, label in replaced
    ]
    assert [one.label for one in document.mentions] == [label for _, _, label in replaced]


@pytest.mark.parametrize(
    "outcome",
    [
        treated(b'{"text": "P"}', (person(0, 3, "P", part="1"),), format_name="jsonl"),
        treated(b"P", (person(0, 3, "P"),), unplaced=1),
    ],
    ids=["another format", "text that the file does not hold"],
)
def test_where_all_is_not_one_plain_text_no_new_place_is_told(outcome: Treated) -> None:
    (document,) = answer(outcome)
    assert [(one.span, one.new_span) for one in document.mentions] == [(Span(0, 3), None)]


def test_a_document_tells_all_but_names() -> None:
    outcome = treated(b"P1-A, tel 06", (person(0, 10, "P1-A"),))
    assert answer(outcome).documents == (
        PseudonymizedDocument(
            "text 1", "out.txt", "txt", "P1-A, tel 06", b"P1-A, tel 06",
            (ReplacedSpan("", Span(0, 10), Span(0, 4), "P1-A", "PERSON", JAN),),
            {"phone": 2}, {"image": 1}, None, {"image (page 2)": 1},
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "text"),
    [("één".encode(), "één"), ("één".encode("cp1252"), "één"), (b"PK\x03\x04\0\xff\x81", None), (b"", "")],
)
def test_bytes_that_are_no_text_have_none(raw: bytes, text: str | None) -> None:
    (document,) = answer(treated(raw, format_name="docx"))
    assert (document.text, document.content) == (text, raw)


def test_a_failure_stands_in_the_place_of_its_source() -> None:
    failure = SourceFailure(DocumentId("d"), "DocumentError", "line 3 is no JSON")
    answered = answer(treated(b"a"), failure, treated(b"b"))
    assert [one.name for one in answered] == ["text 1", "text 2", "text 3"]
    assert [one.text for one in answered] == ["a", None, "b"]
    assert answered[1].failure == Failure("DocumentError", "line 3 is no JSON")
    assert (answered[1].content, answered[1].mentions) == (b"", ())


RESULT = linkage_result(
    {"d": "Jan Bos, Jan Bos, J. Bos, Els Kok"},
    [[("d", "Jan Bos"), ("d", "Jan Bos")], [("d", "J. Bos")], [("d", "Els Kok")]],
    open_links=[(0, 1, 0.6), (0, 2, 0.2), (1, 2, 0.3)],
)
LABELS = {"i0": "P1-0", "i1": "P1-1", "i2": "P1-2"}


def test_people_come_with_their_label_and_count() -> None:
    assert answer(result=RESULT, labels=LABELS).identities == (
        PseudonymizedPerson(EntityId("i0"), "P1-0", 2),
        PseudonymizedPerson(EntityId("i1"), "P1-1", 1),
        PseudonymizedPerson(EntityId("i2"), "P1-2", 1),
    )


def test_a_label_that_holds_for_a_document_is_no_label_of_the_person() -> None:
    people = answer(result=RESULT, labels=LABELS, scope=Scope.DOCUMENT).identities
    assert [(one.label, one.mentions) for one in people] == [(None, 2), (None, 1), (None, 1)]


def test_open_links_are_told_once_a_pair_of_people_with_the_highest_probability() -> None:
    assert answer(result=RESULT, labels=LABELS).open_links == (
        OpenLink(EntityId("i0"), EntityId("i1"), 0.6),
        OpenLink(EntityId("i0"), EntityId("i2"), 0.2),
        OpenLink(EntityId("i1"), EntityId("i2"), 0.3),
    )


def test_identities_that_the_vault_has_as_one_person_have_no_link_between_them() -> None:
    pseudonyms = {
        mention.mention_id: Pseudonym("P1-0", JAN if number < 3 else ELS, "p", Scope.PROJECT)
        for number, mention in enumerate(RESULT.mentions)
    }
    labelling = Labelling(Styled(StyleSettings(), RESULT, {Style.TOKEN: pseudonyms}, Scope.PROJECT), {})
    answered = pseudonymized([], TreatedSources((), RESULT, labelling))
    assert [(one.entity, one.mentions) for one in answered.identities] == [(JAN, 3), (ELS, 1)]
    assert answered.open_links == (OpenLink(ELS, JAN, 0.3),)
