"""Project: the one facade of nymlink for Python, the command, services and pages.

    with open_vault("vault.db", FileKey(Path("kek.key"))) as vault:
        project = Project.open(vault, "study-12")
        print(project.pseudonymize("Jan de Vries belde.")[0].text)

It stays open: models are loaded once, and what other processes did to the vault since is seen before the next
text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Self

from linkage.gazetteer import Gazetteer
from linkage.records import KnownIdentity
from linkage.review import Judgement
from linkage.settings import LinkageSettings
from pseudonymizer.answering import pseudonymized
from pseudonymizer.answers import PseudonymizedTexts
from pseudonymizer.engine.engine import Engine
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.records import Pipeline
from pseudonymizer.engine.styling import Styling
from pseudonymizer.formats import FormatOptions
from pseudonymizer.inputs import Given, TextInputs, sources_of
from pseudonymizer.name_pool import ShippedLists
from pseudonymizer.records import Scope, Style
from pseudonymizer.settings import StyleSettings, style_of

if TYPE_CHECKING:
    from pseudonymizer.vault import Vault


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """How a project's texts are treated.

    settings: of detection and linking. styles: how pseudonyms look; None: as the project's settings in the
    vault say. scope: how far one pseudonym of a person reaches. deterministic: pseudonyms are computed from
    full names under a key of the project. formats: how files are read. load: what makes the pipeline; None:
    the shipped models. registered: people of the user's registry; None: those whom the settings name. lists:
    names that surrogates are made of.
    """

    settings: LinkageSettings = field(default_factory=LinkageSettings)
    styles: StyleSettings | None = None
    scope: Scope = Scope.PROJECT
    deterministic: bool = False
    formats: FormatOptions = field(default_factory=FormatOptions)
    load: Callable[[], Pipeline] | None = None
    registered: Sequence[KnownIdentity] | None = None
    lists: Callable[[], ShippedLists] = Gazetteer.load


class Project:
    """A project of an open vault, which its opener closes."""

    def __init__(self, vault: "Vault", name: str, options: ProjectOptions) -> None:
        self.vault = vault
        self.name = name
        self.options = options
        self._styling: Styling | None = None

    @classmethod
    def open(
        cls,
        vault: "Vault",
        name: str,
        options: ProjectOptions | None = None,
        *,
        style: Style | str | None = None,
    ) -> Self:
        """The project of this name; the vault gets it when its first text is pseudonymized.

        style: how pseudonyms look, put into the options.

        Raises:
            SettingsError: no such style, or styles that cannot be had together.
        """
        chosen = options or ProjectOptions()
        if style is not None:
            styles = replace(chosen.styles or StyleSettings(), style=style_of(style))
            chosen = replace(chosen, styles=styles)
        opened = cls(vault, name, chosen)
        if chosen.styles is not None:
            opened._styling_with(chosen.styles)  # refused now, and not at the first text
        return opened

    @cached_property
    def load(self) -> Callable[[], Pipeline]:
        """What makes the pipeline, here or in another process; each process makes it once."""
        if self.options.load is not None:
            return self.options.load
        from pseudonymizer.engine.loading import load_pipeline

        return partial(load_pipeline, self.options.settings)

    @cached_property
    def registered(self) -> Sequence[KnownIdentity]:
        """The people of the user's registry."""
        if self.options.registered is not None:
            return self.options.registered
        from pseudonymizer.engine.loading import registered_people

        return registered_people(self.options.settings)

    @cached_property
    def engine(self) -> Engine:
        return Engine(self.load, options=self.options.formats, registered=self.registered)

    def pseudonymize(
        self,
        inputs: TextInputs,
        *,
        mentions: Given | None = None,
        judgements: Sequence[Judgement] = (),
    ) -> PseudonymizedTexts:
        """The inputs with labels in place of names, linked together; their way back is in the vault by then.

        inputs: a text, bytes of a text, a Document or the path of a file, or several of these. mentions: take
        the place of detection, by document name. judgements: what people decided about links. An input that
        cannot be treated has a failure in its place, and the others are done.

        Raises:
            VaultError, AccessRefusedError: the vault cannot be used; nothing is stored.
            LinkageError: models, lists or settings are at fault.
        """
        self.vault.ensure_project(self.name)
        self.vault.commit()
        styles = self.options.styles or self.vault.project_settings(self.name).styles
        sources = sources_of(inputs, DocumentIds.of_project(self.vault, self.name), mentions)
        self.vault.rollback()  # detection takes long: nobody else has to wait for it
        treated = self.engine.pseudonymize(
            self.vault, self.name, sources, self._styling_with(styles), judgements
        )
        return pseudonymized(sources, treated)

    def _styling_with(self, styles: StyleSettings) -> Styling:
        """What draws pseudonyms of these styles; lists that it has read stay read."""
        if self._styling is None or self._styling.settings != styles:
            options = self.options
            self._styling = Styling(
                styles, scope=options.scope, deterministic=options.deterministic, lists=options.lists
            )
        return self._styling
