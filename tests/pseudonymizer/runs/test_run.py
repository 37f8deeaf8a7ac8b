"""A run over files: every step, every fault, any order, with a fake pipeline and a real vault."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from linkage.errors import ModelNotFoundError
from linkage.records import Detector, Span
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import BatchError, WorkFileError
from pseudonymizer.runs.linking import Linking
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.path_records import path_lines
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.restore import Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch
from tests.rights import without_reading_everything

OpenVault = Callable[[], AbstractContextManager[Vault]]
FILES = {
    "a.txt": b"Jan Tolsma belde Els Mol.\r\n",
    "sub/b.txt": "Zo\u00eb Mulder en Jan Tolsma".encode("cp1252"),
    "sub/c.txt": b"\xef\xbb\xbfEls Mol mailde.  \n",
    "d.jsonl": b'{"doc_id": "x", "text": "Els Mol kwam"}\n{"doc_id": "y", "text": "niets"}\n',
    "leeg.txt": b"",
    "spatie.txt": b" \r\n\t",
}
NAMES = [b"Tolsma", b"Mol", b"Mulder"]


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def fill(folder: Path, files: dict[str, bytes]) -> Path:
    for name, raw in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)
    return folder


def run(open_vault: OpenVault, inputs: list[Path], output: Path, **settings: Any) -> BatchReport:
    mentions = settings.pop("given", None)
    return new_batch(
        find_sources(inputs, output=output),
        output,
        BatchSettings(PROJECT, **settings),
        load=load_fake,
        open_vault=open_vault,
        given=mentions,
    ).run()


def outputs(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and ".nymlink" not in p.parts
    }


def restored(open_vault: OpenVault, output: Path, back: Path) -> dict[str, bytes]:
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([output]), back)
    assert not report.failures
    return outputs(back)


def statuses(open_vault: OpenVault, output: Path) -> dict[str, dict[str, Any]]:
    """documents.jsonl by path."""
    lines = (output / ".nymlink" / "documents.jsonl").read_text().splitlines()
    paths = path_lines(output, open_vault, PROJECT).decode().splitlines()[1:]
    by_id = {path.split("\t")[0]: path.split("\t")[1] for path in paths}
    return {by_id[line["id"]]: line for line in map(json.loads, lines)}


def test_every_file_comes_out_and_back(tmp_path: Path, open_vault: OpenVault) -> None:
    report = run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    assert report.documents == {"all": 6, "ok": 6, "failed": 0, "skipped": 0, "waiting": 0}
    assert (report.mentions, report.identities) == (6, 3)
    written = outputs(tmp_path / "out")
    assert written.keys() == FILES.keys()
    assert not [name for name in NAMES for raw in written.values() if name in raw]
    assert written["sub/c.txt"].startswith(b"\xef\xbb\xbf")
    assert written["a.txt"].endswith(b".\r\n")
    assert written["leeg.txt"] == b""
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == FILES


def test_one_person_has_one_pseudonym_in_all_files(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    written = outputs(tmp_path / "out")
    jan = written["a.txt"].split()[0]
    assert written["sub/b.txt"].endswith(jan)
    assert jan not in written["sub/c.txt"]


def test_records_hold_no_name_and_are_private(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES | {"Els Mol.txt": b"Els Mol"})], tmp_path / "out")
    records = {p.name: p for p in (tmp_path / "out" / ".nymlink").iterdir()}
    assert {"report.json", "documents.jsonl", "work.db"} <= records.keys()
    for name, path in records.items():
        assert path.stat().st_mode & 0o077 == 0
        assert not [n for n in NAMES if n in path.read_bytes()], name
    report = json.loads(records["report.json"].read_text())
    assert report["documents"]["ok"] == len(report["documents_by_id"]) == 7
    assert b"\tEls Mol.txt\t" in path_lines(tmp_path / "out", open_vault, PROJECT)


def test_a_second_run_changes_nothing(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", FILES)
    run(open_vault, [source], tmp_path / "out")
    before = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in (tmp_path / "out").rglob("*.txt")}
    report = run(open_vault, [source], tmp_path / "out")
    assert report.documents["ok"] == 6
    assert report.mentions == 6
    after = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in (tmp_path / "out").rglob("*.txt")}
    assert before == after


def test_the_output_run_again_stays_as_it_is(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    report = run(open_vault, [tmp_path / "out"], tmp_path / "again")
    assert outputs(tmp_path / "again") == outputs(tmp_path / "out")
    assert (report.mentions, report.tokens_kept, report.tokens_escaped) == (0, 6, 0)


def test_text_that_looks_like_a_token_comes_back(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a.txt": b"P1-0123456789ABCDEFGHJK en Jan Tolsma; P1-0123456789ABCDEFGHJK."}
    report = run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    assert report.tokens_escaped == 2
    assert b"P1-0123456789ABCDEFGHJK" not in outputs(tmp_path / "out")["a.txt"]
    run(open_vault, [tmp_path / "out"], tmp_path / "again")
    assert outputs(tmp_path / "again") == outputs(tmp_path / "out")
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


def test_new_files_get_the_pseudonyms_of_known_people(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma"})
    run(open_vault, [source], tmp_path / "out")
    run(open_vault, [fill(source, {"b.txt": b"Jan Tolsma en Piet Kok"})], tmp_path / "out")
    written = outputs(tmp_path / "out")
    assert written["b.txt"].split()[0] == written["a.txt"]
    assert restored(open_vault, tmp_path / "out", tmp_path / "back")["b.txt"] == b"Jan Tolsma en Piet Kok"


def test_a_changed_file_is_done_again(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma"})
    run(open_vault, [source], tmp_path / "out")
    fill(source, {"a.txt": b"Nu schrijft Piet Kok"})
    run(open_vault, [source], tmp_path / "out")
    assert outputs(tmp_path / "out")["a.txt"].startswith(b"Nu schrijft P1-")
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == {"a.txt": b"Nu schrijft Piet Kok"}


def test_a_lost_output_is_written_again(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", FILES)
    run(open_vault, [source], tmp_path / "out")
    before = outputs(tmp_path / "out")
    (tmp_path / "out" / "a.txt").unlink()
    (tmp_path / "out" / "sub" / "b.txt").write_bytes(b"")
    run(open_vault, [source], tmp_path / "out")
    assert outputs(tmp_path / "out") == before


def test_bad_files_do_not_stop_the_others(tmp_path: Path, open_vault: OpenVault) -> None:
    bad = {
        "binair.txt": bytes(range(256)),
        "dubbel.txt": "Zo\u00eb".encode() + b" en Ren\xe9",
        "nep.docx": b"dit is geen zip",
        "kapot.pdf": b"%PDF-1.4 kapot",
        "ontploft.txt": b"ONTPLOFT Jan Tolsma",
        ".DS_Store": bytes(range(256)),
    }
    source = fill(tmp_path / "in", FILES | bad)
    (source / "weg.txt").symlink_to(tmp_path / "nergens")
    report = run(open_vault, [source], tmp_path / "out")
    assert report.documents == {"all": 13, "ok": 6, "failed": 6, "skipped": 1, "waiting": 0}
    assert outputs(tmp_path / "out").keys() == FILES.keys()
    found = statuses(open_vault, tmp_path / "out")
    assert found["binair.txt"]["error"] == "UnsupportedInputError"
    assert found["dubbel.txt"]["error"] == "EncodingUndeterminedError"
    assert found["ontploft.txt"]["error"] == "ZeroDivisionError"
    assert found[".DS_Store"]["status"] == "skipped"
    assert "Tolsma" not in json.dumps(found["ontploft.txt"])


def test_an_unreadable_file_fails_alone(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", FILES)
    (source / "a.txt").chmod(0)
    with without_reading_everything():
        report = run(open_vault, [source], tmp_path / "out")
    assert (report.documents["ok"], report.documents["failed"]) == (5, 1)
    assert report.errors == {"PermissionError": 1}


def test_only_failures_are_tried_again_when_asked(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma", "b.txt": bytes(range(256))})
    run(open_vault, [source], tmp_path / "out")
    fill(source, {"b.txt": b"Els Mol", "c.txt": b"Piet Kok"})
    report = run(open_vault, [source], tmp_path / "out", retry_failed=True)
    assert report.documents == {"all": 1, "ok": 1, "failed": 0, "skipped": 0, "waiting": 0}
    assert outputs(tmp_path / "out").keys() == {"a.txt", "b.txt"}


def test_limits_leave_the_rest_for_later(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", FILES)
    report = run(open_vault, [source], tmp_path / "out", limit=2)
    assert (report.documents["ok"], report.documents["waiting"]) == (2, 4)
    assert len(outputs(tmp_path / "out")) == 2
    report = run(open_vault, [source], tmp_path / "out", time_limit=0.0)
    assert (report.documents["ok"], report.documents["waiting"]) == (2, 4)
    report = run(open_vault, [source], tmp_path / "out")
    assert report.documents["ok"] == 6
    assert report.identities >= 3
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == FILES


def test_figures_of_linking_do_not_grow_with_every_run(tmp_path: Path, open_vault: OpenVault) -> None:
    def figures(report: BatchReport) -> tuple[int | None, int, int, list[int]]:
        return report.forms, report.identities, report.open_links, list(report.probabilities)

    source = fill(tmp_path / "in", FILES)
    first = run(open_vault, [source], tmp_path / "out")
    assert (first.forms, first.identities) == (3, 3)
    for again in range(3):
        assert figures(run(open_vault, [source], tmp_path / "out")) == figures(first)
        for file in source.rglob("*.*"):
            os.utime(file, (again, again))  # changed, so that all of it is linked anew
        assert figures(run(open_vault, [source], tmp_path / "out")) == figures(first)
    fill(source, {"nieuw.txt": b"Jan Tolsma zag Piet Kok."})
    assert run(open_vault, [source], tmp_path / "out").forms == 4
    (source / "nieuw.txt").unlink()
    assert run(open_vault, [source], tmp_path / "out").forms == 3
    stored = json.loads((tmp_path / "out" / ".nymlink" / "report.json").read_text())
    assert stored["forms"] == 3


def test_forms_are_counted_once_over_the_parts_of_a_run(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", FILES)
    for _ in FILES:
        report = run(open_vault, [source], tmp_path / "out", limit=1)
    assert report.documents["ok"] == len(FILES)
    assert report.forms == 3
    assert run(open_vault, [source], tmp_path / "dry", dry_run=True).forms == 3


def test_a_dry_run_writes_nothing(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", FILES)
    before = {p: p.read_bytes() for p in (tmp_path / "vault").iterdir()}
    report = run(open_vault, [source], tmp_path / "out", dry_run=True)
    assert (report.documents["ok"], report.mentions, report.identities) == (6, 6, 3)
    assert not (tmp_path / "out").exists()
    after = {p: p.read_bytes() for p in (tmp_path / "vault").iterdir()}
    assert {p: raw for p, raw in after.items() if p.suffix == ".db"} == {
        p: raw for p, raw in before.items() if p.suffix == ".db"
    }


def test_given_mentions_take_the_place_of_detection(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma en opa Kees Bos", "d.jsonl": FILES["d.jsonl"]})
    given = {
        "a.txt": (GivenMention(Span(18, 26), "Kees Bos", Detector.REGISTRY),),
        "x": (),
    }
    report = run(open_vault, [source], tmp_path / "out", given=given)
    written = outputs(tmp_path / "out")
    assert written["a.txt"].startswith(b"Jan Tolsma en opa P1-")
    assert b"Els Mol" in written["d.jsonl"]
    assert report.detectors == {"registry": 1}


def test_given_mentions_that_are_not_there_fail_that_file(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma", "b.txt": b"Els Mol"})
    given = {"a.txt": (GivenMention(Span(1, 5), "Kees"),)}
    report = run(open_vault, [source], tmp_path / "out", given=given)
    assert (report.documents["ok"], report.errors) == (1, {"DocumentError": 1})


def test_given_mentions_of_other_files_are_refused(open_vault: OpenVault, tmp_path: Path) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Groet, Jan de Vries"})
    with pytest.raises(BatchError, match="none of these inputs"):
        run(open_vault, [source], tmp_path / "out", given={"elsewhere/a.txt": ()})
    assert not (tmp_path / "out" / "a.txt").exists()


@pytest.mark.parametrize("scope", ["project", "document", "occurrence"])
def test_scope_bounds_a_pseudonym(tmp_path: Path, open_vault: OpenVault, scope: str) -> None:
    from pseudonymizer.records import Scope

    files = {"a.txt": b"Jan Tolsma, Jan Tolsma", "b.txt": b"Jan Tolsma"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out", scope=Scope(scope))
    written = outputs(tmp_path / "out")
    labels = [*written["a.txt"].split(b", "), written["b.txt"]]
    assert len(set(labels)) == {"project": 1, "document": 2, "occurrence": 3}[scope]
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


def test_order_and_workers_do_not_matter_in_deterministic_mode(tmp_path: Path) -> None:
    source = fill(tmp_path / "in", FILES | {f"n{i}.txt": b"Els Mol en Piet Kok" for i in range(40)})
    open_one = make_vault(tmp_path / "vault")
    shutil.copytree(tmp_path / "vault", tmp_path / "copy")
    run(open_one, [source], tmp_path / "one", deterministic=True)
    names = sorted(p.relative_to(source).as_posix() for p in source.rglob("*") if p.is_file())
    backwards = new_batch(
        tuple(reversed(find_sources([source]))),
        tmp_path / "two",
        BatchSettings(PROJECT, deterministic=True, workers=2),
        load=load_fake,
        open_vault=open_one,
    )
    backwards.run()
    assert outputs(tmp_path / "one") == outputs(tmp_path / "two")
    assert sorted(outputs(tmp_path / "two")) == names


def test_a_worker_that_dies_loses_one_file_only(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {f"n{i:02}.txt": b"Els Mol en Piet Kok" for i in range(40)} | {"dood.txt": b"DOODT Jan Tolsma"}
    source = fill(tmp_path / "in", files)
    report = run(open_vault, [source], tmp_path / "out", workers=2)
    assert report.errors == {"WorkerLostError": 1}
    assert report.documents["ok"] == 40


def test_the_output_folder_of_another_project_is_refused(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", FILES)
    run(open_vault, [source], tmp_path / "out")
    batch = new_batch(
        find_sources([source]),
        tmp_path / "out",
        BatchSettings("study-2"),
        load=load_fake,
        open_vault=open_vault,
    )
    with pytest.raises(WorkFileError, match="another vault or project"):
        batch.run()


def test_nothing_is_written_over_a_source(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma"})
    batch = new_batch(
        find_sources([source]), source, BatchSettings(PROJECT), load=load_fake, open_vault=open_vault
    )
    with pytest.raises(BatchError, match="would replace"):
        batch.run()
    with pytest.raises(BatchError, match="over a source"):
        OutputFolder(source, frozenset({str((source / "a.txt").resolve())})).write("a.txt", b"new")
    assert (source / "a.txt").read_bytes() == b"Jan Tolsma"


def test_nothing_is_written_over_a_file_that_no_run_wrote(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma kwam"})
    output = fill(tmp_path / "out", {"a.txt": b"somebody's own", "other.txt": b"kept"})
    with pytest.raises(BatchError, match="holds 1 file that no run"):
        run(open_vault, [source], output)
    assert outputs(output) == {"a.txt": b"somebody's own", "other.txt": b"kept"}
    (output / "a.txt").unlink()
    run(open_vault, [source], output)
    (source / "b.txt").write_bytes(b"Els Mol kwam")
    (output / "b.txt").write_bytes(b"put there later")
    with pytest.raises(BatchError, match="holds 1 file that no run"):
        run(open_vault, [source], output)
    assert outputs(output)["b.txt"] == b"put there later"


def test_an_input_inside_the_output_folder_is_refused(tmp_path: Path) -> None:
    source = fill(tmp_path / "letters" / "2026", {"a.txt": b"Jan Tolsma kwam"})
    with pytest.raises(BatchError, match="lies in, the output folder"):
        find_sources([source], output=tmp_path / "letters")


@pytest.mark.parametrize("step", ["_assign", "_labels"])
def test_a_run_stopped_after_linking_counts_everything_once(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    source = fill(tmp_path / "in", FILES)
    undisturbed = run(make_vault(tmp_path / "other"), [source], tmp_path / "other-out")

    def stopped(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Linking, step, stopped)
        with pytest.raises(KeyboardInterrupt):
            run(open_vault, [source], tmp_path / "out")
    report = run(open_vault, [source], tmp_path / "out")
    assert undisturbed.identities > 0
    assert report.identities == undisturbed.identities
    assert report.open_links == undisturbed.open_links


def test_settings_are_checked() -> None:
    with pytest.raises(BatchError):
        BatchSettings(PROJECT, workers=0)
    with pytest.raises(BatchError):
        BatchSettings(PROJECT, limit=-1)


def test_a_long_line_goes_through(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"lang.txt": b"de kat zat op de mat " * 250_000 + b"getekend Jan Tolsma"}
    report = run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    assert report.mentions == 1
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


def test_equal_outputs_of_different_originals_come_back_apart(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma kwam", "b.txt": b"Kees Bos kwam"})
    run(open_vault, [source], tmp_path / "out")
    with open_vault() as vault:
        # Two forms of one person give one output; here the vault is told so for two files.
        from pseudonymizer.engine.way_back import output_id
        from pseudonymizer.records import Rewrite, RewriteEdit

        for place, original in (("x.txt", b"Jan"), ("y.txt", b"J.")):
            doc_id = output_id(vault, PROJECT, place, b"P1 kwam")
            edits = (RewriteEdit(0, "", 0, 2, original),)
            vault.store_rewrites(PROJECT, [(Rewrite(doc_id, "txt", edits, place), b"P1 kwam")])
        vault.commit()
    outs = fill(tmp_path / "same", {"x.txt": b"P1 kwam", "y.txt": b"P1 kwam"})
    assert restored(open_vault, outs, tmp_path / "back") == {"x.txt": b"Jan kwam", "y.txt": b"J. kwam"}


def test_one_path_in_two_corpora_is_two_documents(tmp_path: Path, open_vault: OpenVault) -> None:
    one = fill(tmp_path / "one", {"a.txt": b"Jan Tolsma kwam"})
    two = fill(tmp_path / "two", {"a.txt": b"Els Wiersma ging"})
    run(open_vault, [one], tmp_path / "out1")
    run(open_vault, [two], tmp_path / "out2")
    assert restored(open_vault, tmp_path / "out1", tmp_path / "back1") == {"a.txt": b"Jan Tolsma kwam"}
    assert restored(open_vault, tmp_path / "out2", tmp_path / "back2") == {"a.txt": b"Els Wiersma ging"}


def test_addresses_and_file_names_follow_the_pseudonym(tmp_path: Path, open_vault: OpenVault) -> None:
    text = b"Jan Tolsma <jan.tolsma@voorbeeld.example> en mulder@voorbeeld.example"
    files = {"Jan Tolsma/brief jan tolsma.txt": text, "b.txt": b"Els Mulder"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    written = outputs(tmp_path / "out")
    assert not [
        name
        for name in NAMES
        for path, raw in written.items()
        if name.lower() in (path.encode() + raw).lower()
    ]
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files
    run(open_vault, [tmp_path / "out"], tmp_path / "again")
    assert outputs(tmp_path / "again") == written


def test_addresses_that_follow_a_pseudonym_are_not_left_in(tmp_path: Path, open_vault: OpenVault) -> None:
    text = b"Jan Tolsma <jan.tolsma@voorbeeld.example>, info@voorbeeld.example, bsn 295755131"
    report = run(open_vault, [fill(tmp_path / "in", {"a.txt": text})], tmp_path / "out")
    assert report.identifiers_left_in == {"EMAIL": 1, "NATIONAL_ID": 1}


def test_a_missing_model_ends_the_run_and_fails_no_file(tmp_path: Path, open_vault: OpenVault) -> None:
    def no_model() -> NoReturn:
        raise ModelNotFoundError("the network is not there")

    inputs = fill(tmp_path / "in", FILES)
    batch = new_batch(
        find_sources([inputs], output=tmp_path / "out"),
        tmp_path / "out",
        BatchSettings(PROJECT),
        load=no_model,
        open_vault=open_vault,
    )
    with pytest.raises(ModelNotFoundError):
        batch.run()
    assert not outputs(tmp_path / "out")
    assert run(open_vault, [inputs], tmp_path / "out").documents["ok"] == len(FILES)
