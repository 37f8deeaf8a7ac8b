"""The results of scripts/benchmark_detection as tables in Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

PEER_COLUMNS = {
    "precision": ("strict P", "{:.3f}"),
    "recall": ("strict R", "{:.3f}"),
    "f1": ("strict F1", "{:.3f}"),
    "relaxed_recall": ("relaxed R", "{:.3f}"),
    "letters_leaked": ("leaked", "{:.1%}"),
    "false_per_1000_words": ("false/1,000 words", "{:.1f}"),
    "cpu_ms_per_document": ("CPU ms/document", "{:,.1f}"),
    "letters_per_cpu_second": ("letters/CPU-s", "{:,.0f}"),
    "start_cpu_seconds": ("start, CPU s", "{:.1f}"),
    "start_seconds": ("start, s", "{:.1f}"),
    "peak_memory_mb": ("MB", "{:,.0f}"),
}


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (header, *rows)]
    return "\n".join([lines[0], "|" + " --- |" * len(header), *lines[1:]])


def peers(report: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    rows = []
    for name, tools in report.items():
        for tool, told in tools.items():
            if "failed" in told:
                rows.append([name, tool, "failed", *[""] * (len(PEER_COLUMNS) - 1)])
                continue
            shown = [form.format(told[key]) for key, (_, form) in PEER_COLUMNS.items()]
            rows.append([name, f"{tool} {told['version']}", *shown])
    return table(["on", "tool", *(title for title, _ in PEER_COLUMNS.values())], rows)


def typing(report: Mapping[str, Mapping[str, Any]]) -> str:
    """Share of misspelt names found exactly, by kind of error."""
    kinds = [kind for kind in next(iter(report.values())) if kind != "false_per_1000_words"]
    rows = [
        [
            group,
            *(f"{told[kind]['found']:.1%}" for kind in kinds),
            f"{told['false_per_1000_words']:.2f}",
        ]
        for group, told in report.items()
    ]
    return table(["names", *kinds, "false/1,000 words"], rows)


def values(report: Mapping[str, float]) -> str:
    rows = [[name.replace("_", " "), _shown(value)] for name, value in report.items()]
    return table(["what", "value"], rows)


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"
