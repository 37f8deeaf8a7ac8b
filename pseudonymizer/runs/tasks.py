"""What the main process and the workers hand to each other, and how tasks are grouped."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

from pseudonymizer.engine.records import GivenFor, GivenMention, LabelledPerson, LinkingPart
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.stages import Stage

_Task = TypeVar("_Task")
_Outcome = TypeVar("_Outcome")
_BATCH_FILES: Final = 128  # files that a worker takes at once, so that the network sees full batches
_LEAST_FILES: Final = 16  # and near the end, so that no worker has work long after the others
PORTION_BYTES: Final = 400_000
_PART_ID: Final = re.compile(r"(?:(?:rows|lines)-)?\d+")


class TaskRunner(Protocol):
    """Runs a stage of the work over batches of tasks: here, in other processes, on other machines."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def start(self) -> None:
        """There will be work for detection: what takes long to load can be loaded now."""
        ...

    def expect(self, files: Sequence[SourceFile]) -> None:
        """These are left to do: work that has not begun may be given to fewer processes."""
        ...

    def follow(self, people: Sequence[LabelledPerson]) -> None:
        """From now on rewriting follows the names of these people into addresses and paths."""
        ...

    def run(
        self,
        stage: Stage[_Task, _Outcome],
        batches: Iterable[Sequence[_Task]],
        lost: Callable[[_Task], _Outcome],
    ) -> Iterator[list[_Outcome]]:
        """The outcomes of each batch, in any order; lost(task) where a task killed its process."""
        ...


class Machines(Protocol):
    """Where a run does its work: on this machine, or on the machines of a cluster."""

    def runner(self, formats: FormatOptions, *, inside: Callable[[int], None] | None = None) -> TaskRunner:
        """What runs the tasks of both passes. formats: how the run reads files, with the user's own kinds.
        inside: is told how many notes are done in what is at work, where the machines can tell.
        """
        ...

    def linker(self) -> LinkingPart: ...


class GivenMentions:
    """Mentions that take the place of detection, sorted by file once, however many files ask for theirs."""

    def __init__(self, by_name: Mapping[str, tuple[GivenMention, ...]]) -> None:
        """by_name: by the path of a file below its input, by that, "#" and a part id, or by a line's id."""
        self._by_name = by_name
        self._parts_of: dict[str, dict[str, tuple[GivenMention, ...]]] = {}
        for name, mentions in by_name.items():
            path, mark, part_id = name.rpartition("#")
            if mark and _PART_ID.fullmatch(part_id):  # a path may hold the mark, too
                self._parts_of.setdefault(path, {})[part_id] = mentions

    def first_rows(self, source: SourceFile) -> set[int]:
        """The numbers in the names of parts of a file, such as "rows-120", that mentions are given for."""
        parts = self._parts_of.get(source.relative, {})
        return {int(part.rpartition("-")[2]) for part in parts if "-" in part}

    def of(self, source: SourceFile) -> GivenFor:
        """The mentions of one source."""
        mine = self._parts_of.get(source.relative, {})
        if source.relative in self._by_name:
            mine = {**mine, "": self._by_name[source.relative]}
        has_keys = source.path.suffix.lower() in (".jsonl", ".ndjson")  # its lines may have ids of their own
        return GivenFor(mine, self._by_name if has_keys else {})


def portions(
    tasks: Iterable[_Task], size: Callable[[_Task], int], *, count: int | None = None, workers: int = 1
) -> Iterator[list[_Task]]:
    """Groups of tasks, not too many and not too large, in order.

    count: how many tasks there are. For several workers the groups get smaller towards the end.
    """
    portion: list[_Task] = []
    total = 0
    left = count
    most = _fair_share(left, workers)
    for task in tasks:
        portion.append(task)
        total += size(task)
        if len(portion) >= most or total >= PORTION_BYTES:
            yield portion
            left = None if left is None else left - len(portion)
            most = _fair_share(left, workers)
            portion, total = [], 0
    if portion:
        yield portion


def _fair_share(left: int | None, workers: int) -> int:
    """How many of the tasks that are left one worker takes at once."""
    if left is None or workers <= 1:
        return _BATCH_FILES
    return max(_LEAST_FILES, min(_BATCH_FILES, left // (3 * workers)))
