"""One tool over texts, in a process of its own: what it found, its time, its start, its memory.

    python run_tool.py nymlink|deduce|frog TEXTS.jsonl

TEXTS.jsonl has an object with "text" a line. Prints one JSON object: version; spans (for each text, pairs of
offsets); start_seconds and start_cpu_seconds, from the start of this process to the first result, on a short
text; seconds and cpu_seconds for the texts after that; peak_memory_mb. Only nymlink is imported from this
project, so that a peer runs where the project is not.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

BORN = time.time()
Spans = list[tuple[int, int]]
Finder = Callable[[Sequence[str]], list[Spans]]
FIRST = "Beste Sanne, morgen komt Kees Hoekstra langs."


def cpu_seconds() -> float:
    """User and system, with those of ended children."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, kinds))


def peak_kilobytes() -> int:
    """As peak_memory.peak_bytes, which the environment of another tool does not have."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(status.partition("VmHWM:")[2].split()[0])


def with_nymlink() -> tuple[str, Finder]:
    from importlib.metadata import PackageNotFoundError, version

    from linkage.gazetteer import Gazetteer
    from linkage.recognition.detector import MentionDetector
    from linkage.records import Document, DocumentId
    from linkage.settings import RecognitionSettings

    detector = MentionDetector.load(RecognitionSettings(), Gazetteer.load())

    def find(texts: Sequence[str]) -> list[Spans]:
        documents = [Document(DocumentId(f"{n:06d}"), text) for n, text in enumerate(texts)]
        return [[(m.span.start, m.span.end) for m in found] for found in detector.detect(documents)]

    try:
        return version("nymlink"), find
    except PackageNotFoundError:
        return "in this folder", find


def with_deduce() -> tuple[str, Finder]:
    from importlib.metadata import version

    from deduce import Deduce

    tool = Deduce()

    def find(texts: Sequence[str]) -> list[Spans]:
        found = (tool.deidentify(text).annotations for text in texts)
        people = {"persoon", "patient"}
        return [sorted((int(a.start_char), int(a.end_char)) for a in one if a.tag in people) for one in found]

    return version("deduce"), find


def with_frog() -> tuple[str, Finder]:
    """Frog's tokenizer, part of speech and names; it takes files, so its start is paid once a call."""
    told = subprocess.run(["frog", "--version"], capture_output=True, text=True, check=True)  # noqa: S607
    number = re.search(r"frog ([\d.]+)", told.stdout + told.stderr)

    def find(texts: Sequence[str]) -> list[Spans]:
        with tempfile.TemporaryDirectory() as folder:
            given, made = Path(folder, "in"), Path(folder, "out")
            given.mkdir()
            made.mkdir()
            for place, text in enumerate(texts):
                (given / f"{place:06d}.txt").write_text(text, encoding="utf-8")
            subprocess.run(  # noqa: S603
                ["frog", "--skip=mpcla", "--threads=1", f"--testdir={given}", f"--outputdir={made}"],  # noqa: S607
                check=True, capture_output=True, cwd=folder,
            )  # fmt: skip
            return [
                list(people_in(text, (made / f"{place:06d}.txt.out").read_text(encoding="utf-8")))
                for place, text in enumerate(texts)
            ]

    return number[1] if number else "?", find


def people_in(text: str, columns: str) -> Iterator[tuple[int, int]]:
    """Spans of the tokens with a person tag in the eighth of Frog's columns, found again in the text."""
    at, start, end = 0, -1, -1
    for line in columns.splitlines():
        fields = line.split("\t")
        tag = fields[7] if len(fields) > 7 else "O"
        if start >= 0 and not tag.startswith("I-PER"):
            yield start, end
            start = -1
        if len(fields) < 2:
            continue
        place = text.find(fields[1], at)
        if place < 0:  # the tokenizer wrote another sign than the text has
            continue
        at = place + len(fields[1])
        if tag.startswith(("B-PER", "I-PER")):
            start, end = (place if start < 0 else start), at
    if start >= 0:
        yield start, end


TOOLS = {"nymlink": with_nymlink, "deduce": with_deduce, "frog": with_frog}


def main() -> None:
    tool, path = sys.argv[1:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # the same one core for all
    version, find = TOOLS[tool]()
    find([FIRST])
    start_seconds, start_cpu = time.time() - BORN, cpu_seconds()
    texts = [json.loads(line)["text"] for line in Path(path).read_text(encoding="utf-8").split("\n") if line]
    wall = time.perf_counter()
    spans = find(texts)
    wall, cpu = time.perf_counter() - wall, cpu_seconds() - start_cpu
    if tool == "frog":  # each call starts it anew; the start is told apart
        wall, cpu = max(0.0, wall - start_seconds), max(0.0, cpu - start_cpu)
    # Of a child ru_maxrss begins at the peak of this process, so the higher of the two is right.
    memory = max(peak_kilobytes(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    print(
        json.dumps(
            {
                "version": version, "spans": spans, "start_seconds": start_seconds,
                "start_cpu_seconds": start_cpu, "seconds": wall, "cpu_seconds": cpu,
                "peak_memory_mb": memory / 1024,
            }
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
