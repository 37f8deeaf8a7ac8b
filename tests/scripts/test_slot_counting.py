from pathlib import Path

from ner_training.slot_counting import count_slots, slot_table, write_slots

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.recognition.name_slots import slot_score
from linkage.records import Document, DocumentId
from tests.fakes import span_of


def _golds() -> list[GoldDocument]:
    texts = [("Gisteren zag Kees de Dom.", "Kees"), ("Toen zag Anneke Utrecht.", "Anneke")] * 4
    return [
        GoldDocument(Document(DocumentId(str(n)), text), (GoldMention(span_of(text, name)),))
        for n, (text, name) in enumerate(texts)
    ]


def test_what_stands_before_names_counts_for_them() -> None:
    counts = count_slots(_golds())
    assert counts["LC zag"] == [0, 8]
    assert counts["LC de"] == [4, 0]
    table = slot_table(counts)
    text = "Later zag Hidde de Maas"
    name, river = span_of(text, "Hidde"), span_of(text, "Maas")
    assert slot_score(table, "L", text, name.start, name.end) > 1
    assert slot_score(table, "L", text, river.start, river.end) < -0.5
    assert "LC gisteren" not in slot_table(count_slots(_golds()[:2]))  # rarer than three times


def test_the_table_is_written_with_a_head(tmp_path: Path) -> None:
    write_slots({"LC zag": 1.5}, tmp_path / "a" / "slots.tsv")
    assert (tmp_path / "a" / "slots.tsv").read_text(encoding="utf-8") == "slot\tlog_odds\nLC zag\t1.5\n"
