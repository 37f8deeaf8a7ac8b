"""A run of the batch engine with Spark's workers in place of the processes of this machine.

Files are read by the workers: inputs must lie where all of them can read. The work file, the vault and the
output stay with the driver, so that a run can be taken up again like any other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from pyspark.sql import SparkSession

from pseudonymizer.engine.records import Analyzer, LabelledPerson, LinkingPart, SourceFailure
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.stages import Stage
from pseudonymizer.runs.tasks import TaskRunner
from pseudonymizer.spark import tasks
from pseudonymizer.spark.batches import JudgingLinker
from pseudonymizer.spark.faults import FAILURES, error_class, require_packages, require_workers, told
from pseudonymizer.spark.linking import LinkingPlan, SparkLinker

_Task = TypeVar("_Task")
_Outcome = TypeVar("_Outcome")
_BATCHES_A_CORE: Final = 32  # of one job: enough that cores seldom wait for the slowest
_OUTCOMES_AT_ONCE: Final = 64
_LOST_IN_A_ROW: Final = 3  # as many tasks lost one by one, and none done, is a fault of the cluster


class SparkPipeline(Analyzer, Protocol):
    """linkage.pipeline.LinkagePipeline, or a fake with a linker that takes judged pairs."""

    @property
    def linker(self) -> JudgingLinker: ...


class SparkEngine:
    """Detection, linking and rewriting on the workers of a Spark session."""

    def __init__(
        self,
        spark: SparkSession,
        load: Callable[[], SparkPipeline],
        options: FormatOptions | None = None,
        plan: LinkingPlan | None = None,
    ) -> None:
        """Raises BatchError where this process lacks a package that Spark needs."""
        require_packages()
        self._spark = spark
        self._load = load
        self._options = options
        self._plan = plan

    def runner(
        self,
        formats: FormatOptions,
        *,
        inside: Callable[[int], None] | None = None,  # noqa: ARG002  its workers have no way to tell
    ) -> TaskRunner:
        """What runs tasks on the workers: by the options of this engine, or else those of the run, and always
        with the user's own kinds that the run has.
        """
        options = formats if self._options is None else self._options
        if options.own != formats.own:
            options = replace(options, own=formats.own)
        return SparkRunner(self._spark, self._load, options)

    def linker(self) -> LinkingPart:
        load = self._load
        return SparkLinker(self._spark, lambda: load().linker, self._plan)


class SparkRunner:
    """Batches of tasks in jobs of many; memory holds one job's tasks and a few outcomes."""

    def __init__(
        self,
        spark: SparkSession,
        load: Callable[[], Analyzer],
        options: FormatOptions | None,
    ) -> None:
        self._spark = spark
        self._load = load
        self._options = options
        self._people: tuple[LabelledPerson, ...] = ()
        self._cores = max(1, spark.sparkContext.defaultParallelism)
        self._is_checked = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def start(self) -> None:
        """Spark starts its workers itself, with the first job."""

    def expect(self, files: Sequence[SourceFile]) -> None:
        """Spark has its workers, however little is left to do."""

    def follow(self, people: Sequence[LabelledPerson]) -> None:
        """From now on rewriting follows the names of these people into addresses and paths."""
        self._people = tuple(people)

    def run(
        self,
        stage: Stage[_Task, _Outcome],
        batches: Iterable[Sequence[_Task]],
        lost: Callable[[_Task], _Outcome],
    ) -> Iterator[list[_Outcome]]:
        """The outcomes of all tasks. A job that fails is divided: each of its tasks is tried alone, and
        lost(task), with the worker's error where there is one, is the outcome of one that fails alone.

        Raises:
            BatchError: no task can be done: a fault of the cluster, or of models or settings.
        """
        coming = iter(batches)
        while wave := list(islice(coming, _BATCHES_A_CORE * self._cores)):
            if not self._is_checked:
                require_workers(self._spark)
                self._is_checked = True
            todo = {task.doc_id: task for batch in wave for task in batch}  # type: ignore[attr-defined]
            try:
                for outcomes in self._job(stage, list(todo.values())):
                    for outcome in outcomes:
                        del todo[outcome.doc_id]
                    yield outcomes
            except FAILURES:
                yield from self._one_by_one(stage, list(todo.values()), lost)

    def _one_by_one(
        self, stage: Stage[_Task, _Outcome], todo: Sequence[_Task], lost: Callable[[_Task], _Outcome]
    ) -> Iterator[list[_Outcome]]:
        failed: list[_Outcome] = []
        done = False
        for task in todo:
            try:
                outcomes = [outcome for some in self._job(stage, [task]) for outcome in some]
                done = True
                yield outcomes
            except FAILURES as error:
                failed.append(_with_error(lost(task), error))
                if not done and len(failed) >= _LOST_IN_A_ROW:
                    raise BatchError(
                        f"the workers of Spark cannot do a single file: {told(error)}; is nymlink, with its "
                        "models, installed on all of them, and can they read the inputs?"
                    ) from None
        if failed:
            yield failed

    def _job(self, stage: Stage[Any, Any], todo: Sequence[Any]) -> Iterator[list[Any]]:
        slices = max(1, min(len(todo), 4 * self._cores))
        rows = self._spark.sparkContext.parallelize([tasks.encode_task(task) for task in todo], slices)
        work = tasks.work_on(stage, self._load, self._options, self._people)
        found = self._spark.createDataFrame(rows, tasks.TASKS).mapInArrow(work, tasks.OUTCOMES)
        coming = (tasks.decode_outcome(*row) for row in found.toLocalIterator(prefetchPartitions=True))
        while outcomes := list(islice(coming, _OUTCOMES_AT_ONCE)):
            yield outcomes


def _with_error(lost: _Outcome, error: Exception) -> _Outcome:
    """The outcome of a lost task, with the Python error of its worker where that was not killed."""
    found = error_class(error)
    if found is None or not isinstance(lost, SourceFailure):
        return lost
    return replace(lost, error=found, reason="a worker of Spark ended with this error")
