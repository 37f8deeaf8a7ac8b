"""What the way of writing decides, from all its rules together."""

from linkage.gazetteer import Gazetteer
from linkage.recognition.sure_spans import sure_spans
from linkage.recognition.words import Lexicon
from linkage.records import Detector, Document, DocumentId, Mention
from tests.fakes import span_of

KNOWN = Gazetteer.load()
LEXICON = Lexicon(KNOWN)


def _texts(text: str, sure: str = "") -> tuple[list[str], list[str]]:
    document = Document(DocumentId("d"), text)
    found = [Mention.at(document, span_of(text, sure), detector=Detector.NER, confidence=0.9)] if sure else []
    spans = sure_spans(LEXICON.scan(text), found, KNOWN)
    names, others = spans
    return [text[s.start : s.end] for s in names], [text[s.start : s.end] for s in others]


def test_each_rule_adds_its_spans() -> None:
    text = "De motie-Hoekzema, de Zijlstra's, I Ketut Rai en F, E, N, N, A met de F van Ferdinand. ERROR"
    names, others = _texts(text)
    assert sorted(names) == ["F, E, N, N, A", "Hoekzema", "I Ketut Rai", "Zijlstra"]
    assert others == ["F van Ferdinand", "ERROR"]


def test_what_a_detector_is_sure_of_is_known_elsewhere() -> None:
    text = "Piet Qorling belde. De Qorlings zijn weg, met de Qorling-folder."
    assert _texts(text)[0] == []
    assert sorted(_texts(text, sure="Piet Qorling")[0]) == ["Qorling", "Qorlings"]
    assert _texts(text, sure="Qorling")[0] == []  # one word alone may be a shop's
