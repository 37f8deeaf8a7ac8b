"""The documents of each set.

They are made in a process of their own by this checkout and its tests, whichever code they are run through.
"""

import io
import json
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from run_comparison.conditions import CLOCK

ROOT: Final = Path(__file__).resolve().parents[2]
_OFFICE: Final = ROOT / "scripts" / "ner_training" / "held_out" / "office5"
# Scale cases test time and memory; here they are cut to sizes that a comparison can wait for.
_SCALE_LIMITS: Final = {"chars": 60_000, "count": 500, "docs": 200}
_FILES_OF_EACH_FORMAT: Final = 2  # random files beside the fixed one
_NAMES: Final = ("Sanne Terpstra", "Jürgen de Boerema", "Zoë van Wielinga", "Anne-Fleur O'Haganstra")
_SENTENCES: Final = (
    "Op 3 mei belde {} over de aanvraag.",
    "Volgens {} was de afspraak verzet naar dinsdag.",
    "Wij spraken af dat {} de stukken vrijdag opstuurt.",
    "De brief van {} <kopie> & bijlage is binnen.",
)
SETS: Final = ("sample", "office5a", "office5b", "ntrex-dev", "cases", "formats")
FILE_MAKERS: Final = (
    "docx",
    "openpyxl",
    "pptx",
    "odf",
    "reportlab",
)  # their files hold the time they were made
READABLE: Final = frozenset({"cases", "formats"})  # test inputs; nobody reads texts of the sets that measure


class InputSet(msgspec.Struct, frozen=True):
    """Documents by group, each group a corpus of its own: file name -> bytes.

    gold: path of the gold file; over_corpus: whether its entity ids hold for all its documents.
    """

    groups: dict[str, dict[str, bytes]]
    gold: str | None = None
    over_corpus: bool = False


def gold_file(name: str, shared: Path) -> tuple[Path, bool] | None:
    """The gold file of a measuring set, and whether its entities hold over the corpus; None for others."""
    return {
        "sample": (ROOT / "data" / "sample" / "gold.persons.jsonl", True),
        "office5a": (_OFFICE / "office5a.persons.jsonl", True),
        "office5b": (_OFFICE / "office5b.persons.jsonl", True),
        "ntrex-dev": (shared / "data" / "ner" / "ntrex-dev.persons.jsonl", False),
    }.get(name)


def load(name: str, shared: Path) -> InputSet | None:
    """The set; None where its gold file is not on this machine."""
    if (gold := gold_file(name, shared)) is not None:
        path, over_corpus = gold
        return InputSet({name: _gold_texts(path)}, str(path), over_corpus) if path.is_file() else None
    return InputSet(_cases() if name == "cases" else _formats())


def write(names: Sequence[str], shared: Path, place: Path) -> None:
    """Stores the sets that are on this machine; says on standard error which are not."""
    made: dict[str, InputSet] = {}
    for name in names:
        if (documents := load(name, shared)) is None:
            print(f"{name}: its gold file is not on this machine; left out", file=sys.stderr)
        else:
            made[name] = documents
    place.write_bytes(msgspec.json.encode(made))


def read(place: Path) -> dict[str, InputSet]:
    """The sets that write stored."""
    return msgspec.json.decode(place.read_bytes(), type=dict[str, InputSet])


def _gold_texts(path: Path) -> dict[str, bytes]:
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return {f"{row['doc_id']}.txt": str(row["text"]).encode() for row in rows}


def _cases() -> dict[str, dict[str, bytes]]:
    """The files of each case; of cases in steps the texts and files of their steps."""
    from tests.cases.build_inputs import build_docs

    groups: dict[str, dict[str, bytes]] = {}
    for line in (ROOT / "tests" / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        given = case["input"]
        if given["format"] == "steps":
            files = _step_files(given["steps"])
        else:
            if "generator" in given:
                given = given | {"generator": _limited(given["generator"])}
            files = dict(build_docs(given))  # type: ignore[no-untyped-call]
        if files:
            groups[case["id"]] = files
    return groups


def _limited(generator: Mapping[str, Any]) -> dict[str, Any]:
    limits = {key: min(generator[key], most) for key, most in _SCALE_LIMITS.items() if key in generator}
    return {**generator, **limits}


def _step_files(steps: Any) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for number, step in enumerate(steps):
        texts = {f"step{number}.txt": step.get("text") or step.get("each", {}).get("pseudonymise")}
        texts |= step.get("files", {})
        files |= {name: text.encode() for name, text in texts.items() if isinstance(text, str)}
    return files


def _formats() -> dict[str, dict[str, bytes]]:
    """Each format with a fixed file and files of the format tests' own generator."""
    from tests.pseudonymizer.formats.samples import EVERY_FORMAT
    from tests.pseudonymizer.formats.test_whole_runs import random_cases

    fixed = [sentence.format(name) for sentence, name in zip(_SENTENCES, _NAMES, strict=True)]
    contents = [(_NAMES, fixed), *random_cases(_FILES_OF_EACH_FORMAT, seed=6)]
    return {
        suffix: {
            f"f{number}.{suffix}": _without_times(build(*content)) for number, content in enumerate(contents)
        }
        for suffix, build in EVERY_FORMAT.items()
    }


def _without_times(raw: bytes) -> bytes:
    """The file; of an archive the times of its members are set to the fixed clock."""
    if not raw.startswith(b"PK"):
        return raw
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(made, "w") as new:
        for info in old.infolist():
            still = zipfile.ZipInfo(info.filename, CLOCK.timetuple()[:6])
            still.compress_type = info.compress_type
            new.writestr(still, old.read(info))
    return made.getvalue()
