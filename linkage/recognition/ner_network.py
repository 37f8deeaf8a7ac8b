"""Stanza's NER network, run so that each distinct word passes its word layers once.

The network is a BiLSTM-CRF over words (Lample et al. 2016, doi:10.18653/v1/N16-1030; Stanza's NERTagger):
a word's
vector, a trained change to it, and the end states of a character BiLSTM, then a transformation, a BiLSTM
over the
sentence, a linear layer, and a CRF. All but the last three depend on the word alone.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_UNKNOWN, _PADDING = 1, 0  # Stanza's ids
# Words of one length that the character network reads together, at the least; they are filled up with empty
# ones. For each new shape torch makes a program, which takes 2.8 ms and 450 kB: more than 8 words do.
_LEAST_WORDS = 8
_SURE_POWER = 8  # rows that are filled up to a power of two: so few cost little


class WordEncoder:
    """Distinct words of a batch as ids and character rows."""

    def __init__(self, vocab: Any, *, longest_word: int = 40) -> None:
        self._word_ids: dict[str, int] = vocab["word"]._unit2id
        self._delta_ids: dict[str, int] = vocab["delta"]._unit2id if "delta" in vocab else {}
        self._char_ids: dict[str, int] = vocab["char"]._unit2id
        self._longest_word = longest_word

    def word_id(self, word: str) -> int:
        return self._word_ids.get(word.lower().replace(" ", "\xa0"), _UNKNOWN)

    def delta_id(self, word: str, word_id: int) -> int:
        # As Stanza does: a word that has a vector but no trained change gets none.
        found = self._delta_ids.get(word.lower(), _UNKNOWN)
        return _PADDING if found == _UNKNOWN and word_id != _UNKNOWN else found

    def character_ids(self, word: str) -> list[int]:
        # A 5 MB "word" must not become 5 M steps of the character network; its ends say what it is.
        if len(word) > self._longest_word:
            half = self._longest_word // 2
            word = word[:half] + word[-half:]
        return [self._char_ids.get(character, _UNKNOWN) for character in word]


def word_inputs(
    model: Any, encoder: WordEncoder, words: Sequence[str], *, as_unknown: "Sequence[bool] | None" = None
) -> "torch.Tensor":
    """Vectors of distinct words, shape (n_words, n_inputs), before dropout and transformation.

    as_unknown marks words whose vectors are hidden (training only): the network then sees their letters
    alone.
    """
    import torch

    hidden = as_unknown or [False] * len(words)
    word_ids = [_UNKNOWN if h else encoder.word_id(w) for w, h in zip(words, hidden, strict=True)]
    delta_ids = [
        _UNKNOWN if h else encoder.delta_id(w, i) for w, i, h in zip(words, word_ids, hidden, strict=True)
    ]
    vectors = model.word_emb(torch.tensor(word_ids))
    if model.delta_emb is not None:
        vectors = vectors + model.delta_emb(torch.tensor(delta_ids))
    # Words of one length make a batch without padding, which the LSTM runs several times faster than a
    # packed one.
    by_length: dict[int, list[tuple[int, list[int]]]] = {}
    for i, word in enumerate(words):
        row = encoder.character_ids(word)
        by_length.setdefault(len(row), []).append((i, row))
    characters = model.charmodel
    ends, order = [], []
    for group in by_length.values():
        order += [i for i, _ in group]
        rows = [row for _, row in group]
        rows += [[_PADDING] * len(rows[0])] * (filled_rows(len(rows), least=_LEAST_WORDS) - len(rows))
        size = (2, len(rows), model.args["char_hidden_dim"])
        start = (
            characters.charlstm_h_init.expand(size).contiguous(),
            characters.charlstm_c_init.expand(size).contiguous(),
        )
        embedded = characters.dropout(characters.char_emb(torch.tensor(rows)))
        _, (states, _) = characters.charlstm.lstm(embedded, start)
        ends.append(states.transpose(0, 1).reshape(len(rows), -1)[: len(group)])
    place = torch.empty(len(words), dtype=torch.long)
    place[torch.tensor(order)] = torch.arange(len(words))
    return torch.cat([vectors, torch.cat(ends)[place]], dim=1)


def filled_rows(rows: int, *, least: int = 1) -> int:
    """How many rows a network reads for so many: a power of two up to 8, above it a quarter of one at a step.

    For each new shape torch makes a program of some hundred kB. In training it reads the rows as they are.
    """
    import torch

    if torch.is_grad_enabled():
        return rows
    rows = max(rows, least)
    whole = 1 << (rows - 1).bit_length()
    step = whole if rows <= _SURE_POWER else whole // 4
    return -(-rows // step) * step


def filled(inputs: "torch.Tensor") -> "torch.Tensor":
    """The inputs (n_rows, ...), filled up with zeros to filled_rows: no row hangs on those beside it."""
    missing = filled_rows(len(inputs)) - len(inputs)
    if not missing:
        return inputs
    import torch

    return torch.cat([inputs, inputs.new_zeros(missing, *inputs.shape[1:])])


_MOST_WORDS = 30_000  # whose vectors are kept: 40 MB
_WORDS_AT_ONCE = 5_000
_LEAST_ROWS = 64


class WordVectors:
    """What the layers that depend on a word alone make of it, kept for words that come again."""

    def __init__(
        self, model: Any, vocab: Any, *, always: Sequence[str] = (), most_words: int = _MOST_WORDS
    ) -> None:
        """always: words that are known whatever words are taken in."""
        import torch

        self._model = model
        self._encoder = WordEncoder(vocab)
        self._always = tuple(always)
        self._most_words = most_words
        self.rows: dict[str, int] = {}
        self.vectors = torch.empty(0, 0)  # shape (at least as many as rows, n_inputs)

    def take(self, words: Iterable[str]) -> None:
        """Know these words, so that rows and vectors have them; others may be forgotten."""
        wanted = dict.fromkeys([*self._always, *words])
        missing = [word for word in wanted if word not in self.rows]
        if len(self.rows) + len(missing) > self._most_words:
            self.rows.clear()
            missing = list(wanted)
        for first in range(0, len(missing), _WORDS_AT_ONCE):
            self._add(missing[first : first + _WORDS_AT_ONCE])

    def _add(self, words: Sequence[str]) -> None:
        import torch

        found = word_inputs(self._model, self._encoder, words)
        if (transform := self._model.input_transform) is not None:
            # A product of few rows is rounded otherwise; what is found must not hang on its company.
            filling = found.new_zeros(max(0, _LEAST_ROWS - len(words)), found.shape[1])
            found = transform(torch.cat([found, filling]))[: len(words)]
        first, last = len(self.rows), len(self.rows) + len(words)
        if last > len(self.vectors):
            wider = found.new_empty(max(last, min(2 * last, self._most_words)), found.shape[1])
            if first:
                wider[:first] = self.vectors[:first]
            self.vectors = wider
        self.vectors[first:last] = found
        self.rows.update(zip(words, range(first, last), strict=True))


def emissions(model: Any, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
    """Tag scores, shape (n_sentences, n_tokens, n_tags), of inputs (n_sentences, n_tokens, n_inputs).

    lengths must fall; inputs are already transformed where the model has a transformation.
    """
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

    is_even = int(lengths.min()) == inputs.shape[1]
    rows = filled(inputs) if is_even else inputs
    layers = 2 * model.args["num_layers"]
    size = (layers, len(rows), model.args["hidden_dim"])
    start = (
        model.taggerlstm_h_init.expand(size).contiguous(),
        model.taggerlstm_c_init.expand(size).contiguous(),
    )
    if is_even:
        states, _ = model.taggerlstm.lstm(rows, start)
        states = states[: len(lengths)]
    else:
        outputs, _ = model.taggerlstm.lstm(pack_padded_sequence(inputs, lengths, batch_first=True), start)
        states, _ = pad_packed_sequence(outputs, batch_first=True)
    scores: torch.Tensor = model.tag_clfs[0](model.drop(states))
    return scores


def tag_marginals(
    scores: "torch.Tensor", transitions: "torch.Tensor", lengths: "torch.Tensor"
) -> tuple["torch.Tensor", "torch.Tensor", "torch.Tensor"]:
    """Forward scores, backward scores and log partition of the CRF, in log space.

    scores has shape (n_sentences, n_tokens, n_tags), transitions (n_tags, n_tags) from the row to the column;
    alpha[b, t, k] sums over all ways to reach tag k at t, its score included, beta over all ways on from it.
    A tag's marginal log probability is alpha + beta - log_partition.
    """
    import torch

    n_sentences, n_tokens, _ = scores.shape
    alpha = torch.empty_like(scores)
    beta = torch.zeros_like(scores)
    alpha[:, 0] = scores[:, 0]
    # exp of bounded transitions turns the log-sum-exp into a matrix product.
    moves = transitions.exp()
    for t in range(1, n_tokens):
        top = alpha[:, t - 1].amax(dim=1, keepdim=True)
        alpha[:, t] = ((alpha[:, t - 1] - top).exp() @ moves).clamp_min(1e-30).log() + top + scores[:, t]
    ends = lengths - 1
    back = moves.t().contiguous()
    for t in range(n_tokens - 2, -1, -1):
        onward = beta[:, t + 1] + scores[:, t + 1]
        top = onward.amax(dim=1, keepdim=True)
        step = ((onward - top).exp() @ back).clamp_min(1e-30).log() + top
        beta[:, t] = torch.where((t < ends).unsqueeze(1), step, torch.zeros_like(step))
    log_partition = alpha[torch.arange(n_sentences), ends].logsumexp(dim=1)
    return alpha, beta, log_partition
