from hypothesis import given
from hypothesis import strategies as st
from ner_training.misspelt_copies import misspelt_copy

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.records import Document, DocumentId
from tests.fakes import span_of

TEXT = "Dag Marleen, heeft Hoekstra met Marleen Hoekstra gebeld? Groet, Jo"


def _gold() -> GoldDocument:
    spans = [span_of(TEXT, "Marleen"), span_of(TEXT, "Hoekstra"), span_of(TEXT, "Marleen Hoekstra")]
    spans.append(span_of(TEXT, "Jo", 0))
    return GoldDocument(Document(DocumentId("a"), TEXT), tuple(GoldMention(span) for span in spans))


@given(st.integers(0, 500), st.floats(0, 1))
def test_only_names_change_and_spans_follow(seed: int, share: float) -> None:
    gold = _gold()
    copy = misspelt_copy(gold, seed=seed, share=share)
    text, other = gold.document.text, copy.document.text
    assert len(copy.mentions) == len(gold.mentions)
    read_to = other_read_to = 0
    for mention, changed in zip(gold.mentions, copy.mentions, strict=True):
        before = text[read_to : mention.span.start]
        assert other[other_read_to : changed.span.start] == before
        assert changed.typo == (changed.span.cut(other) != mention.span.cut(text))
        read_to, other_read_to = mention.span.end, changed.span.end
    assert other[other_read_to:] == text[read_to:]


def test_a_share_of_one_changes_every_name_of_four_letters() -> None:
    copy = misspelt_copy(_gold(), seed=1, share=1.0)
    assert [mention.typo for mention in copy.mentions] == [True, True, True, False]
    assert copy.document.doc_id == "a~1"
