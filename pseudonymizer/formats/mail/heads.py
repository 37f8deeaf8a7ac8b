"""By what mails and mailboxes are told, where no suffix tells."""

import re

_MAIL_HEAD = re.compile(rb"\A(?:[A-Za-z][A-Za-z0-9-]*+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+){2,}+\r?\n")
_MAIL_FIELDS = re.compile(
    rb"^(?:From|Received|Return-Path|Message-ID|MIME-Version):", re.MULTILINE | re.IGNORECASE
)
_MAILBOX_HEAD = re.compile(rb"\AFrom [^\n]*\d\d:\d\d[^\n]*\n[A-Za-z][A-Za-z0-9-]*:")
_ENCODED = re.compile(
    rb"^Content-Transfer-Encoding:[ \t]*(?:base64|quoted-printable)|=\?[\w-]+\?[BbQq]\?",
    re.MULTILINE | re.IGNORECASE,
)


def looks_like_mailbox(raw: bytes) -> bool:
    """Whether a text begins with the line before a message and a field of that."""
    return _MAILBOX_HEAD.match(raw) is not None


def looks_like_mail(raw: bytes) -> bool:
    """Whether a text begins with fields, those of a mail among them."""
    return _MAIL_HEAD.match(raw) is not None and _MAIL_FIELDS.search(raw[:8192]) is not None


def looks_like_packed_mailbox(raw: bytes) -> bool:
    """Whether it is a mailbox, and as plain text would hide what its transfer encodings hold."""
    return looks_like_mailbox(raw) and _ENCODED.search(raw) is not None


def looks_like_packed_mail(raw: bytes) -> bool:
    """Whether it is a mail, and as plain text would hide what its transfer encodings hold."""
    return looks_like_mail(raw) and _ENCODED.search(raw) is not None
