"""Memory of large files: reading and rewriting takes at most 500 MB above what the process had before."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_LIMIT = 500 * 1024 * 1024  # bytes above the models, which this process does not load
_STREAMED = 300 * 1024 * 1024  # bytes, likewise, of a file of 50 MB that is read in units
_ROOT = Path(__file__).parents[3]
_MEASURED = """
import json, re, sys, time
from pathlib import Path
from linkage.records import Span
from pseudonymizer import formats

def status(field):
    return int(re.search(rf"{field}:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

path = Path(sys.argv[1])
found = re.compile(r"Sanne (?:de Boerema|Terpstra)")
formats.read(Path(sys.argv[2]).read_bytes(), name=path.name).render({})  # loads the modules
Path("/proc/self/clear_refs").write_text("5")  # the highest mark begins anew
before, started = status("VmRSS"), time.process_time()
options = formats.FormatOptions(mark=True)  # as runs do
parsed = formats.read(path.read_bytes(), name=path.name, options=options)
labels = {}
for part in parsed.parts:
    spans = [Span(*one.span()) for one in found.finditer(part.text)]
    labels[part.part_id] = {span: "P1-7QK2M9XWZ4T8VB3CDE5F" for span in spans}
rendered = parsed.render(labels)
Path(sys.argv[3]).write_bytes(rendered.raw)
print(json.dumps({"rise": status("VmHWM") - before, "mentions": sum(map(len, labels.values())),
                  "edits": len(rendered.edits), "seconds": time.process_time() - started}))
"""
_IN_UNITS = """
import json, re, sys, time
from pathlib import Path
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats.units import read_unit, units_of

def status(field):
    return int(re.search(rf"{field}:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

path = Path(sys.argv[1])
found = re.compile(r"Sanne (?:de Boerema|Terpstra)")
formats.read(Path(sys.argv[2]).read_bytes(), name=path.name).render({})  # loads the modules
Path("/proc/self/clear_refs").write_text("5")  # the highest mark begins anew
before, started = status("VmRSS"), time.process_time()
units, mentions, edits = units_of(path), 0, 0
with open(sys.argv[3], "wb") as out:
    for unit in units:
        parsed = read_unit(unit.read(path), unit)
        labels = {}
        for part in parsed.parts:
            spans = [Span(*one.span()) for one in found.finditer(part.text)]
            labels[part.part_id] = {span: "P1-7QK2M9XWZ4T8VB3CDE5F" for span in spans}
        rendered = parsed.render(labels)
        out.write(rendered.raw)
        mentions, edits = mentions + sum(map(len, labels.values())), edits + len(rendered.edits)
print(json.dumps({"rise": status("VmHWM") - before, "mentions": mentions, "edits": edits, "units": len(units),
                  "seconds": time.process_time() - started}))
"""
_SENTENCE = "Vandaag kwam Sanne Terpstra langs om over de aanvraag te praten, en dat ging goed. "


def mailbox(messages: int) -> bytes:
    """Messages of about 5 KB with two names each."""
    pieces = []
    for number in range(messages):
        body = "\n".join(
            [_SENTENCE, *["Er is verder niets te melden over deze zaak, zei men toen. " * 2] * 41]
        )
        pieces.append(
            "From a@b.example Fri May  3 10:00:00 2024\n"
            f"From: Sanne de Boerema <s{number}@nergenshuizen.nl>\nTo: post@nergenshuizen.nl\n"
            f"Subject: Bericht {number}\nMessage-ID: <{number}@nergenshuizen.nl>\n"
            f"Content-Type: text/plain; charset=utf-8\n\n{body}\n\n"
        )
    return "".join(pieces).encode()


def csv(rows: int) -> bytes:
    lines = [f"{n};Sanne de Boerema;{_SENTENCE};{n * 3};Utrecht;open" for n in range(rows)]
    return ("nr;naam;opmerking;bedrag;plaats;staat\r\n" + "\r\n".join(lines) + "\r\n").encode()


def jsonl(lines: int) -> bytes:
    rows = ({"doc_id": f"d{n}", "text": f"Sanne de Boerema. {_SENTENCE * 4}{n}"} for n in range(lines))
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def sql(rows: int) -> bytes:
    head = "CREATE TABLE klant (nr int, naam text, opmerking text) ENGINE=InnoDB;\n"
    lines = (f"INSERT INTO klant VALUES ({n},'Sanne de Boerema','{_SENTENCE}');\n" for n in range(rows))  # noqa: S608
    return (head + "".join(lines)).encode()


def txt(paragraphs: int) -> bytes:
    return "".join(f"Sanne de Boerema {n}. {_SENTENCE * 4}\n\n" for n in range(paragraphs)).encode()


def log(lines: int) -> bytes:
    rows = (f"2024-05-03 10:00:00 INFO Sanne de Boerema {n}: {_SENTENCE * 4}\n\n" for n in range(lines))
    return "".join(rows).encode()


def xlsx(rows: int) -> bytes:
    import io

    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Lijst")
    sheet.append(["nr", "naam", "opmerking", "bedrag", "plaats", "staat"])
    for n in range(rows):
        sheet.append([n, "Sanne de Boerema", f"{n}: {_SENTENCE}", n * 3, "Utrecht", "open"])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak is read from Linux's /proc")
@pytest.mark.parametrize(
    ("suffix", "build", "count", "least_bytes"),
    [("mbox", mailbox, 10_000, 50_000_000), ("csv", csv, 20_000, 0), ("xlsx", xlsx, 20_000, 0)],
    ids=["mbox", "csv", "xlsx"],
)
def test_large_files_in_bounded_memory(
    tmp_path: Path, suffix: str, build: Callable[[int], bytes], count: int, least_bytes: int
) -> None:
    raw, small = tmp_path / f"x.{suffix}", tmp_path / f"small.{suffix}"
    raw.write_bytes(build(count))
    small.write_bytes(build(2))
    assert raw.stat().st_size >= least_bytes
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _MEASURED, raw, small, tmp_path / "out"],
        capture_output=True, text=True, check=True, timeout=900, cwd=_ROOT,
    )  # fmt: skip
    measured = json.loads(done.stdout)
    assert measured["mentions"] >= 2 * count
    assert measured["edits"] >= 2 * count
    assert measured["rise"] <= _LIMIT


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak is read from Linux's /proc")
@pytest.mark.parametrize(
    ("suffix", "build", "count"),
    [
        ("mbox", mailbox, 10_000),
        ("csv", csv, 400_000),
        ("jsonl", jsonl, 130_000),
        ("log", log, 130_000),
        ("sql", sql, 350_000),
        ("txt", txt, 150_000),
    ],
    ids=["mbox", "csv", "jsonl", "log", "sql", "txt"],
)
def test_fifty_megabytes_of_a_format_that_is_cut_in_bounded_memory(
    tmp_path: Path, suffix: str, build: Callable[[int], bytes], count: int
) -> None:
    raw, small = tmp_path / f"x.{suffix}", tmp_path / f"small.{suffix}"
    raw.write_bytes(build(count))
    small.write_bytes(build(2))
    assert raw.stat().st_size >= 50_000_000
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _IN_UNITS, raw, small, tmp_path / "out"],
        capture_output=True, text=True, check=True, timeout=900, cwd=_ROOT,
    )  # fmt: skip
    measured = json.loads(done.stdout)
    assert measured["units"] > 1
    assert measured["mentions"] >= 2 * count
    assert measured["edits"] >= 2 * count
    assert measured["rise"] <= _STREAMED
