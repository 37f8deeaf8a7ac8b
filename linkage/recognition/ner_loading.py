"""Stanza's networks of the plain kind, built from their files without Stanza's own classes.

Stanza's trainer objects bring its pipelines, an optimizer and, with that, torch's compiler: seconds of every
start. A BiLSTM-CRF without a character language model or a transformer, and a plain tokenizer, need none of
that. The parts bear Stanza's names, so that whatever runs Stanza's classes runs these.
"""

import pickle
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import torch
from torch import nn

_ALLOWED = frozenset({("collections", "OrderedDict"), ("torch._utils", "_rebuild_tensor_v2")})


class UnusualModelError(Exception):
    """The file holds a network of another kind; only Stanza's own classes can run it."""


class _DataUnpickler(pickle.Unpickler):
    """Unpickles tensors and plain containers and refuses everything else: a file cannot run code."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) not in _ALLOWED:
            raise UnusualModelError
        return super().find_class(module_name, global_name)


def _load_data(file: IO[bytes], **arguments: Any) -> Any:
    return _DataUnpickler(file, **arguments).load()


# What torch.load asks of a pickle module. Its own reader of data is written in Python: 2 seconds a file.
_DATA_PICKLE = SimpleNamespace(__name__="data_pickle", Unpickler=_DataUnpickler, load=_load_data)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The content of a model file that Stanza (or scripts/train_ner) wrote.

    Raises:
        UnusualModelError: if it holds more than tensors, text, numbers and containers.
        FileNotFoundError: if it is missing; a damaged file raises whatever torch raises.
    """
    loaded = torch.load(path, map_location="cpu", pickle_module=_DATA_PICKLE, weights_only=False)
    if not isinstance(loaded, dict):
        raise UnusualModelError
    return loaded


