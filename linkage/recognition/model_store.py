"""Recognition models on this machine, and Stanza's official ones for users with a network who want them."""

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from linkage.errors import LinkageError, ModelDamagedError, ModelNotFoundError
from linkage.language_contents import MODEL_FOLDER, installed_languages, language_folder
from linkage.recognition.ner_model import NerModel, silent_stanza

Download = Callable[[str, Path], None]  # (language, target folder): Stanza's own folder layout appears there


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that settings can use: by its language where it is shipped, else by its folder (ner_model)."""

    language: str
    folder: Path
    shipped: bool
    megabytes: float
    problem: str | None  # what is wrong with it, None if nothing


def installed_models(*folders: Path) -> tuple[InstalledModel, ...]:
    """Models in the shipped data and in further folders (each holding one folder a language), by language."""
    found = []
    of_languages = ((language_folder(code) / MODEL_FOLDER, code) for code in installed_languages())
    cards = [
        (folder / "model.json", code) for folder, code in of_languages if (folder / "model.json").is_file()
    ]
    shipped = {card for card, _ in cards}
    for place in folders:
        cards += [(card, card.parent.name) for card in sorted(place.glob("*/model.json"))]
    for card, language in cards:
        folder = card.parent
        size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
        try:
            NerModel.read(folder)
            problem = None
        except LinkageError as error:
            problem = str(error)
        found.append(InstalledModel(language, folder, card in shipped, size / 1e6, problem))
    return tuple(sorted(found, key=lambda m: (m.language, not m.shipped)))


def install_stanza_models(
    language: str, directory: Path, *, download: Download | None = None
) -> InstalledModel:
    """Fetch Stanza's official tokenizer and NER models into directory/language, with a model.json.

    The one place where linkage uses a network, and only when a user asks. Nothing is left behind on failure.

    Raises:
        ModelNotFoundError: if Stanza has no NER model for the language, or it cannot be fetched.
    """
    target = directory / language
    if (target / "model.json").exists():
        raise ModelDamagedError(f"a model for {language!r} is already installed there; remove it first")
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        try:
            (download or _download_from_stanza)(language, Path(scratch))
        except Exception as error:  # noqa: BLE001 - whatever the network does, the message must be one of ours
            raise ModelNotFoundError(
                f"Stanza's models for {language!r} cannot be fetched ({type(error).__name__}); "
                "check the language and the network"
            ) from None
        source = Path(scratch) / language
        parts = {
            "network": _only_model(source / "ner"),
            "vectors": _only_model(source / "pretrain"),
            "tokenizer": _only_model(source / "tokenize"),
            "forward_characters": _only_model(source / "forward_charlm"),
            "backward_characters": _only_model(source / "backward_charlm"),
        }
        if parts["network"] is None or parts["tokenizer"] is None:
            raise ModelNotFoundError(f"Stanza has no NER model with a tokenizer for {language!r}")
        card: dict[str, object] = {n: str(p.relative_to(source)) for n, p in parts.items() if p is not None}
        card.setdefault("vectors", None)
        card["line_break_tokens"] = False
        (source / "model.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
        shutil.move(source, target)
    size = sum(f.stat().st_size for f in target.rglob("*") if f.is_file())
    return InstalledModel(language, target, shipped=False, megabytes=size / 1e6, problem=None)


def _only_model(folder: Path) -> Path | None:
    models = sorted(folder.glob("*.pt"))
    return models[0] if models else None


def _download_from_stanza(language: str, folder: Path) -> None:
    with silent_stanza():
        import stanza

        stanza.download(language, model_dir=str(folder), processors="tokenize,ner", verbose=False)
