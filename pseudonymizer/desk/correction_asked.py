"""Requests about what was found in a workspace: mentions, people, open questions, and corrections of them.

Places count code points and are half-open. A change names the revision at which its sender saw the workspace.
"""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from pseudonymizer.desk.asked import Confidence
from pseudonymizer.desk.commands import Command
from pseudonymizer.desk.workspace_asked import MOST_LISTED, Id, Limit, Place

MOST_COMMANDS: Final = 100
MOST_LETTERS: Final = 200_000  # of a text in one answer
LARGEST_CORRECTIONS: Final = 16_000_000  # characters of a file of corrections
_LONGEST_NAME: Final = 2_000

Revision = Annotated[int, Meta(ge=0, description="That at which the sender saw the workspace.")]
Commands = Annotated[tuple[Command, ...], Meta(min_length=1, max_length=MOST_COMMANDS)]
Lines = Annotated[str, Meta(max_length=LARGEST_CORRECTIONS)]


class ListMentions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Mentions of a file, in the order of its texts, behind the first `after` of them."""

    workspace: Id
    file: Id
    after: Place = 0
    limit: Limit = MOST_LISTED


class ReadText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stretch of a text of a file. document: which text; None: the first. start: of the stretch."""

    workspace: Id
    file: Id
    document: Annotated[str, Meta(max_length=_LONGEST_NAME)] | None = None
    start: Place = 0
    letters: Annotated[int, Meta(ge=1, le=MOST_LETTERS)] = MOST_LETTERS

    def __repr__(self) -> str:
        return "ReadText()"


class GiveCommands(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Correct mentions and people: all commands in their order, or none."""

    workspace: Id
    revision: Revision
    commands: Commands


class TurnBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Take the last command back, or give the one again that was taken back last."""

    workspace: Id
    revision: Revision
    by: Literal["undo", "redo"] = "undo"


class ListPeople(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The people of a workspace, those with most open links first, then those with most mentions."""

    workspace: Id
    after: Place = 0
    limit: Limit = MOST_LISTED


class OpenQuestions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What nobody has looked at: mentions less sure than sure_from, the least sure first, then open links."""

    workspace: Id
    sure_from: Confidence = 0.9
    limit: Limit = MOST_LISTED


class GetCorrections(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file of corrections, as `nymlink run --mentions` or `--judgements` reads it."""

    workspace: Id
    what: Literal["mentions", "judgements"]


class TakeCorrections(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Take corrections from files of the command line. They hold from the next analysis on.

    mentions: lines of `nymlink detect` or `nymlink review`; texts that they lack stay as they are.
    judgements: lines of `nymlink review`; they are added to those that there are.
    """

    workspace: Id
    revision: Revision
    mentions: Lines = ""
    judgements: Lines = ""

    def __repr__(self) -> str:
        return "TakeCorrections()"


CorrectionAsked = (
    ListMentions | ReadText | GiveCommands | TurnBack | ListPeople | OpenQuestions | GetCorrections
    | TakeCorrections
)  # fmt: skip
