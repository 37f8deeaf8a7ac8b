"""Settings, models and versions for the report of a run, without names: files are told by their digests."""

import hashlib
import json
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from linkage.language_contents import MODEL_FOLDER, language_folder
from linkage.own_kinds import OwnValues
from linkage.settings import LinkageSettings, data_directory
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.fingerprint import described_settings

_PACKAGES: Final = ("nymlink", "stanza", "lightgbm")  # packages whose versions a report tells
_DIGITS: Final = 12  # hexadecimal digits of the SHA-256 of a model file that a report tells


def described(settings: LinkageSettings, formats: FormatOptions) -> dict[str, Any]:
    """The settings by table, the digests of the models, and the versions of the packages."""
    tables: dict[str, Any] = described_settings(settings)
    usual = FormatOptions()
    # Whose kinds and lists, and what a file may take, stand elsewhere, or say nothing of outputs.
    told = replace(
        formats, own=OwnValues(), max_bytes=usual.max_bytes, max_ratio=usual.max_ratio,
        max_depth=usual.max_depth, max_seconds=usual.max_seconds, max_memory=usual.max_memory,
    )  # fmt: skip
    if told != usual:  # the outputs are other ones then; names of columns stay out
        tables["formats"] = {"columns": len(formats.columns or ()), "keep_unread": formats.keep_unread}
        if formats.keep_original:
            tables["formats"]["keep_original"] = True
        if formats.group_by:  # a pattern may hold a name
            said = formats.group_by.encode()
            tables["formats"]["group_by"] = hashlib.sha256(said).hexdigest()[:_DIGITS]
        if formats.column_kinds:
            said = json.dumps(sorted(formats.column_kinds.items())).encode()
            tables["formats"]["column_kinds"] = hashlib.sha256(said).hexdigest()[:_DIGITS]
    return {"models": _model_digests(settings), "settings": tables, "versions": _versions()}


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed as a package"
    return found


def _model_digests(settings: LinkageSettings) -> dict[str, str]:
    data = data_directory()
    models = language_folder(settings.recognition.language) / MODEL_FOLDER
    shipped = {
        "network": models / "ner.pt",
        "detection": models / "detection.json",
        "classifier": data / "models" / "linkage" / "classifier.json",
    }
    given = {"network": settings.recognition.ner_model, "classifier": settings.linking.classifier}
    return {name: _digest(Path(given.get(name) or place)) for name, place in shipped.items()}


def _digest(path: Path) -> str:
    if not path.is_file():
        return "not found"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_DIGITS]
