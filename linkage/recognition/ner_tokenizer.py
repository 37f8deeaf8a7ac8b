"""Tokens and sentences from Stanza's tokenizer network, batched over all documents.

The network reads characters in both directions and says of each whether a token, or a sentence, ends there
(Qi et
al. 2020, arXiv:2003.07082). Around it stand rules that need no learning: a token holds no white space,
marks such as
brackets stand alone, and a blank line ends a sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkage.recognition.ner_network import filled

if TYPE_CHECKING:
    import numpy.typing as npt
    import torch

LONGEST_CHUNK = 240  # characters the network reads at once; more context changes no decision
_BATCH_CHARACTERS = 60_000
# Padding that the network reads behind every chunk, as in training: as much as makes its length a multiple.
# With what a batch happens to need, the end of a chunk would depend on its company. From 8 on more of it
# changes nothing; chunks of one length make a batch that the LSTM runs faster than a packed one.
_LEAST_PADDING = 8
_FILL = 16
# Unseen inside words that are broken or disguised; the network and the NER never see them.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"
_ALWAYS_ALONE = '()[]{}<>|="“”„«»;–—•…'
_LINE_BREAK = re.compile(r"\r\n|[\n\r\u2028\u2029\x0b\x0c\x85]")
_QUOTE_MARKS = re.compile(r"[ \t]*(?:>[ \t]*)+")
_FULL_LINE = 45  # a shorter line was not broken by the right margin, so its end is an end


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """Tokens and sentences of one text.

    token_starts and token_ends are code points of the text, int64, shape (n_tokens,); sentence_ends are token
    numbers, int64, shape (n_sentences,): sentence i holds tokens [sentence_ends[i - 1], sentence_ends[i]).
    line_breaks[i] counts the line breaks between token i - 1 and token i (int64, shape (n_tokens,)).
    """

    token_starts: "npt.NDArray[np.int64]"
    token_ends: "npt.NDArray[np.int64]"
    sentence_ends: "npt.NDArray[np.int64]"
    line_breaks: "npt.NDArray[np.int64]"


def code_points(text: str) -> "npt.NDArray[np.uint32]":
    """The code points of a text; lone surrogates are kept."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


class CharacterTable:
    """What the network wants to know of each character, looked up by code point."""

    def __init__(self, unit_ids: dict[str, int], unknown: int) -> None:
        self._ids = np.full(0x110000, unknown, dtype=np.int16)
        for unit, number in unit_ids.items():
            if len(unit) == 1:
                self._ids[ord(unit)] = number
        known = np.arange(0x3000)
        self._flags = np.zeros((0x110000,), dtype=np.uint8)
        for point in known.tolist():
            character = chr(point)
            self._flags[point] = (
                (1 if character.isspace() or 0x80 <= point <= 0x9F else 0)
                | (2 if character.isupper() else 0)
                | (4 if character.isdigit() else 0)
                | (8 if character.isalnum() else 0)
            )
        self._flags[0x3000] = 1
        self._flags[0x3001:] = 8
        for character in _INVISIBLE:
            self._flags[ord(character)] = 16
        for character in _ALWAYS_ALONE:
            self._flags[ord(character)] |= 32
        space = self._flags & 1 == 1
        self._ids[space] = unit_ids.get(" ", unknown)

    def ids(self, points: "npt.NDArray[np.uint32]") -> "npt.NDArray[np.int16]":
        return self._ids[points]

    def flags(self, points: "npt.NDArray[np.uint32]") -> "npt.NDArray[np.uint8]":
        return self._flags[points]


SPACE, UPPER, DIGIT, WORD, INVISIBLE, ALONE = 1, 2, 4, 8, 16, 32


