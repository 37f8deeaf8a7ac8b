"""Options of a project, and of a run over files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.gazetteer import Gazetteer
from linkage.records import KnownIdentity
from linkage.review import Judgement
from linkage.settings import LinkageSettings
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.records import GivenMention, Pipeline
from pseudonymizer.formats import FormatOptions
from pseudonymizer.records import Scope
from pseudonymizer.runs.tasks import Machines
from pseudonymizer.settings import ProjectSettings, StyleSettings
from pseudonymizer.styles.name_pool import ShippedLists
from pseudonymizer.treatments.asked import AskedTreatments


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """Options of a project.

    settings: of detection and linking. styles: how pseudonyms look; None: as the settings of the project in
    the vault say. treatments: what a run asks for beside the profile and treatments of the project. scope:
    how far one pseudonym of a person reaches. deterministic: pseudonyms are computed from full names under a
    key of the project. formats: how files are read. load: makes the pipeline; None: with the shipped models.
    registered: people of the user's registry; None: those of the registry that settings name. lists: reads
    the lists that surrogates are made of. new_project: the settings of the project where the vault has none
    of this name; None: those that Python programs always had.
    """

    settings: LinkageSettings = field(default_factory=LinkageSettings)
    styles: StyleSettings | None = None
    scope: Scope = Scope.PROJECT
    deterministic: bool = False
    formats: FormatOptions = field(default_factory=FormatOptions)
    load: Callable[[], Pipeline] | None = None
    registered: Sequence[KnownIdentity] | None = field(default=None, repr=False)
    lists: Callable[[], ShippedLists] = Gazetteer.load
    new_project: ProjectSettings | None = None
    treatments: AskedTreatments | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of one run over files.

    workers: number of processes; None: as many as the cores and the amount of work suggest. limit: the most
    files that this run treats. time_limit: seconds after which detection stops. Files that are left over are
    for the next run. retry_failed: treat only files that failed before. dry_run: detect and link, write
    nothing. mentions: by document name, the mentions that take the place of detection. judgements: verdicts
    of reviewers about links. machines: where the work is done; None: in processes of this machine. prune:
    delete outputs of earlier runs whose inputs are not among these, or fail now.
    """

    workers: int | None = None
    limit: int | None = None
    time_limit: float | None = None
    retry_failed: bool = False
    dry_run: bool = False
    mentions: Mapping[str, tuple[GivenMention, ...]] | None = field(default=None, repr=False)
    judgements: Sequence[Judgement] = field(default=(), repr=False)
    progress: Progress | None = None
    machines: Machines | None = None
    prune: bool = False