class _WordVectors(nn.Module):
    """An embedding that stays as small as it is stored (bytes or halves); a row becomes floats when read."""

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        self.weight: torch.Tensor
        self.register_buffer("weight", weight, persistent=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.weight[ids].float()


class _StartedLstm(nn.Module):
    """The one LSTM of a Stanza layer, under the name it has there."""

    def __init__(self, inputs: int, states: int, layers: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(inputs, states, layers, batch_first=True, bidirectional=True)


class _CharacterModel(nn.Module):
    def __init__(self, characters: int, inputs: int, states: int) -> None:
        super().__init__()
        self.char_emb = nn.Embedding(characters, inputs, padding_idx=0)
        self.charlstm = _StartedLstm(inputs, states, 1)
        self.charlstm_h_init = nn.Parameter(torch.zeros(2, 1, states))
        self.charlstm_c_init = nn.Parameter(torch.zeros(2, 1, states))
        self.dropout = nn.Identity()


class _Crf(nn.Module):
    def __init__(self, tags: int) -> None:
        super().__init__()
        self._transitions = nn.Parameter(torch.zeros(tags, tags))


class PlainTagger(nn.Module):
    """The layers of Stanza's NERTagger that linkage.recognition.ner_network runs."""

    def __init__(self, args: Mapping[str, Any], sizes: Mapping[str, int], vectors: torch.Tensor) -> None:
        """sizes: entries of the vocabularies char, tag and, where the model has trained changes, delta."""
        super().__init__()
        self.args = dict(args)
        states, layers = args["hidden_dim"], args["num_layers"]
        inputs = args["word_emb_dim"] + 2 * args["char_hidden_dim"]
        self.word_emb = _WordVectors(vectors)
        self.delta_emb = (
            nn.Embedding(sizes["delta"], args["word_emb_dim"], padding_idx=0) if "delta" in sizes else None
        )
        self.charmodel = _CharacterModel(sizes["char"], args["char_emb_dim"], args["char_hidden_dim"])
        self.input_transform = nn.Linear(inputs, inputs) if args.get("input_transform") else None
        self.taggerlstm = _StartedLstm(inputs, states, layers)
        self.taggerlstm_h_init = nn.Parameter(torch.zeros(2 * layers, 1, states))
        self.taggerlstm_c_init = nn.Parameter(torch.zeros(2 * layers, 1, states))
        self.tag_clfs = nn.ModuleList([nn.Linear(2 * states, sizes["tag"])])
        self.crits = nn.ModuleList([_Crf(sizes["tag"])])
        self.drop = nn.Identity()


class PlainTokenizer(nn.Module):
    """The layers of Stanza's tokenizer that linkage.recognition.ner_tokenizer runs."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__()
        self.args = dict(args)
        states = args["hidden_dim"]
        self.embeddings = nn.Embedding(args["vocab_size"], args["emb_dim"], padding_idx=0)
        inputs, layers = args["emb_dim"] + args["feat_dim"], args["rnn_layers"]
        self.rnn = nn.LSTM(inputs, states, layers, batch_first=True, bidirectional=True)
        self.tok_clf = nn.Linear(2 * states, 1)
        self.sent_clf = nn.Linear(2 * states, 1)
        self.dropout = nn.Identity()
        self.dropout_feat = nn.Identity()


def load_plain_tagger(network: Path, vectors: Path | None) -> tuple[PlainTagger, dict[str, Any]]:
    """The network and its vocabularies by name, each with Stanza's _unit2id and _id2unit.

    Raises:
        UnusualModelError: if the network is of another kind.
    """
    checkpoint = read_checkpoint(network)
    args, weights = checkpoint.get("config"), checkpoint.get("model")
    if not isinstance(args, dict) or not isinstance(weights, dict) or not _is_plain_tagger(args):
        raise UnusualModelError
    states = checkpoint["vocab"]
    if not {"char", "tag", "word"} <= states.keys():
        raise UnusualModelError
    names = [name for name in ("char", "tag", "word", "delta") if name in states]
    vocab: dict[str, Any] = {name: SimpleNamespace(**states[name]) for name in names}
    tags = vocab["tag"]._id2unit
    if len(tags) != 1:
        raise UnusualModelError
    sizes = {name: len(vocab[name]._id2unit) for name in names if name != "tag"}
    sizes["tag"] = len(tags[0])
    stored = weights.get("word_emb.weight")
    matrix = stored if vectors is None else read_checkpoint(vectors).get("emb")
    if not isinstance(matrix, torch.Tensor):
        raise UnusualModelError
    if tuple(matrix.shape) != (len(vocab["word"]._id2unit), args["word_emb_dim"]):
        raise ValueError("the vectors are not those of the network")
    tagger = PlainTagger(args, sizes, matrix)
    # Weights that nothing here reads belong to training: what drops words out, the vectors read already.
    _fill(tagger, weights, unread=frozenset({"drop_replacement", "word_emb.weight"}))
    return tagger, vocab


def load_plain_tokenizer(path: Path) -> tuple[PlainTokenizer, dict[str, int]]:
    """The network, and the number of each character it knows.

    Raises:
        UnusualModelError: if the network is of another kind.
    """
    checkpoint = read_checkpoint(path)
    args = checkpoint.get("config")
    if not isinstance(args, dict) or any(
        args.get(name)
        for name in ("charlm_forward_file", "use_dictionary", "hierarchical", "use_mwt", "conv_res")
    ) or args.get("use_mwt") is None:  # fmt: skip
        raise UnusualModelError
    tokenizer = PlainTokenizer(args)
    _fill(tokenizer, checkpoint["model"], unread=frozenset())
    return tokenizer, checkpoint["vocab"]["_unit2id"]


def _is_plain_tagger(args: Mapping[str, Any]) -> bool:
    unusual = ("charlm", "bert_model", "use_peft", "connect_output_layers", "char_lowercase", "rec_dropout")
    return (
        args.get("word_emb_dim", 0) > 0 and bool(args.get("char")) and args.get("char_emb_dim", 0) > 0
        and args.get("char_num_layers") == 1 and not any(args.get(name) for name in unusual)
    )  # fmt: skip


def _fill(network: nn.Module, weights: Mapping[str, torch.Tensor], *, unread: frozenset[str]) -> None:
    """Put the stored weights into the network, ready to be read from only."""
    missing, unexpected = network.load_state_dict(dict(weights), strict=False)
    started = {name for name in missing if name.endswith("_init")}  # zeros where a file leaves them out
    if set(missing) - started or set(unexpected) - unread:
        raise UnusualModelError
    network.requires_grad_(requires_grad=False)
    network.eval()
