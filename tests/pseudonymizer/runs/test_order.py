"""Order does not matter: any order of the inputs and any number of workers, the same bytes."""

import shutil
import tempfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.keyring import FileKey
from pseudonymizer.records import Scope
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch

NAMES = st.sampled_from(["Jan Tolsma", "Els Mulder", "Piet Kok", "Ria de Vries", "Zo van Dam"])
TEXTS = st.lists(NAMES, max_size=4).map(lambda names: "; ".join([*names, "en niemand"]))


@pytest.fixture(scope="module")
def vault_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with the keys of the project: every run starts from a copy."""
    folder = tmp_path_factory.mktemp("vault")
    with make_vault(folder)() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
    return folder


def written(
    vault: Path, texts: list[str], order: list[int], *, workers: int, scope: Scope
) -> dict[str, bytes]:
    """What a run writes whose inputs come in this order."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for number, text in enumerate(texts):
            (folder / "in" / f"{number:02}.txt").write_text(text)
        shutil.copytree(vault, folder / "vault")
        sources = find_sources([folder / "in"])
        new_batch(
            [sources[n] for n in order], folder / "out",
            BatchSettings(PROJECT, scope=scope, deterministic=True, workers=workers),
            load=load_fake,
            open_vault=partial(
                Vault.open, f"sqlite:///{folder}/vault/vault.db", FileKey(folder / "vault" / "kek.key")
            ),
        ).run()  # fmt: skip
        return {path.name: path.read_bytes() for path in sorted((folder / "out").glob("*.txt"))}


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), texts=st.lists(TEXTS, min_size=1, max_size=6), scope=st.sampled_from(list(Scope)))
def test_any_order_gives_the_same_bytes(
    vault_folder: Path, data: st.DataObject, texts: list[str], scope: Scope
) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    straight = written(vault_folder, texts, list(range(len(texts))), workers=1, scope=scope)
    assert written(vault_folder, texts, list(order), workers=1, scope=scope) == straight
    assert len(straight) == len(texts)


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_gives_the_same_bytes(vault_folder: Path, workers: int) -> None:
    texts = [f"Jan Tolsma en {name}, nummer {n}" for n in range(40) for name in ("Els Mulder", "Piet Kok")]
    order = list(range(len(texts)))
    alone = written(vault_folder, texts, order, workers=1, scope=Scope.PROJECT)
    assert written(vault_folder, texts, order[::-1], workers=workers, scope=Scope.PROJECT) == alone
