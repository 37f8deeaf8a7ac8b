"""The training loop: Stanza's network, our batches, a falling rate, averaged weights, choice by tuning
scores."""

import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import torch

from linkage.recognition.ner_network import WordEncoder, emissions, word_inputs
from linkage.training.labels import ANY, MEANINGS, NAME, PERSON, has_strict_tags, may_follow, tags_of
from linkage.training.numbers import numbers
from linkage.training.windows import BLANK_LINE, Window

TWO_LABELS = (PERSON, NAME)
_STANZA_IDS = 4  # of every vocabulary, that stand for nothing
_NUMBERS: Final = numbers("trainer")
_LEAST = 10**-30  # a sum of weights below it counts as it
_IMPOSSIBLE = -10_000  # in nats: the score of a tag that a window's labels rule out


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How long and how fast a network is trained; rates and shares are explained in data/training.toml.

    steps, warm_up_steps and evaluate_every count batches; batch_tokens is about the size of one.
    """

    steps: int = 6000
    top_rate: float = _NUMBERS["top_rate"]
    last_rate: float = _NUMBERS["last_rate"]
    warm_up_steps: int = 150
    batch_tokens: int = 1000
    hidden_words: float = _NUMBERS["hidden_words"]
    hidden_name_words: float = _NUMBERS["hidden_name_words"]
    average_decay: float = _NUMBERS["average_decay"]
    evaluate_every: int = 500
    seed: int = 1
    report: Callable[[str], None] = print  # is given the lines of progress


class Augments(Protocol):
    """Makes changed copies of windows."""

    def augment(self, window: Window, generator: random.Random) -> Window:
        """A copy of the window with other names, case or layout."""
        ...


def new_model(
    words: list[str],
    vectors: torch.Tensor,
    windows: Sequence[Window],
    *,
    hidden_size: int,
    dropout: float,
    labels: tuple[str, ...] = TWO_LABELS,
    language: str = "nl",
) -> tuple[Any, Any, dict[str, Any]]:
    """An untrained NERTagger with its vocabularies and arguments."""
    from stanza.models.common.pretrain import PretrainedWordVocab
    from stanza.models.common.vocab import CharVocab, CompositeVocab
    from stanza.models.ner.model import NERTagger
    from stanza.models.ner.vocab import MultiVocab
    from stanza.models.pos.vocab import WordVocab

    characters = Counter(c for w in windows for t in w.tokens for c in t)
    common = Counter(t.lower() for w in windows for t in w.tokens)
    inside = Counter(
        w.tokens[i].lower() for w in windows for s, e, label in w.spans if label == "PER" for i in range(s, e)
    )
    delta = [w for w, n in common.items() if n >= 5 and 2 * inside[w] < n]
    vocab = MultiVocab(
        {
            "char": CharVocab([[(c,)] for c, n in characters.items() if n >= 3], language),
            "delta": WordVocab([[(w,)] for w in sorted(delta)], language, cutoff=1, lower=True),
            "tag": CompositeVocab([[((t,),) for t in tags_of(labels)]], language, idx=0, sep=None),
            "word": PretrainedWordVocab(words, lower=True),
        }
    )
    args: dict[str, Any] = {
        "shorthand": f"{language}_nymlink",
        "word_emb_dim": vectors.shape[1],
        "char_emb_dim": 64,
        "char_hidden_dim": 100,
        "char": True,
        "charlm": False,
        "charlm_forward_file": None,
        "charlm_backward_file": None,
        "char_num_layers": 1,
        "char_rec_dropout": 0,
        "char_lowercase": False,
        "lowercase": True,
        "hidden_dim": hidden_size,
        "num_layers": 1,
        "dropout": dropout,
        "word_dropout": 0.0,
        "locked_dropout": 0.0,
        "rec_dropout": 0,
        "input_transform": True,
        "emb_finetune": True,
        "scheme": "bioes",
        "train_scheme": None,
        "bert_model": None,
        "bert_hidden_layers": None,
        "bert_finetune": False,
        "use_peft": False,
        "connect_output_layers": False,
        "predict_tagset": 0,
        "optim": "adam",
        "lr": _NUMBERS["stanza_rate"],
        "momentum": 0,
        "max_grad_norm": 5,
        "batch_size": 32,
        "pretrain": True,
    }
    matrix = torch.cat([torch.zeros(4, vectors.shape[1]), vectors])
    return NERTagger(args, vocab, emb_matrix=matrix), vocab, args


def batches(windows: list[Window], generator: random.Random, *, batch_tokens: int) -> Iterator[list[Window]]:
    """All windows once, in batches of like length and about batch_tokens tokens, in random order."""
    ordered = sorted(windows, key=lambda w: len(w.tokens) + generator.random() * 8)
    made: list[list[Window]] = [[]]
    for window in ordered:
        if made[-1] and (len(made[-1]) + 1) * len(window.tokens) > batch_tokens:
            made.append([])
        made[-1].append(window)
    generator.shuffle(made)
    yield from made


def batch_loss(
    model: Any,
    encoder: WordEncoder,
    tag_ids: dict[str, int],
    batch: list[Window],
    generator: random.Random,
    s: TrainingSettings,
) -> torch.Tensor:
    """Mean negative log likelihood of a batch, a token."""
    # Filled up with blank lines, all are of one length: an LSTM without packing trains several times faster.
    longest = max(len(w.tokens) for w in batch)
    batch = [
        Window([*w.tokens, *[BLANK_LINE] * (longest - len(w.tokens))], w.spans, w.unmarked) for w in batch
    ]
    index: dict[tuple[str, bool], int] = {}
    rows = []
    for window in batch:
        named = {i for a, b, _ in window.spans for i in range(a, b)}
        row = []
        for i, token in enumerate(window.tokens):
            hide = generator.random() < (s.hidden_name_words if i in named else s.hidden_words)
            row.append(index.setdefault((token, hide), len(index)))
        rows.append(torch.tensor(row))
    lengths = torch.tensor([len(r) for r in rows])
    vectors = word_inputs(model, encoder, [w for w, _ in index], as_unknown=[h for _, h in index])
    padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    inputs = model.input_transform(model.drop(vectors[padded]))
    scores = emissions(model, inputs, lengths)
    allowed = torch.from_numpy(np.stack([allowed_tags(w, tag_ids) for w in batch]))
    transitions = model.crits[0]._transitions
    if has_strict_tags(list(tag_ids)):
        transitions = transitions.masked_fill(~strict_moves(tuple(tag_ids.items())), _IMPOSSIBLE)
        scores = _with_whole_names(scores, tag_ids)
    both = torch.cat([scores, scores.masked_fill(~allowed, _IMPOSSIBLE)])  # one pass over the tokens
    any_row, marked_rows = log_sums(both, transitions).chunk(2)
    return (any_row - marked_rows).sum() / lengths.sum()


def allowed_tags(window: Window, tag_ids: dict[str, int]) -> npt.NDArray[np.bool_]:
    """The tags that a token may have, shape (n_tokens, n_tags): those that fit what the source says of it."""
    outside = np.zeros(max(tag_ids.values()) + 1, dtype=np.bool_)
    outside[tag_ids["O"]] = True
    for label in window.unmarked:
        outside[[tag_ids[f"{part}-{label}"] for part in "SBIE" if f"{part}-{label}" in tag_ids]] = True
    allowed = np.tile(outside, (len(window.tokens), 1))
    for start, end, label in window.spans:
        allowed[start:end] = False
        if label == ANY:
            allowed[start:end, _STANZA_IDS:] = True
            continue
        parts = "S" if end - start == 1 else "B" + "I" * (end - start - 2) + "E"
        meant = [one for one in MEANINGS[label] if f"S-{one}" in tag_ids]
        for at, part in enumerate(parts, start):
            allowed[at, [tag_ids[f"{part}-{one}"] for one in meant]] = True
    return allowed


@cache
def strict_moves(tag_ids: tuple[tuple[str, int], ...]) -> torch.Tensor:
    """Which tag may follow which, shape (n_tags, n_tags), from the row to the column."""
    size = max(number for _, number in tag_ids) + 1
    allowed = torch.zeros(size, size, dtype=torch.bool)
    for earlier, row in tag_ids:
        for tag, column in tag_ids:
            allowed[row, column] = may_follow(tag, earlier)
    return allowed


def _with_whole_names(scores: torch.Tensor, tag_ids: dict[str, int]) -> torch.Tensor:
    """Scores under which no name begins before the first token or ends behind the last."""
    bounds = torch.zeros_like(scores)
    bounds[:, 0, [number for tag, number in tag_ids.items() if not may_follow(tag, "O")]] = _IMPOSSIBLE
    bounds[:, -1, [number for tag, number in tag_ids.items() if not may_follow("O", tag)]] = _IMPOSSIBLE
    return scores + bounds


def log_sums(scores: torch.Tensor, transitions: torch.Tensor) -> torch.Tensor:
    """Log of the summed weights of all tag rows of a linear-chain CRF, shape (n_sentences,).

    scores has shape (n_sentences, n_tokens, n_tags), transitions (n_tags, n_tags) from the row to the column.
    """
    moves = transitions.exp()
    columns = scores.unbind(1)  # slices in the loop would cost a full gradient each
    alpha = columns[0]
    for column in columns[1:]:
        top = alpha.detach().amax(dim=1, keepdim=True)
        alpha = ((alpha - top).exp() @ moves).clamp_min(_LEAST).log() + top + column
    return alpha.logsumexp(dim=1)


class Averager:
    """Exponential moving average of the weights (Polyak averaging); what is evaluated and shipped."""

    def __init__(self, model: Any, decay: float) -> None:
        self.decay = decay
        self.weights = {n: p.detach().clone() for n, p in model.named_parameters() if p.requires_grad}
        self.count = 0

    def update(self, model: Any) -> None:
        self.count += 1
        decay = min(self.decay, self.count / (self.count + 10))
        with torch.no_grad():
            for name, p in model.named_parameters():
                if p.requires_grad:
                    self.weights[name].lerp_(p, 1 - decay)

    def swapped(self, model: Any) -> dict[str, torch.Tensor]:
        """Put the averages into the model; returns what was there."""
        before = {}
        with torch.no_grad():
            for name, p in model.named_parameters():
                if name in self.weights:
                    before[name] = p.detach().clone()
                    p.copy_(self.weights[name])
        return before


def restore(model: Any, weights: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name in weights:
                p.copy_(weights[name])


def train(
    model: Any,
    vocab: Any,
    epoch_windows: Callable[[random.Random], list[Window]],
    augmenter: Augments,
    evaluate: Callable[[Any], dict[str, float]],
    settings: TrainingSettings,
    folder: Path,
) -> None:
    """Train until settings.steps; every evaluation writes folder/last.pt and, when it leads, folder/best.pt.

    A run that was interrupted, even by kill -9, goes on from folder/last.pt and ends with the weights that it
    would have had without the interruption, on the same machine and threads. evaluate returns scores; the
    highest "choice" leads. folder/scores.jsonl has a line for each evaluation.
    """
    folder.mkdir(parents=True, exist_ok=True)
    encoder = WordEncoder(vocab)
    tag_ids: dict[str, int] = vocab["tag"]._unit2id[0]
    trained = [p for n, p in model.named_parameters() if p.requires_grad and n != "word_emb.weight"]
    optimizer = torch.optim.Adam(
        trained, lr=settings.top_rate, betas=(_NUMBERS["first_decay"], _NUMBERS["second_decay"])
    )
    average = Averager(model, settings.average_decay)
    step, best = 0, -1.0
    history: list[dict[str, Any]] = []
    at: dict[str, Any] | None = None  # where in its epoch an interrupted run was
    last = folder / "last.pt"
    if last.exists():
        saved = torch.load(last, weights_only=True)
        restore(model, saved["weights"])
        average.weights, average.count = saved["average"], saved["step"]
        optimizer.load_state_dict(saved["optimizer"])
        step, best = saved["step"], saved["best"]
        at = saved.get("at")  # checkpoints of earlier versions have none: they go on with a new epoch
        history = saved["history"] if "history" in saved else _read_scores(folder)
        _write_scores(folder, history)
    generator = random.Random(settings.seed * 100_003 + step)  # noqa: S311 - a seeded training
    torch.manual_seed(settings.seed + step)
    if at is not None:
        generator.setstate(at["epoch_began"])
    began, tokens, losses = time.monotonic(), 0, 0.0
    while step < settings.steps:
        epoch_began = generator.getstate()
        windows = [augmenter.augment(w, generator) for w in epoch_windows(generator)]
        made = list(batches([w for w in windows if w.tokens], generator, batch_tokens=settings.batch_tokens))
        first = 0
        if at is not None:
            first = at["batches"]
            generator.setstate(at["generator"])
            torch.set_rng_state(at["torch"])
            at = None
        for number, batch in enumerate(made[first:], first + 1):
            if step >= settings.steps:
                break
            model.train()
            progress = step / settings.steps
            rate = (
                settings.last_rate
                + (settings.top_rate - settings.last_rate) * (1 + math.cos(math.pi * progress)) / 2
            )
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / settings.warm_up_steps)
            optimizer.zero_grad()
            loss = batch_loss(model, encoder, tag_ids, batch, generator, settings)
            (loss * 10).backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(trained, 5)
            optimizer.step()
            average.update(model)
            step += 1
            tokens += sum(len(w.tokens) for w in batch)
            losses += loss.item()
            if step % 50 == 0:
                seconds = time.monotonic() - began
                settings.report(
                    f"step {step} loss {losses / 50:.4f} rate {rate:.5f} {tokens / seconds:.0f} tokens/s"
                )
                began, tokens, losses = time.monotonic(), 0, 0.0
            if step % settings.evaluate_every == 0 or step == settings.steps:
                before = average.swapped(model)
                model.eval()
                scores = evaluate(model)
                leads = scores["choice"] > best
                best = max(best, scores["choice"])
                if leads:
                    torch.save(average.weights, folder / "best.pt")
                torch.save(average.weights, folder / f"average-{step:06d}.pt")
                restore(model, before)
                history.append({"step": step, "leads": leads, **scores})
                state = {
                    "weights": {n: p.detach() for n, p in model.named_parameters() if p.requires_grad},
                    "average": average.weights,
                    "optimizer": optimizer.state_dict(),
                    "step": step,
                    "best": best,
                    "history": history,
                    "at": {
                        "epoch_began": epoch_began,
                        "batches": number,
                        "generator": generator.getstate(),
                        "torch": torch.get_rng_state(),
                    },
                }
                torch.save(state, folder / "last.tmp")
                (folder / "last.tmp").replace(last)
                _write_scores(folder, history)
                began = time.monotonic()


def _read_scores(folder: Path) -> list[dict[str, Any]]:
    path = folder / "scores.jsonl"
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def _write_scores(folder: Path, history: Sequence[dict[str, Any]]) -> None:
    """Write folder/scores.jsonl whole; a reader sees the old lines or the new ones."""
    unfinished = folder / "scores.tmp"
    unfinished.write_text("".join(json.dumps(row) + "\n" for row in history), encoding="utf-8")
    unfinished.replace(folder / "scores.jsonl")


def leading_weights(folder: Path) -> dict[str, torch.Tensor]:
    """Mean of the two checkpoints that lead on the tuning text: steadier than either."""
    choice = {row["step"]: row["choice"] for row in _read_scores(folder)}
    leading = sorted(choice, key=lambda step: -choice[step])[:2]
    states = [torch.load(folder / f"average-{step:06d}.pt", weights_only=True) for step in leading]
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}
