"""Originals of PDF files and pictures: kept whole with --keep-original, else the text alone comes back."""

import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from reportlab.pdfgen import canvas

from linkage.settings import LinkageSettings
from pseudonymizer import formats
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats import Edit, FormatOptions, kept_originals
from pseudonymizer.formats.kept_originals import is_text_only, kept_original, original_of
from pseudonymizer.records import KEPT_ORIGINAL, Rotated, Style
from pseudonymizer.runs.describing import described
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.restore import ERASED, EXACT, TEXT_ONLY, Restoration, RestoreReport
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import rotate
from pseudonymizer.vault.care.verification import verify
from pseudonymizer.vault.erasure import erase
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch
from tests.pseudonymizer.runs.test_run import outputs

OpenVault = Callable[[], AbstractContextManager[Vault]]
NAMES = ["Jan Tolsma", "Els Mol"]


def pdf(*lines: str) -> bytes:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, invariant=1)
    for number, line in enumerate(lines):
        page.drawString(50, 780 - 20 * number, line)
    page.save()
    return buffer.getvalue()


ORIGINAL = pdf("gebeld door Jan Tolsma", "de buur heet Els Mol", "verder niets")
KEPT = FormatOptions(keep_original=True)


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def run(
    open_vault: OpenVault, folder: Path, output: Path, options: FormatOptions, style: Style = Style.TOKEN
) -> BatchReport:
    return new_batch(
        find_sources([folder], output=output),
        output,
        BatchSettings(
            PROJECT, styles=StyleSettings(style=style), described=described(LinkageSettings(), options)
        ),
        load=load_fake,
        open_vault=open_vault,
        formats=options,
    ).run()


def given(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir(parents=True)
    (tmp_path / "in" / "brief.pdf").write_bytes(ORIGINAL)
    (tmp_path / "in" / "nota.txt").write_bytes(b"Els Mol kwam")
    return tmp_path / "in"


def restored(open_vault: OpenVault, output: Path, back: Path) -> RestoreReport:
    return Restoration(open_vault, PROJECT, "test").files(find_sources([output]), back)


def test_a_kept_original_comes_back_byte_for_byte(tmp_path: Path, open_vault: OpenVault) -> None:
    report = run(open_vault, given(tmp_path), tmp_path / "out", KEPT)
    assert (report.kept_originals, report.kept_bytes, report.text_only) == (1, len(ORIGINAL), 0)
    assert b"Tolsma" not in b"".join(outputs(tmp_path / "out").values())
    back = restored(open_vault, tmp_path / "out", tmp_path / "back")
    assert (back.counts[EXACT], back.counts[TEXT_ONLY]) == (2, 0)
    assert outputs(tmp_path / "back") == {"brief.pdf": ORIGINAL, "nota.txt": b"Els Mol kwam"}


def test_without_it_the_text_alone_comes_back_and_is_told(tmp_path: Path, open_vault: OpenVault) -> None:
    report = run(open_vault, given(tmp_path), tmp_path / "out", FormatOptions())
    assert (report.kept_originals, report.kept_bytes, report.text_only) == (0, 0, 1)
    back = restored(open_vault, tmp_path / "out", tmp_path / "back")
    assert (back.counts[EXACT], back.counts[TEXT_ONLY]) == (1, 1)
    found = outputs(tmp_path / "back")
    assert found.keys() == {"brief.pdf.txt", "nota.txt"}
    assert b"gebeld door Jan Tolsma" in found["brief.pdf.txt"]


def test_labels_without_room_are_counted(tmp_path: Path, open_vault: OpenVault) -> None:
    (tmp_path / "in").mkdir()
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pagesize=(200, 100))
    page.drawString(130, 50, "met Els Mol")
    page.save()
    (tmp_path / "in" / "smal.pdf").write_bytes(buffer.getvalue())
    assert run(open_vault, tmp_path / "in", tmp_path / "out", FormatOptions()).crowded == 1
    assert run(open_vault, given(tmp_path / "wide"), tmp_path / "out2", FormatOptions()).crowded == 0


