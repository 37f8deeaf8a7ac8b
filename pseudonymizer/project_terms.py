"""What holds in a project: its settings in the vault, what a program asks beside them, and what that may not
change in silence.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pseudonymizer.project_options import ProjectOptions
from pseudonymizer.runs.restyling import refuse_other_style
from pseudonymizer.settings import ONE_WAY, ProjectSettings, StyleSettings
from pseudonymizer.treatments.plan import Plan

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class ProjectTerms:
    """The terms of a project as the vault and the options say now. vault: None for a project of none.

    Methods read the vault, and leave it to the caller to roll back.
    """

    vault: "VaultApi | None"
    name: str
    options: ProjectOptions

    @property
    def is_stored(self) -> bool:
        """Whether the vault has the project."""
        return self.vault is not None and self.name in self.vault.projects()

    def stored(self) -> ProjectSettings:
        """The settings of the project in the vault; of one that is not there yet, those that it will get."""
        if self.vault is not None and self.is_stored:
            return self.vault.project_settings(self.name)
        return self.new_project() or ProjectSettings()

    def new_project(self) -> ProjectSettings | None:
        """The settings of the project where the vault has none of this name: its own style is the one that
        is asked for, so that whoever opens it later without one goes on in it.
        """
        made, asked = self.options.new_project, self.options.styles
        if asked is None or asked.style in ONE_WAY:
            return made
        return replace(made or ProjectSettings(), style=asked.style)

    def asked(self) -> tuple[StyleSettings, Plan]:
        """How pseudonyms of persons look in the next texts, and the treatment of every kind."""
        stored, options = self.stored(), self.options
        plan = stored.plan(options.styles, options.treatments, options.settings.own.all_kinds)
        return stored.styles_of(plan, options.styles), plan

    def refuse_second_pseudonyms(self, output: Path | None = None, how: str = "restyle=True") -> None:
        """Nothing, where a run into this folder writes pseudonyms in the style of the last run there; in a
        new folder, or for a text (None), in a style in which people of the project have some. how: what the
        caller says who wants it.

        Raises:
            BatchError: it would write over outputs in another style, or give people a second pseudonym.
        """
        used = self.vault.styles_of_people(self.name) if self.vault is not None and self.is_stored else ()
        refuse_other_style(output, self.asked()[0], used, as_tokens=self.options.deterministic, how=how)

    def refuse_asked_style(self) -> None:
        """Nothing, where persons are to get the style that the project has, or one that people of it have.

        Raises:
            BatchError: another style is asked for.
        """
        if not self.is_stored:
            return
        stored = self.stored()
        own = stored.styles_of(stored.plan(kinds=self.options.settings.own.all_kinds))
        if self.asked()[0].style != own.style:
            self.refuse_second_pseudonyms()

    def refuse_style_of(self, output: Path | None) -> None:
        """Nothing, where the last run into a folder wrote in the style of the next one, or none was there.

        Raises:
            BatchError: it wrote in another style.
        """
        refuse_other_style(output, self.asked()[0])
