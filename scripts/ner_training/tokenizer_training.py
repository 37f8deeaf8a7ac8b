"""Treebank files, and how well a tokenizer finds their tokens and sentences."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from linkage.recognition.ner_tokenizer import Tokenizer
from linkage.training.tokenizer_training import LabelledText, rule_chunks, train_tokenizer
from ner_training.corpus import RULES, TextWithSpans

__all__ = ["office_chunks", "read_conllu", "tokenizer_scores_on", "train_tokenizer"]


def office_chunks(documents: Sequence[TextWithSpans]) -> list[LabelledText]:
    """Chunks of Dutch office text with tokens by rule."""
    return [chunk for document in documents for chunk in rule_chunks(document, RULES)]


def read_conllu(path: Path) -> Iterator[tuple[str, list[tuple[int, int]], list[str]]]:
    """(text, tokens as (start, end), UPOS) of each sentence that has its text."""
    text, forms, tags = "", [], []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("# text = "):
            text = line[9:]
        elif line[:1].isdigit():
            columns = line.split("\t")
            if columns[0].isdigit():
                forms.append(columns[1])
                tags.append(columns[3])
        elif not line:
            if forms:
                spans, at = [], 0
                for form in forms:
                    at = text.find(form, at)
                    if at < 0:
                        break
                    spans.append((at, at + len(form)))
                    at += len(form)
                else:
                    yield text, spans, tags
            text, forms, tags = "", [], []


def tokenizer_scores_on(
    path: Path, gold: Sequence[tuple[str, list[tuple[int, int]], list[str]]], *, group: int = 10
) -> tuple[float, float]:
    """(token F1, sentence F1) on running text made of `group` gold sentences each."""
    tokenizer = Tokenizer.load(path)
    texts, tokens, sentences = [], [], []
    for first in range(0, len(gold), group):
        text, spans, ends = "", set(), set()
        for sentence, own, _ in gold[first : first + group]:
            text += " " if text else ""
            offset = len(text)
            spans |= {(s + offset, e + offset) for s, e in own}
            ends.add((own[0][0] + offset, own[-1][1] + offset))
            text += sentence
        texts.append(text)
        tokens.append(spans)
        sentences.append(ends)
    hits = found = sentence_hits = sentence_found = 0
    for result, spans, ends in zip(tokenizer.tokenize(texts), tokens, sentences, strict=True):
        mine = set(zip(result.token_starts.tolist(), result.token_ends.tolist(), strict=True))
        hits, found = hits + len(mine & spans), found + len(mine)
        begins = [0, *result.sentence_ends[:-1].tolist()]
        own_ends = {
            (int(result.token_starts[a]), int(result.token_ends[b - 1]))
            for a, b in zip(begins, result.sentence_ends.tolist(), strict=True)
        }
        sentence_hits, sentence_found = sentence_hits + len(own_ends & ends), sentence_found + len(own_ends)
    n, m = sum(map(len, tokens)), sum(map(len, sentences))
    return 2 * hits / (found + n), 2 * sentence_hits / (sentence_found + m)
