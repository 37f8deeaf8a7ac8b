"""Installing models with a download that needs no network."""

import shutil
from pathlib import Path

import pytest

from linkage.errors import ModelDamagedError, ModelNotFoundError
from linkage.recognition.model_store import install_stanza_models, installed_models
from linkage.recognition.stanza_ner import StanzaRecognizer
from linkage.records import Document, DocumentId
from linkage.settings import RecognitionSettings
from tests.linkage.recognition.tiny_models import write_models


def fake_download(language: str, folder: Path) -> None:
    """Stanza's layout: one folder a processor."""
    write_models(folder / "own")
    for processor, name in (("ner", "ner.pt"), ("pretrain", "vectors.pt"), ("tokenize", "tokenizer.pt")):
        place = folder / language / processor
        place.mkdir(parents=True)
        shutil.move(folder / "own" / name, place / f"official_{name}")


def test_installed_model_can_be_used(tmp_path: Path) -> None:
    installed = install_stanza_models("xx", tmp_path, download=fake_download)
    assert installed.folder == tmp_path / "xx"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["xx"]
    found = StanzaRecognizer.load(RecognitionSettings(ner_model=installed.folder)).recognize(
        [Document(DocumentId("d"), "Jan de Vries")]
    )
    assert found[0].tokens[0].cut("Jan de Vries").startswith("J")
    assert [m.language for m in installed_models(tmp_path) if not m.shipped] == ["xx"]


def test_second_installation_is_refused(tmp_path: Path) -> None:
    install_stanza_models("xx", tmp_path, download=fake_download)
    with pytest.raises(ModelDamagedError, match="already"):
        install_stanza_models("xx", tmp_path, download=fake_download)


def test_failed_download_leaves_nothing(tmp_path: Path) -> None:
    def broken(language: str, folder: Path) -> None:
        (folder / language).mkdir()
        raise OSError("network is down")

    with pytest.raises(ModelNotFoundError, match="xx"):
        install_stanza_models("xx", tmp_path, download=broken)
    with pytest.raises(ModelNotFoundError, match="tokenizer"):
        install_stanza_models("xx", tmp_path, download=lambda _language, _folder: None)
    assert list(tmp_path.iterdir()) == []


def test_incomplete_model_is_listed_with_its_problem(tmp_path: Path) -> None:
    folder = install_stanza_models("xx", tmp_path, download=fake_download).folder
    (folder / "ner" / "official_ner.pt").unlink()
    (own,) = (m for m in installed_models(tmp_path) if not m.shipped)
    assert own.problem is not None
    assert "official_ner.pt" in own.problem
