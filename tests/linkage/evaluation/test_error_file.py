"""Errors with their texts: what they say, and that only their file says it."""

import json
import stat
from pathlib import Path

import pytest

from linkage.evaluation.error_file import (
    ErrorKind,
    PairErrorKind,
    kind_errors,
    linkage_errors,
    write_errors,
)
from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.evaluation.kind_comparison import FoundSpan, KindComparison, compare_kinds
from linkage.evaluation.schemes import ALL_KINDS, scheme_of
from linkage.kinds import Kinds
from linkage.records import Detector, Document, DocumentId, Mention, Span

TEXT = "Sjors Pol belt Tet. Morgen komt Kaat van Dam langs in Zwolle."
GOLD = GoldDocument(
    Document(DocumentId("d"), TEXT),
    (GoldMention(Span(0, 9)), GoldMention(Span(15, 18)), GoldMention(Span(32, 44))),
)


def compared(*spans: Span) -> KindComparison:
    found = {DocumentId("d"): [FoundSpan(span) for span in spans]}
    return compare_kinds([GOLD], found, scheme_of(Kinds.load(), ALL_KINDS)).documents[0]


def test_errors_name_kind_and_context_and_go_to_a_private_file(tmp_path: Path) -> None:
    errors = kind_errors(compared(Span(0, 5), Span(15, 18), Span(54, 60)))
    assert [(error.kind, error.surface) for error in errors] == [
        (ErrorKind.BOUNDS, "Sjors Pol"), (ErrorKind.MISSED, "Kaat van Dam"), (ErrorKind.FALSE, "Zwolle"),
    ]  # fmt: skip
    assert "Sjors" not in repr(errors)
    path = tmp_path / "errors.jsonl"
    path.write_text("what was there, for all to read")
    path.chmod(0o666)
    write_errors(path, errors)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows[1]["gold"] == {"start": 32, "end": 44}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "errors.jsonl"
    path.write_text("old")

    def errors() -> object:
        yield from kind_errors(compared())
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_errors(path, errors())  # type: ignore[arg-type]
    assert [p.name for p in tmp_path.iterdir()] == ["errors.jsonl"]
    assert path.read_text() == "old"


def test_wrong_pairs_are_told_once_a_pair_of_forms() -> None:
    text = "Tet Pol, Tet Pol, Tep Pol, Kaat Pol"
    document = Document(DocumentId("d"), text)
    spans = [Span(0, 7), Span(9, 16), Span(18, 25), Span(27, 35)]
    mentions = [Mention.at(document, span, detector=Detector.NER, confidence=1.0) for span in spans]
    ids = [mention.mention_id for mention in mentions]
    gold = dict(zip(ids, ("tet", "tet", "tet", "kaat"), strict=True))
    found = dict(zip(ids, ("1", "1", "2", "2"), strict=True))
    errors = linkage_errors(reversed(mentions), gold, found)
    assert [(e.kind, e.left_surface, e.right_surface) for e in errors] == [
        (PairErrorKind.SPLIT, "Tet Pol", "Tep Pol"), (PairErrorKind.MERGED, "Tep Pol", "Kaat Pol"),
    ]  # fmt: skip
    assert "Pol" not in repr(errors)
    assert linkage_errors(mentions, gold, gold) == ()
