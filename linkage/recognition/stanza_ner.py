"""Persons and other names by Stanza's NER network, batched over documents, with a probability for each
span."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from linkage.errors import ModelDamagedError
from linkage.network_kinds import PERSON_LABELS, WORD_KINDS, kind_of_label
from linkage.recognition.ner_decoding import TokenSpan, decode
from linkage.recognition.ner_layout import BLANK_LINE, Layout, lay_out, window_bounds
from linkage.recognition.ner_model import NerModel, find_model, load_tagger, silent_stanza
from linkage.recognition.ner_network import WordVectors, emissions
from linkage.recognition.ner_tokenizer import TokenizedText, Tokenizer
from linkage.recognition.windows import windows
from linkage.records import PERSON, Document, RecognizedSpan, RecognizedText, Span
from linkage.settings import RecognitionSettings

if TYPE_CHECKING:
    import torch

_PART_CHARACTERS = 400_000  # a longer document is read in parts; also what one batch of documents holds
_BATCH_TOKENS = 6_000
_FILL = 8


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a document: its text, and where it begins."""

    document: int
    offset: int
    text: str = field(repr=False)


@dataclass(slots=True)
class _Found:
    """What was found in the parts of a document so far, by places in the document."""

    sentences: list[Span] = field(default_factory=list)
    tokens: list[Span] = field(default_factory=list)
    persons: list[RecognizedSpan] = field(default_factory=list)
    names: list[RecognizedSpan] = field(default_factory=list)
    identifiers: list[RecognizedSpan] = field(default_factory=list)


