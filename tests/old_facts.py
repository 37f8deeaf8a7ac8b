"""Writes facts of people as version 0.1 did, for tests of what reads them. Taken from commit 8952b15."""

import json
import struct
from collections.abc import Iterable, Sequence
from typing import Final
from zlib import crc32

from linkage.records import NormalizedMention, PersonName
from linkage.told import as_pairs

_BETWEEN: Final = b"\x1e"
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def form_fact(surface: str, name: PersonName) -> bytes:
    text = "F8" + "\x1f".join(part or "" for part in name.parts())
    if text.count("\x1f") == 7:
        return f"{text}\x1f{surface}".encode("utf-8", "surrogatepass")
    return ("J" + json.dumps([*name.parts(), surface])).encode()


def attribute_fact(kind: str, value: str) -> bytes:
    return ("A" + json.dumps([kind, value])).encode()


def mark_fact(kind: str) -> bytes:
    return ("M" + kind).encode()


def sighting_fact(mention: NormalizedMention, form: bytes) -> bytes:
    return f"S{crc32(form):08x}{place_of(mention)}".encode("utf-8", "surrogatepass")


def place_of(mention: NormalizedMention) -> str:
    """The JSON of where a mention stands and of what is told there."""
    found, context = mention.mention, mention.context
    prefix = f"{found.doc_id}@"
    told = [
        found.span.start,
        mention.gender.value if mention.gender else "",
        found.person_id or "",
        as_pairs(context.attributes, context.roles, context.marks, context.judged),
        sorted(other.removeprefix(prefix) for other in context.joined_with),
        sorted(other.removeprefix(prefix) for other in context.same_as),
    ]
    return _written([found.doc_id, *_without_end(told)])


def _without_end(parts: Iterable[object]) -> list[object]:
    kept = list(parts)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def row(facts: Sequence[bytes]) -> bytes:
    """The facts of one person in one row."""
    step = 256 if any(fact[:1] == b"S" for fact in facts) else 128
    if len(facts) == 1:
        plain, step = facts[0], 128
    else:
        plain = b"P" + _BETWEEN.join(facts)
        if plain.count(_BETWEEN) != len(facts) - 1:
            plain = b"L" + b"".join(struct.pack(">I", len(fact)) + fact for fact in facts)
    return bytes(-(len(plain) + 4) % step) + plain
