"""The mark of mails: a field of their head."""

import re

from pseudonymizer.formats.tree.stamps import Stamp

_MAIL_MARK = b"X-Pseudonymized: nymlink"
_MAIL_FIELD = re.compile(rb"^X-Pseudonymized[ \t]*:", re.MULTILINE | re.IGNORECASE)
_FIRST_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:")
_HEADER_END = re.compile(rb"\r?\n\r?\n")


def stamps(raw: bytes) -> list[Stamp]:
    """A field before those of the message; none where it has one or does not begin with a field."""
    if not _FIRST_FIELD.match(raw) or is_marked(raw):
        return []
    line_end = b"\r\n" if b"\r\n" in raw[:4096] else b"\n"
    return [Stamp(0, 0, _MAIL_MARK + line_end)]


def is_marked(raw: bytes) -> bool:
    """Whether the head of a message has the field."""
    found = _HEADER_END.search(raw)
    return bool(_MAIL_FIELD.search(raw, 0, found.start() if found else len(raw)))


def is_marked_mailbox(raw: bytes) -> bool:
    """Whether a message of a mailbox has the field."""
    return bool(_MAIL_FIELD.search(raw))
