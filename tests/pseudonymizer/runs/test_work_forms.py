"""Forms of names in a work file: counted once over all sources of a run, kept as sealed digests."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, PersonName
from pseudonymizer.crypto import Sealer
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_results import LinkedSources
from pseudonymizer.runs.work_rows import PlannedSource
from tests.pseudonymizer.runs.rows import NO_LABELS, ONE_MENTION, found

KEY = bytes(range(32))
A, B, C = (DocumentId(f"d{i}") for i in range(3))
ENTRIES = [
    PlannedSource(A, "Jan Terpstra.txt", 10, 1),
    PlannedSource(B, "b.txt", 20, 1),
    PlannedSource(C, "c.txt", 30, 1),
]
JAN, ALSO_JAN = PersonName("Jan", family="Tolsma"), PersonName("JAN", family="Tolsma")
ELS = PersonName("Els")


def opened(path: Path | None = None) -> WorkFile:
    return WorkFile.open(path, Sealer(KEY, key_id=0))


def detected(work: WorkFile, *sources: DocumentId) -> WorkFile:
    work.plan(ENTRIES[: len(sources)], b"f", only_failed=False)
    work.save_detected([found(doc_id) for doc_id in sources])
    return work


def test_forms_are_counted_once_over_all_sources() -> None:
    work = opened()
    assert work.form_count() == 0
    detected(work, A, B, C)
    work.save_linked(LinkedSources([]), {}, {A: {JAN, ALSO_JAN}, B: {JAN, ELS}, C: set()})
    assert work.form_count() == 2
    work.save_linked(LinkedSources([]), {}, {B: {JAN}})
    assert work.form_count() == 1, "a source that is linked anew has its new forms only"
    work.plan(ENTRIES[2:], b"f", only_failed=False)
    assert work.form_count() == 0, "the sources of this run are counted"


names = st.sets(st.sampled_from([PersonName(given) for given in ("Jan", "Els", "Wim", "Bo", "Ans")]))


@given(names, names, names)
def test_as_many_are_counted_as_there_are(
    first: set[PersonName], second: set[PersonName], third: set[PersonName]
) -> None:
    with closing(detected(opened(), A, B, C)) as work:
        work.save_linked(LinkedSources([]), {}, {A: first, B: second, C: third})
        assert work.form_count() == len(first | second | third)


def test_an_output_of_an_earlier_run_has_no_forms() -> None:
    work = detected(opened(), A)
    work.save_labels([(A, NO_LABELS, SourceCounts(is_output=True))])
    assert work.form_count() == 0


def test_forms_that_were_not_noted_are_not_counted_at_all() -> None:
    work = detected(opened(), A, B)
    work.save_labels([(A, NO_LABELS, ONE_MENTION)])  # as by 8952b15, which noted no forms
    assert work.form_count() is None
    work.save_linked(LinkedSources([]), {}, {B: {ELS}})
    assert work.form_count() is None
    work.save_linked(LinkedSources([]), {}, {A: {JAN}})
    assert work.form_count() == 2


def test_forms_of_two_runs_that_keep_no_name_are_not_counted() -> None:
    work = detected(opened(), A, B)
    work.save_linked(LinkedSources([]), {}, {A: {JAN}, B: set()})
    work.forget_people()
    assert work.form_count() == 1
    work.save_linked(LinkedSources([]), {}, {B: {JAN}})
    assert work.form_count() is None


def test_what_is_kept_tells_no_form_and_not_how_few_there_are(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with closing(detected(opened(path), A, B, C)) as work:
        work.save_linked(LinkedSources([]), {}, {A: {JAN}, B: {JAN, ELS}, C: set()})
    with closing(sqlite3.connect(path)) as raw:
        stored = dict(raw.execute("select doc_id, digests from form").fetchall())
    assert len({len(sealed) for sealed in stored.values()}) == 1
    assert len(set(stored.values())) == 3
    assert not any(word in path.read_bytes() for word in (b"Tolsma", b"tolsma", b"Terpstra"))
