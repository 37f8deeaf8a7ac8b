"""What a user can do about a file that failed, by the class of its error."""

from collections.abc import Mapping
from typing import Final

_READS: Final = "save it in a format that nymlink reads, or leave it out with --exclude"
_ANEW: Final = "get it again, or open it in its program and save it anew"
REMEDIES: Final[Mapping[str, str]] = {
    "AccessRefusedError": "ask whoever gives roles in this vault (`nymlink vault roles list`)",
    "BatchError": "run again; if it fails again, use a new --out",
    "DamagedDocumentError": _ANEW,
    "DocumentError": _ANEW,
    "DocumentTooLargeError": "divide it into smaller files",
    "EncodingUndeterminedError": "save it as UTF-8",
    "EncryptedDocumentError": "take the password off, and run again",
    "ForeignFileError": "choose another --out, or move that file away",
    "IsADirectoryError": "give a file in its place",
    "FileNotFoundError": "put it back, or run again without it",
    "MemoryError": "divide it into smaller files, or use fewer --workers",
    "OutsideFolderError": "give the file another name",
    "PermissionError": "make it readable for the user who runs this",
    "SourceChangedError": "run again once nothing writes it",
    "UnsupportedInputError": _READS,
}
_ELSE: Final = "run again with --retry-failed; if it fails again, report"


def remedy_of(error: str, reason: str) -> str:
    """What to do about a failure: error is the class of the error, reason its words. "" where the words say
    it already, behind a semicolon.
    """
    return "" if ";" in reason or ": pip install" in reason else REMEDIES.get(error, f"{_ELSE} {error}")


def why_and_what_next(error: str, reason: str) -> str:
    """The reason of a failure and what to do about it, for one line."""
    remedy = remedy_of(error, reason)
    return f"{reason}; {remedy}" if remedy else reason
