"""The engine: one process loads the models, and processes that it forks answer calls at a Unix socket.

Each of them works for one call at a time, so that nothing is shared that two threads could harm. The kernel
gives the next call to one that is free. Of calls that wait together the network reads the short texts in one
go; all else of a call is its own. A connection carries one call; or a text in pieces, one after the
other, and other calls are answered between them.
"""

import logging
import socket
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from pseudonymizer.desk import documents, governing, stewarding
from pseudonymizer.desk.answered import (
    KindInUse,
    KindsInUse,
    ProfileShown,
    ProfilesShown,
    ProjectShown,
    ProjectsShown,
    StreamBegun,
    StyleShown,
    StylesShown,
)
from pseudonymizer.desk.asked import (
    DetectTexts,
    OfProject,
    PseudonymizeDocument,
    PseudonymizeTexts,
    RestoreDocument,
    RestoreStream,
    RestoreTexts,
    StreamPiece,
)
from pseudonymizer.desk.correction_desk import CorrectionDesk
from pseudonymizer.desk.desks import DESK_VERBS, Desks, DeskWork
from pseudonymizer.desk.frames import Answer, Call, Caller
from pseudonymizer.desk.held_state import HeldStates
from pseudonymizer.desk.job_desk import JobDesk
from pseudonymizer.desk.job_runner import JobRunner, RunPlace
from pseudonymizer.desk.jobs import JobBell
from pseudonymizer.desk.presidio_asked import Analyze, Anonymize, EntitiesOfPresidio
from pseudonymizer.desk.presidio_desk import PresidioDesk
from pseudonymizer.desk.reading_ahead import texts_read_together
from pseudonymizer.desk.serving import Streams, Taken, TextStream, answer_of
from pseudonymizer.desk.steward_asked import (
    AskForNames,
    AuditPage,
    AuditSearch,
    ChangeProject,
    ChangeRole,
    DenyRequest,
    Erase,
    ListRoles,
    LookUp,
    OfRequest,
    PlanErasure,
    RevealNames,
    RevealRequested,
    SplitPerson,
    VerifyTrail,
)
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.workspace_answered import Done
from pseudonymizer.desk.workspace_desk import WorkspaceDesk
from pseudonymizer.desk.workspaces import WorkspaceStore
from pseudonymizer.errors import (
    NoWorkspacesError,
    UnknownProjectError,
)
from pseudonymizer.records import Style
from pseudonymizer.settings import ONE_WAY, ProjectSettings
from pseudonymizer.treatments.asked import AskedTreatments
from pseudonymizer.treatments.overview import treated_kinds
from pseudonymizer.treatments.profiles import Profiles
from pseudonymizer.vault.api import VaultApi

log = logging.getLogger(__name__)

OpenVault = Callable[[str], VaultApi]  # opens the vault in the name of an actor
_KEPT_VAULTS: Final = 8  # of actors, in one process


