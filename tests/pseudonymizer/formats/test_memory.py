"""Memory of large files: reading and rewriting takes at most 500 MB above what the process had before."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_LIMIT = 500 * 1024 * 1024  # bytes above the models, which this process does not load
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
