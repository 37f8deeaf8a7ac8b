"""No word of a name stays in the memory of a process after its person was erased."""

import gc
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkage.gazetteer import Gazetteer
from linkage.kept_words import forget_words
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.records import Detector, Document, DocumentId, Mention, Span
from linkage.settings import LinkingSettings
from pseudonymizer import FileKey, Vault, assign
from pseudonymizer.errors import VaultError
from pseudonymizer.vault import known


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker.load(LinkingSettings(), Gazetteer.load())


@pytest.fixture
def key(tmp_path: Path) -> FileKey:
    made = FileKey(tmp_path / "kek.key")
    made.create()
    return made


def surname() -> str:
    """One that no list, no file and no other test has."""
    return "".join(secrets.choice("bdfgklmnprst") + secrets.choice("aeiou") for _ in range(6))


def held(surname: str) -> list[str]:
    """The types of what holds a text with this surname, of all objects that are alive."""
    gc.collect()
    return [
        type(one).__name__
        for one in gc.get_objects()
        for part in gc.get_referents(one)
        if type(part) is str and surname in part.lower() and not _is_of_a_test(one)
    ]


def _is_of_a_test(one: object) -> bool:
    """Whether an object is what this module itself holds of a surname: variables, and lists of them."""
    return type(one).__name__ in {"frame", "cell", "coroutine"}


def met(vault: Vault, linker: Linker, document: str, names: list[str]) -> str:
    """The label of the first name in a text of these names, which is linked and assigned."""
    text = "".join(f"Het verslag van {name} is binnen. " for name in names)
    read = Document(DocumentId(document), text)
    spans = [Span(at := text.index(name), at + len(name)) for name in names]
    mentions = [Mention.at(read, span, detector=Detector.LIST, confidence=1.0) for span in spans]
    found = normalize(read, mentions, linker.gazetteer)
    linked = vault.linked("p", found, linker=lambda: linker)
    given = assign(linked.result, vault, project="p", seen_through=linked.seen_through)
    vault.commit()
    return given[mentions[0].mention_id].label


@pytest.fixture(params=[0, known.MOST_LINKED], ids=["candidates", "everybody"])
def two(
    request: pytest.FixtureRequest, tmp_path: Path, key: FileKey, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Vault, Vault]]:
    monkeypatch.setattr(known, "MOST_LINKED", request.param)
    url = f"sqlite:///{tmp_path / 'vault.db'}"
    with Vault.create(url, key) as here, Vault.open(url, key) as there:
        yield here, there


def test_after_an_erasure_no_word_of_the_name_is_held(two: tuple[Vault, Vault], linker: Linker) -> None:
    vault, _ = two
    word = surname()
    label = met(vault, linker, "a", [f"Karel {word.title()}", "Els Kok"])
    met(vault, linker, "b", [f"K. {word.title()}", "Els Kok"])
    assert held(word)
    vault.erase(project="p", pseudonyms=[label], purpose="verzoek")
    assert held(word) == []


def test_nor_in_a_process_that_did_not_erase_once_it_asks_again(
    two: tuple[Vault, Vault], linker: Linker
) -> None:
    vault, other = two
    word = surname()
    label = met(vault, linker, "a", [f"Karel {word.title()}", "Els Kok"])
    forget_words()
    met(other, linker, "b", [f"K. {word.title()}", "Els Kok"])
    vault.erase(project="p", pseudonyms=[label], purpose="verzoek")
    met(other, linker, "c", ["Els Kok"])
    assert held(word) == []


def test_an_old_backup_that_is_put_back_brings_nobody_into_memory(
    tmp_path: Path, key: FileKey, linker: Linker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "MOST_LINKED", 0)
    url = f"sqlite:///{tmp_path / 'vault.db'}"
    word = surname()
    with Vault.create(url, key) as vault:
        label = met(vault, linker, "a", [f"Karel {word.title()}", "Els Kok"])
    kept = tmp_path / "backup.db"
    shutil.copy(tmp_path / "vault.db", kept)
    with Vault.open(url, key) as vault:
        met(vault, linker, "b", ["Els Kok"])
        vault.erase(project="p", pseudonyms=[label], purpose="verzoek")
    shutil.copy(kept, tmp_path / "vault.db")  # without the key store, where the key is gone
    with Vault.open(url, key) as vault, pytest.raises(VaultError):
        met(vault, linker, "c", ["Els Kok"])
    assert held(word) == []
