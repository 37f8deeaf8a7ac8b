"""Parts of a rewritten document, up to renaming of its tokens; characters of the input that changed."""

import contextlib
import email
import email.policy
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Final

_LETTER: Final = "[0-9A-HJKMNP-TV-Z]"  # Crockford's base32
_TOKEN: Final = rf"P[1-9][0-9]{{0,3}}-{_LETTER}{{20}}"
_IN_BYTES: Final = re.compile(rf"{_TOKEN}(?![0-9A-Za-z])".encode())
_IN_UTF_16: Final = re.compile(rf"P\0[1-9]\0(?:[0-9]\0){{0,3}}-\0(?:{_LETTER}\0){{20}}".encode())
_PIECES: Final = re.compile(rf"{_TOKEN}|\w+|\s+|[^\w\s]")
_BLANK: Final = re.compile(r"\s*")
_MOST_STEPS: Final = 1_000_000  # pieces of a line before and after; a longer line that changed is one stretch
_MOST_CHARACTERS: Final = 20_000  # of a text with other line ends
_PDF, _ZIP, _OLE, _PARQUET = b"%PDF", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"PAR1"


def parts_of(raw: bytes, name: str) -> list[bytes]:
    """The parts of a file, uncompressed and decoded; of text and of files that cannot be opened the lines."""
    suffix = name.rpartition(".")[2].lower()
    openers: dict[bytes, Callable[[bytes], Iterator[bytes]]] = {
        _ZIP: _of_zip, _PDF: _of_pdf, _OLE: _of_ole, _PARQUET: _of_parquet,
    }  # fmt: skip
    with contextlib.suppress(Exception):  # a broken file is compared by its bytes
        for magic, opener in openers.items():
            if raw.startswith(magic):
                return list(opener(raw))
        if suffix in {"eml", "mbox"}:
            return [part for message in re.split(rb"(?m)^(?=From )", raw) for part in _of_mail(message)]
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return [raw]
    return raw.split(b"\n")


def _of_zip(raw: bytes) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for info in archive.infolist():
            yield info.filename.encode()
            yield from parts_of(archive.read(info), info.filename)


def _of_pdf(raw: bytes) -> Iterator[bytes]:
    import pikepdf

    with pikepdf.open(io.BytesIO(raw)) as document:
        for item in document.objects:
            if isinstance(item, pikepdf.Stream):
                yield item.read_bytes()
            else:
                yield item.unparse(resolved=True)


def _of_ole(raw: bytes) -> Iterator[bytes]:
    import olefile

    with olefile.OleFileIO(io.BytesIO(raw)) as file:
        for path in file.listdir():
            yield "/".join(path).encode()
            yield file.openstream(path).read()


def _of_parquet(raw: bytes) -> Iterator[bytes]:
    import pyarrow.parquet as pq

    for row in pq.read_table(io.BytesIO(raw)).to_pylist():
        yield json.dumps(row, default=str, ensure_ascii=False).encode()


def _of_mail(raw: bytes) -> Iterator[bytes]:
    for part in email.message_from_bytes(raw, policy=email.policy.compat32).walk():
        yield from (f"{key}: {value}".encode("utf-8", "surrogateescape") for key, value in part.items())
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield from parts_of(payload, part.get_filename() or "text")


def renamed(parts: list[bytes]) -> tuple[list[bytes], list[tuple[int, str]]]:
    """(parts with each token as its number by first appearance; (part, token) for each token in order)."""
    numbers: dict[str, int] = {}
    found: list[tuple[int, str]] = []
    made = []
    for place, part in enumerate(parts):

        def numbered(match: re.Match[bytes], place: int = place) -> bytes:
            token = match[0].replace(b"\0", b"").decode("ascii")
            found.append((place, token))
            return b"<token %d>" % numbers.setdefault(token, len(numbers) + 1)

        made.append(_IN_UTF_16.sub(numbered, _IN_BYTES.sub(numbered, part)))
    return made, found


def stretches(before: str, after: str) -> list[tuple[int, int]] | None:
    """Character spans of before that after has otherwise, joined over blanks; None if too long to tell.

    Lines are compared one by one. Where their number differs, as behind a name on two lines, it is the whole
    text at once, if it is short enough.
    """
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        return _changed(before, after) if len(before) <= _MOST_CHARACTERS else None
    spans: list[tuple[int, int]] = []
    at = 0
    for one, other in zip(old, new, strict=True):
        if one != other:
            spans += ((at + start, at + end) for start, end in _changed(one, other))
        at += len(one) + 1
    return spans


def _changed(before: str, after: str) -> list[tuple[int, int]]:
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    starts = [0]
    for piece in old:
        starts.append(starts[-1] + len(piece))
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(left) * len(right) > _MOST_STEPS:
        return [(starts[head], starts[len(old) - tail])]
    middle = SequenceMatcher(None, left, right, autojunk=False)
    spans: list[tuple[int, int]] = []
    for kind, first, last, _, _ in middle.get_opcodes():
        if kind == "equal":
            continue
        start, end = starts[head + first], starts[head + last]
        if spans and _BLANK.fullmatch(before, spans[-1][1], start):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
