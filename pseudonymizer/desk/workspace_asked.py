"""Requests about workspaces, their files and jobs; see asked."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from pseudonymizer.desk.asked import Name, TreatOptions

LONGEST_PATH: Final = 1_000  # code points
MOST_HOURS: Final = 30 * 24
MOST_LISTED: Final = 500  # files, mentions or people in one answer
PIECE: Final = 1 << 20  # bytes of every piece of a file but the last one
LARGEST_FILE: Final = 100 << 20  # bytes

Id = Annotated[str, Meta(min_length=1, max_length=80)]
Hours = Annotated[int, Meta(ge=1, le=MOST_HOURS, description="Without use, after which it is destroyed.")]
Path = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_PATH, description="With / between folders; it comes back.")
]
Place = Annotated[int, Meta(ge=0)]
Limit = Annotated[int, Meta(ge=1, le=MOST_LISTED)]


class MakeWorkspace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Make a workspace: files that are looked at, corrected and written together, under a key of its own."""

    project: Name | None = None
    intent: Literal["pseudonymize"] = "pseudonymize"
    keep_hours: Hours = 24


class Workspaces(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The workspaces of the caller."""


class OfWorkspace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about one workspace."""

    workspace: Id


class NewFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file whose bytes come after. bytes: how many."""

    name: Path
    bytes: Annotated[int, Meta(ge=0)]

    def __repr__(self) -> str:
        return f"NewFile({self.bytes} bytes)"


class AddFiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Name files, all of them or none."""

    workspace: Id
    files: Annotated[tuple[NewFile, ...], Meta(min_length=1, max_length=MOST_LISTED)]


class ListFiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Files of a workspace behind the number `after`."""

    workspace: Id
    after: Place = 0
    limit: Limit = MOST_LISTED


class OfFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about one file of a workspace."""

    workspace: Id
    file: Id


class StorePiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of a file, from 0 on. Each has PIECE bytes, the last one what is left."""

    workspace: Id
    file: Id
    number: Place
    content: bytes

    def __repr__(self) -> str:
        return f"StorePiece({self.number}, {len(self.content)} bytes)"


class GetPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of a result, from 0 on. file: None is the archive of all."""

    workspace: Id
    file: Id | None = None
    number: Place = 0


class StartAnalysis(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Find and link what the files name. What was corrected so far is kept."""

    workspace: Id


class StartWriting(TreatOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Write every file in its own format, with the mentions as they are corrected by now.

    mark: the metadata of outputs say that they are pseudonymized; None: as the project says. keep_original:
    PDF files and pictures are kept sealed in the vault, so that they come back whole. The other options: see
    TreatOptions; project is that of the workspace.
    """

    workspace: Id
    mark: bool | None = None
    keep_original: bool = False


class Jobs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The jobs of the caller. workspace: those of one; None: of all."""

    workspace: Id | None = None


class OfJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about one job."""

    job: Id


WorkspaceAsked = (
    MakeWorkspace | Workspaces | OfWorkspace | AddFiles | ListFiles | OfFile | StorePiece | GetPiece
    | StartAnalysis | StartWriting | Jobs | OfJob
)  # fmt: skip
