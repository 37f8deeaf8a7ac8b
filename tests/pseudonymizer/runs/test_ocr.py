"""Scans through a whole run: their pages are counted with the confidence of what was read."""

from pathlib import Path

import pytest

from linkage.records import DocumentId
from pseudonymizer.engine.records import SourceFound
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats.pictures import ocr
from pseudonymizer.runs.page import report_page
from pseudonymizer.runs.restore import TEXT_ONLY, Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.runs.work_counts import SourceCounts
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch
from tests.pseudonymizer.formats.pictures.test_ocr import picture, scan, seen


@pytest.mark.skipif(not ocr.is_available(), reason="text recognition is not installed: nymlink[ocr]")
def test_scan_comes_out_black_and_its_text_comes_back(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.pdf").write_bytes(scan(picture(["Verslag over Els Mulder", "van gisteren."])))
    opened = make_vault(tmp_path / "vault")
    report = new_batch(
        find_sources([tmp_path / "in"]), tmp_path / "out", BatchSettings(PROJECT),
        load=load_fake, open_vault=opened,
    ).run()  # fmt: skip
    assert report.errors == {}
    assert report.ocr_pages == 1
    assert report.ocr_confidence is not None
    assert report.ocr_confidence > 0.9
    assert "read by text recognition: 1, mean confidence 9" in report_page(report)
    (output,) = (tmp_path / "out").glob("*.pdf")
    assert "Mulder" not in seen(output.read_bytes())
    assert "gisteren" in seen(output.read_bytes())
    back = Restoration(opened, PROJECT, "test").files(find_sources([tmp_path / "out"]), tmp_path / "back")
    assert back.counts[TEXT_ONLY] == 1
    (text,) = (tmp_path / "back").glob("*.txt")
    assert "Verslag over Els Mulder\nvan gisteren." in text.read_text()


def test_confidence_is_a_mean_over_the_pages_of_a_file() -> None:
    found = SourceFound(DocumentId("d"), b"x", 1, "pdf", (), {}, {}, 0.0, recognized=(0.9, 1.0))
    counts = SourceCounts.of_found(found)
    assert (counts.ocr_pages, counts.ocr_confidence) == (2, 0.95)
