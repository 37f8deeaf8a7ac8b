"""A recognition model's files: found by the settings, checked, loaded offline."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

from linkage.errors import ModelDamagedError, ModelNotFoundError
from linkage.language import Language
from linkage.language_contents import NETWORK
from linkage.settings import RecognitionSettings


@dataclass(frozen=True, slots=True)
class NerModel:
    """Where the parts of a model lie and how its scores are to be read: the content of its model.json.

    The probability p of a span becomes sigmoid(calibration_slope * logit(p) + calibration_offset). A person
    span that only the search with weak_bias finds is weak. person_bias moves every decision towards persons.
    """

    network: Path
    vectors: Path | None
    tokenizer: Path
    line_break_tokens: bool = True
    window_tokens: int = 100
    person_bias: float = 0.0
    weak_bias: float = 3.0
    calibration_slope: float = 1.0
    calibration_offset: float = 0.0
    forward_characters: Path | None = None
    backward_characters: Path | None = None
    strict_tags: bool = False  # only what BIOES allows counts as a row of tags

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read folder/model.json.

        Raises:
            ModelNotFoundError: if the folder or a file that it names is missing.
            ModelDamagedError: if model.json is not what it should be.
        """
        card = folder / "model.json"
        try:
            values = json.loads(card.read_text(encoding="utf-8"))
            paths = {"network", "vectors", "tokenizer", "forward_characters", "backward_characters"}
            model = cls(**{k: folder / v if k in paths and v is not None else v for k, v in values.items()})
        except FileNotFoundError:
            raise ModelNotFoundError(
                f"no recognition model for this language: {folder.name}/model.json is missing; "
                "install one with `nymlink models install`, or name one in the settings (ner_model)"
            ) from None
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise ModelDamagedError(
                f"model.json of a recognition model cannot be read: {type(error).__name__}"
            ) from None
        for part in (
            model.network,
            model.vectors,
            model.tokenizer,
            model.forward_characters,
            model.backward_characters,
        ):
            if part is not None and not part.is_file():
                raise ModelNotFoundError(
                    f"recognition model {folder.name}: file {part.name} is missing; install it again"
                )
        return model


def find_model(settings: RecognitionSettings) -> NerModel:
    """The model that the settings name, else the one shipped (or installed) for their language.

    settings.ner_model is a folder with a model.json, that file, or a Stanza NER model (.pt) whose vectors lie
    beside it as vectors.pt; the tokenizer is then the shipped one.
    """
    chosen = settings.ner_model
    if chosen is None:
        return NerModel.read(Language.load(settings.language).models(NETWORK))
    if not chosen.exists():
        raise ModelNotFoundError("the recognition model that the settings name (ner_model) does not exist")
    if chosen.is_dir():
        return NerModel.read(chosen)
    if chosen.name == "model.json":
        return NerModel.read(chosen.parent)
    vectors = chosen.with_name("vectors.pt")
    shipped = NerModel.read(Language.load(settings.language).models(NETWORK))
    return NerModel(
        network=chosen,
        vectors=vectors if vectors.is_file() else None,
        tokenizer=shipped.tokenizer,
        line_break_tokens=False,
    )


def load_tagger(model: NerModel) -> Any:
    """Network, vocabularies and arguments, under Stanza's names; by Stanza itself only where it must be.

    Raises:
        ModelNotFoundError: if a file is missing.
        ModelDamagedError: if a file cannot be read as what it should be.
    """
    from linkage.recognition.ner_loading import UnusualModelError, load_plain_tagger

    try:
        try:
            network, vocab = load_plain_tagger(model.network, model.vectors)
        except UnusualModelError:
            return _load_with_stanza(model)
    except FileNotFoundError:
        raise ModelNotFoundError(
            "a file that the recognition model needs is missing; install the model again"
        ) from None
    except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
        raise ModelDamagedError(
            f"recognition model cannot be read ({type(error).__name__}); install it again"
        ) from None
    return SimpleNamespace(model=network, vocab=vocab, args=network.args)


def _load_with_stanza(model: NerModel) -> Any:
    """Stanza's trainer object, for models with a character language model or a transformer."""
    from stanza.models.common.pretrain import Pretrain
    from stanza.models.ner.trainer import Trainer

    pretrain = None if model.vectors is None else Pretrain(str(model.vectors), save_to_file=False)
    further = {"forward": model.forward_characters, "backward": model.backward_characters}
    arguments = {f"charlm_{name}_file": None if path is None else str(path) for name, path in further.items()}
    tagger = Trainer(args=arguments, model_file=str(model.network), pretrain=pretrain, device="cpu")
    tagger.model.eval()
    return tagger


@contextmanager
def silent_stanza() -> Iterator[None]:
    """Stanza logs paths when it loads; nothing of a user's machine belongs on the terminal."""
    logger = logging.getLogger("stanza")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before
