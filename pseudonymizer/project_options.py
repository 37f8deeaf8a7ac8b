"""How a project's texts are treated, and how a run over files goes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.gazetteer import Gazetteer
from linkage.records import KnownIdentity
from linkage.review import Judgement
from linkage.settings import LinkageSettings
from pseudonymizer.batch.tasks import Machines
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.records import GivenMention, Pipeline
from pseudonymizer.formats import FormatOptions
from pseudonymizer.name_pool import ShippedLists
from pseudonymizer.records import Scope
from pseudonymizer.settings import StyleSettings


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
    registered: Sequence[KnownIdentity] | None = field(default=None, repr=False)
    lists: Callable[[], ShippedLists] = Gazetteer.load


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run over files goes.

    workers: processes; None: as many as there are cores and the work is worth. limit: treat at most so many
    files; time_limit: stop detection after so many seconds; what is left is for the next run. retry_failed:
    treat only what has failed before. dry_run: detect and link, write nothing. mentions: take the place of
    detection, by document name. judgements: what people decided about links. machines: where the work is
    done; None: processes of this machine.
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
