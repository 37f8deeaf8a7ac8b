"""Tables of texts, pseudonymized by workers that share nothing: one pass, no driver in the way.

A run key (pseudonymizer.runkeys, `nymlink vault run-key`) lets every worker give equal full names equal
labels. The mentions come back in parcels that only the vault opens (`accept`), so that labels lead back to
names. What needs more than one mention is not done: misspelt and short names are people of their own, and
addresses with a name in them get no pseudonym of a person. For that, run the batch engine.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from linkage.records import DocumentId
from pseudonymizer.batch.stages import Worker
from pseudonymizer.batch.tasks import portions
from pseudonymizer.engine.records import (
    Analyzer,
    AnalyzeTask,
    Label,
    RenderTask,
    SourceFailure,
    SourceFound,
)
from pseudonymizer.errors import BatchError
from pseudonymizer.runkeys import RunKey, RunWorker
from pseudonymizer.spark.batches import Batches, rows_of, table_of

TEXTS: Final = "id string, text string, mentions int, error string, parcel binary"
_NAMES: Final = ("id", "text", "mentions", "error", "parcel")
_TYPES: Final = (pa.string(), pa.string(), pa.int32(), pa.string(), pa.binary())
_ROW = Path("row.txt")  # says that a text is plain
_Row = tuple[str, str | None, int, str | None, bytes | None]


def read_table(spark: SparkSession, path: str) -> DataFrame:
    """A table by its ending: .parquet, .jsonl, or else a folder of texts, as columns id (file) and text."""
    if path.endswith(".parquet"):
        return spark.read.parquet(path)
    if path.endswith((".jsonl", ".ndjson")):
        return spark.read.json(path)
    texts = spark.read.text(path, wholetext=True).select(f.input_file_name().alias("id"), "value")
    return texts.withColumnRenamed("value", "text")


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
) -> DataFrame:
    """TEXTS: the texts with labels; text is null, with an error, where one could not be treated.

    Rows with a parcel hold the sealed mentions of several: give all of them to pseudonymizer.runkeys.accept
    before the texts go out. The result is settled, so that texts and parcels are of one and the same pass.

    Raises:
        BatchError: an id occurs twice: then two texts could not be told apart in the vault.
    """
    wanted = table.select(f.col(id_column).cast("string").alias("id"), f.col(text_column).alias("text"))
    if not wanted.groupBy("id").count().filter("count > 1").isEmpty():
        raise BatchError(f"ids in the column {id_column!r} occur more than once")
    return wanted.mapInArrow(pseudonymize_batches(load, key), TEXTS).localCheckpoint()


def parcels_of(table: DataFrame) -> Iterator[bytes]:
    """The parcels of pseudonymize_table, one after the other."""
    for row in table.filter("parcel is not null").select("parcel").toLocalIterator():
        yield bytes(row["parcel"])


def pseudonymize_batches(load: Callable[[], Analyzer], key: RunKey) -> Callable[[Batches], Batches]:
    """A function for mapInArrow: (id, text) -> TEXTS."""

    def work(batches: Batches) -> Batches:
        worker, labeller = Worker(load), RunWorker(key)
        for batch in batches:
            given = [(str(name), "" if text is None else str(text)) for name, text in rows_of(batch)]
            rows: list[_Row] = []
            for portion in portions(given, lambda row: len(row[1])):
                rows += _treated(worker, labeller, portion)
            yield table_of(_NAMES, rows, _TYPES)

    return work


def _treated(worker: Worker, labeller: RunWorker, given: Sequence[tuple[str, str]]) -> list[_Row]:
    contents = [text.encode("utf-8", "surrogatepass") for _, text in given]
    ids = [
        DocumentId(hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32])
        for name, _ in given
    ]
    found = worker.analyze(
        [AnalyzeTask(i, _ROW, content=content) for i, content in zip(ids, contents, strict=True)]
    )
    mentions = [
        m for one in found if isinstance(one, SourceFound) for part in one.parts for m in part.mentions
    ]
    labels = labeller.labels(mentions)
    tasks = [
        RenderTask(
            one.doc_id, _ROW, _ROW.name, one.digest,
            tuple(
                Label(part.part_id, m.mention.span, labels[m.mention.mention_id], None)
                for part in one.parts
                for m in part.mentions
            ),
            content,
        )
        for one, content in zip(found, contents, strict=True)
        if isinstance(one, SourceFound)
    ]  # fmt: skip
    rendered = {one.doc_id: one for one in worker.render(tasks)}
    rows: list[_Row] = []
    for (name, _), outcome in zip(given, found, strict=True):
        written = outcome if isinstance(outcome, SourceFailure) else rendered[outcome.doc_id]
        if isinstance(written, SourceFailure):
            rows.append((name, None, 0, f"{written.error}: {written.reason}", None))
        else:
            count = (
                sum(len(part.mentions) for part in outcome.parts) if isinstance(outcome, SourceFound) else 0
            )
            rows.append((name, written.raw.decode("utf-8", "surrogatepass"), count, None, None))
    if mentions:
        rows[0] = (*rows[0][:4], labeller.parcel(mentions))
    return rows
