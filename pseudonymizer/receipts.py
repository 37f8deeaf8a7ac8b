"""Records of receipts: what a caller sent in one request, and what he gets back of it.

A receipt is text that the vault sealed for one actor. It holds what the caller wrote and no more, so that who
has it learns nothing that he did not send himself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from linkage.records import EntityId, KindId

RECEIPT_HOURS: Final = 24  # how long one works: a day of work, and an answer that came over night


@dataclass(frozen=True, slots=True)
class SentPlace:
    """A place of an output where something was replaced that the caller had sent.

    start, end: half-open, in code points of the output; both 0 where the place cannot be told. entity_id: the
    person or the value whose label stands there. kind: of what was sent. form: what was sent, as it was.
    """

    start: int
    end: int
    entity_id: EntityId
    kind: KindId
    form: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SentText:
    """One text of a request. output: crypto.digest_sha256 of the bytes that the caller got; b"" where the
    text as a whole cannot come back. lost: how many replacements in it have no way back.
    """

    output: bytes
    places: tuple[SentPlace, ...]
    lost: int = 0


@dataclass(frozen=True, slots=True)
class GivenName:
    """What the caller sent in place of one label: its kind, every form in the order of the texts, and e-mail
    addresses that were written around the label.
    """

    kind: str
    forms: tuple[str, ...] = field(repr=False)
    addresses: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """A stretch of an output, in code points, and what the caller had sent in its place."""

    start: int
    end: int
    original: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class GivenText:
    """What undoes an output that came back as it was written. lost: how many replacements stay, for they have
    no way back, or their person or value was erased.
    """

    places: tuple[GivenPlace, ...]
    lost: int


@dataclass(frozen=True, slots=True)
class GivenBack:
    """What a receipt gives: by label, for those labels that were asked for and are of the request; by the
    digest of an output, for those outputs that are.
    """

    names: Mapping[str, GivenName]
    texts: Mapping[bytes, GivenText] = field(default_factory=dict)