class StanzaRecognizer:
    """A Stanza NER model with its tokenizer, loaded once, used for many documents at a time."""

    def __init__(
        self,
        tagger: Any,
        tokenizer: Tokenizer,
        model: NerModel,
        *,
        weak_person_confidence: float,
        recall_bias: float,
        with_tokens: bool = True,
    ) -> None:
        self._network = tagger.model
        self._vocab = tagger.vocab
        self._tokenizer = tokenizer
        self._model = model
        self._weak_person_confidence = weak_person_confidence
        self._with_tokens = with_tokens
        self._person_bias = model.person_bias + recall_bias
        self._tags: list[str] = list(tagger.vocab["tag"]._id2unit[0])
        own_layers = not tagger.args.get("charlm") and not tagger.args.get("bert_model")
        self._words = WordVectors(tagger.model, tagger.vocab, always=(BLANK_LINE,)) if own_layers else None
        self._tagger = tagger
        self._person_rows = [i for i, tag in enumerate(self._tags) if tag[2:] in PERSON_LABELS]

    @classmethod
    def load(
        cls,
        settings: RecognitionSettings,
        *,
        weak_person_confidence: float = 0.1,
        recall_bias: float = 0.0,
        with_tokens: bool = True,
    ) -> Self:
        """Load the model that the settings name, offline.

        weak_person_confidence in [0, 1]: persons below it are left out. recall_bias in nats: added to the
        network's
        score of every person tag, so that more (positive) or fewer (negative) persons are found. with_tokens:
        whether the results hold the tokens; detection asks for none.

        Raises:
            ModelNotFoundError: if a file is missing.
            ModelDamagedError: if a file cannot be read as what it should be.
        """
        model = find_model(settings)
        with silent_stanza():
            tagger = load_tagger(model)
            try:
                tokenizer = Tokenizer.load(model.tokenizer)
            except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
                raise ModelDamagedError(f"tokenizer model cannot be read: {type(error).__name__}") from None
        return cls(
            tagger,
            tokenizer,
            model,
            weak_person_confidence=weak_person_confidence,
            recall_bias=recall_bias,
            with_tokens=with_tokens,
        )

    def recognize(self, documents: Sequence[Document]) -> tuple[RecognizedText, ...]:
        """Sentences, tokens and names of each document, in input order. Time is linear in the length of
        the texts."""
        results = [_Found() for _ in documents]
        batch: list[_Part] = []
        held = 0
        for part in _parts(documents):
            batch.append(part)
            held += len(part.text)
            if held >= _PART_CHARACTERS:
                self._recognize_parts(batch, results)
                batch, held = [], 0
        if batch:
            self._recognize_parts(batch, results)
        return tuple(
            RecognizedText(
                document.doc_id,
                tuple(found.sentences),
                tuple(found.tokens),
                tuple(found.persons),
                tuple(found.names),
                tuple(found.identifiers),
            )
            for document, found in zip(documents, results, strict=True)
        )

    def _recognize_parts(self, parts: Sequence[_Part], results: Sequence[_Found]) -> None:
        tokenized = self._tokenizer.tokenize([part.text for part in parts])
        layouts: list[Layout] = []
        windows: list[list[str]] = []
        owners: list[tuple[int, int]] = []
        for number, (part, tokens) in enumerate(zip(parts, tokenized, strict=True)):
            layout = lay_out(part.text, tokens, line_break_tokens=self._model.line_break_tokens)
            layouts.append(layout)
            for start, end in window_bounds(layout, longest=self._model.window_tokens):
                windows.append(layout.words[start:end])
                owners.append((number, start))
        spans_of: list[list[TokenSpan]] = [[] for _ in parts]
        for (number, start), spans in zip(owners, self._tag(windows), strict=True):
            spans_of[number] += [
                TokenSpan(s.start + start, s.end + start, s.label, s.probability) for s in spans
            ]
        # Only places are kept of a part: a long document has many parts.
        for part, tokens, layout, spans in zip(parts, tokenized, layouts, spans_of, strict=True):
            self._take_part(part, tokens, layout, spans, results[part.document])

    def _tag(self, windows: Sequence[Sequence[str]]) -> list[list[TokenSpan]]:
        """Spans of each window of words."""
        import torch

        found: list[list[TokenSpan]] = [[] for _ in windows]
        order = sorted((i for i in range(len(windows)) if windows[i]), key=lambda i: -len(windows[i]))
        with torch.inference_mode():
            if self._words is not None:
                self._words.take(word for window in windows for word in window)
            transitions = self._network.crits[0]._transitions
            at = 0
            while at < len(order):
                longest = self._filled_length(len(windows[order[at]]))
                part = order[at : at + max(1, _BATCH_TOKENS // longest)]
                if self._model.line_break_tokens:
                    part = [i for i in part if self._filled_length(len(windows[i])) == longest]
                at += len(part)
                lengths = torch.tensor([len(windows[i]) for i in part])
                if self._words is not None:
                    scores = self._scores(self._words, [windows[i] for i in part])
                else:
                    scores = self._stanza_scores([windows[i] for i in part])
                if self._person_bias:
                    scores[:, :, self._person_rows] += self._person_bias
                spans = decode(
                    scores, transitions, lengths, self._tags, weak_bias=self._model.weak_bias,
                    strict=self._model.strict_tags,
                )  # fmt: skip
                for i, own in zip(part, spans, strict=True):
                    found[i] = own
        return found

    def _scores(self, known: WordVectors, windows: Sequence[Sequence[str]]) -> "torch.Tensor":
        import torch

        rows = known.rows
        longest = self._filled_length(len(windows[0]))
        index = np.full((len(windows), longest), rows[BLANK_LINE], dtype=np.int64)
        for row, window in enumerate(windows):
            index[row, : len(window)] = [rows[word] for word in window]
        if self._model.line_break_tokens:
            lengths = torch.full((len(windows),), longest)
        else:
            lengths = torch.tensor([len(window) for window in windows])
        inputs = known.vectors[torch.from_numpy(index)]
        return emissions(self._network, inputs, lengths)[:, : len(windows[0])]

    def _filled_length(self, length: int) -> int:
        """How many words a window is filled up to with blank lines: never dependent on its company.

        Windows of one length make a batch that the LSTM runs faster than a packed one, as in training.
        """
        return -(-length // _FILL) * _FILL if self._model.line_break_tokens else length

    def _stanza_scores(self, windows: Sequence[Sequence[str]]) -> "torch.Tensor":
        """Stanza's own pass, for models with a character language model or a transformer."""
        from stanza.models.common.doc import Document as StanzaDocument
        from stanza.models.ner.data import DataLoader
        from stanza.models.ner.trainer import unpack_batch

        sentences = [[{"id": i + 1, "text": word} for i, word in enumerate(window)] for window in windows]
        loader = DataLoader(
            StanzaDocument(sentences),
            len(windows),
            self._tagger.args,
            vocab=self._vocab,
            evaluation=True,
            preprocess_tags=False,
        )
        inputs, order, *rest = unpack_batch(loader[0], "cpu")
        words, letters, mask, characters, tags = inputs
        word_order, character_order, lengths, word_lengths, character_lengths, offsets = rest
        own = (words, letters, mask, tags, word_order, lengths, word_lengths)
        _, scores, _ = self._network(*own, characters, offsets, character_lengths, character_order)
        place = sorted(range(len(order)), key=lambda i: order[i])
        result: torch.Tensor = scores[0][place]
        return result

    def _take_part(
        self, part: _Part, tokens: TokenizedText, layout: Layout, spans: Sequence[TokenSpan], found: _Found
    ) -> None:
        """Add a part's sentences, tokens and names to what its document has."""
        starts, ends = tokens.token_starts.tolist(), tokens.token_ends.tolist()
        offset = part.offset
        if self._with_tokens:
            found.tokens += [
                Span(start + offset, end + offset) for start, end in zip(starts, ends, strict=True)
            ]
        first = 0
        for end in tokens.sentence_ends.tolist():
            found.sentences.append(Span(starts[first] + offset, ends[end - 1] + offset))
            first = end
        for span in spans:
            real = [token for token in layout.tokens[span.start : span.end] if token >= 0]
            if not real:
                continue
            is_name = span.label not in WORD_KINDS
            trim = trim_name if is_name else trim_words
            place = trim(part.text, starts[real[0]], ends[real[-1]])
            if place is None:
                continue
            confidence = self._calibrated(span.probability)
            kind = kind_of_label(span.label)
            recognized = RecognizedSpan(Span(place.start + offset, place.end + offset), confidence, kind)
            if kind == PERSON:
                if confidence >= self._weak_person_confidence:
                    found.persons.append(recognized)
                continue
            if is_name:
                found.names.append(recognized)
            if kind is not None:
                found.identifiers.append(recognized)

    def _calibrated(self, probability: float) -> float:
        bounded = min(max(probability, 1e-6), 1 - 1e-6)
        logit = math.log(bounded / (1 - bounded))
        return 1 / (1 + math.exp(-(self._model.calibration_slope * logit + self._model.calibration_offset)))


_TAILS = ("'s", "’s", "'S", "’S", "'", "’", "`s", "´s")
_EDGES = ' \t\r\n\v\f\u00a0\u2028\u2029"“”„«»()[]{}<>|*_,;:!?=…/\\'


def trim_name(text: str, start: int, end: int) -> Span | None:
    """The span without a possessive s and without marks at its ends; None if no letter is left."""
    for tail in _TAILS:
        if text.endswith(tail, start, end) and end - start > len(tail):
            end -= len(tail)
            break
    span = _within(text, start, end)
    return span if span is not None and any(map(str.isalpha, span.cut(text))) else None


def trim_words(text: str, start: int, end: int) -> Span | None:
    """The span without marks at its ends; None if no letter and no figure is left."""
    span = _within(text, start, end)
    return span if span is not None and any(map(str.isalnum, span.cut(text))) else None


def _within(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start] in _EDGES:
        start += 1
    while start < end and text[end - 1] in _EDGES:
        opened = text.count("(", start, end - 1)
        if text[end - 1] == ")" and opened > text.count(")", start, end - 1):
            break  # "Wilhelmina (Mien)" keeps both its brackets
        end -= 1
    return Span(start, end) if start < end else None


def _parts(documents: Sequence[Document]) -> Iterator[_Part]:
    """The documents, each in parts of at most so many characters."""
    for number, document in enumerate(documents):
        for start, part in windows(document, _PART_CHARACTERS):
            yield _Part(number, start, part.text)
