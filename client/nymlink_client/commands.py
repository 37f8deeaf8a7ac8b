"""Corrections of mentions and people, one record a command. Places are half-open and count code points.

A command that names words has them with it: where other words stand there by now, the service refuses it.
"""

from typing import Literal

import msgspec


class _Command(msgspec.Struct, frozen=True, tag_field="do"):
    def __repr__(self) -> str:
        """The kind of the command: its fields may hold names."""
        return f"{type(self).__name__}()"


class Add(_Command, frozen=True, tag="add"):
    """Mark a stretch as a mention; everywhere: and each free place of the same words, in all documents."""

    document: str
    start: int
    end: int
    text: str
    kind: str = "PERSON"
    everywhere: bool = False


class Reject(_Command, frozen=True, tag="reject"):
    """It is no mention; everywhere: nor is any other one of this kind with the same words."""

    mention: str
    everywhere: bool = False


class Confirm(_Command, frozen=True, tag="confirm"):
    """It is a mention; everywhere: see Reject."""

    mention: str
    everywhere: bool = False


class Widen(_Command, frozen=True, tag="widen"):
    """The mention reaches further."""

    mention: str
    start: int
    end: int
    text: str


class Narrow(_Command, frozen=True, tag="narrow"):
    """The mention is shorter."""

    mention: str
    start: int
    end: int
    text: str


class ChangeKind(_Command, frozen=True, tag="kind"):
    """It is of another kind; everywhere: see Reject."""

    mention: str
    kind: str
    everywhere: bool = False


class Pick(_Command, frozen=True, tag="pick"):
    """The mention means this person, and not the one that it was taken for."""

    mention: str
    person: str


class Make(_Command, frozen=True, tag="make"):
    """The mention means somebody whom no other mention means."""

    mention: str


class Merge(_Command, frozen=True, tag="merge"):
    """Two persons are one; it goes on as the left one."""

    left: str
    right: str


class Split(_Command, frozen=True, tag="split"):
    """These mentions of a person mean another one, all of them the same."""

    mentions: tuple[str, ...]


class SplitForms(_Command, frozen=True, tag="split-forms"):
    """Every mention of a person with these words means another one, all of them the same."""

    person: str
    forms: tuple[str, ...]


class RejectForms(_Command, frozen=True, tag="reject-forms"):
    """No mention of a person with these words is one."""

    person: str
    forms: tuple[str, ...]


class Judge(_Command, frozen=True, tag="judge"):
    """The persons of two mentions are one (accept), or are kept apart for good (reject)."""

    left: str
    right: str
    verdict: Literal["accept", "reject"]


Command = (
    Add | Reject | Confirm | Widen | Narrow | ChangeKind | Pick | Make | Merge | Split | SplitForms
    | RejectForms | Judge
)  # fmt: skip
