"""Large files of lines and messages: treated in units, whole in the output, restored byte for byte."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from linkage.errors import DamagedDocumentError
from linkage.records import DocumentId, Span
from pseudonymizer import formats, reidentification
from pseudonymizer.crypto import StreamDigest, digest_sha256
from pseudonymizer.engine.sources import SourceFile, find_sources
from pseudonymizer.finding import texts_of
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.units import Unit, read_unit, units_of
from pseudonymizer.mention_lines import given_mentions, mention_line
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Rewrite
from pseudonymizer.runs import restore, units
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.path_records import rejected_lines
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.restore import Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_rows import SourceState
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch

OpenVault = Callable[[], AbstractContextManager[Vault]]
NAMES = ["Jan Tolsma", "Els Mol", "Piet Kok", "Jitske de Boer"]
LINES = "".join(
    json.dumps({"text": f"Regel {n}: {NAMES[n % 4]} belde {NAMES[(n + 1) % 4]}."}) + "\n" for n in range(200)
).encode()
MESSAGES = "".join(
    f"From a@example.org Fri May  3 10:00:00 2024\nFrom: {NAMES[n % 4]} <a@example.org>\n"
    f"Subject: nummer {n}\n\nvoor {NAMES[(n + 2) % 4]},\n\n>From hier staat er niets.\n\n"
    for n in range(120)
).encode()

ROWS = "naam;notitie\r\n" + "".join(
    f'{NAMES[n % 4]};"Belde\r\n{NAMES[(n + 1) % 4]} over ""{n}"""\r\n' for n in range(200)
)
TABLE = ROWS.encode()
PROSE = "".join(
    f"Alinea {n}: {NAMES[n % 4]} belde\nmet {NAMES[(n + 1) % 4]}.\n\n" for n in range(500)
).encode()

NOWHERE = Project.without_vault(ProjectOptions(load=load_fake))


@pytest.fixture
def open_vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenVault:
    monkeypatch.setattr(units, "UNIT_BYTES", 2_000)
    monkeypatch.setattr(restore, "LARGE_BYTES", 2_000)
    return make_vault(tmp_path / "vault")


def run(open_vault: OpenVault, folder: Path, files: dict[str, bytes], **settings: Any) -> BatchReport:
    source, out = folder / "in", folder / settings.pop("out", "out")
    source.mkdir(exist_ok=True, parents=True)
    for name, raw in files.items():
        (source / name).write_bytes(raw)
    sources = find_sources([source], output=out)
    if settings.pop("backwards", False):
        sources = tuple(reversed(sources))
    return new_batch(
        sources, out, BatchSettings(PROJECT, **settings), load=load_fake, open_vault=open_vault
    ).run()  # fmt: skip


def written(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def restored(open_vault: OpenVault, out: Path, back: Path) -> dict[str, bytes]:
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([out]), back)
    assert not report.has_failures
    assert report.counts["exact"] == len(written(out))
    return written(back)