def chunk_bounds(text: str, *, longest: int = LONGEST_CHUNK) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is a hard end) of parts the network reads one by one; they cover all that is not white
    space.

    A blank line, the end of a short line and a line that ends a sentence are hard ends: a sentence ends
    there.
    """
    pieces: list[tuple[int, int]] = []
    start = 0
    breaks = list(_LINE_BREAK.finditer(text))
    for match in breaks:
        pieces.append((start, match.start()))
        start = match.end()
    pieces.append((start, len(text)))
    begin: int | None = None
    end = 0
    for line_start, line_end in pieces:
        stripped = text[line_start:line_end].strip() if line_end - line_start < 2 * longest else "x"
        content = stripped.strip("> \t")
        if begin is None:
            if not content:
                continue
            begin = line_start
        elif not content:
            yield from _cut(text, begin, end, longest)
            begin = None
            continue
        end = line_end
        if line_end - line_start < _FULL_LINE or content[-1] in ".!?:":
            yield from _cut(text, begin, end, longest)
            begin = None
    if begin is not None:
        yield from _cut(text, begin, end, longest)


def _cut(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int, bool]]:
    while end - start > longest:
        part = text[start : start + longest]
        at = max(part.rfind(". "), part.rfind("? "), part.rfind("! "))
        if at >= longest // 3:
            at += 1
        else:
            at = max(part.rfind(" "), part.rfind("\n"), part.rfind("\t"))
        if at <= 0:
            at = longest
        yield start, start + at, False
        start += at
    if start < end:
        yield start, end, True


class Tokenizer:
    """Stanza's tokenizer network, loaded once."""

    def __init__(self, model: Any, unit_ids: dict[str, int]) -> None:
        self._model = model
        self.table = CharacterTable(unit_ids, unit_ids["<UNK>"])

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """Read a model that Stanza's tokenizer trainer (or scripts/train_ner) wrote."""
        from linkage.recognition.ner_loading import UnusualModelError, load_plain_tokenizer

        try:
            return cls(*load_plain_tokenizer(path))
        except UnusualModelError:
            return cls._load_with_stanza(path)

    @classmethod
    def _load_with_stanza(cls, path: Path) -> "Tokenizer":
        from stanza.models.tokenization.trainer import Trainer

        trainer = Trainer(model_file=str(path), device="cpu")
        if trainer.args.get("use_dictionary") or trainer.model.charmodel is not None:
            raise ValueError("tokenizers with a dictionary or a character model are not supported")
        trainer.model.eval()
        return cls(trainer.model, trainer.vocab._unit2id)

    def tokenize(self, texts: Sequence[str]) -> list[TokenizedText]:
        """Tokens and sentences of each text, in input order."""
        points = [code_points(text) for text in texts]
        chunks: list[tuple[int, npt.NDArray[np.int64], bool]] = []
        for number, text in enumerate(texts):
            flags = self.table.flags(points[number])
            for start, end, is_hard in chunk_bounds(text):
                places = _visible(flags, start, end)
                if len(places):
                    chunks.append((number, places, is_hard))
        labels = self._labels([(points[n], places) for n, places, _ in chunks])
        ends: list[list[npt.NDArray[np.int64]]] = [[] for _ in texts]
        lasts: list[list[npt.NDArray[np.int64]]] = [[] for _ in texts]
        for (number, places, is_hard), label in zip(chunks, labels, strict=True):
            if is_hard:
                label[-1] = 2
            ends[number].append(places[label > 0])
            lasts[number].append(places[label == 2])
        return self._assembled(texts, points, ends, lasts)

    def _labels(
        self, chunks: "Sequence[tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]]"
    ) -> "list[npt.NDArray[np.int64]]":
        import torch

        order = sorted(range(len(chunks)), key=lambda i: -len(chunks[i][1]))
        result: list[npt.NDArray[np.int64]] = [np.empty(0, dtype=np.int64)] * len(chunks)
        at = 0
        while at < len(order):
            longest = _padded(len(chunks[order[at]][1]))
            most = at + max(1, _BATCH_CHARACTERS // longest)
            part = [i for i in order[at:most] if _padded(len(chunks[i][1])) == longest]
            at += len(part)
            units = np.zeros((len(part), longest), dtype=np.int64)
            features = np.zeros((len(part), longest, 5), dtype=np.float32)
            for row, i in enumerate(part):
                points, places = chunks[i]
                here = points[places]
                flags = self.table.flags(here)
                n = len(places)
                units[row, :n] = self.table.ids(here)
                features[row, :n, 0] = flags & SPACE
                features[row, :n, 1] = (flags & UPPER) > 0
                features[row, :n, 2] = (flags & DIGIT) > 0
                features[row, n - 1, 3] = 1
                features[row, 0, 4] = 1
            with torch.no_grad():
                scores = tokenizer_scores(self._model, torch.from_numpy(units), torch.from_numpy(features))
            best = scores.argmax(dim=2).numpy()
            for row, i in enumerate(part):
                result[i] = best[row, : len(chunks[i][1])].copy()
        return result

    def _assembled(
        self,
        texts: Sequence[str],
        points: "Sequence[npt.NDArray[np.uint32]]",
        ends: "Sequence[Sequence[npt.NDArray[np.int64]]]",
        lasts: "Sequence[Sequence[npt.NDArray[np.int64]]]",
    ) -> list[TokenizedText]:
        """Boundaries of the network and of the rules become tokens: of all texts in one row, then apart.

        ends and lasts: by text the places of characters that end a token, and a sentence.
        """
        offsets = np.cumsum([0, *map(len, points)])
        every = np.concatenate([np.empty(0, dtype=np.uint32), *points])
        n = len(every)
        flags = self.table.flags(every)
        white = (flags & SPACE) > 0
        fixed = white | ((flags & ALONE) > 0)
        boundary = np.zeros(n + 1, dtype=bool)  # a token may not run over a boundary
        boundary[_moved(ends, offsets) + 1] = True
        boundary[:-1] |= fixed
        boundary[1:] |= fixed
        boundary[offsets] = True
        for text, first, last in zip(texts, offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            of_text = boundary[first : last + 1]
            _set_marks_apart(text, of_text)
            _keep_addresses_whole(text, of_text)
        cuts = np.flatnonzero(boundary)
        starts, stops = cuts[:-1], cuts[1:]
        # A piece of nothing but white space or invisible characters is no token.
        visible = np.concatenate([[0], np.cumsum((flags & (SPACE | INVISIBLE)) == 0)])
        kept = visible[stops] > visible[starts]
        starts, stops = starts[kept], stops[kept]
        first_tokens = np.searchsorted(starts, offsets)  # of each text, and the number of all
        sentence_ends = self._sentence_ends(starts, first_tokens, lasts, offsets)
        following = np.append(every[1:], 0)
        following[offsets[1:][offsets[1:] > 0] - 1] = 0
        newline = (every == 10) | ((every == 13) & (following != 10))
        newline |= (every == 0x2028) | (every == 0x2029) | (every == 11) | (every == 12) | (every == 0x85)
        passed = np.concatenate([[0], np.cumsum(newline)])
        before = np.concatenate([[0], stops[:-1]])
        owners = np.searchsorted(offsets, starts, side="right") - 1
        begins = offsets[owners]
        line_breaks = passed[starts] - passed[np.maximum(before, begins)]
        starts, stops = starts - begins, stops - begins
        edges = first_tokens.tolist()
        return [
            TokenizedText(starts[a:b], stops[a:b], sentence_ends[number], line_breaks[a:b])
            for number, (a, b) in enumerate(pairwise(edges))
        ]

    @staticmethod
    def _sentence_ends(
        starts: "npt.NDArray[np.int64]",
        first_tokens: "npt.NDArray[np.int64]",
        lasts: "Sequence[Sequence[npt.NDArray[np.int64]]]",
        offsets: "npt.NDArray[np.int64]",
    ) -> "list[npt.NDArray[np.int64]]":
        """By text the numbers, in it, of the tokens that begin the next sentence; its last ends with it."""
        owners = np.repeat(np.arange(len(lasts)), [sum(map(len, parts)) for parts in lasts])
        tokens = np.searchsorted(starts, _moved(lasts, offsets), side="right") - first_tokens[owners]
        owners, tokens = owners[tokens > 0], tokens[tokens > 0]
        sizes = np.diff(first_tokens)
        filled = np.flatnonzero(sizes)
        owners, tokens = np.append(owners, filled), np.append(tokens, sizes[filled])
        places = np.unique(owners * (len(starts) + 1) + tokens)  # by text, then by token, each once
        owners, tokens = np.divmod(places, len(starts) + 1)
        return np.split(tokens, np.searchsorted(owners, np.arange(1, len(lasts))))


# The treebanks have few single quotes, so the network leaves them on their words; a clitic ('t, 's) keeps
# its own.
_APART = re.compile(
    r"(?<![\w‘’'])[‘’'\u201a`´](?=\w)(?!.(?:[tsnmkrd]|ns|er|ie|em|st)\b)"  # opens a quotation
    r"|(?<=\w)[‘`](?!\w)|(?<=[\w.,!?…])(?<![sxz])['’´](?!\w)"  # closes one; "Hans'" is a possessive
    r"|(?<=[^\W\d_])[,:/](?=\w)|(?<=\w)/(?=[^\W\d_])|(?<=\w)/(?!\w)",  # "Vries,Jan", "Van:Jan", "Jan/Piet"
    re.IGNORECASE,
)


def _set_marks_apart(text: str, boundary: "npt.NDArray[np.bool_]") -> None:
    for match in _APART.finditer(text):
        boundary[match.start()] = boundary[match.end()] = True


# The bound keeps the time linear: a line of a million letters is searched from each of them.
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"]+|[\w.+-]{1,128}@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)


def _keep_addresses_whole(text: str, boundary: "npt.NDArray[np.bool_]") -> None:
    if "@" not in text and "://" not in text and "www." not in text:
        return
    for match in _ADDRESS.finditer(text):
        start, end = match.span()
        end = start + len(match.group().rstrip(".,;:!?)'"))
        boundary[start + 1 : end] = False
        boundary[start] = boundary[end] = True


def _padded(length: int) -> int:
    """How many characters the network reads of a chunk of this length."""
    return -(-(length + _LEAST_PADDING) // _FILL) * _FILL


def _visible(flags: "npt.NDArray[np.uint8]", start: int, end: int) -> "npt.NDArray[np.int64]":
    """Places of the characters the network reads: invisible ones left out, a run of white space as one,
    none at the ends."""
    part = flags[start:end]
    white = (part & SPACE) > 0
    keep = (part & INVISIBLE) == 0
    keep[1:] &= ~(white[1:] & white[:-1])
    places = np.flatnonzero(keep)
    solid = np.flatnonzero(keep & ~white)
    if not len(solid):
        return np.empty(0, dtype=np.int64)
    inner = places[(places >= solid[0]) & (places <= solid[-1])]
    return np.asarray(inner + start, dtype=np.int64)


def _concatenated(parts: "Sequence[npt.NDArray[Any]]") -> "npt.NDArray[Any]":
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _moved(
    places: "Sequence[Sequence[npt.NDArray[np.int64]]]", offsets: "npt.NDArray[np.int64]"
) -> "npt.NDArray[np.int64]":
    """Places in each text as places in all of them in one row."""
    flat = [part + offsets[number] for number, parts in enumerate(places) for part in parts]
    return np.asarray(_concatenated(flat), dtype=np.int64)


def tokenizer_scores(model: Any, units: "torch.Tensor", features: "torch.Tensor") -> "torch.Tensor":
    """Log scores of (inside, token end, sentence end), shape (n_chunks, n_characters, 3).

    The same layers as Stanza's own pass, without packing: the padding is read, as in training.
    """
    import torch
    from torch.nn import functional

    if model.args.get("hierarchical") or model.args.get("conv_res") is not None or model.args.get("use_mwt"):
        lengths = (units != 0).sum(dim=1).tolist()
        scores: torch.Tensor = model(units, features, lengths)
        if scores.shape[2] > 3:  # a token of several words ends like any other token
            scores = torch.stack(
                [scores[:, :, 0], scores[:, :, (1, 3)].amax(dim=2), scores[:, :, (2, 4)].amax(dim=2)], dim=2
            )
        return scores

    inputs = torch.cat([model.dropout(model.embeddings(units)), model.dropout_feat(features)], dim=2)
    states, _ = model.rnn(filled(inputs))
    states = model.dropout(states[: len(inputs)])
    token, sentence = model.tok_clf(states), model.sent_clf(states)
    is_token = functional.logsigmoid(token)
    return torch.cat(
        [
            functional.logsigmoid(-token),
            is_token + functional.logsigmoid(-sentence),
            is_token + functional.logsigmoid(sentence),
        ],
        dim=2,
    )