@dataclass(frozen=True, slots=True)
class KeptWorkspaces:
    """Where workspaces lie and their runs work. bell: wakes the process that does jobs."""

    store: WorkspaceStore
    place: RunPlace
    bell: JobBell


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What an engine works with. open_vault: see OpenVault. projects: those that it makes where the vault has
    them not; the first one is meant where neither a request nor its token names one. warm_up: loads the
    models. workspaces: None where the service keeps none.
    """

    texts: TextDesk
    open_vault: OpenVault
    projects: tuple[str, ...]
    language: str
    warm_up: Callable[[], None]
    workspaces: KeptWorkspaces | None = None


class Engine:
    """Answers calls, one at a time. Each actor has an open vault, which stays open."""

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self._vaults: OrderedDict[str, VaultApi] = OrderedDict()
        self._streams = Streams()
        self._desks = None if settings.workspaces is None else self._made_desks(settings.workspaces)

    def close(self) -> None:
        """Close the vaults."""
        for vault in self._vaults.values():
            self._settings.texts.forget(vault)
            vault.close()
        self._vaults.clear()

    def serve(self, listener: socket.socket, parent: int) -> None:
        """Answer calls until the parent has gone. parent: a file that can be read when it has."""
        try:
            self._streams.serve(self, listener, parent)
        finally:
            self.close()

    def answered(self, raw: bytes) -> Answer:
        """The answer to a call."""
        return self.take(raw).answer

    def take(self, raw: bytes) -> Taken:
        """The answer to a call, and the text in pieces that it began."""
        begun: list[TextStream] = []

        def work() -> Any:
            call = msgspec.msgpack.decode(raw, type=Call)
            verb = _VERBS[call.verb]
            result = verb.work(self, call.caller, msgspec.msgpack.decode(call.arguments, type=verb.asked))
            if isinstance(result, TextStream):
                begun.append(result)
                return StreamBegun()
            return result

        return Taken(answer_of(work), begun[0] if begun else None)

    def look_ahead(self, calls: Sequence[bytes]) -> None:
        """Let the network read the short texts of these calls in one go, before each is answered by itself.
        None: forget what it read.
        """
        try:
            self._settings.texts.read_ahead(texts_read_together(calls))
        except Exception as error:  # noqa: BLE001  each call is answered by itself, and told its own fault
            log.warning("texts could not be read together: %s", type(error).__name__)

    def fed(self, stream: TextStream, raw: bytes) -> Answer:
        """The answer to one more piece of a text."""
        return answer_of(lambda: stream.fed(msgspec.msgpack.decode(raw, type=StreamPiece)))

    # -- verbs -----------------------------------------------------------------------------------------------

    def _detect(self, caller: Caller, asked: DetectTexts) -> Any:
        del caller
        return self._settings.texts.detect(asked)

    def _pseudonymize(self, caller: Caller, asked: PseudonymizeTexts) -> Any:
        vault, name = self._of(caller, asked.project)
        return self._settings.texts.pseudonymize(vault, name, asked)

    def _restore(self, caller: Caller, asked: RestoreTexts) -> Any:
        vault, name = self._of(caller, asked.project)
        return self._settings.texts.restore(vault, name, asked)

    def _restore_stream(self, caller: Caller, asked: RestoreStream) -> TextStream:
        self._streams.check_room()
        vault, name = self._of(caller, asked.project)
        return TextStream(caller.actor, self._settings.texts.restore_stream(vault, name, asked))

    def _pseudonymize_document(self, caller: Caller, asked: PseudonymizeDocument) -> Any:
        vault, name = self._of(caller, asked.options.project)
        return documents.pseudonymize(self._settings.texts.project_of(vault, name, asked.options), asked)

    def _restore_document(self, caller: Caller, asked: RestoreDocument) -> Any:
        return documents.restore(self._settings.texts.stored_project(*self._of(caller, asked.project)), asked)

    def _kinds(self, caller: Caller, asked: OfProject) -> KindsInUse:
        project = self._settings.texts.options_of(*self._of(caller, asked.project))
        plan, own = project.plan(), project.options.settings.own.all_kinds
        project.vault.rollback()
        choices = [(str(kind), str(treatment)) for kind, treatment in plan.treatments.items()]
        said = {"project": AskedTreatments(plan.profile).with_choices(choices)}
        return KindsInUse(
            tuple(
                KindInUse(
                    str(one.kind), one.category, one.word, one.found, str(one.treatment), str(one.way_back),
                    tuple(str(treatment) for treatment in Profiles.load().of_kind(one.kind)),
                    own[one.kind].letter,
                )
                for one in treated_kinds(said, language=self._settings.language, kinds=own)
            )
        )  # fmt: skip

    def _styles(self, caller: Caller, asked: OfProject) -> StylesShown:
        del caller, asked
        return StylesShown(tuple(StyleShown(str(style), style not in ONE_WAY) for style in Style))

    def _profiles(self, caller: Caller, asked: OfProject) -> ProfilesShown:
        del caller, asked
        found = Profiles.load().profiles.values()
        return ProfilesShown(
            tuple(
                ProfileShown(one.name, one.about, {str(k): str(t) for k, t in one.treatments.items()})
                for one in found
            )
        )

    def _projects(self, caller: Caller, asked: OfProject) -> ProjectsShown:
        del asked
        vault = self._vault_of(caller)
        stored = vault.projects()
        names = dict.fromkeys((*self._settings.projects, *stored))
        shown = []
        for name in names:
            if caller.project in (None, name):
                has = name in stored
                settings = vault.project_settings(name) if has else ProjectSettings.of_new_project()
                shown.append(ProjectShown(name, str(settings.style), settings.profile, has))
        vault.rollback()
        return ProjectsShown(tuple(shown))

    def _of_requests(self, caller: Caller) -> tuple[VaultApi, str | None]:
        """The vault in the caller's name, and the only project of which he may see requests and events."""
        return self._vault_of(caller), caller.project

    def _requests(self, caller: Caller, asked: OfProject) -> Any:
        del asked
        return stewarding.requests(*self._of_requests(caller))

    def _approve(self, caller: Caller, asked: OfRequest) -> Any:
        vault, project = self._of_requests(caller)
        return stewarding.decide(vault, project, asked, vault.approve)

    def _withdraw(self, caller: Caller, asked: OfRequest) -> Any:
        vault, project = self._of_requests(caller)
        return stewarding.decide(vault, project, asked, vault.withdraw)

    def _lookup(self, caller: Caller, asked: LookUp) -> Any:
        return stewarding.look_up(self._settings.texts.options_of(*self._of(caller, asked.project)), asked)

    def _erase(self, caller: Caller, asked: Erase) -> Any:
        vault, name = self._of(caller, asked.project)
        erased = governing.erase(vault, name, asked)
        gone = 0 if self._desks is None else self._desks.workspaces.erasures.sweep(name)
        return governing.with_workspaces(erased, gone)

    def _vault_ready(self, caller: Caller, asked: OfProject) -> Done:
        """Done, where the vault can be opened now; one that is open already may have lost its service."""
        del asked
        self._settings.open_vault(caller.actor).close()
        return Done()

    def _verify_trail(self, caller: Caller, asked: VerifyTrail) -> Any:
        del asked
        return stewarding.verify_trail(self._vault_of(caller))

    @property
    def desks(self) -> Desks:
        """The workspaces of the service, and what belongs to them.

        Raises:
            NoWorkspacesError: it keeps none.
        """
        if self._desks is None:
            raise NoWorkspacesError("the service keeps no workspaces; start it with --workspaces DIR")
        return self._desks

    def _made_desks(self, kept: KeptWorkspaces) -> Desks:
        texts = self._settings.texts
        held = HeldStates(kept.store, texts.kinds)
        workspaces = WorkspaceDesk(kept.store, self._of, texts.ensure, held)
        jobs = JobDesk(workspaces, texts, kept.bell.ring, lambda: kept.place.folder(kept.store.folder))
        return Desks(workspaces, jobs, CorrectionDesk(workspaces))

    def job_runner(self) -> JobRunner:
        """What does the jobs of workspaces, in a process of its own. Raises NoWorkspacesError."""
        kept, workspaces = self._settings.workspaces, self.desks.workspaces
        assert kept is not None  # noqa: S101  for the type checker: desks has raised
        return JobRunner(workspaces, self._settings.texts, kept.place, kept.bell, self.close)

    def _presidio_analyze(self, caller: Caller, asked: Analyze) -> Any:
        del caller
        return PresidioDesk(self._settings.texts).analyze(asked)

    def _presidio_anonymize(self, caller: Caller, asked: Anonymize) -> Any:
        return PresidioDesk(self._settings.texts).anonymize(*self._of(caller, None), asked)

    def _presidio_entities(self, caller: Caller, asked: EntitiesOfPresidio) -> Any:
        del caller
        return PresidioDesk(self._settings.texts).entities(asked)

    # -- who asks, for which project -------------------------------------------------------------------------

    def _of(self, caller: Caller, named: str | None) -> tuple[VaultApi, str]:
        """The vault in the caller's name, and the project that is meant.

        Raises:
            UnknownProjectError: it is not the caller's, or none is named.
        """
        name = named or caller.project or next(iter(self._settings.projects), None)
        if name is None or caller.project not in (None, name):
            raise UnknownProjectError("there is no project of this name")
        return self._vault_of(caller), name

    def _vault_of(self, caller: Caller) -> VaultApi:
        vault = self._vaults.pop(caller.actor, None)
        if vault is None:
            vault = self._settings.open_vault(caller.actor)
        self._vaults[caller.actor] = vault
        idle = [actor for actor in self._vaults if actor not in self._streams.actors | {caller.actor}]
        if len(self._vaults) > _KEPT_VAULTS and idle:
            oldest = self._vaults.pop(idle[0])
            self._settings.texts.forget(oldest)
            oldest.close()
        return vault


