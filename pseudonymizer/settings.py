"""The root of all settings: every table of a settings file, and the settings of a project.

Those of a project are stored in the vault; changes are audited.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Self

from msgspec import Meta

from linkage.errors import LinkageError
from linkage.kinds import Kinds
from linkage.language.headers import RUNNING_TEXT
from linkage.own_kinds import KindTable, OwnValues
from linkage.records import KnownIdentity
from linkage.settings import LinkageSettings, LinkingSettings, RecognitionSettings
from linkage.settings_file import SettingsFile
from linkage.settings_table import Setting, Table, settings_of, typed_table, unknown_key
from linkage.texts import KindId
from pseudonymizer.errors import SettingsError
from pseudonymizer.file_limits import FileLimits
from pseudonymizer.records import Scope, Style
from pseudonymizer.treatments.asked import (
    TREAT_TYPE,
    AskedTreatments,
    TreatmentTable,
    check_profile,
    check_table,
)
from pseudonymizer.treatments.choices import treatment_named
from pseudonymizer.treatments.plan import NAMES, Plan
from pseudonymizer.treatments.profiles import Profiles
from pseudonymizer.treatments.treatment import TreatmentOptions

# What a style can be set for beside persons: kinds of identifiers (pseudonymizer.identifiers) by their name.
STYLED_KINDS: Final = ("email", "handle", "url", "path", "text")
# Stored in a project that the command makes. Projects that are there keep their style.
NEW_PROJECT_STYLE: Final = Style.CODE
NEW_PROJECT_PROFILE: Final = "direct"
# Settings of a project that came after commit 8952b15: they are stored where they are not the default.
_LATER_SETTINGS: Final = frozenset({"profile", "treat", "treatments", "small_units"})
ONE_WAY: Final = frozenset({Style.MASK, Style.INITIALS})


@dataclass(frozen=True, slots=True)
class StyleSettings:
    """How pseudonyms look, and what they may keep of the real names.

    style is for names in text, and for identifiers whose kind has none of its own in kinds.
    """

    style: Annotated[
        Style, Meta(description="how pseudonyms look: of names, and of identifiers without a style in kinds")
    ] = Style.TOKEN
    kinds: Annotated[
        Mapping[str, Style],
        Meta(
            description='style by kind of identifier, such as `{ email = "token" }`',
            extra={"keys": STYLED_KINDS},
        ),
    ] = field(default_factory=dict)
    keep_initials: Annotated[bool, Meta(description="surrogates keep the letters of the real name")] = False
    keep_family: Annotated[
        bool, Meta(description="relatives of one family name share one invented family name")
    ] = False
    keep_professionals: Annotated[
        bool, Meta(description="judges, doctors and the like stay readable where the text says what they are")
    ] = False
    keep_domain: Annotated[bool, Meta(description="e-mail addresses keep their domain")] = False
    mark: Annotated[bool, Meta(description="metadata of outputs say that they are pseudonymized")] = True
    tag_word: Annotated[
        str,
        Meta(
            pattern="^[A-Z]{2,20}\\Z",
            title="2 to 20 capital letters",
            description="the word in tags and codes of persons",
        ),
    ] = "PERSOON"

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.kinds) - set(STYLED_KINDS)):
            raise SettingsError(f"no style can be set for {unknown[0]!r}; known: {', '.join(STYLED_KINDS)}")
        if not re.fullmatch(r"[A-Z]{2,20}", self.tag_word):
            raise SettingsError("tag_word must be 2 to 20 capital letters, such as PERSOON")

    def of_kind(self, kind: str) -> Style:
        return self.kinds.get(kind, self.style)

    @property
    def styles(self) -> frozenset[Style]:
        """All styles that are in use."""
        return frozenset({self.style, *self.kinds.values()})

    @property
    def for_deterministic(self) -> "StyleSettings":
        """These settings with tokens in place of codes, which count up and so cannot be deterministic."""
        if Style.CODE not in self.styles:
            return self
        kinds = {kind: Style.TOKEN if s is Style.CODE else s for kind, s in self.kinds.items()}
        return replace(self, style=Style.TOKEN if self.style is Style.CODE else self.style, kinds=kinds)

    @property
    def is_one_way(self) -> bool:
        """Whether all styles are: then nothing that they write comes back, and nothing of persons is kept."""
        return self.styles <= ONE_WAY

    @classmethod
    def from_mapping(
        cls, table: Mapping[str, Any], *, base: "StyleSettings | None" = None
    ) -> "StyleSettings":
        """Raises SettingsError for an unknown key or a value of the wrong type."""
        with _as_our_error():
            return typed_table(StyleSettings, table, name="pseudonyms", base=base)

    def to_mapping(self) -> dict[str, Any]:
        found = {f.name: getattr(self, f.name) for f in fields(self)}
        return found | {"style": str(self.style), "kinds": {k: str(v) for k, v in sorted(self.kinds.items())}}


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """How a project's names may be had back. style and pseudonyms, profile, treat and treatments are the
    default of its runs.
    """

    style: Annotated[Style, Meta(description="as in [pseudonyms]")] = Style.TOKEN
    pseudonyms: Annotated[
        Mapping[str, Any], Meta(title="a table", description="the other settings of [pseudonyms]")
    ] = field(default_factory=dict)
    single_approval: Annotated[
        bool, Meta(description="requesters may approve their own requests, as one person in all roles must")
    ] = True
    approvals_needed: Annotated[
        int, Meta(ge=1, description="approvers of a request, besides the requester")
    ] = 1
    extra_approval_above: Annotated[
        int, Meta(ge=0, description="pseudonyms in one request, above which one more approver is needed")
    ] = 100
    grant_minutes: Annotated[int, Meta(ge=1, description="minutes that a grant is valid")] = 60
    limit_capacity: Annotated[int, Meta(ge=1, description="pseudonyms one actor may reveal at once")] = (
        100_000
    )
    limit_per_hour: Annotated[int, Meta(ge=1, description="how many of them come back in an hour")] = 100_000
    retention_days: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="`nymlink vault erase --retention` erases people whom no run met for so many days"),
    ] = None
    profile: Annotated[
        str,
        Meta(
            title="the name of a profile",
            description="which kinds are treated (docs/reference/treatments.md)",
        ),
    ] = NAMES
    treat: Annotated[Mapping[str, str], TREAT_TYPE] = field(default_factory=dict)
    treatments: Annotated[
        Mapping[str, Any], Meta(title="a table", description="the other settings of [treatments]")
    ] = field(default_factory=dict)

    small_units: Annotated[
        bool,
        Meta(
            description="files of lines below 32 MB are cut into units smaller than 1 MB, so that a killed "
            "run loses less; new projects have it"
        ),
    ] = False

    def __post_init__(self) -> None:
        check_profile(self.profile)
        counts = (self.approvals_needed, self.grant_minutes, self.limit_capacity, self.limit_per_hour)
        if min(counts) < 1 or self.extra_approval_above < 0:
            raise SettingsError("approvals_needed, grant_minutes and limits of a project must be 1 or more")
        if self.retention_days is not None and self.retention_days < 0:
            raise SettingsError(f"retention_days is {self.retention_days}, it must be 0 or more")

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Self:
        """Raises SettingsError for an unknown key or a value of the wrong type."""
        with _as_our_error():
            found = typed_table(cls, table, name="the project")
            typed_table(TreatmentOptions, found.treatments, name="treatments")
        StyleSettings.from_mapping(found.pseudonyms)
        if found.treat:
            check_table(found.treat, Kinds.load())
        return found

    @classmethod
    def of_new_project(cls) -> Self:
        """The settings of a project that the command makes."""
        return cls(style=NEW_PROJECT_STYLE, profile=NEW_PROJECT_PROFILE, small_units=True)

    def values(self) -> dict[str, Any]:
        """All settings with their values."""
        return asdict(self)

    def to_mapping(self) -> dict[str, Any]:
        """The settings as they are stored: without later ones that have their default."""
        default = ProjectSettings().values()
        return {
            name: value
            for name, value in self.values().items()
            if name not in _LATER_SETTINGS or value != default[name]
        }

    @property
    def styles(self) -> StyleSettings:
        """How pseudonyms of the project look unless a run says otherwise."""
        return StyleSettings.from_mapping(self.pseudonyms, base=StyleSettings(style=self.style))

    def asked(self) -> AskedTreatments:
        """What the project says of treatments, its style among them."""
        table = {**self.treatments, "profile": self.profile, "treat": self.treat}
        return AskedTreatments.of_table(table).after_style(self.styles.style)

    def plan(
        self,
        styles: StyleSettings | None = None,
        asked: AskedTreatments | None = None,
        kinds: Kinds | None = None,
    ) -> Plan:
        """The plan of a run in the project.

        styles: those of the run, None where it has none of its own. asked: what the settings file and the
        command line say of treatments. kinds: the shipped ones, and those of the user.

        Raises:
            SettingsError: see Plan.made.
        """
        own = self.asked().with_style(styles.style if styles is not None else None)
        return (asked or AskedTreatments()).over(own).plan(kinds)

    def styles_of(self, plan: Plan, styles: StyleSettings | None = None) -> StyleSettings:
        """How pseudonyms of persons look under a plan. styles: those of the run; None: of the project."""
        chosen = styles if styles is not None else self.styles
        return chosen if plan.person_style is None else replace(chosen, style=plan.person_style)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What the user says of the columns of tables."""

    columns: Annotated[
        Mapping[str, str],
        Meta(
            title="a table from titles to kinds",
            description='kinds of columns by title, such as `{ BSN = "NATIONAL_ID" }`; "TEXT": running text',
        ),
    ] = field(default_factory=dict)

    def fault(self, known: Kinds) -> str | None:
        """What is wrong where a column is of a kind that is not known; None: nothing is."""
        for kind in self.columns.values():
            if kind != RUNNING_TEXT and kind not in known:
                told = ", ".join((*known, RUNNING_TEXT))
                return f"a column cannot be of the unknown kind {kind}; {known.question(kind)}known: {told}"
        return None

    @property
    def kinds(self) -> dict[str, KindId]:
        """The kinds by title in small letters."""
        return {title.strip().casefold(): KindId(kind) for title, kind in self.columns.items()}


