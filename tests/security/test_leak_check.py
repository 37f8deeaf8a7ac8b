"""What a run replaced and an output would still say: the file fails alone, and shows nothing of it."""

import base64
import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pikepdf
import pyarrow.parquet as pq
import pytest

from linkage.records import KindId
from pseudonymizer import Project
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats import FormatOptions
from pseudonymizer.project import ProjectOptions
from pseudonymizer.records import Style
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.runs.test_run import OpenVault, fill, outputs
from tests.security.decodings import seen_in

NAMES = ["Jan Tolsma", "Els Wiersma"]
SENTENCES = [f"vandaag belde {name} over het weer." for name in NAMES]
NAME, ACCOUNT = NAMES[0], "NL91 ABNA 0417 1643 00"
ERROR = {"LeftInOutputError": 1}


def sample(suffix: str) -> bytes:
    return samples.EVERY_FORMAT[suffix](NAMES, SENTENCES)


def repacked(
    suffix: str,
    changes: Mapping[str, tuple[str, str]],
    added: Mapping[str, bytes] | None = None,
    raw: bytes | None = None,
) -> bytes:
    """The sample, or another package, with a text replaced in some of its members, and further members."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw or sample(suffix))) as before, zipfile.ZipFile(out, "w") as after:
        for info in before.infolist():
            content = before.read(info)
            if (change := changes.get(info.filename)) is not None:
                assert change[0].encode() in content
                content = content.replace(change[0].encode(), change[1].encode(), 1)
            after.writestr(info, content)
        for name, content in (added or {}).items():
            after.writestr(name, content)
    return out.getvalue()


def pdf(change: Callable[[pikepdf.Pdf], None]) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(sample("pdf"))) as document:
        change(document)
        document.save(out)
    return out.getvalue()


def pdf_with_key(document: pikepdf.Pdf) -> None:
    document.Root[f"/{NAME}"] = pikepdf.Name("/X")


def parquet_with_metadata() -> bytes:
    table = pq.read_table(io.BytesIO(sample("parquet"))).replace_schema_metadata({b"by": NAME.encode()})
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def signed_mail() -> bytes:
    certificate = b"\x30\x82" + b"\x01\x02\x00" * 20 + NAME.encode() + b"\x00\x05" * 30
    return (
        b"From: a@x.example\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/signed; boundary="b"\r\n\r\n--b\r\n'
        b"Content-Type: text/plain\r\n\r\nJan Tolsma belde.\r\n--b\r\n"
        b"Content-Type: application/pkcs7-signature\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(certificate) + b"--b--\r\n"
    )


# Places that no reader of a format looks into; the check does.
CORNERS: dict[str, Callable[[], bytes]] = {
    "comment.docx": lambda: repacked(
        "docx", {"[Content_Types].xml": ("</Types>", f"<!-- {NAME} --></Types>")}
    ),
    "member.docx": lambda: repacked("docx", {}, {f"customXml/{NAME}.xml": b"<a/>"}),
    "comment.pptx": lambda: repacked(
        "pptx", {"[Content_Types].xml": ("</Types>", f"<!-- {NAME} --></Types>")}
    ),
    "comment.odt": lambda: repacked(
        "odt",
        {"META-INF/manifest.xml": ("</manifest:manifest>", f"<!-- {NAME} --></manifest:manifest>")},
    ),
    "key.pdf": lambda: pdf(pdf_with_key),
    "signature.eml": signed_mail,
}
# Places that were such, and are read by now: the check has nothing to say.
READ_PLACES: dict[str, Callable[[], bytes]] = {
    "instruction.docx": lambda: repacked(
        "docx", {"word/document.xml": ("<w:body>", f"<?by {NAME}?><w:body>")}
    ),
    "attribute.docx": lambda: repacked(
        "docx", {"word/document.xml": ("<w:body>", f'<w:body><w:p w:rsidR="{NAME}"/>')}
    ),
    "attribute.xlsx": lambda: repacked(
        "xlsx", {"xl/workbook.xml": ("<workbookPr", f'<workbookPr filterPrivacy="{NAME}"')}
    ),
    "class.html": lambda: sample("html").replace(b"</body>", b'<p class="a Jan_Tolsma">x</p></body>'),
    "metadata.parquet": parquet_with_metadata,
    "instruction.xml": lambda: sample("xml").replace(b"?>", f"?><?by {NAME}?>".encode(), 1),
}


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def run(
    open_vault: OpenVault,
    folder: Path,
    output: Path,
    formats: FormatOptions | None = None,
    workers: int = 1,
    **chosen: Plan | StyleSettings,
) -> BatchReport:
    settings = BatchSettings(PROJECT, workers=workers, **chosen)  # type: ignore[arg-type]
    sources = find_sources([folder], output=output)
    return new_batch(sources, output, settings, load=load_fake, open_vault=open_vault, formats=formats).run()


@pytest.mark.parametrize("name", CORNERS)
def test_a_file_that_would_still_say_a_name_fails_alone(
    tmp_path: Path, open_vault: OpenVault, name: str
) -> None:
    folder = fill(tmp_path / "in", {name: CORNERS[name](), "good.txt": b"Jan Tolsma belde."})
    report = run(open_vault, folder, tmp_path / "out")
    assert report.errors == ERROR
    assert (report.documents["ok"], report.documents["failed"]) == (1, 1)
    assert set(outputs(tmp_path / "out")) == {"good.txt"}
    for record in (tmp_path / "out" / ".nymlink").rglob("*"):
        assert not record.is_file() or NAME.encode() not in record.read_bytes()
    assert "LeftInOutputError" in (tmp_path / "out" / ".nymlink" / "documents.jsonl").read_text()


def test_places_that_are_read_pass(tmp_path: Path, open_vault: OpenVault) -> None:
    folder = fill(tmp_path / "in", {name: make() for name, make in READ_PLACES.items()})
    report = run(open_vault, folder, tmp_path / "out")
    assert report.errors == {}
    for name, raw in outputs(tmp_path / "out").items():
        assert not {NAME, "Jan_Tolsma"} & seen_in(raw, {NAME, "Jan_Tolsma"}).keys(), name


def test_it_fails_with_several_workers_too(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a.docx": CORNERS["comment.docx"](), "b.txt": b"Els Wiersma belde."}
    report = run(open_vault, fill(tmp_path / "in", files), tmp_path / "out", workers=2)
    assert report.errors == ERROR
    assert set(outputs(tmp_path / "out")) == {"b.txt"}


def test_a_name_of_another_file_of_the_run_counts_too(tmp_path: Path, open_vault: OpenVault) -> None:
    change = {"[Content_Types].xml": ("</Types>", f"<!-- {NAME} --></Types>")}
    document = repacked("docx", change, raw=samples.docx_file(NAMES[1:], SENTENCES[1:]))
    report = run(open_vault, fill(tmp_path / "in", {"a.docx": document}), tmp_path / "alone")
    assert report.errors == {}
    fill(tmp_path / "in", {"b.txt": b"Jan Tolsma belde."})
    report = run(open_vault, tmp_path / "in", tmp_path / "both")
    assert report.errors == ERROR


def test_a_value_of_a_treated_kind_counts_and_of_others_not(tmp_path: Path, open_vault: OpenVault) -> None:
    page = f"<html><body><p class='{ACCOUNT}'>geld op {ACCOUNT}</p></body></html>".encode()
    folder = fill(tmp_path / "in", {"a.html": page})
    treated = Plan.made("names", {KindId("BANK_ACCOUNT"): Treatment.MASK})
    assert run(open_vault, folder, tmp_path / "treated", plan=treated).errors == ERROR
    assert run(open_vault, folder, tmp_path / "names", plan=Plan.made("names")).errors == {}


def test_python_gets_the_failure_and_no_output(tmp_path: Path, open_vault: OpenVault) -> None:
    file = tmp_path / "a.docx"
    file.write_bytes(CORNERS["comment.docx"]())
    with open_vault() as vault:
        project = Project(vault, PROJECT, ProjectOptions(load=load_fake))
        answer = project.pseudonymize([file, "Els Wiersma belde."])
        assert answer[0].failure is not None
        assert answer[0].failure.error == "LeftInOutputError"
        assert NAME not in answer[0].failure.reason
        assert answer[1].failure is None


# -- no false alarms -----------------------------------------------------------------------------------------


def test_a_file_of_each_format_passes(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {f"f.{suffix}": sample(suffix) for suffix in samples.EVERY_FORMAT}
    report = run(open_vault, fill(tmp_path / "in", files), tmp_path / "out")
    assert report.errors == {}
    assert set(outputs(tmp_path / "out")) == set(files)


@pytest.mark.parametrize("style", [Style.SURROGATE, Style.INITIALS, Style.MASK, Style.TAG])
def test_labels_of_each_style_pass(tmp_path: Path, open_vault: OpenVault, style: Style) -> None:
    files = {f"f.{suffix}": sample(suffix) for suffix in ("docx", "html", "eml", "pdf")}
    report = run(open_vault, fill(tmp_path / "in", files), tmp_path / "out", styles=StyleSettings(style))
    assert report.errors == {}


def test_columns_that_the_user_leaves_out_may_keep_names(tmp_path: Path, open_vault: OpenVault) -> None:
    table = b"naam,notitie\r\nJan Tolsma,Els Wiersma belde\r\n"
    folder = fill(tmp_path / "in", {"a.csv": table, "b.txt": b"Jan Tolsma belde."})
    report = run(open_vault, folder, tmp_path / "out", FormatOptions(columns=("notitie",)))
    assert report.errors == {}
    assert b"Jan Tolsma" in outputs(tmp_path / "out")["a.csv"]


def test_who_acts_by_profession_may_keep_the_name(tmp_path: Path, open_vault: OpenVault) -> None:
    page = b"<html><body><p title='Jan Tolsma'>Rechter Jan Tolsma en Els Wiersma.</p></body></html>"
    folder = fill(tmp_path / "in", {"a.html": page, "b.txt": b"Jan Tolsma belde."})
    report = run(open_vault, folder, tmp_path / "out", styles=StyleSettings(keep_professionals=True))
    assert report.errors == {}


def test_content_that_is_told_as_unread_is_told_and_no_failure(tmp_path: Path, open_vault: OpenVault) -> None:
    raw = repacked("docx", {}, {"word/embeddings/oleObject1.bin": NAME.encode() * 3})
    folder = fill(tmp_path / "in", {"a.docx": raw})
    report = run(open_vault, folder, tmp_path / "out", FormatOptions(keep_unread=True))
    assert report.errors == {}
    assert report.unread["embedded object"] == 1
