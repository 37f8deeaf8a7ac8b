"""The project that a verb works in: one of a vault, or a new one that nothing keeps."""

from pathlib import Path

import pytest
import typer

from linkage.settings import LinkageSettings
from pseudonymizer.cli import options
from pseudonymizer.cli.projects import VaultPlace, both_named, opened_project
from pseudonymizer.errors import AccessRefusedError, VaultClosedError
from pseudonymizer.policy import Role
from pseudonymizer.vault_address import open_vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault


@pytest.fixture(autouse=True)
def _without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)


@pytest.fixture
def place(tmp_path: Path) -> VaultPlace:
    with make_vault(tmp_path)() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
    return VaultPlace(f"sqlite:///{tmp_path / 'vault.db'}", tmp_path / "kek.key")


def test_without_a_vault_nobody_is_known_and_nothing_is_kept() -> None:
    with opened_project(VaultPlace(None), None, LinkageSettings()) as project:
        assert [m.mention.surface for m in project.find("Jan Tolsma belde")[0].mentions] == ["Jan Tolsma"]
        with pytest.raises(VaultClosedError):
            _ = project.vault


def test_with_a_vault_its_people_are_known_and_it_is_closed_in_the_end(place: VaultPlace) -> None:
    with opened_project(place, PROJECT, LinkageSettings()) as project:
        (person,) = project.pseudonymize("Jan Tolsma belde").identities
        vault = project.vault
    assert not vault.has_open_work()
    with opened_project(place, PROJECT, LinkageSettings()) as project:
        (identity,) = project.link("Jan Tolsma kwam").result.identities
        assert identity.entity_id == person.entity


def test_an_actor_is_who_the_command_line_says(place: VaultPlace, tmp_path: Path) -> None:
    with open_vault(tmp_path / "vault.db", tmp_path / "kek.key") as vault:
        vault.give_role("ana", Role.AUDITOR)
        vault.commit()
    asks = VaultPlace(place.url, place.key_file, actor="ana")
    with opened_project(asks, PROJECT, LinkageSettings()) as project, pytest.raises(AccessRefusedError):
        project.link("Jan Tolsma kwam")


@pytest.mark.parametrize(("url", "project"), [("sqlite:///v.db", None), (None, PROJECT)])
def test_a_vault_and_a_project_go_together(url: str | None, project: str | None) -> None:
    with (
        pytest.raises(typer.BadParameter, match="go together"),
        opened_project(VaultPlace(url), project, LinkageSettings()),
    ):
        pass


def test_the_environment_completes_what_the_command_line_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NYMLINK_VAULT", "v.db")
    monkeypatch.setenv("NYMLINK_PROJECT", "study-12")
    assert both_named(None, None) == (None, None)
    assert both_named(None, "other") == ("v.db", "other")
    assert both_named("w.db", None) == ("w.db", "study-12")
    monkeypatch.delenv("NYMLINK_VAULT")
    assert both_named(None, "other") == (None, "other")
