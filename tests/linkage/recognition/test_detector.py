"""Detection as a whole, with fakes for the network, the lists and the decision."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.recognition import windows
from linkage.recognition.detector import MentionDetector
from linkage.recognition.typos import TypoFinder
from linkage.records import Detector, Document, DocumentId, Mention, RecognizedSpan, RecognizedText
from linkage.settings import RecognitionSettings
from linkage.texts import KindId
from tests.fakes import FakeNames, FakeRecognizer, FakeScorer, fake_lexicon, span_of


def _detector(
    persons: dict[str, float], names: FakeNames | None = None, settings: RecognitionSettings | None = None
) -> MentionDetector:
    lexicon = fake_lexicon()
    return MentionDetector(
        FakeRecognizer(persons), names or FakeNames(), lexicon, TypoFinder(lexicon), FakeScorer(),
        settings or RecognitionSettings(),
    )  # fmt: skip


def _detect(text: str, detector: MentionDetector) -> list[Mention]:
    return list(detector.detect([Document(DocumentId("d"), text)])[0])


def test_one_find_brings_all_the_others() -> None:
    text = "Sanne Hoekstra belde. Later zei Hoekstra iets; HOEKSTRA en Heokstra ook."
    found = _detect(text, _detector({"Sanne Hoekstra": 0.9}))
    assert [(m.surface, m.detector, m.typo_of) for m in found] == [
        ("Sanne Hoekstra", Detector.NER, None),
        ("Hoekstra", Detector.CONSISTENCY, None),
        ("HOEKSTRA", Detector.CONSISTENCY, None),
        ("Heokstra", Detector.TYPO, "Hoekstra"),
    ]


def test_a_doubtful_word_near_a_sure_name_is_its_misspelt_form() -> None:
    text = "Morgen belde Hoekstra. Daarna zei Heokstra niets."
    found = _detect(text, _detector({"Hoekstra": 0.9, "Heokstra": 0.3}))
    assert [(m.surface, m.typo_of) for m in found] == [("Hoekstra", None), ("Heokstra", "Hoekstra")]


def test_typing_errors_can_be_left_out() -> None:
    text = "Sanne Hoekstra belde. Later zei Heokstra iets."
    found = _detect(
        text, _detector({"Sanne Hoekstra": 0.9}, settings=RecognitionSettings(find_typing_errors=False))
    )
    assert [m.surface for m in found] == ["Sanne Hoekstra"]


def test_spans_count_in_the_text_as_read() -> None:
    text = "Met San\u00adne Hoek\u200bstra\r\n> en Kees\r\n> Mulder gebeld."
    found = _detect(text, _detector({"Sanne Hoekstra": 0.9, "Kees\nMulder": 0.9}))
    assert [m.surface for m in found] == ["San\u00adne Hoek\u200bstra", "Kees\r\n> Mulder"]
    assert all(m.span.cut(text) == m.surface for m in found)


def test_the_registry_is_decisive_and_names_the_person() -> None:
    found = _detect("Met Kees Mulder.", _detector({"Kees": 0.9}, FakeNames(registered={"Kees Mulder": "p7"})))
    assert [(m.surface, m.detector, m.person_id) for m in found] == [("Kees Mulder", Detector.REGISTRY, "p7")]


def test_denied_phrases_are_left_alone() -> None:
    found = _detect(
        "Het Kees Mulder Fonds.",
        _detector({"Kees Mulder": 0.9}, FakeNames(denied_surfaces=("Kees Mulder Fonds",))),
    )
    assert found == []


def test_a_name_of_one_document_changes_no_other_whatever_the_settings() -> None:
    documents = [
        Document(DocumentId("a"), "Sanne Hoekstra belde."),
        Document(DocumentId("b"), "Later zei Hoekstra ja."),
    ]
    for settings in (None, RecognitionSettings(corpus_consistency=True)):  # the key has no effect any more
        found = _detector({"Sanne Hoekstra": 0.9}, settings=settings).detect(documents)
        assert [[m.surface for m in mentions] for mentions in found] == [["Sanne Hoekstra"], []]


def test_documents_without_text_or_names_give_nothing() -> None:
    documents = [
        Document(DocumentId(str(number)), text) for number, text in enumerate(("", "  \n", "12 %", "\u200b"))
    ]
    assert _detector({"Sanne": 0.9}).detect(documents) == ((), (), (), ())
    assert _detector({}).detect([]) == ()


def test_nothing_of_the_text_shows_in_a_repr() -> None:
    detector = _detector({"Sanne Hoekstra": 0.9})
    state = detector.prepare([Document(DocumentId("d"), "Met Sanne Hoekstra en Heokstra.")])[0]
    assert "oekstra" not in repr(state) + repr(detector)


@given(st.lists(st.text(alphabet="SaneHoks. \n-’'v,J\u00ad", max_size=40), max_size=3))
def test_mentions_are_sorted_cut_out_and_never_overlap(texts: list[str]) -> None:
    documents = [Document(DocumentId(str(number)), text) for number, text in enumerate(texts)]
    results = _detector({"Sane": 0.9, "Hoks": 0.8}).detect(documents)
    assert len(results) == len(documents)
    for document, mentions in zip(documents, results, strict=True):
        end = 0
        for mention in mentions:
            assert mention.doc_id == document.doc_id
            assert mention.span.start >= end
            assert mention.span.cut(document.text) == mention.surface
            end = mention.span.end


def test_a_large_document_is_searched_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "MOST_LETTERS", 60)
    monkeypatch.setattr("linkage.recognition.detector.MOST_LETTERS", 60)
    monkeypatch.setattr(windows.windows, "__defaults__", (60,))
    text = "Sanne Hoekstra belde.\n" + "Er gebeurde niets. " * 4 + "\nLater kwam Sanne Hoekstra weer.\n"
    told: list[int] = []
    documents = [Document(DocumentId("d"), text), Document(DocumentId("e"), "Niemand.")]
    found = _detector({"Sanne Hoekstra": 0.97}).detect(documents, searched=told.append)
    assert [m.span.start for m in found[0]] == [0, text.rindex("Sanne")]
    assert all(m.span.cut(text) == m.surface == "Sanne Hoekstra" for m in found[0])
    assert (found[1], told) == ((), [1, 1])


class _KindsRecognizer(FakeRecognizer):
    """A network that tells two surfaces to be of other kinds than a person."""

    def recognize(self, documents: Sequence[Document]) -> tuple[RecognizedText, ...]:
        return tuple(
            replace(
                found,
                identifiers=tuple(
                    RecognizedSpan(span_of(document.text, surface), 0.9, KindId(kind))
                    for surface, kind in (("Hoekstra", "ORGANIZATION"), (_RUN, "CASE_NUMBER"))
                ),
            )
            for document, found in zip(documents, super().recognize(documents), strict=True)
        )


_RUN = "qFQoSSzxcebuIdhqNs7QQHCKFsVv3vCFtwbvv6h19brCX1viiTZ"


def test_machine_text_holds_nothing_and_what_is_no_person_may_be_a_firm() -> None:
    lexicon = fake_lexicon()
    names = FakeNames(denied_surfaces=("Hoekstra",))
    detector = MentionDetector(
        _KindsRecognizer({}), names, lexicon, TypoFinder(lexicon), FakeScorer(), RecognitionSettings()
    )
    text = f"Firma Hoekstra, zie {_RUN} aldaar."
    (found,) = detector.detect_kinds([Document(DocumentId("d"), text)])
    assert [m.surface for m in found] == ["Hoekstra"]
