"""The HTML report: well formed, complete by itself, and silent about people."""

from pathlib import Path
from xml.etree import ElementTree as Tree

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.page import report_page
from pseudonymizer.runs.report import BatchReport, probability_counts
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch


def run(folder: Path) -> BatchReport:
    (folder / "in").mkdir()
    (folder / "in" / "Jan Tolsma.txt").write_text("Jan Tolsma en Els Mulder, en weer Jan Tolsma.")
    (folder / "in" / "b.txt").write_text("ONTPLOFT Piet Kok")
    (folder / "in" / "c.txt").write_text("niemand, alleen 123-456-789 en info@example.org")
    return new_batch(
        find_sources([folder / "in"]), folder / "out",
        BatchSettings(PROJECT, described={"settings": {"a<b": True}}),
        load=load_fake, open_vault=make_vault(folder / "vault"),
    ).run()  # fmt: skip


def test_the_page_tells_what_the_report_counts(tmp_path: Path) -> None:
    report = run(tmp_path)
    page = (tmp_path / "out" / ".nymlink" / "report.html").read_text()
    assert page == report_page(report)
    for word in ("ZeroDivisionError", "Files by status", "Seconds by stage", "settings.a&lt;b"):
        assert word in page
    assert report.mentions_a_file == {"0": 1, "1": 0, "2-3": 0, "4-7": 1}
    assert "<dt>mentions</dt><dd>4</dd>" in page


def test_the_page_is_private_whole_and_holds_no_name(tmp_path: Path) -> None:
    run(tmp_path)
    path = tmp_path / "out" / ".nymlink" / "report.html"
    page = path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    for name in ("Tolsma", "Mulder", "Kok", "example.org", str(tmp_path), PROJECT):
        assert name not in page
    for outside in ("http://", "https://", "<script", "src=", "href="):
        assert outside not in page
    for drawing in page.split("<svg")[1:]:
        Tree.fromstring("<svg" + drawing.split("</svg>")[0] + "</svg>")  # noqa: S314  our own page


def test_probabilities_are_counted_in_bins() -> None:
    counts = probability_counts([0.0, 0.05, 0.1, 0.99, 1.0])
    assert [counts[f"probability_{n}"] for n in range(10)] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
