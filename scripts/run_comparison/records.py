"""A recorded run, and its file: JSON under gzip. Sets that measure keep spans and digests, never text."""

import gzip
from pathlib import Path
from typing import Final

import msgspec

FORMAT: Final = 1
Link = tuple[int, int, float, str]  # places of two mentions in Linked.mentions, probability, decision
FoundMention = tuple[str, int, int, str, float]  # document, start, end, detector, confidence


class RunRecordError(Exception):
    """A file of a recorded run cannot be used."""


class Output(msgspec.Struct, frozen=True):
    """One rewritten document.

    digest is that of its bytes, content that of its parts with tokens numbered as they first appear. labels:
    (line or part, number of the token in its group) for each token. stretches: character spans of the input
    that changed, where both are text. shown: the content, only in sets whose texts may be read.
    """

    digest: str
    content: str
    labels: list[tuple[int, int]]
    stretches: list[tuple[int, int]] | None = None
    counts: dict[str, int] = {}
    shown: str | None = None


class DoorRun(msgspec.Struct, frozen=True):
    """What the command made of one group of documents. status: its exit status, the highest of the group."""

    group: str
    status: int
    counts: dict[str, int]
    outputs: dict[str, Output]


class Linked(msgspec.Struct, frozen=True):
    """What LinkagePipeline.link made of one group of so many documents.

    identities holds the number of each mention's identity, left_out_links the digest of links that are too
    many to keep, unread the documents that read_document refuses.
    """

    group: str
    documents: int
    mentions: list[FoundMention]
    identities: list[int]
    links: list[Link]
    left_out_links: str = ""
    unread: list[str] = []


class LinkedGold(msgspec.Struct, frozen=True):
    """Identities of gold mentions that count in scores: (document, start, end), and numbers in that order."""

    mentions: list[tuple[str, int, int]]
    per_document: list[int]
    over_corpus: list[int] | None = None


class SetRecord(msgspec.Struct, frozen=True):
    """One set through the three doors. inputs: digest of each document; texts: only of readable sets."""

    inputs: dict[str, str]
    files: list[DoorRun]
    text: list[DoorRun]
    python: list[Linked]
    gold: LinkedGold | None = None
    texts: dict[str, str] = {}


class RunRecord(msgspec.Struct, frozen=True):
    """Everything of one recording. conditions: versions, and the options of the command that were given."""

    format: int
    commit: str
    conditions: dict[str, str]
    sets: dict[str, SetRecord]


def write(record: RunRecord, place: Path) -> None:
    """Store the record; equal records give equal bytes."""
    place.write_bytes(gzip.compress(msgspec.json.encode(record), compresslevel=6, mtime=0))


def read(place: Path) -> RunRecord:
    """The record of a file.

    Raises:
        RunRecordError: the file is missing, is no record, or has another format number.
    """
    try:
        record = msgspec.json.decode(gzip.decompress(place.read_bytes()), type=RunRecord)
    except OSError as error:
        raise RunRecordError(f"{place}: {error.strerror or 'no gzip file'}; make it with record") from None
    except (EOFError, msgspec.MsgspecError):
        raise RunRecordError(f"{place}: no recorded run; make it again with record") from None
    if record.format != FORMAT:
        raise RunRecordError(f"{place}: format {record.format}, this script reads {FORMAT}; record it again")
    return record
