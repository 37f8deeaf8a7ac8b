"""What a tokenizer is trained on."""

import random

from linkage.training.tokenizer_training import rule_chunks, treebank_chunks
from linkage.training.windows import TextWithSpans


def test_rules_say_where_tokens_and_sentences_end() -> None:
    (chunk,) = rule_chunks(TextWithSpans("d", "Mora ti bolan. Zutal mora, ti bolan Abelo Kastrun", []))
    text, labels = chunk
    assert [text[at] for at, label in enumerate(labels) if label == 2] == [".", "n"]
    assert sum(label > 0 for label in labels) == 11


def test_sentences_of_a_treebank_become_running_text() -> None:
    sentences = [("Mora ti.", [(0, 4), (5, 7), (7, 8)], ["", "", ""])] * 6
    chunks = treebank_chunks(sentences, random.Random(1))  # noqa: S311
    assert sum(labels.count(2) for _, labels in chunks) == len(sentences)
