"""Outputs of one project are not restored in another one, nor in another vault."""

import shutil
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import ForeignOutputError
from pseudonymizer.records import Style
from pseudonymizer.runs.belonging import NOTE
from pseudonymizer.runs.restore import BY_LABELS, EXACT, Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake, make_vault, new_batch

_STYLES = StyleSettings(style=Style.TAG)  # whose labels are the same words in all projects


def _treated(folder: Path, project: str, vault: Vault, names: str) -> Path:
    """The output folder of a run over three letters."""
    (folder / project / "in").mkdir(parents=True)
    for number, name in enumerate(names.split(", ")):
        (folder / project / "in" / f"{number}.txt").write_text(f"Toen belde {name} weer terug.")
    sources = find_sources([folder / project / "in"])
    settings = BatchSettings(project, styles=_STYLES)
    report = new_batch(
        sources, folder / project / "out", settings, load=load_fake, open_vault=lambda: nullcontext(vault)
    ).run()
    assert not report.errors
    return folder / project / "out"


@pytest.fixture
def vault(tmp_path: Path) -> AbstractContextManager[Vault]:
    return make_vault(tmp_path / "vault")()


_OF_P = "Sanne Terpstra, Jan Postma, Els Douma"
_OF_Q = "Piet Tolsma, Ria Wiersma, Bas Bouma"


def _restoration(vault: Vault, project: str) -> Restoration:
    return Restoration(lambda: nullcontext(vault), project, "a complaint")


def test_a_folder_of_another_project_is_refused(tmp_path: Path, vault: AbstractContextManager[Vault]) -> None:
    with vault as opened:
        _treated(tmp_path, "p", opened, _OF_P)
        of_q = _treated(tmp_path, "q", opened, _OF_Q)
        with pytest.raises(ForeignOutputError, match="another project"):
            _restoration(opened, "p").files(find_sources([of_q]), tmp_path / "back")
        assert not list((tmp_path / "back").glob("**/*.txt"))
        report = _restoration(opened, "q").files(find_sources([of_q]), tmp_path / "back")
        assert report.counts[EXACT] == 3


def test_an_output_of_another_project_is_known_by_its_bytes(
    tmp_path: Path, vault: AbstractContextManager[Vault]
) -> None:
    with vault as opened:
        of_p = _treated(tmp_path, "p", opened, "Sanne Terpstra")
        of_q = _treated(tmp_path, "q", opened, _OF_Q)
        own = (of_p / "0.txt").read_bytes()  # one of q's outputs may have the same tag, and so the same bytes
        foreign = next(file for file in sorted(of_q.glob("*.txt")) if file.read_bytes() != own)
        (tmp_path / "loose").mkdir()
        shutil.copy(foreign, tmp_path / "loose")
        with pytest.raises(ForeignOutputError, match="another project"):
            _restoration(opened, "p").files(find_sources([tmp_path / "loose"]), tmp_path / "back")
        with pytest.raises(ForeignOutputError, match="another project"):
            _restoration(opened, "p").restored_text(foreign.read_bytes())
        assert _restoration(opened, "q").restored_text(foreign.read_bytes()).how == EXACT


def test_a_folder_of_another_vault_is_refused(tmp_path: Path, vault: AbstractContextManager[Vault]) -> None:
    with make_vault(tmp_path / "other")() as other:
        folder = _treated(tmp_path / "o", "p", other, _OF_Q)
    with vault as opened:
        _treated(tmp_path, "p", opened, _OF_P)
        for place in (folder, folder / "1.txt"):
            with pytest.raises(ForeignOutputError, match="another vault"):
                _restoration(opened, "p").files(find_sources([place]), tmp_path / "back")


def test_edited_outputs_come_back_in_their_own_project(
    tmp_path: Path, vault: AbstractContextManager[Vault]
) -> None:
    with vault as opened:
        of_p = _treated(tmp_path, "p", opened, _OF_P)
        (of_p / "0.txt").write_text((of_p / "0.txt").read_text() + " Aangevuld.")
        report = _restoration(opened, "p").files(find_sources([of_p]), tmp_path / "back")
        assert (report.counts[EXACT], report.counts[BY_LABELS]) == (2, 1)


def test_a_folder_without_a_note_comes_back_as_before(
    tmp_path: Path, vault: AbstractContextManager[Vault]
) -> None:
    with vault as opened:
        of_p = _treated(tmp_path, "p", opened, _OF_P)
        (of_p / ".nymlink" / NOTE).unlink()
        report = _restoration(opened, "p").files(find_sources([of_p]), tmp_path / "back")
        assert report.counts[EXACT] == 3
