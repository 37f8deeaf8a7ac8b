"""Universal part-of-speech tags from a small Stanza model, for the few sentences where a decision needs
them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from linkage.errors import ModelDamagedError, ModelNotFoundError
from linkage.language import Language
from linkage.language_contents import POS_MODEL
from linkage.recognition.ner_model import silent_stanza

_BATCH_TOKENS = 3_000
_LONGEST_WORD = 40
_LONGEST_SENTENCE = 200


class PosTagger:
    """A Stanza part-of-speech model that knows only UPOS (https://universaldependencies.org/u/pos/)."""

    def __init__(self, model: Any, vocab: Any) -> None:
        self._model = model
        self._vocab = vocab

    @classmethod
    def load(cls, directory: Path | None = None) -> Self:
        """Load directory/pos.pt; the shipped Dutch model by default.

        Raises:
            ModelNotFoundError: if the file is missing.
            ModelDamagedError: if it cannot be read.
        """
        path = (directory or Language.load("nl").models([POS_MODEL])) / "pos.pt"
        if not path.is_file():
            raise ModelNotFoundError("the part-of-speech model (pos.pt) is missing; install nymlink again")
        with silent_stanza():
            from stanza.models.pos.trainer import Trainer

            try:
                trainer = Trainer(model_file=str(path), pretrain=None, device="cpu")
            except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
                raise ModelDamagedError(
                    f"part-of-speech model cannot be read ({type(error).__name__}); install it again"
                ) from None
        trainer.model.eval()
        return cls(trainer.model, trainer.vocab)

    def tag(self, sentences: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
        """UPOS of each token of each sentence, in input order."""
        import torch

        pieces = [
            (number, sentence[first : first + _LONGEST_SENTENCE])
            for number, sentence in enumerate(sentences)
            for first in range(0, len(sentence), _LONGEST_SENTENCE)
        ]
        order = sorted(range(len(pieces)), key=lambda i: -len(pieces[i][1]))
        found: list[tuple[str, ...]] = [()] * len(pieces)
        at = 0
        with torch.inference_mode():
            while at < len(order):
                part = order[at : at + max(1, _BATCH_TOKENS // len(pieces[order[at]][1]))]
                at += len(part)
                inputs = pos_inputs(self._vocab, [pieces[i][1] for i in part])
                _, predictions = self._model(*inputs)
                for i, row in zip(part, predictions[0].tolist(), strict=True):
                    found[i] = tuple(self._vocab["upos"].unmap(row[: len(pieces[i][1])]))
        tags: list[list[str]] = [[] for _ in sentences]
        for (number, _), row_tags in zip(pieces, found, strict=True):
            tags[number] += row_tags
        return tuple(map(tuple, tags))


def pos_inputs(
    vocab: Any, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None = None
) -> tuple[Any, ...]:
    """The arguments of Stanza's Tagger for sentences sorted by falling length; tags (UPOS) only in
    training."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    lengths = [len(sentence) for sentence in sentences]
    words = pad_sequence([torch.tensor(vocab["word"].map(list(s))) for s in sentences], batch_first=True)
    flat = [word[:_LONGEST_WORD] for sentence in sentences for word in sentence]
    order = sorted(range(len(flat)), key=lambda i: -len(flat[i]))
    letters = pad_sequence([torch.tensor(vocab["char"].map(list(flat[i]))) for i in order], batch_first=True)
    gold = None
    if tags is not None:
        gold = [pad_sequence([torch.tensor(vocab["upos"].map(list(t))) for t in tags], batch_first=True)]
    word_lengths = [len(flat[i]) for i in order]
    return words, words == 0, letters, letters == 0, gold, None, order, lengths, word_lengths, None
