"""Other tools on the same texts and the same core: deduce and, where it is installed, Frog. Only compared.

deduce is LGPL, Frog GPL: neither may become a dependency. deduce goes into an environment of its own, Frog
comes from the system (Debian: frog and frogdata). Presidio is left out: its Dutch needs a spaCy model that no
package registry has.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peer_environment import peer_python

from linkage.evaluation.detection import evaluate_detection
from linkage.evaluation.gold import GoldDocument, read_gold
from linkage.records import Span

PEERS = {"deduce": "deduce>=3,<4"}  # module -> what pip installs
SETS = {
    "sample": "synth/sample/gold.persons.jsonl",
    "ntrex-dev": "ner/ntrex-dev.persons.jsonl",
}
_TOOL = Path(__file__).resolve().parent / "run_tool.py"


def run(shared: Path, folder: Path | None) -> dict[str, Any]:
    """Each tool on each set: scores, time a document, start and memory; the tools one after the other.

    folder is where the peers' environment is or will be made; None: a temporary one.
    """
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        made = folder or Path(temporary) / "environment"
        pythons = {"nymlink": sys.executable, "deduce": peer_python(made, PEERS)}
        if shutil.which("frog"):
            pythons["frog"] = sys.executable
        # The first start of deduce builds lookup tables for minutes and keeps them: no start to count.
        subprocess.run(  # noqa: S603
            [pythons["deduce"], "-c", "from deduce import Deduce; Deduce()"], check=True, capture_output=True
        )
        for name, file in SETS.items():
            gold = read_gold(shared / "data" / file)
            texts = Path(temporary) / f"{name}.jsonl"
            lines = [json.dumps({"text": g.document.text}) for g in gold]
            texts.write_text("\n".join(lines) + "\n", encoding="utf-8")
            report[name] = {tool: _told(tool, python, texts, gold) for tool, python in pythons.items()}
    return report


def _told(tool: str, python: str, texts: Path, gold: Sequence[GoldDocument]) -> dict[str, Any]:
    finished = subprocess.run(  # noqa: S603
        [python, str(_TOOL), tool, str(texts)], cwd=_TOOL.parents[2], capture_output=True, text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(_TOOL.parents[2])},
    )  # fmt: skip
    if finished.returncode:
        return {"failed": finished.stderr.strip().splitlines()[-1:]}
    told = json.loads(finished.stdout.splitlines()[-1])
    found = {
        g.document.doc_id: [Span(start, end) for start, end in spans if start < end]
        for g, spans in zip(gold, told.pop("spans"), strict=True)
    }
    scores = evaluate_detection(gold, found)
    return {
        "version": told["version"],
        "precision": scores.strict.precision,
        "recall": scores.strict.recall,
        "f1": scores.strict.f_beta(1),
        "relaxed_recall": scores.relaxed.recall,
        "letters_leaked": scores.letters_leaked,
        "false_per_1000_words": scores.false_spans_per_1000_words,
        "cpu_ms_per_document": 1000 * told["cpu_seconds"] / len(gold),
        "ms_per_document": 1000 * told["seconds"] / len(gold),
        "letters_per_cpu_second": sum(len(g.document.text) for g in gold) / max(told["cpu_seconds"], 1e-9),
        "start_cpu_seconds": told["start_cpu_seconds"],
        "start_seconds": told["start_seconds"],
        "peak_memory_mb": told["peak_memory_mb"],
    }
