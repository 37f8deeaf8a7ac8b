"""Gold in an invented language."""

import json
from pathlib import Path
from typing import Final

GIVEN: Final = ("Abelo", "Miriso", "Tavina", "Orsela", "Pelimo")
SURNAMES: Final = ("Kastrun", "Welbrik", "Dormaski", "Fentu", "Gralo")


def bio(sentences: int = 400) -> str:
    """BIO sentences; every third has no person."""
    lines = []
    for number in range(sentences):
        given, surname = GIVEN[number % 5], SURNAMES[number // 5 % 5]
        if number % 3:
            lines += [
                f"{given}\tB-PER",
                f"{surname}\tI-PER",
                "mora\tO",
                "ti\tO",
                f"bol{number % 7}\tO",
                ".\tO",
            ]
        else:
            lines += ["Ti\tO", "bolan\tO", "mora\tO", "Zutal\tB-LOC", ".\tO"]
        lines.append("")
    return "\n".join(lines)


def record(number: int) -> str:
    """A line of an identifiers.jsonl file."""
    name = f"{GIVEN[number % 5]} {SURNAMES[number % 5]}"
    text = f"Mora {name}, ti bolan Zutal."
    return json.dumps(
        {
            "doc_id": f"d{number}",
            "text": text,
            "mentions": [{"start": 5, "end": 5 + len(name), "text": name}],
            "identifiers": [{"start": len(text) - 6, "end": len(text) - 1, "text": "Zutal", "kind": "CITY"}],
        }
    )


def names(folder: Path) -> tuple[Path, Path]:
    """Files of given names and surnames."""
    paths = folder / "given.tsv", folder / "surnames.tsv"
    for path, column, found in zip(paths, ("name", "surname"), (GIVEN, SURNAMES), strict=True):
        path.write_text(f"{column}\tcount\n" + "".join(f"{name}\t9\n" for name in found), encoding="utf-8")
    return paths
