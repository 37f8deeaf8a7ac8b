"""What runs left for review, through the service: the same links, and no whole original."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from linkage.records import KnownIdentity, LinkageResult, NormalizedMention
from linkage.review import Judgement
from pseudonymizer.errors import AccessRefusedError, ServiceError
from pseudonymizer.policy import Role
from pseudonymizer.project import Project, RunOptions
from pseudonymizer.vault.access import give_role
from tests.pseudonymizer.batch_fakes import PROJECT
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.service.test_server import Served, running
from tests.pseudonymizer.test_kept_runs import OPTIONS, FamilyLinker, asked


@pytest.fixture
def served(sqlite_place: VaultPlace) -> Iterator[Served]:
    with sqlite_place.create("boss") as vault:
        vault.ensure_project(PROJECT)
        for actor, role in (("ana", Role.ANALYST), ("cor", Role.CURATOR)):
            give_role(vault, actor, role)
        vault.commit()
    with running(sqlite_place) as service:
        linker = FamilyLinker()

        def link(
            mentions: Sequence[NormalizedMention],
            *,
            known: Sequence[KnownIdentity] = (),
            judgements: Sequence[Judgement] = (),
        ) -> LinkageResult:
            return linker.link(mentions, known=known, judgements=judgements)

        service.linker.link = link  # type: ignore[method-assign]
        yield service


@pytest.fixture
def out(served: Served, tmp_path: Path) -> Path:
    """The output of an analyst's run."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "brief.txt").write_text("Jitske Wiersma kwam met Jan Wiersma.", encoding="utf-8")
    with closing(served.connect("ana")) as client:
        Project.open(client, PROJECT, OPTIONS).pseudonymize_folder(
            tmp_path / "in", tmp_path / "out", RunOptions()
        )
    return tmp_path / "out"


def test_a_curator_gets_the_links_of_an_analysts_run_without_the_text(served: Served, out: Path) -> None:
    with closing(served.connect("cor")) as client:
        project = Project.open(client, PROJECT, OPTIONS)
        kept = project.kept(out)
        assert [one[0] for one in asked(project.review(kept))] == [
            frozenset({"Jitske Wiersma", "Jan Wiersma"})
        ]
        assert kept.texts["brief.txt"] == ""
        with pytest.raises(ServiceError, match="no original for review"):
            client.reviewed_rewrites(PROJECT, [bytes(32)])
    with served.place.open("boss") as vault:
        (event,) = [e for e in vault.audit_events() if e.action == "review"]
        assert (event.actor, event.outcome, event.counts["links"]) == ("cor", "done", 1)


def test_an_analyst_gets_no_links(served: Served, out: Path) -> None:
    with closing(served.connect("ana")) as client, pytest.raises(AccessRefusedError):
        Project.open(client, PROJECT, OPTIONS).kept(out)


def test_a_curator_may_forget_them(served: Served, out: Path) -> None:
    with closing(served.connect("cor")) as client:
        assert Project.open(client, PROJECT, OPTIONS).forget(out) == 1
    with served.place.open("boss") as vault:
        assert vault.store.scalar("SELECT count(*) FROM run_result") == 0
