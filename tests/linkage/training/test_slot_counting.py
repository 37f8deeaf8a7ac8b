import time

from ner_training.stories import fold_of

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.pieces import CutText
from linkage.recognition.name_slots import NameSlots
from linkage.records import Document, DocumentId
from linkage.training.slot_counting import FoldedSlots, count_slots, slot_table, slots_as_text
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
    assert NameSlots(table, CutText.of(text)).score("L", name.start, name.end) > 1
    assert NameSlots(table, CutText.of(text)).score("L", river.start, river.end) < -0.5
    assert "LC gisteren" not in slot_table(count_slots(_golds()[:2]))  # rarer than three times


def test_the_table_is_written_with_a_head() -> None:
    assert slots_as_text({"LC zag": 1.5}) == "slot\tlog_odds\nLC zag\t1.5\n"


def test_a_table_without_a_fold_knows_nothing_of_its_stories() -> None:
    golds = [
        GoldDocument(Document(DocumentId(f"o2-zag-{n}"), gold.document.text), gold.mentions)
        for n, gold in enumerate(_golds())
    ]
    others = [
        GoldDocument(Document(DocumentId(f"a{n}"), text), (GoldMention(span_of(text, "Otto")),))
        for n, text in enumerate(["Toen belde Otto de Maas."] * 12)
    ]
    slots = FoldedSlots([*golds, *others], folds=4, fold_of=lambda doc_id: fold_of(doc_id, folds=4))
    assert slots.table() == slot_table(count_slots([*golds, *others]))
    own = fold_of("o2-zag-1", folds=4)
    assert "LC zag" in slots.table(without=[(own + 1) % 4])
    table = slots.table(without=[own])
    assert "LC zag" not in table
    assert table == slot_table(
        count_slots([g for g in [*golds, *others] if fold_of(g.document.doc_id, folds=4) != own])
    )
    assert slots.table(without=range(4)) == {}


def test_a_long_text_is_counted_in_little_time() -> None:
    text = "Kees belde. " * 60_000
    gold = GoldDocument(Document(DocumentId("a"), text), (GoldMention(span_of(text, "Kees")),))
    start = time.process_time()
    count_slots([gold])
    # 0.2 s; 13 s when each token copied all tokens before it.
    assert time.process_time() - start < 4
