"""What is found in a document does not depend on the documents beside it, in whatever order they come."""

from collections.abc import Sequence

from linkage.evaluation.gold import read_gold
from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.records import Mention
from linkage.settings import RecognitionSettings, data_directory


def _found(mentions: Sequence[Mention]) -> list[tuple[object, ...]]:
    return [(m.doc_id, m.span, m.detector, m.typo_of) for m in mentions]


def test_documents_detected_alone_and_together() -> None:
    gold = read_gold(data_directory() / "sample" / "gold.persons.jsonl")
    documents = [one.document for one in gold[::8]]
    detector = MentionDetector.load(RecognitionSettings(), Gazetteer.load())
    alone = [_found(detector.detect([document])[0]) for document in documents]
    assert [_found(found) for found in detector.detect(documents)] == alone
    assert [_found(found) for found in detector.detect(documents[::-1])] == alone[::-1]
