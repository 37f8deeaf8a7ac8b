"""The project that a verb works in: one of a vault, or one that no vault keeps."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pseudonymizer.cli import options

if TYPE_CHECKING:
    from linkage.settings import LinkageSettings
    from pseudonymizer.project import Project
    from pseudonymizer.settings import StyleSettings
    from pseudonymizer.treatments.asked import AskedTreatments


@dataclass(frozen=True, slots=True)
class VaultPlace:
    """A vault as the command line names it; url None: no vault is meant."""

    url: str | None
    key_file: Path | None = None
    keys_url: str | None = None
    actor: str | None = None


def both_named(url: str | None, project: str | None) -> tuple[str | None, str | None]:
    """The address of a vault and a project of it. Where the command line names one of the two, the other may
    come from the environment; where it names neither, none is meant.
    """
    if url is None and project is None:
        return None, None
    return url or os.environ.get("NYMLINK_VAULT"), project or os.environ.get("NYMLINK_PROJECT")


@contextmanager
def opened_project(
    place: VaultPlace,
    project: str | None,
    settings: "LinkageSettings",
    *,
    styles: "StyleSettings | None" = None,
    treatments: "AskedTreatments | None" = None,
) -> "Iterator[Project]":
    """The project of an open vault; without a vault one in which nobody is known, as a new one would be.

    styles, treatments: what is asked beside the settings of the project.

    Raises:
        BadParameter: a vault is given without a project, or the other way round.
    """
    from pseudonymizer.project import Project, ProjectOptions
    from pseudonymizer.settings import ProjectSettings

    url, project = both_named(place.url, project)
    place = replace(place, url=url)
    if (place.url is None) != (project is None):
        raise typer.BadParameter("--vault and --project go together: give both, or neither for a new project")
    chosen = ProjectOptions(
        settings, styles, load=options.pipeline_loader(settings),
        registered=options.registered_people(settings), new_project=ProjectSettings.of_new_project(),
        treatments=treatments,
    )  # fmt: skip
    if place.url is None or project is None:
        yield Project.without_vault(chosen)
        return
    with options.vault_opener(place.url, place.key_file, place.keys_url, place.actor)() as vault:
        yield Project.open(vault, project, chosen, restyle=True)  # nothing is written
