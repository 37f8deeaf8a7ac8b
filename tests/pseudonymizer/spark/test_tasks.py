"""Tasks and outcomes come through rows whole, whatever text they hold."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import ModelNotFoundError
from linkage.records import Detector, DocumentId, EntityId, KindId, Span
from pseudonymizer.engine.records import (
    AnalyzeTask,
    GivenFor,
    GivenMention,
    Label,
    RenderTask,
    SourceFailure,
    SourceRendered,
)
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import Edit
from pseudonymizer.formats.units import Unit
from pseudonymizer.records import Style
from pseudonymizer.runs.codec import FoundRow
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.settings import StyleSettings
from tests.pseudonymizer.batch_fakes import load_fake

pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")

from pseudonymizer.spark import tasks
from pseudonymizer.spark.batches import rows_of, table_of

DOC = DocumentId("d1")
UNIT = Unit(1, 10, 20, 3, "csv", "na\xefm\n")
EDITS = ((Edit("", 0, 4, b"\xfe\x00"), EntityId("vault:1")),)
_JAN = (GivenMention(Span(0, 3), "Jan", Detector.TYPO, 0.5, "Jans", KindId("EMAIL")),)
GIVEN = GivenFor({"": _JAN}, {"key": ()})
LABELS = (
    Label(
        "p",
        Span(1, 4),
        "P1-X",
        EntityId("vault:3"),
        "person",
        KindId("EMAIL"),
        is_one_way=True,
        is_fallback=True,
    ),
    Label("p", Span(5, 6), None, None, None),
)


@pytest.mark.parametrize(
    "task",
    [
        AnalyzeTask(DOC, Path("/in/\udce9.txt"), b"\x01key", GIVEN, "\udce9.txt", b"bytes", UNIT),
        AnalyzeTask(DOC, Path("a.txt")),
        RenderTask(
            DOC,
            Path("a"),
            "a",
            b"\x02",
            LABELS,
            b"x",
            StyleSettings(style=Style.TAG),
            is_output=True,
            unit=UNIT,
        ),
    ],
)
def test_tasks_come_back(task: tasks.Task) -> None:
    assert tasks.decode_task(*tasks.encode_task(task)) == task


texts = st.text(st.characters(exclude_categories=()), max_size=5)  # halves of surrogate pairs among them
some_text = st.text(st.characters(exclude_categories=()), min_size=1, max_size=5)
raws = st.none() | st.binary(max_size=5)
spans = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 9), st.integers(1, 9))
paths = st.text(st.characters(exclude_characters="/"), min_size=1, max_size=5).map(Path)
units = st.none() | st.builds(
    Unit, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), texts, texts
)
given_mentions = st.builds(
    GivenMention, spans, texts, st.sampled_from(Detector), st.floats(0, 1), st.none() | texts
)
by_name = st.dictionaries(texts, st.lists(given_mentions, max_size=2).map(tuple), max_size=2)
owners = st.none() | texts.map(EntityId)
labels = st.builds(Label, texts, spans, st.none() | texts, owners, st.none() | texts)
styles = st.builds(StyleSettings, style=st.sampled_from(Style), keep_domain=st.booleans())
any_task = st.one_of(
    st.builds(
        AnalyzeTask, texts.map(DocumentId), paths, st.binary(max_size=5),
        st.none() | st.builds(GivenFor, by_name, by_name), st.none() | texts, raws, units,
    ),
    st.builds(
        RenderTask, texts.map(DocumentId), paths, texts, st.binary(max_size=5),
        st.lists(labels, max_size=2).map(tuple), raws, styles, st.booleans(), units,
    ),
)  # fmt: skip
edits = st.tuples(st.builds(Edit, texts, st.integers(0, 9), st.integers(0, 9), st.binary(max_size=5)), owners)
counts = st.builds(
    SourceCounts, mentions=st.none() | st.integers(0, 9),
    unread=st.none() | st.dictionaries(texts, st.integers(0, 9), max_size=2),
)  # fmt: skip
any_outcome = st.one_of(
    st.builds(FoundRow, texts.map(DocumentId), counts, st.binary(max_size=9)),
    st.builds(SourceFailure, texts.map(DocumentId), texts, texts),
    st.builds(
        SourceRendered, texts.map(DocumentId), texts, st.binary(max_size=9),
        st.lists(edits, max_size=2).map(tuple), texts, st.integers(0, 9), st.integers(0, 9),
        st.floats(0, 9), st.booleans(), st.none(), st.dictionaries(texts, st.integers(0, 9), max_size=2),
    ),
)  # fmt: skip


@given(any_task)
def test_any_task_comes_back(task: tasks.Task) -> None:
    assert tasks.decode_task(*tasks.encode_task(task)) == task


@given(any_outcome)
def test_any_outcome_comes_back(outcome: tasks.Outcome) -> None:
    assert tasks.decode_outcome(*tasks.encode_outcome(outcome)) == outcome


def test_a_folder_of_this_machine_is_no_place_for_the_bytes_of_an_executor() -> None:
    task = RenderTask(DOC, Path("a"), "a", b"\x02", LABELS, parts=Path("/out/parts"))
    assert tasks.decode_task(*tasks.encode_task(task)) == replace(task, parts=None)


def test_no_field_of_a_task_is_left_at_its_default_in_these_tests() -> None:
    """So that a field added later is added here, and to the rows."""
    assert len(fields(AnalyzeTask)) == 7
    assert len(fields(RenderTask)) == 10  # parts has its own test
    assert len(fields(Label)) == 8
    assert len(fields(GivenMention)) == 6
    assert len(fields(GivenFor)) == 2


@pytest.mark.parametrize(
    "outcome",
    [
        FoundRow(DOC, SourceCounts(mentions=1, unread={"attachment": 2}), b"{}"),
        SourceFailure(DOC, "DocumentError", "why"),
        SourceRendered(
            DOC, "plain", b"\xff", EDITS, "a.txt", 2, 2, 0.5, replaced={"EMAIL": 1}, one_way=3, reversible=4,
            keeps_path=False,
        ),
    ],
)  # fmt: skip
def test_outcomes_come_back(outcome: tasks.Outcome) -> None:
    assert tasks.decode_outcome(*tasks.encode_outcome(outcome)) == outcome


def test_a_fault_of_the_run_is_raised_on_the_driver() -> None:
    with pytest.raises(BatchError, match="ModelNotFoundError: no model"):
        tasks.decode_outcome(*tasks.encode_fault(ModelNotFoundError("no model")))


def test_the_worker_of_the_local_engine_does_the_work() -> None:
    import pyarrow as pa

    task = AnalyzeTask(DOC, Path("row.txt"), content=b"Jan Tolsma kwam.")
    batch = table_of(("task", "content"), [tasks.encode_task(task)], (pa.binary(), pa.binary()))
    (found,) = tasks.work_on(Worker.analyze_rows, load_fake)(iter([batch]))
    (outcome,) = [tasks.decode_outcome(*row) for row in rows_of(found)]
    assert isinstance(outcome, FoundRow)
    assert outcome.counts.mentions == 1
