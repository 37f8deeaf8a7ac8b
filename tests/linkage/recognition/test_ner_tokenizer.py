"""The tokenizer network: what it reads of a text does not depend on the texts that share its batch."""

import random
import time

import numpy as np
import pytest
import torch

from linkage.recognition.ner_tokenizer import TokenizedText, Tokenizer, _keep_addresses_whole
from tests.linkage.recognition.tiny_models import LETTERS, write_models


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    """Untrained, with weights so large that the end of a chunk is felt far into it."""
    folder = tmp_path_factory.mktemp("models") / "nl"
    write_models(folder)
    made = Tokenizer.load(folder / "tokenizer.pt")
    torch.manual_seed(11)
    with torch.no_grad():
        for parameter in made._model.parameters():
            parameter.normal_(0, 1)
    return made


def _values(text: TokenizedText) -> list[list[int]]:
    arrays = (text.token_starts, text.token_ends, text.sentence_ends, text.line_breaks)
    return [array.tolist() for array in arrays]


def test_company_in_a_batch_changes_nothing(tokenizer: Tokenizer) -> None:
    drawn = random.Random(5)  # noqa: S311  texts, no secrets
    texts = ["".join(drawn.choices(LETTERS, k=drawn.randint(1, 200))) for _ in range(60)]
    alone = [_values(tokenizer.tokenize([text])[0]) for text in texts]
    assert [_values(found) for found in tokenizer.tokenize(texts)] == alone
    assert [_values(found) for found in tokenizer.tokenize(texts[::-1])] == alone[::-1]
    assert [_values(found) for found in tokenizer.tokenize(texts[20:])] == alone[20:]


def test_a_long_line_beside_an_address_takes_no_square_of_time() -> None:
    text = "a" * 100_000 + " jan@post.example"
    boundary = np.ones(len(text) + 1, dtype=bool)
    started = time.process_time()
    _keep_addresses_whole(text, boundary)
    assert time.process_time() - started < 10  # seconds; the square takes minutes
    assert not boundary[100_002:-1].any()
    assert boundary[:100_002].all()
