"""What the command says of a run besides counts: what was not read, by file and place, never in silence."""

import json
from email.message import EmailMessage
from pathlib import Path

from linkage.records import DocumentId
from pseudonymizer.cli.outcome import label_counts, label_lines, unread_lines
from pseudonymizer.cli.saying import printable
from pseudonymizer.crypto import Sealer
from pseudonymizer.records import LabelState
from pseudonymizer.runs.edited import LabelCounts
from pseudonymizer.runs.report import BatchReport, UnreadFile
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_rows import DoneSource, PlannedSource
from pseudonymizer.work_files.folder import WORK_FILE
from tests.pseudonymizer.formats.pdf.test_document import drawn
from tests.pseudonymizer.formats.test_unread import package, pages
from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink
from tests.pseudonymizer.test_cli_styles import outputs

__all__ = ["corpus", "nymlink"]  # fixtures
UNKNOWN = ("application", "x-unknown", b"\0\1\2\xfe")


def filled(folder: Path) -> None:
    """A mail called after a person with an attachment that is not read, and a letter with a logo."""
    message = EmailMessage()
    message["From"] = "Jan Tolsma <x@voorbeeld.test>"
    message.set_content("Groet, Jan Tolsma\n")
    message.add_attachment(b"\0\1\2\xfe", maintype="application", subtype="x-unknown", filename="Els Mol.bin")
    (folder / "in" / "Jan Tolsma.eml").write_bytes(message.as_bytes())
    (folder / "in" / "logo.docx").write_bytes(package(("word/media/image1.png", b"x")))


def test_what_is_kept_unread_is_named_on_screen_by_file_and_place(nymlink: Nymlink, corpus: Path) -> None:
    filled(corpus)
    for _ in range(2):  # again when there is nothing left to do
        done = nymlink("run", "in", "--out", "out", "--keep-unread", *STORE)
        assert done.status == 0
        (mail_file,) = (name for name in outputs(corpus / "out") if name.endswith(".eml"))
        assert "not read, so that names in it stay: 2 in 2 files\n" in done.out
        assert f"  {mail_file}: attachment (part 3)\n" in done.out
        assert "  logo.docx: media (word/media/image1.png)\n" in done.out
        for name in ("Tolsma", "Mol", "in/"):
            assert name not in done.out


def test_what_is_kept_unread_is_in_json_and_in_the_reports(nymlink: Nymlink, corpus: Path) -> None:
    filled(corpus)
    done = nymlink("run", "in", "--out", "out", "--keep-unread", "--json", *STORE)
    (mail_file,) = (name for name in outputs(corpus / "out") if name.endswith(".eml"))
    told = {one["file"]: one["parts"] for one in json.loads(done.out)["unread_files"]}
    assert told == {
        mail_file: {"attachment (part 3)": 1},
        "logo.docx": {"media (word/media/image1.png)": 1},
    }
    records = corpus / "out" / ".nymlink"
    report = json.loads((records / "report.json").read_bytes())
    by_id = {one["id"]: one for one in report["documents_by_id"]}
    for one in report["unread_files"]:
        assert one.keys() == {"id", "parts"}
        assert by_id[one["id"]]["unread_places"] == one["parts"]
        assert (
            f"<tr><td>{one['id']}</td><td>{next(iter(one['parts']))}</td></tr>"
            in (records / "report.html").read_text()
        )
    assert len(report["unread_files"]) == 2


def test_a_dry_run_names_inputs_by_their_number(nymlink: Nymlink, corpus: Path) -> None:
    filled(corpus)
    done = nymlink("run", "in", "--out", "out", "--keep-unread", "--dry-run", *STORE)
    assert "  input 1: attachment (part 3)\n" in done.out  # "Jan Tolsma.eml", before a.txt and b.txt
    assert "  input 4: media (word/media/image1.png)\n" in done.out
    assert "Tolsma" not in done.out


def test_a_dry_run_says_so_and_a_run_says_what_asks_about_open_links(nymlink: Nymlink, corpus: Path) -> None:
    dry = nymlink("run", "in", "--out", "out", "--dry-run", *STORE).out
    assert dry.endswith("dry run: nothing was written, and nothing stored; without --dry-run it is done\n")
    (corpus / "in" / "brief.txt").write_text("J. Tolsma schreef. Jan Tolsma en Jos Tolsma kwamen.")
    told = nymlink("run", "in", "--out", "out", *STORE).out
    assert "dry run" not in told
    count = int(told.split(" open links")[0].rpartition(" ")[2])
    assert (count > 0) == ("nymlink review --run out --judgements FILE" in told)


def test_a_file_that_was_read_whole_and_one_that_failed_are_not_named(nymlink: Nymlink, corpus: Path) -> None:
    filled(corpus)
    (corpus / "in" / "logo.docx").unlink()
    done = nymlink("run", "in", "--out", "out", *STORE)  # without --keep-unread the mail fails
    assert done.status == 4
    assert "not read, so that names in it stay" not in done.out


def test_a_single_text_tells_it_on_standard_error(nymlink: Nymlink, corpus: Path) -> None:
    raw = pages(drawn((50, 700, "Een gewone regel tekst"), (50, 650, "Jan Tolsma kwam.")), scan_of(corpus))
    done = nymlink("run", "-", "--out", "text", "--keep-unread", *STORE, stdin=raw)
    assert done.status == 0, done.err
    unread, text_only = done.err.splitlines()
    assert unread == "not read, so that names in it stay: image (page 2)"
    assert text_only.startswith("text only: of 1 PDF files and pictures the text alone comes back")


