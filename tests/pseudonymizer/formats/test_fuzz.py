"""Damaged files of every format: one error of ours or a whole file, and never half a file."""

import random
import time
from collections.abc import Callable, Iterator

import pytest

from linkage.errors import DocumentError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions, PartRole
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.naming import LABEL

NAMES = ["Sanne de Boer", "Jürgen Köhler"]
SENTENCES = ["Toen belde Sanne de Boer terug.", "Jürgen Köhler kwam 'later', zei \"men\"; 5 < 6."]
BUILDERS = samples.EVERY_FORMAT | samples.TEXT_FORMATS
NEW = samples.TEXT_FORMATS
OPTIONS = FormatOptions(ocr=False, max_bytes=64 * 1024 * 1024)
FEW, MANY = 12, 300  # damaged files of each format, in the ordinary run and in the slow one
LONGEST = 20.0  # CPU seconds that one damaged file of a few kilobytes may take on a loaded machine
NESTED: dict[str, Callable[[int], bytes]] = {
    "json": lambda n: b'{"a":' * n + b"1" + b"}" * n,
    "ipynb": lambda n: b'{"cells":' + b"[" * n + b"]" * n + b',"nbformat":4,"metadata":{}}',
    "yaml": lambda n: b"a: " + b"[" * n + b"]" * n,
    "toml": lambda n: b"a = " + b"[" * n + b"]" * n,
    "ics": lambda n: b"BEGIN:VCALENDAR\r\n" + b"BEGIN:VEVENT\r\n" * n + b"END:VEVENT\r\n" * n,
    "vcf": lambda n: b"BEGIN:VCARD\r\nFN:" + b"\\" * n + b"\r\nEND:VCARD\r\n",
    "tex": lambda n: b"{\\em " * n + b"x" + b"}" * n,
    "bib": lambda n: b"@book{a, title = " + b"{" * n + b"}" * n + b"}",
    "md": lambda n: b"> " * n + b"*" * n + b"_" * n + b"x",
    "sql": lambda n: b"INSERT INTO t VALUES " + b"(" * n + b"'x'" + b")" * n + b";",
    "html": lambda n: b"<div>" * n + b"x" + b"</div>" * n,
    "xml": lambda n: b"<a>" * n + b"x" + b"</a>" * n,
    "rtf": lambda n: b"{\\rtf1 " + b"{" * n + b"x" + b"}" * n + b"}",
    "log": lambda n: b"GET /?a=" + b"%25" * n + b"41 naam=\"" + b"\\" * n + b"\"\n",
    "srt": lambda n: b"1\n00:00:01,000 --> 00:00:02,000\n" + b"<i>" * n + b"x\n",
    "vtt": lambda n: b"WEBVTT\n\n00:01.000 --> 00:02.000\n" + b"<v a>" * n + b"x\n",
    "ini": lambda n: b"[" * n + b"\nnaam = x\n",
}  # fmt: skip


PUT_IN = (b"\0", b"\xff", b'"', b"\\", b"{", b"<", b"\r", b"\n\n")
FILLINGS = {"word": b"a" * 1_000_000, "marks": b"a \\'\"" * 100_000, "lines": b"\n" * 500_000}


def whole(suffix: str) -> bytes:
    return BUILDERS[suffix](NAMES, SENTENCES)


def damaged(raw: bytes, count: int, seed: str) -> Iterator[bytes]:
    """Files that were cut off, in which bytes were flipped, taken out, doubled or put in, by a seed."""
    chance = random.Random(seed)  # noqa: S311  not for secrets
    for _ in range(count):
        made = bytearray(raw)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(made)) if made else 0
            end = min(at + chance.choice((1, 2, 8, 64)), len(made))
            match chance.randrange(5):
                case 0:
                    del made[at:]
                case 1 if made:
                    made[at] ^= 1 << chance.randrange(8)
                case 2:
                    del made[at:end]
                case 3:
                    made[at:at] = made[at:end] * chance.choice((1, 3))
                case _:
                    made[at:at] = chance.choice(PUT_IN)
        yield bytes(made)


def looked_at(raw: bytes, suffix: str) -> None:
    """Fails for every error that is not one of ours, and for a file that does not come out whole."""
    started = time.process_time()
    try:
        parsed = formats.read(raw, name=f"x.{suffix}", options=OPTIONS)
        unchanged = parsed.render({})
        labels = {}
        for part in parsed.parts:
            text = part.text
            places = [at for at in range(len(text)) if text.startswith("Boer", at)]
            if part.role is PartRole.PROSE:
                labels[part.part_id] = {Span(at, at + 4): LABEL for at in places}
        rendered = parsed.render(labels)
    except DocumentError as error:
        told: str | None = str(error)
    else:
        told = None
    assert time.process_time() - started < LONGEST
    if told is not None:
        assert told
        assert "Boer" not in told
        return
    # Of others what comes back are parts, values or the text; mails here hold a document.
    others = {*samples.PACKAGE_FORMATS, *samples.MAIL_FORMATS, *samples.OTHER_FORMATS} - {
        "tsv",
        "tnef",
    }
    if suffix not in others:
        assert formats.undo(parsed.format_name, unchanged.raw, unchanged.edits) == raw
        assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw


@pytest.mark.parametrize("suffix", BUILDERS)
def test_a_damaged_file_is_an_error_of_ours_or_comes_out_whole(suffix: str) -> None:
    looked_at(whole(suffix), suffix)
    for raw in damaged(whole(suffix), FEW, suffix):
        looked_at(raw, suffix)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", BUILDERS)
def test_many_damaged_files(suffix: str) -> None:
    for raw in damaged(whole(suffix), MANY, f"many {suffix}"):
        looked_at(raw, suffix)


@pytest.mark.parametrize("suffix", NESTED)
@pytest.mark.parametrize("depth", [200, 20_000])
def test_deep_nesting_ends(suffix: str, depth: int) -> None:
    looked_at(NESTED[suffix](depth), suffix)


@pytest.mark.parametrize("suffix", NEW)
@pytest.mark.parametrize("filling", FILLINGS)
def test_a_huge_stretch_ends(suffix: str, filling: str) -> None:
    raw = whole(suffix)
    looked_at(raw[: len(raw) // 2] + FILLINGS[filling] + raw[len(raw) // 2 :], suffix)
