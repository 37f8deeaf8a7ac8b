"""What is sealed of a value of another kind than persons: one typed record a row, as of people.

Every row of an entity says what the value is; rows that came later have the spellings and surrogates that
came with them.
"""

from collections.abc import Sequence
from typing import Final

from linkage.codec import Codec, Row
from linkage.errors import InvalidRecordError
from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.vault.rows.forms import Fact, Invented, Spelling, ValueForm
from pseudonymizer.vault.rows.row_form import NO_FACTS, VALUE_FORM, filled, without_mark

_STEP: Final = 128  # bytes, as of a person's names
_MOST_TEXTS: Final = 200  # spellings and surrogates in one row
_MOST_BYTES: Final = 32_000  # of texts in one row, unless one text alone is longer


class SealedValue(Row, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """What one row says of a value. version: of the normal form. filling: zeros, at most 255."""

    form: int
    kind: str
    normal: str
    version: int
    spellings: tuple[str, ...]
    invented: tuple[str, ...]
    filling: bytes


_CODEC: Final = Codec(SealedValue)


def pack_value(facts: Sequence[Fact]) -> list[bytes]:
    """What is sealed in one row each: a ValueForm first, then what is new of the value."""
    what = facts[0]
    if not isinstance(what, ValueForm):
        raise TypeError("the first fact of a value says what it is")
    rows: list[bytes] = []
    rest = list(facts[1:])
    while rest or not rows:
        some = rest[: _fitting(rest)]
        rest = rest[len(some) :]
        spellings = tuple([fact.surface for fact in some if isinstance(fact, Spelling)])
        invented = tuple([fact.normal for fact in some if isinstance(fact, Invented)])
        record = SealedValue(VALUE_FORM, what.kind, what.normal, what.version, spellings, invented, b"")
        rows.append(filled(_CODEC.encode(record), _STEP))
    return rows


def _fitting(facts: Sequence[Fact]) -> int:
    """How many of these facts go into one row; at least one."""
    size = 0
    for number, fact in enumerate(facts[:_MOST_TEXTS]):
        size += len(
            fact.surface if isinstance(fact, Spelling) else fact.normal if isinstance(fact, Invented) else ""
        )
        if size > _MOST_BYTES and number:
            return number
    return min(len(facts), _MOST_TEXTS)


def facts_in(row: bytes) -> list[Fact]:
    """What a row of the form VALUE_FORM says.

    Raises:
        VaultDamagedError: the row holds no record of a value.
    """
    try:
        record = _CODEC.decode(without_mark(row))
    except InvalidRecordError:
        raise VaultDamagedError(NO_FACTS) from None
    return [
        ValueForm(record.kind, record.normal, record.version),
        *map(Spelling, record.spellings),
        *map(Invented, record.invented),
    ]
