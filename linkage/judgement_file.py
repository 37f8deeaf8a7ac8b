"""The file of judgements: one JSON object a line, for the user alone, since it holds names."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from linkage.errors import InvalidRecordError
from linkage.judgement import Judgement, MentionPlace, Verdict
from linkage.private_file import write_private


def write_judgements(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write one JSON object a line, whole or not at all, readable by the user alone (mode 0600)."""
    write_private(path, judgement_lines(judgements))


def judgement_lines(judgements: Iterable[Judgement]) -> Iterator[str]:
    """One JSON object a line for each judgement."""
    return (json.dumps(_row(j), ensure_ascii=False) + "\n" for j in judgements)


def _row(j: Judgement) -> dict[str, object]:
    row: dict[str, object] = {
        "left": j.left_form, "right": j.right_form, "verdict": str(j.verdict),
        "left_mention": j.left_mention, "right_mention": j.right_mention,
        "judged_at": j.judged_at, "judge": j.judge,
    }  # fmt: skip
    if j.left_at is not None and j.right_at is not None:
        row |= {"left_at": _place_row(j.left_at), "right_at": _place_row(j.right_at)}
    return row


def read_judgements(path: Path) -> tuple[Judgement, ...]:
    """Judgements that write_judgements wrote.

    Raises:
        InvalidRecordError: for a file that cannot be read, or a line that is no judgement; it names the
            line's number, not its text.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidRecordError(
            f"the judgements file cannot be read: {error.strerror or type(error).__name__}"
        ) from None
    except UnicodeDecodeError:
        raise InvalidRecordError("the judgements file is no text in UTF-8") from None
    return judgements_in(text)


def judgements_in(text: str) -> tuple[Judgement, ...]:
    """The judgements of lines that judgement_lines wrote.

    Raises:
        InvalidRecordError: see read_judgements.
    """
    judgements = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            judgements.append(
                Judgement(
                    row["left"], row["right"], Verdict(row["verdict"]), row.get("left_mention"),
                    row.get("right_mention"), row.get("judged_at", ""), row.get("judge", ""),
                    _place(row.get("left_at")), _place(row.get("right_at")),
                )
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError, InvalidRecordError):
            raise InvalidRecordError(
                f"line {number} of the judgements file is no judgement; see `nymlink review --help`"
            ) from None
    return tuple(judgements)


def _place_row(place: MentionPlace) -> dict[str, object]:
    return {"document": place.document, "start": place.start, "end": place.end}


def _place(row: Mapping[str, object] | None) -> MentionPlace | None:
    if row is None:
        return None
    document, start, end = row["document"], row["start"], row["end"]
    if not isinstance(document, str) or not isinstance(start, int) or not isinstance(end, int):
        raise TypeError("a place has a document, a start and an end")
    return MentionPlace(document, start, end)
