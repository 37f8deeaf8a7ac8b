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


class AddWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Mark words of a file that were missed, as GiveCommands does with Add.

    document: which text; None: the first. start: where they stand; None: at the first place at which they
    are whole words and no mention is in the way, in this text first, then in all others.
    """

    workspace: Id
    revision: Revision
    file: Id
    words: Annotated[str, Meta(min_length=1, max_length=10_000)]
    kind: Annotated[str, Meta(min_length=1, max_length=200)] = "PERSON"
    document: Annotated[str, Meta(max_length=_LONGEST_NAME)] | None = None
    start: Place | None = None
    everywhere: bool = False

    def __repr__(self) -> str:
        return "AddWords()"


class MoveBound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Widen a mention by a word, or narrow it by one, at its start or its end."""

    workspace: Id
    revision: Revision
    mention: Annotated[str, Meta(min_length=1, max_length=200)]
    side: Literal["start", "end"]
    by: Literal["wider", "narrower"]


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


class GetPassages(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Mentions with the words around them: these, or those of a person behind the first `after` of his.

    letters: at most so many before, and behind.
    """

    workspace: Id
    mentions: Annotated[tuple[str, ...], Meta(max_length=MOST_LISTED)] = ()
    person: Annotated[str, Meta(max_length=200)] = ""
    after: Place = 0
    limit: Limit = MOST_LISTED
    letters: Annotated[int, Meta(ge=0, le=2_000)] = 120


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
    ListMentions | ReadText | GiveCommands | AddWords | MoveBound | TurnBack | ListPeople | OpenQuestions
    | GetPassages | GetCorrections | TakeCorrections
)  # fmt: skip
