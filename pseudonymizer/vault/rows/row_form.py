"""What all rows of sealed facts have in common: the number of their form stands first, and a filling last.

A row is a record in MessagePack; its last field fills it up, so that lengths say little. Its first byte, 0x90
or higher, begins no row of version 0.1 and no text in UTF-8: a program of that version stops there and does
not misread.
"""

from typing import Final

from linkage.codec import Codec, Row
from linkage.errors import InvalidRecordError
from pseudonymizer.errors import VaultDamagedError, VaultOutdatedError

PERSON_FORM: Final = 2  # rows of people, ambiguous mentions and literals; the first form is that of 0.1
VALUE_FORM: Final = 3
NO_FACTS: Final = "a row of facts cannot be read; run `nymlink vault verify`"
LAST_OF_TEXT: Final = 0x7F  # a row of version 0.1 begins with no higher byte
JSON: Final = (
    b"\xff"  # before a record with half of a surrogate pair in a text, which is JSON; no MessagePack
)
_SEALED_LENGTH: Final = 4  # bytes that crypto.pad puts before the row


class _Form(Row, array_like=True, frozen=True, gc=False):
    form: int


_FORMS: Final = Codec(_Form)


def is_of_today(plain: bytes) -> bool:
    """Whether a row has a form that is written now, or a later one."""
    return plain[0] > LAST_OF_TEXT if plain else False


def filled(raw: bytes, step: int) -> bytes:
    """An encoded record, whose filling is empty, as a row of whole steps of bytes."""
    if raw[:1] == b"[":
        raw = JSON + raw
        return raw + b" " * (-(len(raw) + _SEALED_LENGTH) % step)
    missing = -(len(raw) + _SEALED_LENGTH) % step
    return raw[:-1] + bytes((missing,)) + bytes(missing)  # the last byte is the length of the filling


def without_mark(row: bytes) -> bytes:
    """The encoded record of a row."""
    return row[1:] if row[:1] == JSON else row


def form_of(row: bytes) -> int:
    """The number of the form of a row that is_of_today.

    Raises:
        VaultOutdatedError: a newer program wrote the row.
        VaultDamagedError: the row begins no record.
    """
    try:
        form = _FORMS.decode(without_mark(row)).form
    except InvalidRecordError:
        raise VaultDamagedError(NO_FACTS) from None
    if form not in (PERSON_FORM, VALUE_FORM):
        raise VaultOutdatedError(f"a row of facts has form {form}; use a newer program")
    return form
