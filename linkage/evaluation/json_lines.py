"""Marked texts as lines of JSON: `.persons.jsonl`, `.identifiers.jsonl`, the lines of `nymlink detect`."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from linkage.errors import GoldFormatError, InvalidRecordError
from linkage.evaluation.marked import FLAGS, PERSON, GoldMention, Labels, MarkedText, by_place
from linkage.records import DocumentId, Span

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def read_json_lines(raw: str, labels: Labels, *, role: str, with_text: bool = True) -> Iterator[MarkedText]:
    """One marked text a line; lines of a document that could not be read ("error") are passed over.

    role: what an error calls the file, such as "gold". with_text: each line must hold its text.

    Raises:
        GoldFormatError: a line breaks the format; the message holds its number, never text.
    """
    seen: set[str] = set()
    # Only \n ends a line: splitlines would cut texts at further characters.
    for number, line in enumerate(raw.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not with_text and "error" in row:
                continue
            marked = replace(_from_row(row, labels, with_text=with_text), place=f"{role} line {number}")
        except GoldFormatError as error:
            raise GoldFormatError(f"{role} line {number}: {error}") from None
        except (AttributeError, KeyError, TypeError, ValueError, InvalidRecordError) as error:
            wanted = "doc_id, text and mentions" if with_text else "doc_id and mentions"
            raise GoldFormatError(
                f"{role} line {number}: {type(error).__name__}; expected {wanted}, each with "
                "start, end and text, and identifiers with a kind besides"
            ) from None
        if marked.doc_id in seen:
            raise GoldFormatError(f"{role} line {number}: its doc_id occurs twice")
        seen.add(marked.doc_id)
        yield marked


def _from_row(row: Mapping[str, Any], labels: Labels, *, with_text: bool) -> MarkedText:
    text = row["text"] if with_text else row.get("text")
    if text is not None and not isinstance(text, str):
        raise TypeError("the text is no string")
    identifiers = row.get("identifiers") or ()
    has_kinds = "identifiers" in row and all("kind" in entry for entry in identifiers)
    entries = [*row["mentions"], *(identifiers if has_kinds else ())]  # older gold has a type and no kind
    marks: list[GoldMention] = []
    for entry in entries:
        kind = labels.kind(str(entry["kind"])) if entry.get("kind") is not None else PERSON
        if kind is not None:
            marks.append(_mention(entry, text, kind))
    return MarkedText(
        DocumentId(str(row["doc_id"])), text, by_place(marks),
        has_kinds or any(mark.kind != PERSON for mark in marks), len(entries) - len(marks),
    )  # fmt: skip


def _mention(row: Mapping[str, Any], text: str | None, kind: str) -> GoldMention:
    span = Span(row["start"], row["end"])
    if text is not None and "text" in row and span.cut(text) != row["text"]:
        raise ValueError("the span does not cut out the mention's text")
    if text is not None and span.end > len(text):
        raise GoldFormatError(
            f"a mention, {span}, ends after the text of {len(text)} code points; offsets are Python string "
            "indexes"
        )
    entity = row.get("entity", row.get("person"))
    return GoldMention(
        span,
        None if entity is None else str(entity),
        tuple(str(candidate) for candidate in row.get("candidates", ())),
        tuple(Span(other["start"], other["end"]) for other in row.get("alt", ())),
        kind=kind,
        **{flag: bool(row.get(flag)) for flag in FLAGS},
    )


def json_lines(texts: Iterable[MarkedText]) -> Iterator[str]:
    """A line a text: people in mentions, other kinds in identifiers, both with their kind."""
    for marked in texts:
        rows = [(mark.kind, _row(mark, marked.text)) for mark in marked.marks]
        line: dict[str, Any] = {"doc_id": marked.doc_id, "text": marked.text}
        line["mentions"] = [row for kind, row in rows if kind == PERSON]
        if marked.all_kinds or len(line["mentions"]) < len(rows):
            line["identifiers"] = [row for kind, row in rows if kind != PERSON]
        written = json.dumps(line, ensure_ascii=False)
        # UTF-8 has no half of a surrogate pair; as an escape it comes back.
        yield (json.dumps(line) if _SURROGATE.search(written) else written) + "\n"


def _row(mark: GoldMention, text: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {"start": mark.span.start, "end": mark.span.end}
    if text is not None:
        row["text"] = mark.span.cut(text)
    row["kind"] = mark.kind
    if mark.entity is not None:
        row["entity"] = mark.entity
    if mark.candidates:
        row["candidates"] = list(mark.candidates)
    if mark.alternatives:
        row["alt"] = [{"start": span.start, "end": span.end} for span in mark.alternatives]
    return row | {flag: True for flag in FLAGS if getattr(mark, flag)}
