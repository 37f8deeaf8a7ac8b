"""Kinds of files that are told by their first bytes, are not read, and would pass for damaged text."""

from typing import Final

from linkage.errors import UnsupportedInputError

_UNPACK: Final = "unpack it, and give the files in it"
# By their first bytes: what a file is, and what to do.
_KINDS: Final = (
    (b"\x1f\x8b", "file packed with gzip", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "archive of 7-Zip", _UNPACK),
    (b"Rar!\x1a\x07", "RAR archive", _UNPACK),
    (b"BZh91AY", "file packed with bzip2", _UNPACK),
    (b"\xfd7zXZ\x00", "file packed with xz", _UNPACK),
    (b"\xffWPC", "document of WordPerfect", "save it as docx or odt"),
    (b"SQLite format 3\x00", "SQLite database", "export its tables as CSV, or dump it as SQL"),
    (b"!BDN", "mailbox of Outlook (PST)", "export its messages as .eml, .msg or mbox"),
)  # fmt: skip


def refuse(raw: bytes) -> None:
    """Nothing, where a file is none of these kinds.

    Raises:
        UnsupportedInputError: it is one; with what to do.
    """
    for head, kind, remedy in _KINDS:
        if raw.startswith(head):
            raise UnsupportedInputError(f"a {kind} is not processed; {remedy}")
