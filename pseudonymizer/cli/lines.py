"""JSON in and out: always valid UTF-8, and one clear error for a file that is none."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def json_text(value: Any) -> str:
    """JSON on one line, letters as they are; what is no Unicode, as in the name of a file, is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if any("\ud800" <= letter <= "\udfff" for letter in text) else text


def jsonl(lines: Iterable[Any]) -> bytes:
    """One line of JSON for each value."""
    return "".join(json_text(line) + "\n" for line in lines).encode()


def read_jsonl(file: Path, what: str) -> list[dict[str, Any]]:
    """The objects of a file with one line of JSON each.

    Raises:
        DocumentError: the file is no such file; what says for whom, such as "the given mentions".
    """
    from linkage.errors import DocumentError

    found: list[dict[str, Any]] = []
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DocumentError(f"{what} are no text in UTF-8") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise DocumentError(
                f"line {number} of {what} is no JSON object: the file is cut off, or of another kind"
            )
        found.append(value)
    return found