# -- cutting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "raw"), [("a.jsonl", LINES), ("a.mbox", MESSAGES), ("zonder", MESSAGES)])
def test_units_cover_a_file_and_know_their_numbers(tmp_path: Path, name: str, raw: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    found = units_of(path, unit_bytes=1_000)
    assert len(found) > 5
    assert b"".join(unit.read(path) for unit in found) == raw
    whole = formats.read(raw, name=name)
    parts = [part for unit in found for part in read_unit(unit.read(path), unit).parts]
    assert [(p.part_id, p.text) for p in parts] == [(p.part_id, p.text) for p in whole.parts]


def test_a_last_line_without_an_end_and_lines_longer_than_a_unit(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join(json.dumps({"text": "x" * n}).encode() for n in (5, 900, 3, 2500, 7)))
    found = units_of(path, unit_bytes=1_000)
    assert b"".join(unit.read(path) for unit in found) == path.read_bytes()
    assert [unit.first for unit in found] == [0, 4]
    assert [unit.number for unit in found] == [0, 1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le"])
def test_units_of_a_table_have_one_text_whichever_columns_are_chosen(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes((("\ufeff" if encoding.startswith("utf-16") else "") + ROWS).encode(encoding))
    chosen = FormatOptions(columns=("naam",))
    found = units_of(path, unit_bytes=1_000)
    read = [read_unit(unit.read(path), unit, chosen) for unit in found]
    assert len(found) > 5
    assert [[(p.part_id, p.text) for p in unit.parts] for unit in read] == [
        [(p.part_id, p.text) for p in read_unit(unit.read(path), unit).parts] for unit in found
    ]
    (part,) = read[-1].parts
    (column,) = [column for column in part.columns if column.is_chosen]
    rendered = read[-1].render({part.part_id: {column.cells[-1]: "P1"}})
    assert formats.undo("csv", rendered.raw, rendered.edits) == found[-1].read(path)
    assert [edit.owner for edit in rendered.edits] == [(part.part_id, column.cells[-1])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_quote_inside_a_cell_changes_no_number_of_a_row(tmp_path: Path, encoding: str) -> None:
    rows = "nr;naam;opm\n" + "".join(f'{n};Jan Bos {n};5" pijp {n}\n' for n in range(200))
    path = tmp_path / "a.csv"
    path.write_bytes(rows.encode(encoding))
    read = [read_unit(unit.read(path), unit) for unit in units_of(path, unit_bytes=400)]
    assert len(read) > 5
    for unit in read:
        (part,) = unit.parts
        first = part.text.split("\n")[1]
        assert (
            part.part_id == f"rows-{int(first.split('; ')[0].removeprefix('nr: ')) + 1}"
            or part is read[0].parts[0]
        )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(("name", "raw"), [("a.jsonl", LINES), ("a.csv", TABLE), ("a.txt", PROSE)])
def test_units_of_two_bytes_a_character(tmp_path: Path, name: str, raw: bytes, encoding: str) -> None:
    """Among them characters that have the byte of a line feed or a quote in them."""
    text = "\ufeff" + raw.decode().replace("elde", "\u0a0d\u220a\u2022elde")
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    found = units_of(path, unit_bytes=1_000)
    assert len(found) > 5
    assert b"".join(unit.read(path) for unit in found) == path.read_bytes()
    texts = [part.text for unit in found for part in read_unit(unit.read(path), unit).parts]
    whole = [part.text for part in formats.read(path.read_bytes(), name=name).parts]
    if name == "a.csv":
        header = whole[0][: whole[0].index("\n") + 1]
        texts = [header + "".join(one.removeprefix(header) for one in texts)]
    assert "".join(texts) == "".join(whole)
    unit = found[3]
    rewritten = read_unit(unit.read(path), unit)
    part = rewritten.parts[-1]
    at = part.text.index("elde")
    rendered = rewritten.render({part.part_id: {Span(at, at + 4): "P1"}})
    assert rendered.raw == unit.read(path).replace("elde".encode(encoding), "P1".encode(encoding), 1) or (
        len(rewritten.parts) > 1 and rendered.raw.count("P1".encode(encoding)) == 1
    )
    assert formats.undo(rewritten.format_name, rendered.raw, rendered.edits) == unit.read(path)


def test_a_long_text_is_cut_at_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(PROSE)
    found = units_of(path, unit_bytes=1_000)
    assert len(found) > 5
    assert all(unit.read(path).endswith(b"\n\n") for unit in found[:-1])
    parts = [part for unit in found for part in read_unit(unit.read(path), unit).parts]
    assert "".join(part.text for part in parts).encode() == PROSE
    assert [part.part_id for part in parts] == [f"lines-{unit.first}" for unit in found]
    path.write_bytes(PROSE.replace(b"\n\n", b"\n"))
    assert all(1_250 <= len(unit) < 1_350 for unit in units_of(path, unit_bytes=1_000)[:-1])


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.jsonl", LINES[:1500]),
        ("a.txt", LINES),
        ("a.jsonl", LINES.decode().encode("utf-16-le")),
        ("a.jsonl", LINES.decode().encode("utf-32")),
        ("a.csv", b"%PDF-1.7\n" + TABLE),
        ("a.csv", b"{\\rtf1 " + TABLE),
    ],
    ids=[
        "small",
        "another format",
        "two bytes a character and no mark",
        "four bytes a character",
        "a PDF named as a table",
        "RTF named as a table",
    ],
)
def test_what_is_read_whole(tmp_path: Path, name: str, raw: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    assert units_of(path, unit_bytes=1_000) == ()


def test_rows_of_a_table_are_read_under_its_header(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(TABLE)
    found = units_of(path, unit_bytes=1_000)
    assert len(found) > 5
    assert b"".join(unit.read(path) for unit in found) == TABLE
    assert "naam" not in repr(found)
    whole = formats.read(TABLE, name="a.csv").parts[0].text
    header = whole[: whole.index("\n") + 1]
    texts = [read_unit(unit.read(path), unit).parts[0].text for unit in found]
    assert all(text.startswith(header) for text in texts)
    assert (
        "\n".join(text.removeprefix(header).rstrip() for text in texts) == whole.removeprefix(header).rstrip()
    )


def test_the_header_is_not_written_again() -> None:
    unit = Unit(1, 100, 200, 7, "csv", "naam;rol\n")
    parsed = read_unit(b"Jan;kok\nEls;bode\n", unit)
    (part,) = parsed.parts
    assert part.part_id == "rows-7"
    at = {word: Span(part.text.index(word), part.text.index(word) + 3) for word in ("rol", "Jan", "Els")}
    rendered = parsed.render({"rows-7": {at["rol"]: "functie", at["Jan"]: "P1", at["Els"]: "Piet"}})
    assert rendered.raw == b"P1;kok\nPiet;bode\n"
    assert formats.undo("csv", rendered.raw, rendered.edits) == b"Jan;kok\nEls;bode\n"
    assert {edit.owner for edit in rendered.edits} == {("rows-7", at["Jan"]), ("rows-7", at["Els"])}


def test_a_quote_without_its_pair_swallows_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"maat;naam\n" + b'5" pijp;Jan\n' + b"rest;Els\n" * 200_000)
    found = units_of(path, unit_bytes=1_000)
    assert len(found) > 100
    assert b"".join(unit.read(path) for unit in found) == path.read_bytes()


def test_edits_belong_to_the_parts_of_the_whole_file() -> None:
    unit = Unit(3, 100, 200, 40, "jsonl")
    parsed = read_unit(b'{"text": "Jan"}\n{"text": "Els"}\n', unit)
    assert [part.part_id for part in parsed.parts] == ["40", "41"]
    rendered = parsed.render({"41": {Span(0, 3): "P1"}})
    assert rendered.raw == b'{"text": "Jan"}\n{"text": "P1"}\n'
    assert [edit.owner for edit in rendered.edits] == [("41", Span(0, 3))]


def test_a_bad_line_says_where_its_count_begins() -> None:
    with pytest.raises(DamagedDocumentError, match=r"line 2, .*counted from line 41 of the file"):
        read_unit(b'{"text": "Jan"}\n{oeps\n', Unit(3, 100, 200, 40, "jsonl"))


def test_the_digest_of_pieces_is_that_of_the_whole() -> None:
    digest = StreamDigest(6)
    digest.update(b"abc")
    digest.update(b"def")
    assert digest.digest() == digest_sha256((b"abcdef",))


# -- runs -------------------------------------------------------------------------------------------------


def test_large_files_are_written_whole_and_restored_exactly(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"regels.jsonl": LINES, "post.mbox": MESSAGES, "Jan Tolsma.jsonl": LINES, "klein.txt": b"Els Mol"}
    files["lijst.csv"] = TABLE
    files |= {"roman.txt": PROSE * 3, "breed.csv": ("\ufeff" + ROWS).encode("utf-16-le")}
    report = run(open_vault, tmp_path, files)
    assert report.documents == {"all": 7, "ok": 7, "failed": 0, "skipped": 0, "waiting": 0}
    assert report.mentions > 800
    out = written(tmp_path / "out")
    assert len(out) == 7
    assert not any("Tolsma" in name for name in out)
    assert "Tolsma" not in out["breed.csv"].decode("utf-16")
    assert not any(b"Tolsma" in raw or b"Piet" in raw for raw in out.values())
    labels = {line["text"].split()[2] for line in map(json.loads, out["regels.jsonl"].splitlines())}
    assert len(labels) == 4  # the same people all through the file
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files
    assert not (tmp_path / "out" / ".nymlink" / "units").exists()


def test_units_and_workers_change_nothing(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"regels.jsonl": LINES, "post.mbox": MESSAGES, "a.txt": b"Els Mol en Piet Kok"}
    run(open_vault, tmp_path, files, deterministic=True)
    run(open_vault, tmp_path, {}, deterministic=True, workers=2, out="two", backwards=True)
    assert written(tmp_path / "two") == written(tmp_path / "out")


def test_a_second_run_does_nothing_and_a_lost_output_is_made_again(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    run(open_vault, tmp_path, {"regels.jsonl": LINES})
    place = tmp_path / "out" / "regels.jsonl"
    before, moment = place.read_bytes(), place.stat().st_mtime_ns
    run(open_vault, tmp_path, {})
    assert place.stat().st_mtime_ns == moment
    place.unlink()
    assert run(open_vault, tmp_path, {}).documents["ok"] == 1
    assert place.read_bytes() == before


def test_a_limit_counts_files_whatever_their_size(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a.txt": b"Els Mol", "regels.jsonl": LINES, "z.jsonl": LINES}
    report = run(open_vault, tmp_path, files, limit=2)
    assert (report.documents["ok"], report.documents["waiting"]) == (2, 1)
    assert written(tmp_path / "out").keys() == {"a.txt", "regels.jsonl"}
    report = run(open_vault, tmp_path, {}, limit=1)
    assert report.documents["ok"] == 3
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


def some_units(monkeypatch: pytest.MonkeyPatch, count: int, *args: Any, **settings: Any) -> BatchReport:
    """A run that detects so many units, as one with a time limit may."""
    whole = WorkFile.ids

    def first(work: WorkFile, state: SourceState, limit: int | None = None) -> list[DocumentId]:
        found = whole(work, state, limit)
        return found[:count] if state is SourceState.PLANNED else found

    with monkeypatch.context() as patch:
        patch.setattr(WorkFile, "ids", first)
        return run(*args, **settings)


def test_a_file_is_gone_on_with_in_its_middle(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        report = some_units(monkeypatch, 2, open_vault, tmp_path, {"regels.jsonl": LINES})
        assert report.documents["waiting"] == 1
        assert written(tmp_path / "out") == {}
    report = run(open_vault, tmp_path, {}, limit=1)
    assert report.documents["ok"] == 1
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == {"regels.jsonl": LINES}


def test_a_unit_that_was_lost_is_made_again(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_units(monkeypatch, 4, open_vault, tmp_path, {"regels.jsonl": LINES})
    kept = sorted((tmp_path / "out" / ".nymlink" / "units").iterdir())
    assert len(kept) == 3  # the first unit is written with the file
    kept[1].unlink()
    kept[2].write_bytes(b"half")
    run(open_vault, tmp_path, {})
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == {"regels.jsonl": LINES}


def test_a_unit_that_cannot_be_read_fails_the_whole_file(tmp_path: Path, open_vault: OpenVault) -> None:
    bad = LINES + b"{oeps\n" * 400
    report = run(open_vault, tmp_path, {"regels.jsonl": bad, "a.txt": b"Els Mol"})
    assert report.documents["failed"] == 1
    assert report.errors == {"DamagedDocumentError": 1}
    assert set(written(tmp_path / "out")) == {"a.txt"}
    report = run(open_vault, tmp_path, {"regels.jsonl": LINES}, retry_failed=True)
    assert report.documents["ok"] == 1
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == {
        "regels.jsonl": LINES,
        "a.txt": b"Els Mol",
    }


def test_one_bad_line_is_left_out_and_sealed(tmp_path: Path, open_vault: OpenVault) -> None:
    cut = LINES.splitlines(keepends=True)
    bad = b"".join([*cut[:150], b'{"text": "Ada Postma\n', *cut[150:]])
    files = {"regels.jsonl": bad, "b.csv": TABLE + b"Jan Tolsma\0;nul\r\n"}
    report = run(open_vault, tmp_path, files)
    assert report.documents["ok"] == 2
    assert report.has_failures
    assert report.notes == 200 + 200
    told = {one.path: dict(one.lines) for one in report.rejected}
    assert list(told["regels.jsonl"]) == ["151"]
    assert list(told["b.csv"]) == ["202"]  # the header is row 1
    out = tmp_path / "out"
    assert (out / "regels.jsonl").read_bytes().count(b"\n") == 200
    assert restored(open_vault, out, tmp_path / "back") == files
    for place in out.rglob("*"):
        assert not place.is_file() or b"Postma" not in place.read_bytes()
    lines = rejected_lines(out, open_vault, PROJECT).decode().splitlines()
    assert [line.split("\t")[1:3] for line in lines[1:]] == [["b.csv", "202"], ["regels.jsonl", "151"]]
    assert "Ada Postma" in lines[2]
    mended = {"regels.jsonl": bad.replace(b"Postma\n", b'Postma"}\n')}
    report = run(open_vault, tmp_path, mended)
    assert [one.path for one in report.rejected] == ["b.csv"]
    assert len(rejected_lines(out, open_vault, PROJECT).splitlines()) == 2


def test_erasure_takes_the_lines_that_were_left_out(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, tmp_path, {"a.jsonl": b'{"text": "Jan Tolsma"}\n{"text": "Jan Tol\n'})
    out = tmp_path / "out"
    assert len(rejected_lines(out, open_vault, PROJECT).splitlines()) == 2
    label = json.loads((out / "a.jsonl").read_bytes())["text"]
    with open_vault() as vault:
        vault.erase(project=PROJECT, pseudonyms=[label], purpose="test")
    assert len(rejected_lines(out, open_vault, PROJECT).splitlines()) == 1


def test_what_an_earlier_version_cut_in_larger_units_is_not_treated_again(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(open_vault, tmp_path, {"regels.jsonl": LINES})
    place = tmp_path / "out" / "regels.jsonl"
    before = place.stat().st_mtime_ns
    monkeypatch.setattr(units, "LEAST_UNIT_BYTES", 500)
    report = run(open_vault, tmp_path, {}, small_units=True)
    assert place.stat().st_mtime_ns == before
    assert report.documents["ok"] == 1
    (tmp_path / "in" / "regels.jsonl").write_bytes(LINES + b'{"text": "Ada Postma"}\n')
    run(open_vault, tmp_path, {}, small_units=True)
    lines = (tmp_path / "out" / ".nymlink" / "documents.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["units"] for line in lines] == [20]
    assert place.read_bytes().count(b"\n") == 201


def test_a_failed_unit_is_tried_again_with_the_rest_of_its_file(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: WorkFile) -> list[DocumentId]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(WorkFile, "fail_with_units", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(open_vault, tmp_path, {"regels.jsonl": b"{oeps\n" * 400 + LINES})
    report = run(open_vault, tmp_path, {"regels.jsonl": b'{"a":1}\n' + LINES}, retry_failed=True)
    assert report.documents["ok"] == 1
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == {"regels.jsonl": b'{"a":1}\n' + LINES}


def test_units_that_a_killed_run_left_do_not_hide_a_lost_output(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(OutputFolder, "remove_units", lambda _, __: None)
        run(open_vault, tmp_path, {"regels.jsonl": LINES})
    place = tmp_path / "out" / "regels.jsonl"
    before = place.read_bytes()
    place.unlink()
    assert run(open_vault, tmp_path, {}).documents["ok"] == 1
    assert place.read_bytes() == before


def test_a_file_that_changes_during_the_run_fails_as_a_whole(tmp_path: Path, open_vault: OpenVault) -> None:
    source = tmp_path / "in" / "regels.jsonl"
    source.parent.mkdir()
    source.write_bytes(LINES)
    sources = find_sources([source])
    os.utime(source, ns=(0, 0))
    settings = BatchSettings(PROJECT)
    report = new_batch(sources, tmp_path / "out", settings, load=load_fake, open_vault=open_vault).run()
    assert report.errors == {"SourceChangedError": 1}
    assert written(tmp_path / "out") == {}
    assert run(open_vault, tmp_path, {}).documents["ok"] == 1
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == {"regels.jsonl": LINES}


def test_a_way_back_that_is_gone_is_said(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = b"".join(json.dumps({"text": f"regel {n} zonder iemand"}).encode() + b"\n" for n in range(99))
    run(open_vault, tmp_path, {"regels.jsonl": LINES + nobody})
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == {"regels.jsonl": LINES + nobody}
    whole = reidentification.restore

    def without_units(*args: Any, **kwargs: Any) -> tuple[Rewrite | None, ...]:
        found = whole(*args, **kwargs)
        return tuple(one if one and one.format_name == units.UNITS_FORMAT else None for one in found)

    monkeypatch.setattr(reidentification, "restore", without_units)
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([tmp_path / "out"]), tmp_path / "no")
    assert report.counts["exact"] == 0
    assert [failure.error for failure in report.failures] == ["BatchError"]
    assert written(tmp_path / "no") == {}


def test_an_output_as_input_stays_as_it_is(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, tmp_path, {"regels.jsonl": LINES})
    again = tmp_path / "again"
    shutil.copytree(tmp_path / "out", again / "in", ignore=shutil.ignore_patterns(".nymlink"))
    run(open_vault, again, {})
    assert written(again / "out") == written(tmp_path / "out")
    assert restored(open_vault, again / "out", tmp_path / "back") == {"regels.jsonl": LINES}


def test_one_way_styles_have_no_way_back(tmp_path: Path, open_vault: OpenVault) -> None:
    from pseudonymizer.records import Style
    from pseudonymizer.settings import StyleSettings

    run(open_vault, tmp_path, {"regels.jsonl": LINES}, styles=StyleSettings(Style.MASK))
    report = Restoration(open_vault, PROJECT, "test").files(
        find_sources([tmp_path / "out"]), tmp_path / "back"
    )
    assert report.counts["exact"] == 0
    assert report.counts["one-way"] == 1


def test_detect_names_lines_as_in_a_small_file(tmp_path: Path, open_vault: OpenVault) -> None:
    del open_vault
    (tmp_path / "a.jsonl").write_bytes(LINES)
    found = list(
        Project.without_vault(ProjectOptions(load=load_fake)).find_in(find_sources([tmp_path / "a.jsonl"]))
    )
    assert [document.name for document in found] == [f"a.jsonl#{n}" for n in range(200)]


def test_each_document_has_a_name_of_its_own_though_files_give_one_id_twice(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    one = b'{"doc_id": "1", "text": "Els Mol"}\n{"doc_id": "2", "text": "Jan Tolsma kwam"}\n'
    two = b'{"doc_id": "1", "text": "Nu kwam Piet Kok"}\n{"doc_id": "1", "text": "toen Jan Tolsma"}\n'
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.jsonl").write_bytes(one)
    (source / "b.jsonl").write_bytes(two)
    found = list(NOWHERE.find_in(find_sources([source])))
    assert [document.name for document in found] == ["1", "2", "b.jsonl#0", "b.jsonl#1"]
    given = given_mentions([mention_line(document) for document in found])
    report = new_batch(
        find_sources([source]), tmp_path / "out", BatchSettings(PROJECT), load=load_fake,
        open_vault=open_vault, given=given,
    ).run()  # fmt: skip
    assert report.documents["ok"] == 2
    assert report.mentions == 4
    assert not any(name in raw for raw in written(tmp_path / "out").values() for name in (b"Kok", b"Tolsma"))
    named = texts_of(find_sources([source]), FormatOptions())
    assert [name for name in named if "/" not in name] == ["1", "2", "b.jsonl#0", "b.jsonl#1"]


def test_mentions_that_are_given_say_how_a_table_was_cut(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "LEAST_UNIT_BYTES", 500)
    (tmp_path / "a.csv").write_bytes(TABLE)
    (file,) = find_sources([tmp_path / "a.csv"])

    def firsts(*, small: bool, rows: set[int] | None = None) -> list[int]:
        given = None if rows is None else partial(_same, rows)
        return [one.unit.first for one in units.in_units([file], small=small, given=given) if one.unit]

    cuts = [firsts(small=True), firsts(small=False)]
    assert len(cuts[0]) > len(cuts[1]) > 1
    for small in (True, False):
        for cut in cuts:
            assert firsts(small=small, rows=set(cut[1:])) == cut
    del open_vault


def _same(rows: set[int], file: SourceFile) -> set[int]:
    del file
    return rows
