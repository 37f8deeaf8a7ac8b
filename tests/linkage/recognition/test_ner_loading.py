"""Plain networks from their files: the same numbers as Stanza's own classes, and no code from a file."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from stanza.models.common.pretrain import Pretrain
from stanza.models.ner.trainer import Trainer as TaggerTrainer
from stanza.models.tokenization.trainer import Trainer as TokenizerTrainer

from linkage.recognition.ner_loading import (
    UnusualModelError,
    load_plain_tagger,
    load_plain_tokenizer,
    read_checkpoint,
)
from linkage.recognition.ner_network import (
    WordEncoder,
    WordVectors,
    emissions,
    filled,
    filled_rows,
    word_inputs,
)
from linkage.recognition.ner_tokenizer import tokenizer_scores
from linkage.settings import data_directory
from tests.linkage.recognition.tiny_models import write_models

WORDS = ["de", "jan", "Vries", "onbekend", "x", "van"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    write_models(folder)
    return folder


def tag_scores(network: Any, vocab: Any) -> torch.Tensor:
    with torch.inference_mode():
        inputs = word_inputs(network, WordEncoder(vocab), WORDS)
        if network.input_transform is not None:
            inputs = network.input_transform(inputs)
        return emissions(network, inputs.unsqueeze(0), torch.tensor([len(WORDS)]))


def test_tagger_gives_the_numbers_of_stanzas_own(models: Path) -> None:
    pretrain = Pretrain(str(models / "vectors.pt"), save_to_file=False)
    own, vocab = load_plain_tagger(models / "ner.pt", models / "vectors.pt")
    stanza = TaggerTrainer(model_file=str(models / "ner.pt"), pretrain=pretrain, device="cpu")
    stanza.model.eval()
    torch.testing.assert_close(tag_scores(own, vocab), tag_scores(stanza.model, stanza.vocab))
    assert torch.equal(own.state_dict()["crits.0._transitions"], stanza.model.crits[0]._transitions)
    assert vocab["tag"]._id2unit[0] == stanza.vocab["tag"]._id2unit[0]


def test_tokenizer_gives_the_numbers_of_stanzas_own(models: Path) -> None:
    own, unit_ids = load_plain_tokenizer(models / "tokenizer.pt")
    stanza = TokenizerTrainer(model_file=str(models / "tokenizer.pt"), device="cpu")
    stanza.model.eval()
    units = torch.tensor([[1, 3, 2, 5], [4, 1, 0, 0]])
    features = torch.rand(2, 4, 5, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        torch.testing.assert_close(
            tokenizer_scores(own, units, features), tokenizer_scores(stanza.model, units, features)
        )
    assert unit_ids == stanza.vocab._unit2id


def test_model_that_needs_stanza_is_told_apart(models: Path, tmp_path: Path) -> None:
    checkpoint = read_checkpoint(models / "ner.pt")
    checkpoint["config"]["charlm"] = True
    torch.save(checkpoint, tmp_path / "ner.pt")
    with pytest.raises(UnusualModelError):
        load_plain_tagger(tmp_path / "ner.pt", models / "vectors.pt")


class RunsCode:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return print, ("code of a model file ran",)


@pytest.mark.parametrize("new_format", [True, False])
def test_file_cannot_run_code(tmp_path: Path, capsys: pytest.CaptureFixture[str], new_format: bool) -> None:
    path = tmp_path / "bad.pt"
    torch.save({"model": RunsCode()}, path, _use_new_zipfile_serialization=new_format)
    with pytest.raises(UnusualModelError):
        read_checkpoint(path)
    (tmp_path / "worse.pt").write_bytes(pickle.dumps(RunsCode()))
    with pytest.raises(UnusualModelError):
        read_checkpoint(tmp_path / "worse.pt")
    assert capsys.readouterr().out == ""


def test_loading_needs_no_stanza(models: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from linkage.recognition.ner_loading import load_plain_tagger, load_plain_tokenizer\n"
        "load_plain_tagger(Path('ner.pt'), Path('vectors.pt')); load_plain_tokenizer(Path('tokenizer.pt'))\n"
        "print([name for name in ('stanza', 'torch._dynamo') if name in sys.modules])\n"
    )
    finished = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], cwd=models, capture_output=True, text=True, check=True
    )
    assert finished.stdout.strip() == "[]"


def test_word_vectors_are_kept_and_forgotten_but_never_mixed_up(models: Path) -> None:
    network, vocab = load_plain_tagger(models / "ner.pt", models / "vectors.pt")
    assert network.input_transform is not None
    encoder, known = WordEncoder(vocab), WordVectors(network, vocab, always=("¶¶",), most_words=5)
    batches = (["jan", "de"], ["de", "Vries", "van"], ["jan", "x", "y", "z", "jan", "vries", "q"], ["de"])
    with torch.inference_mode():
        for words in batches:
            known.take(words)
            assert {"¶¶", *words} <= known.rows.keys()
            for word in {"¶¶", *words}:
                (alone,) = network.input_transform(word_inputs(network, encoder, [word]))
                torch.testing.assert_close(known.vectors[known.rows[word]], alone)
    assert len(known.rows) <= 5


@pytest.mark.parametrize("before", [(), ("Piet",), tuple("abcdefgh")])
def test_word_vector_does_not_hang_on_its_company(before: tuple[str, ...]) -> None:
    folder = data_directory() / "languages" / "nl" / "models"
    network, vocab = load_plain_tagger(folder / "ner.pt", folder / "vectors.pt")
    alone, late = WordVectors(network, vocab), WordVectors(network, vocab)
    with torch.inference_mode():
        alone.take(["Sanne"])
        late.take(before)
        late.take([*before, "Sanne", "Hoekstra", "dertig", "woorden"])
    assert torch.equal(alone.vectors[alone.rows["Sanne"]], late.vectors[late.rows["Sanne"]])


def test_the_character_network_meets_few_shapes_and_no_word_hangs_on_them(models: Path) -> None:
    network, vocab = load_plain_tagger(models / "ner.pt", models / "vectors.pt")
    encoder, met = WordEncoder(vocab), set()
    network.charmodel.charlstm.lstm.register_forward_pre_hook(lambda _, given: met.add(given[0].shape[:2]))
    with torch.inference_mode():
        alone = {word: word_inputs(network, encoder, [word]) for word in ("aaaa", "aaab", "bbbbb")}
        for count in range(1, 41):
            company = [f"{number:04d}" for number in range(count - 1)]
            for word, vector in alone.items():
                torch.testing.assert_close(word_inputs(network, encoder, [*company, word])[-1:], vector)
    assert {rows for rows, letters in met if letters == 4} == {8, 12, 16, 24, 32, 48}
    assert {rows for rows, letters in met if letters == 5} == {8}


def test_rows_are_filled_up_to_few_counts_but_not_in_training() -> None:
    with torch.inference_mode():
        counts = [filled_rows(rows) for rows in range(1, 65)]
        assert sorted(set(counts)) == [1, 2, 4, 8, 12, 16, 24, 32, 48, 64]
        assert all(rows <= count for rows, count in enumerate(counts, 1))
        assert filled(torch.ones(9, 2)).sum() == 18
        assert filled(torch.ones(9, 2)).shape == (12, 2)
    assert filled(torch.ones(9, 2)).shape == (9, 2)


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 9, 11])
def test_no_window_and_no_chunk_hangs_on_those_beside_it(rows: int) -> None:
    folder = data_directory() / "languages" / "nl" / "models"
    network, _ = load_plain_tagger(folder / "ner.pt", folder / "vectors.pt")
    tokenizer, _ = load_plain_tokenizer(folder / "tokenizer.pt")
    drawn = torch.Generator().manual_seed(rows)
    with torch.inference_mode():
        inputs = torch.randn(rows, 16, network.taggerlstm.lstm.input_size, generator=drawn)
        together = emissions(network, inputs, torch.full((rows,), 16))
        alone = [emissions(network, one.unsqueeze(0), torch.tensor([16])) for one in inputs]
        torch.testing.assert_close(together, torch.cat(alone))
        units = torch.randint(2, 9, (rows, 32), generator=drawn)
        features = torch.zeros(rows, 32, 5)
        scores = [
            tokenizer_scores(tokenizer, unit.unsqueeze(0), one.unsqueeze(0))
            for unit, one in zip(units, features, strict=True)
        ]
        torch.testing.assert_close(tokenizer_scores(tokenizer, units, features), torch.cat(scores))