TABLES: Final[Mapping[str, type[Table]]] = {
    "recognition": RecognitionSettings,
    "linking": LinkingSettings,
    "kinds": KindTable,
    "pseudonyms": StyleSettings,
    "treatments": TreatmentTable,
    "tables": TableSettings,
    "files": FileLimits,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """All tables of a settings file. pseudonyms is None where the file leaves them to the project; what
    treatments leave out is as the project says.
    """

    linkage: LinkageSettings = field(default_factory=LinkageSettings)
    pseudonyms: StyleSettings | None = None
    tables: TableSettings = field(default_factory=TableSettings)
    treatments: AskedTreatments = field(default_factory=AskedTreatments)
    files: FileLimits = field(default_factory=FileLimits)

    @classmethod
    def from_toml(cls, path: Path | str, *, name: str | None = None) -> Self:
        """The settings of a file, which is read once; relative paths count from the file's folder.

        name is what errors call the file; by default its own name, without the folder.

        Raises:
            SettingsError: the file cannot be read or is no TOML, a table or key is unknown, or a value has
                the wrong type or is out of range: with the file, the line, and what is known.
        """
        with _as_our_error():
            return cls._of_file(SettingsFile.read(path, name=name))

    @classmethod
    def _of_file(cls, file: SettingsFile) -> Self:
        for name in file.tables:
            if name not in TABLES:
                known = dict.fromkeys(TABLES)
                raise SettingsError(
                    f"{file.place(name)}: {unknown_key(name, known, kind='table', of='the settings')}"
                )
        linkage = LinkageSettings.from_mapping(file.tables, folder=file.folder, place=file.place)
        if linkage.kinds:
            _refuse_wrong(linkage.own)
        given = file.tables.get("pseudonyms", {})
        pseudonyms = typed_table(
            StyleSettings, given, name="[pseudonyms]", place=partial(file.place, "pseudonyms")
        )
        tables = typed_table(
            TableSettings, file.tables.get("tables", {}), name="[tables]",
            place=partial(file.place, "tables"),
        )  # fmt: skip
        if (fault := tables.fault(linkage.own.all_kinds)) is not None:
            raise SettingsError(f"{file.place('tables', 'columns')}: {fault} (a setting of [tables])")
        treatments = _treatments(file, linkage.own.all_kinds)
        files = typed_table(
            FileLimits, file.tables.get("files", {}), name="[files]", place=partial(file.place, "files")
        )
        return cls(linkage, pseudonyms if given else None, tables, treatments, files)


def _treatments(file: SettingsFile, kinds: Kinds) -> AskedTreatments:
    """The table [treatments] of a file. kinds: the shipped ones and those of the file."""
    given = file.tables.get("treatments", {})
    table = typed_table(TreatmentTable, given, name="[treatments]", place=partial(file.place, "treatments"))
    if table.treat:
        try:
            check_table(table.treat, kinds)
        except SettingsError as error:
            raise SettingsError(f"{file.place('treatments', 'treat')}: {error}") from None
    return AskedTreatments.of_table(given)


def known_settings() -> Iterator[tuple[str, Setting]]:
    """(table, key) for every key of a settings file, and ("", key) for those of a project."""
    for name, table in {**TABLES, "": ProjectSettings}.items():
        for setting in settings_of(table):
            yield name, setting


def _refuse_wrong(own: OwnValues) -> None:
    """Raises SettingsError: a kind of the user's cannot be used; the message names file and line."""
    from linkage.detection import finder_of  # here, for whoever has none: it reads many tables

    finder_of(own).refuse_wrong()
    for one in own.kinds:
        try:
            Profiles.load().check(one.name, treatment_named(one.treatment))
        except SettingsError as error:
            raise SettingsError(f"{one.opening}: {error}") from None


@contextmanager
def _as_our_error() -> Iterator[None]:
    """Errors of linkage's settings become those of this package."""
    try:
        yield
    except LinkageError as error:
        raise SettingsError(str(error)) from None


@dataclass(frozen=True, slots=True)
class StylesWanted:
    """The styles of pseudonyms that a run wants of a result, and what their labels keep clear of.

    avoid_tags: text of the inputs that looks like a tag. registered: people whose names no surrogate has.
    """

    styles: StyleSettings
    scope: Scope = Scope.PROJECT
    deterministic: bool = False
    avoid_tags: tuple[str, ...] = ()
    registered: tuple[KnownIdentity, ...] = field(default=(), repr=False)
