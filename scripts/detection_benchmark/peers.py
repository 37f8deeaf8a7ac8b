"""Another tool on the same text: deduce, where it is installed (for comparison only)."""

import time
from pathlib import Path
from typing import Any

from linkage.evaluation.detection import evaluate_detection
from linkage.evaluation.gold import read_gold
from linkage.records import Span


def run(shared: Path) -> dict[str, Any]:
    """Scores and speed of deduce on ntrex-dev and the sample; says so where it is not installed."""
    try:
        from deduce import Deduce
    except ImportError:
        return {"deduce": "not installed"}
    start = time.process_time()
    tool = Deduce()
    report: dict[str, Any] = {"start_cpu_seconds": round(time.process_time() - start, 1)}
    data = shared / "data"
    for path in (data / "ner" / "ntrex-dev.persons.jsonl", data / "synth" / "sample" / "gold.persons.jsonl"):
        gold = read_gold(path)
        start = time.process_time()
        found = {
            g.document.doc_id: [
                Span(a.start_char, a.end_char)
                for a in tool.deidentify(g.document.text).annotations
                if a.tag in {"persoon", "patient"}
            ]
            for g in gold
        }
        seconds = time.process_time() - start
        scores = evaluate_detection(gold, found)
        report[path.name] = {
            "f1": scores.strict.f_beta(1), "letters_leaked": scores.letters_leaked,
            "false_per_1000_words": scores.false_spans_per_1000_words,
            "letters_per_cpu_second": round(sum(len(g.document.text) for g in gold) / seconds),
        }  # fmt: skip
    return report
