"""The parts of a desk for workspaces, and the verbs by which they are asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pseudonymizer.desk.correction_asked import (
    AddWords,
    GetCorrections,
    GetPassages,
    GiveCommands,
    ListMentions,
    ListPeople,
    MoveBound,
    OpenQuestions,
    ReadText,
    TakeCorrections,
    TurnBack,
)
from pseudonymizer.desk.correction_desk import CorrectionDesk
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.job_desk import JobDesk
from pseudonymizer.desk.workspace_asked import (
    AddFiles,
    GetPiece,
    Jobs,
    ListFiles,
    MakeWorkspace,
    OfFile,
    OfJob,
    OfWorkspace,
    StartAnalysis,
    StartWriting,
    StorePiece,
    Workspaces,
)
from pseudonymizer.desk.workspace_desk import WorkspaceDesk


@dataclass(frozen=True, slots=True)
class Desks:
    """What a caller may ask of workspaces."""

    workspaces: WorkspaceDesk
    jobs: JobDesk
    corrections: CorrectionDesk


DeskWork = Callable[[Desks, Caller, Any], Any]


def _workspaces(work: Callable[[WorkspaceDesk, Caller, Any], Any]) -> DeskWork:
    return lambda desks, caller, asked: work(desks.workspaces, caller, asked)


def _jobs(work: Callable[[JobDesk, Caller, Any], Any]) -> DeskWork:
    return lambda desks, caller, asked: work(desks.jobs, caller, asked)


def _corrections(work: Callable[[CorrectionDesk, Caller, Any], Any]) -> DeskWork:
    return lambda desks, caller, asked: work(desks.corrections, caller, asked)


DESK_VERBS: Final[Mapping[str, tuple[Any, DeskWork]]] = {
    "make-workspace": (MakeWorkspace, _workspaces(WorkspaceDesk.make)),
    "workspaces": (Workspaces, _workspaces(WorkspaceDesk.all)),
    "workspace": (OfWorkspace, _workspaces(WorkspaceDesk.show)),
    "delete-workspace": (OfWorkspace, _workspaces(WorkspaceDesk.delete)),
    "add-files": (AddFiles, _workspaces(WorkspaceDesk.add_files)),
    "files": (ListFiles, _workspaces(WorkspaceDesk.files)),
    "file": (OfFile, _workspaces(WorkspaceDesk.file)),
    "store-piece": (StorePiece, _workspaces(WorkspaceDesk.store_piece)),
    "delete-file": (OfFile, _workspaces(WorkspaceDesk.delete_file)),
    "start-analysis": (StartAnalysis, _jobs(JobDesk.start_analysis)),
    "start-writing": (StartWriting, _jobs(JobDesk.start_writing)),
    "foresee": (StartWriting, _jobs(JobDesk.foresee)),
    "job": (OfJob, _jobs(JobDesk.job)),
    "jobs": (Jobs, _jobs(JobDesk.all_jobs)),
    "cancel-job": (OfJob, _jobs(JobDesk.cancel)),
    "result": (GetPiece, _jobs(JobDesk.result)),
    "report": (OfWorkspace, _jobs(JobDesk.report)),
    "mentions": (ListMentions, _corrections(CorrectionDesk.mentions)),
    "read-text": (ReadText, _corrections(CorrectionDesk.text)),
    "people": (ListPeople, _corrections(CorrectionDesk.people)),
    "open-questions": (OpenQuestions, _corrections(CorrectionDesk.questions)),
    "passages": (GetPassages, _corrections(CorrectionDesk.passages)),
    "corrections": (GetCorrections, _corrections(CorrectionDesk.corrections)),
    "give-commands": (GiveCommands, _corrections(CorrectionDesk.give)),
    "add-words": (AddWords, _corrections(CorrectionDesk.add_words)),
    "move-bound": (MoveBound, _corrections(CorrectionDesk.move_bound)),
    "turn-back": (TurnBack, _corrections(CorrectionDesk.turn_back)),
    "take-corrections": (TakeCorrections, _corrections(CorrectionDesk.take)),
}
