"""Tables of texts, pseudonymized by workers that share nothing: one pass, no driver in the way.

A run key (pseudonymizer.runkeys, `nymlink vault run-key`) lets every worker give equal full names equal
labels. The mentions come back in parcels that only the vault opens (`accept`), so that labels lead back to
names. What needs more than one mention is not done: misspelt and short names are people of their own, and
addresses with a name in them get no pseudonym of a person. Values of other kinds have no way back here: a
plan masks them, or writes what says less. For all that, run the batch engine.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f

from linkage.records import DocumentId, MentionId
from pseudonymizer.engine.engine import LabelledSource, Source, Treated, rewritten
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.records import Analyzer, AnalyzeTask, Label, SourceFailure, SourceFound
from pseudonymizer.engine.value_labels import TreatedValues, treat_values_alone
from pseudonymizer.errors import BatchError
from pseudonymizer.runkeys import RunKey, RunWorker
from pseudonymizer.runs.tasks import portions
from pseudonymizer.settings import StyleSettings
from pseudonymizer.spark.batches import Batches, rows_of, table_of
from pseudonymizer.treatments.plan import Plan

TEXTS: Final = "id string, text string, mentions int, error string, parcel binary"
_NAMES: Final = ("id", "text", "mentions", "error", "parcel")
_TYPES: Final = (pa.string(), pa.string(), pa.int32(), pa.string(), pa.binary())
_ROW = Path("row.txt")  # says that a text is plain
_LANGUAGE: Final = "nl"  # of the words that treatments write
_Row = tuple[str, str | None, int, str | None, bytes | None]


def read_table(spark: SparkSession, path: str) -> DataFrame:
    """A table by its ending: .parquet, .jsonl, or else a folder of texts, as columns id and text.

    The id of a file is its number in the order of the paths, from 1: ids go into the output, and a path may
    name somebody.
    """
    if path.endswith(".parquet"):
        return spark.read.parquet(path)
    if path.endswith((".jsonl", ".ndjson")):
        return spark.read.json(path)
    files = spark.read.format("binaryFile").load(path)
    order = f.row_number().over(Window.orderBy("path"))
    numbers = files.select("path", order.cast("string").alias("id"))  # of the paths alone: nothing is read
    texts = files.join(f.broadcast(numbers), "path")
    return texts.select("id", f.decode("content", "UTF-8").alias("text"))


def write_table(table: DataFrame, path: str) -> None:
    """The texts, as Parquet or, for .jsonl, as lines of JSON; a folder of parts, as Spark writes them."""
    texts = table.select("id", "text", "mentions", "error")
    if path.endswith((".jsonl", ".ndjson")):
        texts.write.json(path, ignoreNullFields=False)
    else:
        texts.write.parquet(path)


def pseudonymize_table(
    table: DataFrame,
    load: Callable[[], Analyzer],
    key: RunKey,
    *,
    id_column: str = "id",
    text_column: str = "text",
    plan: Plan | None = None,
) -> DataFrame:
    """TEXTS: the texts with labels; text is null, with an error, where one could not be treated.

    plan: what becomes of values of other kinds than persons, as `Project.plan` gives it; what needs the vault
    there is masked. None: they stay.

    Rows with a parcel hold the sealed mentions of several: give all of them to pseudonymizer.runkeys.accept
    before the texts go out. The result is settled, so that texts and parcels are of one and the same pass.

    Raises:
        BatchError: an id occurs twice: then two texts could not be told apart in the vault.
        SettingsError: the user named a treatment that needs the vault.
    """
    plan = None if plan is None else plan.for_deterministic()
    wanted = table.select(f.col(id_column).cast("string").alias("id"), f.col(text_column).alias("text"))
    if not wanted.groupBy("id").count().filter("count > 1").isEmpty():
        raise BatchError(
            f"ids in the column {id_column!r} occur more than once; give each text an id of its own"
        )
    return wanted.mapInArrow(pseudonymize_batches(load, key, plan), TEXTS).localCheckpoint()


def parcels_of(table: DataFrame) -> Iterator[bytes]:
    """The parcels of pseudonymize_table, one after the other."""
    for row in table.filter("parcel is not null").select("parcel").toLocalIterator():
        yield bytes(row["parcel"])


def pseudonymize_batches(
    load: Callable[[], Analyzer], key: RunKey, plan: Plan | None = None
) -> Callable[[Batches], Batches]:
    """A function for mapInArrow: (id, text) -> TEXTS. plan: see pseudonymize_table."""

    def work(batches: Batches) -> Batches:
        finder, labeller = FileWork(load), RunWorker(key)
        for batch in batches:
            given = [(str(name), "" if text is None else str(text)) for name, text in rows_of(batch)]
            rows: list[_Row] = []
            for portion in portions(given, lambda row: len(row[1])):
                rows += _treated(finder, labeller, portion, plan)
            yield table_of(_NAMES, rows, _TYPES)

    return work


def _treated(
    work: FileWork, labeller: RunWorker, given: Sequence[tuple[str, str]], plan: Plan | None
) -> list[_Row]:
    sources = [_source(name, text) for name, text in given]
    outcomes = work.analyze([source.task for source in sources])
    mentions = [m for one in outcomes if isinstance(one, SourceFound) for m in one.mentions]
    labels = labeller.labels(mentions)
    values = [part.places for one in outcomes if isinstance(one, SourceFound) for part in one.parts]
    treated = None if plan is None else treat_values_alone(values, plan, language=_LANGUAGE)
    rows: list[_Row] = []
    for source, outcome in zip(sources, outcomes, strict=True):
        written = (
            outcome
            if isinstance(outcome, SourceFailure)
            else _written(work, source, outcome, labels, treated)
        )
        if isinstance(written, SourceFailure):
            rows.append((source.name, None, 0, f"{written.error}: {written.reason}", None))
        else:
            text = written.rendered.raw.decode("utf-8", "surrogatepass")
            rows.append((source.name, text, len(written.found.mentions), None, None))
    if mentions:
        rows[0] = (*rows[0][:4], labeller.parcel(mentions))
    return rows


def _source(name: str, text: str) -> Source:
    """A row as a source of the engine. Names of running text alone are looked for: no path, no addresses."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    content = text.encode("utf-8", "surrogatepass")
    return Source(AnalyzeTask(DocumentId(digest[:32]), _ROW, content=content), name)


def _written(
    work: FileWork,
    source: Source,
    found: SourceFound,
    labels: Mapping[MentionId, str],
    values: TreatedValues | None,
) -> Treated | SourceFailure:
    """The row with the labels of a run key, and treated values; the people behind labels are unknown here."""
    places = [
        Label(part.part_id, mention.mention.span, labels[mention.mention_id], None)
        for part in found.parts
        for mention in part.mentions
    ]
    if values is not None:
        places += [label for part in found.parts for label in values.labels(part.places)]
    return rewritten(work, LabelledSource(source, found, tuple(places)), StyleSettings())
