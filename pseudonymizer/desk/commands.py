"""What a person does with mentions: one record a command, as a page sends it and a desk stores it.

Places are half-open and count code points. What names words of a text has them with it, so that a command
about a text which changed meanwhile is refused.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Place = Annotated[int, Meta(ge=0)]
_Words = Annotated[str, Meta(min_length=1, max_length=10_000)]
_Id = Annotated[str, Meta(min_length=1, max_length=200)]


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    def __repr__(self) -> str:
        """The kind of the command: its fields may hold names."""
        return f"{type(self).__name__}()"


class Add(_Command, frozen=True, tag="add"):
    """Mark a stretch as a mention; everywhere: and each free place of the same words, in all documents."""

    document: str
    start: Place
    end: Place
    text: _Words
    kind: _Id = "PERSON"
    everywhere: bool = False


class Reject(_Command, frozen=True, tag="reject"):
    """It is no mention; everywhere: nor is any other one of this kind with the same words."""

    mention: _Id
    everywhere: bool = False


class Confirm(_Command, frozen=True, tag="confirm"):
    """It is a mention; everywhere: see Reject."""

    mention: _Id
    everywhere: bool = False


class Widen(_Command, frozen=True, tag="widen"):
    """The mention reaches further; those of its kind that lie inside it now are part of it."""

    mention: _Id
    start: Place
    end: Place
    text: _Words


class Narrow(_Command, frozen=True, tag="narrow"):
    """The mention is shorter."""

    mention: _Id
    start: Place
    end: Place
    text: _Words


class ChangeKind(_Command, frozen=True, tag="kind"):
    """It is of another kind; everywhere: see Reject."""

    mention: _Id
    kind: _Id
    everywhere: bool = False


class Pick(_Command, frozen=True, tag="pick"):
    """The mention means this person, and not the one that it was taken for."""

    mention: _Id
    person: _Id


class Make(_Command, frozen=True, tag="make"):
    """The mention means somebody whom no other mention means."""

    mention: _Id


class Merge(_Command, frozen=True, tag="merge"):
    """Two persons are one; it goes on as the left one."""

    left: _Id
    right: _Id


class Split(_Command, frozen=True, tag="split"):
    """These mentions of a person mean another one, all of them the same."""

    mentions: Annotated[tuple[_Id, ...], Meta(min_length=1, max_length=10_000)]


class SplitForms(_Command, frozen=True, tag="split-forms"):
    """Every mention of a person with these words means another one, all of them the same."""

    person: _Id
    forms: Annotated[tuple[_Words, ...], Meta(min_length=1, max_length=1_000)]


class RejectForms(_Command, frozen=True, tag="reject-forms"):
    """No mention of a person with these words is one."""

    person: _Id
    forms: Annotated[tuple[_Words, ...], Meta(min_length=1, max_length=1_000)]


class Judge(_Command, frozen=True, tag="judge"):
    """Whether the persons of two mentions are one: accept joins them, reject keeps them apart for good."""

    left: _Id
    right: _Id
    verdict: Literal["accept", "reject"]


Command = (
    Add | Reject | Confirm | Widen | Narrow | ChangeKind | Pick | Make | Merge | Split | SplitForms
    | RejectForms | Judge
)  # fmt: skip


class Step(msgspec.Struct, frozen=True):
    """A command, who gave it and when.

    moment: ISO 8601, UTC. judge: as the file of judgements names him.
    """

    command: Command
    moment: str
    judge: str = ""