def scan_of(folder: Path) -> bytes:
    """A page with a picture beside its text."""
    from reportlab.pdfgen import canvas

    from tests.pseudonymizer.formats.pictures.test_ocr import picture

    place = folder / "page.pdf"
    page = canvas.Canvas(str(place))
    page.drawInlineImage(picture(["Els Mol"]), 0, 0, 200, 300)
    page.drawString(50, 700, "Een regel die lang genoeg is.")
    page.save()
    raw = place.read_bytes()
    place.unlink()
    return raw


def test_a_work_file_from_before_places_were_noted_tells_kinds(tmp_path: Path) -> None:
    work = WorkFile.open(tmp_path / WORK_FILE, Sealer(bytes(32), key_id=0))
    one, other = DocumentId("d1"), DocumentId("d2")
    sources = [PlannedSource(one, "Jan Tolsma.eml", 1, 1), PlannedSource(other, "b.txt", 1, 1)]
    work.plan(sources, b"f", only_failed=False)
    counts = SourceCounts(unread={"attachment": 2})
    done = [DoneSource(one, "P1-X.eml", 1, counts), DoneSource(other, "b.txt", 1, SourceCounts(unread={}))]
    work.save_done(done, 0.0)
    report = BatchReport.of(work, BatchSettings("p"), started=0.0, finished=0.0, seconds={})
    assert list(report.unread_files) == [UnreadFile("d1", "P1-X.eml", {"attachment": 2})]


def test_files_with_logos_do_not_hide_the_others() -> None:
    logos = [UnreadFile(f"d{n}", f"{n}.docx", {"media (word/media/image1.png)": 1}) for n in range(60)]
    kept = [UnreadFile(f"k{n}", f"{n}.eml", {"attachment (part 3)": 1}) for n in range(60)]
    lines = list(unread_lines([*logos, *kept], "out/.nymlink/report.json"))
    assert lines[0] == "not read, so that names in it stay: 120 in 120 files"
    assert lines[1:61] == [f"  {n}.eml: attachment (part 3)" for n in range(60)]
    assert lines[61:111] == [f"  {n}.docx: media (word/media/image1.png)" for n in range(50)]
    assert lines[111:] == ["  and pictures or sound in 10 files more: out/.nymlink/report.json, unread_files"]
    assert list(unread_lines([], "")) == []


def test_a_terminal_does_not_obey_the_name_of_a_file() -> None:
    assert printable("a\x1b[2J\nb\udcff\u202e\u00e9.txt") == "a\\x1b[2J\\nb\\udcff\\u202e\u00e9.txt"


def test_what_else_in_the_folder_holds_names_is_told(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("run", "in", "--out", "out", *STORE)
    sealed = "original paths and names lie sealed in out/.nymlink: leave that out when you hand"
    assert sealed in done.out
    assert "in clear" not in done.out
    nymlink("detect", "in", "--out", "out/mentions.jsonl")
    (corpus / "out" / "Jan Tolsma.doc").write_bytes(b"x")
    (corpus / "out" / ".nymlink" / "paths.tsv").write_text("id\tinput\toutput\nd1\tJan Tolsma.txt\t\n")
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert "the list of 1 original paths of an older version, with names in clear, is sealed now" in done.out
    assert "names in clear lie in this folder: files 1 of mentions; take them out" in done.out
    assert "files in this folder that no run of this project wrote, which may hold names: 1\n" in done.out
    assert sealed in done.out
    assert "Tolsma" not in done.out
    told = json.loads(nymlink("run", "in", "--out", "out", "--json", *STORE).out)["names_in_folder"]
    assert {kind: count for kind, count in told.items() if count} == {"sealed": 1, "mentions": 1, "other": 1}


def test_a_dry_run_tells_of_no_folder(nymlink: Nymlink, corpus: Path) -> None:
    assert "sealed" not in nymlink("run", "in", "--out", "out", "--dry-run", *STORE).out
    assert not (corpus / "out").exists()


def test_labels_that_were_left_are_listed_with_why() -> None:
    left = {(f"PERSOON-2{n:02}A", LabelState.MALFORMED): 1 for n in range(60)}
    lines = list(label_lines(LabelCounts(3, {("<PERSOON-1>", LabelState.SHARED): 2, **left})))
    assert lines[:2] == ["labels restored: 3", "labels not restored: 62"]
    assert lines[2].startswith("  <PERSOON-1> (2 times): unknown: somebody else may be meant")
    assert lines[-1] == "  and 11 more; --json lists all"
    assert list(label_lines(LabelCounts())) == []
    assert label_counts(LabelCounts(1, {("X-2A", LabelState.UNKNOWN): 1})) == {
        "labels_left": 1, "restored": 1, "unknown": ["X-2A"], "malformed": [],
    }  # fmt: skip


def test_a_text_that_no_format_knows_is_said_to_be_read_as_plain_text(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "x.qqq").write_bytes(b"Jan Tolsma belde.\n")
    (corpus / "in" / "zonder").write_bytes(b"Niets.\n")
    (corpus / "in" / ".env").write_bytes(b"# Niets.\n")
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 0
    told = "read as plain text, for neither suffix nor beginning says their format: 2 files\n"
    assert f"{told}  x.qqq\n  zonder\n" in done.out
    assert "not read, so that names in it stay" not in done.out
    assert b"Tolsma" not in (corpus / "out" / "x.qqq").read_bytes()