@dataclass(frozen=True, slots=True)
class _Verb:
    asked: Any
    work: Callable[[Engine, Caller, Any], Any]


def _in_desks(work: DeskWork) -> Callable[[Engine, Caller, Any], Any]:
    return lambda engine, caller, asked: work(engine.desks, caller, asked)


def _of_project(work: Callable[[VaultApi, str, Any], Any]) -> Callable[[Engine, Caller, Any], Any]:
    return lambda engine, caller, asked: work(*engine._of(caller, asked.project), asked)


def _of_vault(work: Callable[[VaultApi, str | None, Any], Any]) -> Callable[[Engine, Caller, Any], Any]:
    return lambda engine, caller, asked: work(*engine._of_requests(caller), asked)


_VERBS: Final[Mapping[str, _Verb]] = {
    "detect": _Verb(DetectTexts, Engine._detect),
    "pseudonymize": _Verb(PseudonymizeTexts, Engine._pseudonymize),
    "restore": _Verb(RestoreTexts, Engine._restore),
    "restore-stream": _Verb(RestoreStream, Engine._restore_stream),
    "pseudonymize-document": _Verb(PseudonymizeDocument, Engine._pseudonymize_document),
    "restore-document": _Verb(RestoreDocument, Engine._restore_document),
    "kinds": _Verb(OfProject, Engine._kinds),
    "styles": _Verb(OfProject, Engine._styles),
    "profiles": _Verb(OfProject, Engine._profiles),
    "projects": _Verb(OfProject, Engine._projects),
    "vault-ready": _Verb(OfProject, Engine._vault_ready),
    "ask-for-names": _Verb(AskForNames, _of_project(stewarding.ask_for_names)),
    "requests": _Verb(OfProject, Engine._requests),
    "request": _Verb(OfRequest, _of_vault(stewarding.request)),
    "approve": _Verb(OfRequest, Engine._approve),
    "deny": _Verb(DenyRequest, _of_vault(stewarding.deny)),
    "withdraw": _Verb(OfRequest, Engine._withdraw),
    "grant": _Verb(OfRequest, _of_vault(stewarding.grant)),
    "reveal": _Verb(RevealNames, _of_project(stewarding.reveal)),
    "lookup": _Verb(LookUp, Engine._lookup),
    "split-person": _Verb(SplitPerson, _of_project(stewarding.split)),
    "audit": _Verb(AuditPage, _of_vault(stewarding.audit_page)),
    "reveal-requested": _Verb(RevealRequested, _of_vault(stewarding.reveal_requested)),
    "audit-search": _Verb(AuditSearch, _of_vault(stewarding.audit_search)),
    "verify-trail": _Verb(VerifyTrail, Engine._verify_trail),
    "plan-erasure": _Verb(PlanErasure, _of_project(governing.plan_erasure)),
    "erase": _Verb(Erase, Engine._erase),
    "project-settings": _Verb(OfProject, _of_project(governing.settings)),
    "change-project": _Verb(ChangeProject, _of_project(governing.change_project)),
    "roles": _Verb(ListRoles, _of_vault(governing.roles)),
    "change-role": _Verb(ChangeRole, _of_vault(governing.change_role)),
    "presidio-analyze": _Verb(Analyze, Engine._presidio_analyze),
    "presidio-anonymize": _Verb(Anonymize, Engine._presidio_anonymize),
    "presidio-entities": _Verb(EntitiesOfPresidio, Engine._presidio_entities),
    **{name: _Verb(asked, _in_desks(work)) for name, (asked, work) in DESK_VERBS.items()},
}


def verbs() -> Sequence[str]:
    """The names of all verbs."""
    return tuple(_VERBS)
