"""Comparing recorded runs: what counts as a difference. All names and texts are invented."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from run_comparison import records
from run_comparison.conditions import SeededEntropy
from run_comparison.content import parts_of, renamed, stretches
from run_comparison.differences import Limits, pair_differences
from run_comparison.doors import _counts
from run_comparison.records import DoorRun, Link, Linked, Output, RunRecord, RunRecordError, SetRecord
from run_comparison.report import Report

ROOT = Path(__file__).resolve().parents[2]
ONE, TWO, THREE = (f"P1-{letter * 20}" for letter in "ABC")
TEXT = "Fenna Qarstra belde Inge Zolm. Fenna kwam."
FOUND = [("t.txt", 0, 13, "ner", 0.9), ("t.txt", 20, 29, "ner", 0.8), ("t.txt", 31, 36, "list", 0.7)]
LINKS: list[Link] = [(0, 2, 0.95, "link")]


def output(after: str, before: str = TEXT) -> Output:
    parts, tokens = renamed(parts_of(after.encode(), "t.txt"))
    numbers = {token: number for number, token in enumerate(dict.fromkeys(token for _, token in tokens))}
    return Output(
        str(hash(after)), str(hash(tuple(parts))), [(line, numbers[token]) for line, token in tokens],
        stretches(before, after), {"mentions": len(tokens)}, b"\0".join(parts).decode(),
    )  # fmt: skip


def set_of(
    after: str = f"{ONE} belde {TWO}. {ONE} kwam.",
    found: list[records.FoundMention] = FOUND,
    identities: tuple[int, ...] = (0, 1, 0),
    links: list[Link] = LINKS,
    status: int = 0,
    inputs: str = "a",
) -> SetRecord:
    return SetRecord(
        {"g/t.txt": inputs},
        [DoorRun("g", status, {"identities": 2}, {"t.txt": output(after)})],
        [],
        [Linked("g", 1, found, list(identities), links)],
        texts={"g/t.txt": TEXT},
    )


def report_of(changed: SetRecord, limits: Limits = Limits(), *, name: str = "cases") -> Report:  # noqa: B008  frozen
    old, new = (RunRecord(records.FORMAT, "c", {"numpy": "2"}, {name: s}) for s in (set_of(), changed))
    return Report.of(old, new, limits, shared=Path("nowhere"))


def row(report: Report, door: str) -> dict[str, Any]:
    return next(row for row in report.as_dict()["rows"] if row["door"] == door)


def test_equal_records_do_not_differ() -> None:
    report = report_of(set_of())
    assert not report.differs
    assert row(report, "python")["mentions"] == 3
    assert row(report, "python")["pairs"] == 1
    assert row(report, "files")["structure"] == 1
    assert report.shown_examples() == "no examples"


def test_a_lost_mention_counts_at_each_door() -> None:
    report = report_of(
        set_of(f"{ONE} belde Inge Zolm. {ONE} kwam.", [FOUND[0], FOUND[2]], (0, 0), [(0, 1, 0.95, "link")])
    )
    assert report.differs
    files, python = row(report, "files"), row(report, "python")
    assert (files["mentions"], files["changed_mentions"], files["changed_renamed"]) == (3, 1, 1)
    assert (python["changed_mentions"], python["changed_pairs"], python["changed_links"]) == (1, 0, 0)
    assert files["changed_reports"] == 1


def test_another_identity_counts_by_pairs() -> None:
    python = row(report_of(set_of(identities=(0, 1, 1))), "python")
    assert (python["changed_mentions"], python["pairs"], python["changed_pairs"]) == (0, 1, 2)


@pytest.mark.parametrize(
    "links",
    [[], [(0, 2, 0.94, "link")], [(0, 2, 0.95, "possible_link")], [*LINKS, (0, 1, 0.3, "possible_link")]],
)
def test_another_link_counts(links: list[Link]) -> None:
    report = report_of(set_of(links=links))
    assert report.differs
    assert row(report, "python")["changed_links"] > 0
    assert row(report, "python")["changed_pairs"] == 0


def test_another_confidence_or_detector_counts() -> None:
    other = [("t.txt", 0, 13, "ner", 0.91), ("t.txt", 20, 29, "list", 0.8), FOUND[2]]
    report = report_of(set_of(found=other))
    assert row(report, "python")["changed_confidences"] == 2
    assert row(report, "python")["changed_mentions"] == 0
    assert report.differs


def test_tokens_drawn_anew_are_let_pass_only_with_renaming() -> None:
    anew = set_of(f"{THREE} belde {ONE}. {THREE} kwam.")
    files = row(report_of(anew), "files")
    assert (files["changed_bytes"], files["changed_renamed"], files["changed_structure"]) == (1, 0, 0)
    assert report_of(anew).differs
    assert not report_of(anew, Limits(renaming=True)).differs


def test_other_people_behind_the_tokens_differ_with_renaming_too() -> None:
    report = report_of(set_of(f"{ONE} belde {TWO}. {TWO} kwam."), Limits(renaming=True))
    assert row(report, "files")["changed_structure"] == 2
    assert report.differs


def test_bytes_between_the_tokens_differ() -> None:
    report = report_of(set_of(f"{ONE} belde  {TWO}. {ONE} kwam."), Limits(renaming=True))
    assert row(report, "files")["changed_renamed"] == 1
    assert report.differs


def test_a_failed_run_and_other_inputs_differ() -> None:
    assert row(report_of(set_of(status=4)), "files")["changed_reports"] == 1
    assert report_of(set_of(inputs="b"), Limits(tolerance=1.0)).differs


def test_the_tolerance_is_a_share_of_each_kind() -> None:
    lost = set_of(found=FOUND[:2], identities=(0, 1), links=LINKS[:0])
    assert report_of(lost, Limits(0.9)).differs  # every link is gone
    assert not report_of(lost, Limits(1.0)).differs


def test_records_without_a_common_set_differ() -> None:
    old, new = (RunRecord(records.FORMAT, "c", {}, {name: set_of()}) for name in ("cases", "formats"))
    report = Report.of(old, new, Limits(), shared=Path("nowhere"))
    assert report.differs
    assert "only one record has these sets" in report.table()


def test_other_versions_are_told() -> None:
    old = RunRecord(records.FORMAT, "c", {"numpy": "1"}, {"cases": set_of()})
    new = RunRecord(records.FORMAT, "c", {"numpy": "2"}, {"cases": set_of()})
    assert "other conditions: numpy" in Report.of(old, new, Limits(), shared=Path("nowhere")).table()


def test_examples_show_up_to_three_places_and_never_stand_in_tables() -> None:
    report = report_of(set_of(f"{ONE} belde Inge Zolm. {ONE} kwam.", [], (), []))
    shown = report.shown_examples()
    assert "Inge Zolm" in shown
    assert shown.count("gone:") == 3
    assert "Zolm" not in report.table()
    assert "Zolm" not in str(report.as_dict())


def test_another_count_in_a_report_is_an_example() -> None:
    shown = report_of(set_of(status=4)).shown_examples()
    assert "cases, files: reports" in shown
    assert "g: exit status 0 -> 4" in shown


def test_sets_that_measure_give_no_examples() -> None:
    bare = msgspec.structs.replace(set_of(identities=(0, 1, 1)), texts={})
    old = msgspec.structs.replace(set_of(f"{ONE} belde."), texts={})
    before, after = (RunRecord(records.FORMAT, "c", {}, {"sample": one}) for one in (old, bare))
    report = Report.of(before, after, Limits(), shared=Path("nowhere"))
    assert report.differs
    assert report.shown_examples() == "no examples"


def test_seeded_entropy_gives_each_step_its_own_bytes_again() -> None:
    entropy = SeededEntropy()
    entropy.restart("a")
    first = entropy(16)
    assert entropy(16) != first
    entropy.restart("b")
    assert entropy(16) != first
    entropy.restart("a")
    assert entropy(16) == first


def test_the_clock_of_a_recording_stands_still() -> None:
    code = (
        "import os, time\n"
        "from run_comparison.conditions import CLOCK, hold_dates_still, hold_still\n"
        "hold_still()\n"
        "import pseudonymizer.vault.store.surroundings as module\n"
        "hold_dates_still(('pseudonymizer',))\n"
        "assert module.utc_now() == CLOCK\n"
        "assert time.time() == CLOCK.timestamp()\n"
        "print(os.urandom(8).hex())\n"
    )
    path = os.pathsep.join((str(ROOT / "scripts"), str(ROOT)))
    drawn = {
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            check=True,
        ).stdout
        for _ in range(2)
    }
    assert len(drawn) == 1


@pytest.mark.slow
def test_two_records_of_one_code_are_equal_to_the_byte(tmp_path: Path) -> None:
    for name in ("a", "b"):
        command = [
            sys.executable,
            str(ROOT / "scripts" / "compare_runs"),
            "record",
            name,
            "--only",
            "formats",
        ]
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)  # noqa: S603
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert records.read(tmp_path / "a").sets["formats"].files[0].status == 0


def test_pairs_are_counted_over_common_keys() -> None:
    assert pair_differences({"a": 1, "b": 1, "c": 2}, {"a": 7, "b": 7, "c": 7, "d": 7}) == (1, 2)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (f"{ONE} belde {TWO}. {ONE} kwam.", [(0, 13), (20, 29), (31, 36)]),
        (TEXT, []),
        (f"{TEXT}\nRegel", [(len(TEXT), len(TEXT))]),
    ],
)
def test_stretches_are_the_changed_characters(after: str, expected: list[tuple[int, int]]) -> None:
    assert stretches(TEXT, after) == expected


def test_a_name_on_two_lines_is_one_stretch_and_long_texts_with_other_lines_are_left() -> None:
    assert stretches("Fenna\nQarstra belde\nInge.", f"{ONE} belde\n{TWO}.") == [(0, 13), (20, 24)]
    assert stretches("Fenna\nQarstra belde. " * 2_000, "x") is None


def test_neighbours_are_one_stretch() -> None:
    assert stretches("Fenna Qarstra Inge belde", f"{ONE} {TWO} belde") == [(0, 18)]


def test_tokens_in_utf_16_and_in_archives_are_numbered(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x.xml", f"<a>{TWO}</a>")
        archive.writestr("y.bin", f"<a>{ONE}{TWO}</a>".encode("utf-16-le"))
    parts, tokens = renamed(parts_of((tmp_path / "a.zip").read_bytes(), "a.docx"))
    assert [token for _, token in tokens] == [TWO, ONE, TWO]
    assert parts[1] == b"<a><token 1></a>"


def test_counts_of_a_report_leave_out_times_and_settings() -> None:
    given = {"mentions": 2, "seconds": {"detect": 1}, "status": "ok", "documents": {"ok": 1}, "marked": True}
    assert _counts(given) == {"mentions": 2, "status.ok": 1, "documents.ok": 1, "marked": 1}


def test_a_record_comes_back_and_others_are_refused(tmp_path: Path) -> None:
    record = RunRecord(records.FORMAT, "c", {}, {"cases": set_of()})
    place = tmp_path / "a.json.gz"
    records.write(record, place)
    assert records.read(place) == record
    (tmp_path / "b").write_bytes(b"no record")
    with pytest.raises(RunRecordError):
        records.read(tmp_path / "b")
    records.write(RunRecord(records.FORMAT + 1, "c", {}, {}), place)
    with pytest.raises(RunRecordError, match="record it again"):
        records.read(place)


def test_the_command_says_by_its_status_whether_records_differ(tmp_path: Path) -> None:
    for name, recorded in (("old", set_of()), ("new", set_of(identities=(0, 1, 1)))):
        records.write(RunRecord(records.FORMAT, "c", {}, {"cases": recorded}), tmp_path / name)

    def status(*words: str) -> int:
        command = [sys.executable, str(ROOT / "scripts" / "compare_runs"), "compare", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode  # noqa: S603

    assert status("old", "old") == 0
    assert status("old", "new") == 1
    assert status("old", "missing") == 2
