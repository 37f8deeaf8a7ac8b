"""The files of a run that failed: which, why, and what to do about each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from pseudonymizer.engine.remedies import remedy_of, why_and_what_next
from pseudonymizer.runs.work_rows import SourceRow, SourceState


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that failed. number: its place among the files of the inputs, from 1. path: below its input,
    which may hold a name. error: the class of the error. remedy: what to do; "" where reason says it.
    """

    id: str
    number: int
    path: str = field(repr=False)
    error: str
    reason: str
    remedy: str

    @classmethod
    def of(cls, rows: Iterable[SourceRow]) -> tuple[Self, ...]:
        """Those among the files of a run, in the order of its inputs."""
        return tuple(
            cls(
                row.doc_id, number, row.path, row.error or "", row.reason or "",
                remedy_of(row.error or "", row.reason or ""),
            )
            for number, row in enumerate(rows, start=1)
            if row.state is SourceState.FAILED
        )  # fmt: skip

    @property
    def place(self) -> str:
        """The file without its name: "input 3"."""
        return f"input {self.number}"

    @property
    def why(self) -> str:
        return why_and_what_next(self.error, self.reason)

    def as_dict(self) -> Mapping[str, object]:
        """For reports, which hold no paths of inputs."""
        return {
            "id": self.id, "input": self.number, "error": self.error, "reason": self.reason,
            "remedy": self.remedy,
        }  # fmt: skip