def test_the_original_is_sealed(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, given(tmp_path), tmp_path / "out", KEPT)
    stored = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent != tmp_path / "in"]
    for path in stored:
        raw = path.read_bytes()
        assert ORIGINAL[:200] not in raw, path
        assert ORIGINAL[-200:] not in raw, path


def test_an_erasure_takes_the_original_of_everybody_in_it(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, given(tmp_path), tmp_path / "out", KEPT)
    with open_vault() as vault:
        before = vault.store.scalar(
            "SELECT sealed FROM edit WHERE entity_id = 0 ORDER BY length(sealed) DESC"
        )
        wrapped = vault.key_records.rows("SELECT wrapped FROM document_key")
        labels = [label for (label,) in vault.store.rows("SELECT label FROM pseudonym ORDER BY entity_id")]
        vault.rollback()
        receipt = erase(vault, project=PROJECT, pseudonyms=labels[:1], purpose="verzoek", ticket="1")
        event = next(one for one in vault.trail.events() if one.outcome == "done" and one.action == "erase")
        assert event.counts["originals"] == 1
        assert not verify(vault).findings
    assert receipt.pseudonyms == tuple(labels[:1])
    everything = b"".join(path.read_bytes() for path in (tmp_path / "vault").iterdir())
    assert bytes(before)[-32:] not in everything
    with open_vault() as vault:
        now = vault.key_records.rows("SELECT wrapped FROM document_key")
    gone = {bytes(key) for (key,) in wrapped} - {bytes(key) for (key,) in now}
    assert len(gone) == 1
    assert all(key[-32:] not in everything for key in gone)
    back = restored(open_vault, tmp_path / "out", tmp_path / "back")
    assert back.counts[EXACT] + back.counts[ERASED] == 2
    assert back.counts[ERASED] >= 1
    text = outputs(tmp_path / "back")["brief.pdf.txt"]
    assert labels[0].encode() in text
    assert sum(name.encode() in text for name in NAMES) == 1


@pytest.mark.parametrize("what", list(Rotated))
def test_a_rotation_keeps_the_original(tmp_path: Path, open_vault: OpenVault, what: Rotated) -> None:
    run(open_vault, given(tmp_path), tmp_path / "out", KEPT)
    with open_vault() as vault:
        rotate(vault, what, project_name=PROJECT)
    restored(open_vault, tmp_path / "out", tmp_path / "back")
    assert outputs(tmp_path / "back")["brief.pdf"] == ORIGINAL


def test_what_has_no_way_back_is_not_kept_in_an_original(tmp_path: Path, open_vault: OpenVault) -> None:
    report = run(open_vault, given(tmp_path), tmp_path / "out", KEPT, style=Style.MASK)
    assert report.kept_originals == 0
    with open_vault() as vault:
        stored = vault.store.rows("SELECT sealed FROM edit")
    assert not any(len(sealed) >= len(ORIGINAL) for (sealed,) in stored)


def test_only_formats_without_a_way_back_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {name for name in ("pdf", "png", "jpeg", "tiff") if is_text_only(name)} == {
        "pdf", "png", "jpeg", "tiff"
    }  # fmt: skip
    assert kept_original("docx", b"abc") is None
    assert kept_original("pdf", b"abc") == Edit(KEPT_ORIGINAL, 0, 0, b"abc")
    monkeypatch.setattr(kept_originals, "LARGEST_KEPT", 2)
    assert kept_original("pdf", b"abc") is None
    assert original_of([Edit("text", 0, 1, b"a")]) is None
    assert formats.restored_suffix("pdf", [Edit(KEPT_ORIGINAL, 0, 0, b"abc")]) == ""
    assert formats.restored_suffix("pdf", [Edit("text", 0, 1, b"a")]) == ".txt"


def test_another_run_with_originals_treats_files_again(tmp_path: Path, open_vault: OpenVault) -> None:
    folder = given(tmp_path)
    assert run(open_vault, folder, tmp_path / "out", FormatOptions()).kept_originals == 0
    assert run(open_vault, folder, tmp_path / "out", KEPT).kept_originals == 1
