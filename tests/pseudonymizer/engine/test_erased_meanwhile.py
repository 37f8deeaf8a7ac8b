"""Somebody is erased by another process after the linker was told of him: he is not brought back."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from linkage.records import KnownIdentity, LinkageResult, NormalizedMention
from linkage.review import Judgement
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import LinkageOutdatedError
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.runs.linking import Linking
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import (
    PROJECT,
    FakeLinker,
    FakePipeline,
    load_fake,
    make_vault,
    new_batch,
)

OpenVault = Callable[[], AbstractContextManager[Vault]]
HER = "Jitske Wiersma"


def erase_her(open_vault: OpenVault) -> str:
    with open_vault() as vault:
        (label,) = vault.lookup(project=PROJECT, name=HER, purpose="verzoek").pseudonyms
        vault.erase(project=PROJECT, pseudonyms=[label], purpose="verzoek")
        return label


class ErasingLinker(FakeLinker):
    """While it links, somebody else erases her; so many times, if it is told of her."""

    def __init__(self, open_vault: OpenVault, times: int) -> None:
        self.open_vault, self.times, self.erased = open_vault, times, list[str]()

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        found = super().link(mentions, known=known, judgements=judgements)
        if len(self.erased) < self.times and known:
            self.erased.append(erase_her(self.open_vault))
        return found


class ErasingPipeline(FakePipeline):
    def __init__(self, open_vault: OpenVault, times: int = 1) -> None:
        super().__init__()
        self.linker: ErasingLinker = ErasingLinker(open_vault, times)


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    made = make_vault(tmp_path / "vault")
    with made() as vault:
        Project.open(vault, PROJECT, ProjectOptions(load=load_fake)).pseudonymize(f"{HER} belde.")
    return made


def test_a_text_is_linked_again(open_vault: OpenVault) -> None:
    pipeline = ErasingPipeline(open_vault)
    with open_vault() as vault:
        project = Project.open(vault, PROJECT, ProjectOptions(load=lambda: pipeline))
        (answer,) = project.pseudonymize(f"{HER} schreef Els Douma.")
        (old,) = pipeline.linker.erased
        assert answer.text is not None
        assert HER not in answer.text
        assert old not in answer.text
        assert len(vault.known(PROJECT).people) == 2  # she is a new person, as one who was never met
        assert vault.verify().findings == ()


def test_a_run_is_linked_again(open_vault: OpenVault, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(f"{HER} schreef Els Douma.")
    pipeline = ErasingPipeline(open_vault)
    report = run(open_vault, tmp_path, lambda: pipeline)
    (old,) = pipeline.linker.erased
    written = (tmp_path / "out" / "a.txt").read_text()
    assert report.errors == {}
    assert HER not in written
    assert old not in written


def test_a_run_that_was_stopped_after_linking_goes_on_without_her(
    open_vault: OpenVault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(f"{HER} schreef Els Douma.")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Linking, "_assign", stop)
        with pytest.raises(KeyboardInterrupt):
            run(open_vault, tmp_path, load_fake)
    old = erase_her(open_vault)
    assert run(open_vault, tmp_path, load_fake).errors == {}
    written = (tmp_path / "out" / "a.txt").read_text()
    assert HER not in written
    assert old not in written


def test_an_end_is_made_of_it(open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch) -> None:
    def outdated(*_: object, **__: object) -> None:
        raise LinkageOutdatedError("link again")

    pipeline = FakePipeline()
    with open_vault() as vault:
        monkeypatch.setattr(Vault, "assign_styled", outdated)
        project = Project.open(vault, PROJECT, ProjectOptions(load=lambda: pipeline))
        with pytest.raises(LinkageOutdatedError):
            project.pseudonymize(f"{HER} schreef Els Douma.")
        assert not vault.has_open_work()


def run(open_vault: OpenVault, folder: Path, load: Callable[[], FakePipeline]) -> BatchReport:
    sources = find_sources([folder / "in"], output=folder / "out")
    return new_batch(sources, folder / "out", BatchSettings(PROJECT), load=load, open_vault=open_vault).run()
