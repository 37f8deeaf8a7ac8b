"""The report of a run as one HTML page: figures and bars in SVG, no script, nothing loaded, no names."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from pseudonymizer.formats.unread import told
from pseudonymizer.runs.report import NOTE, BatchReport
from pseudonymizer.treatments.profiles import Profiles

_UNREAD_ROWS: Final = 1_000  # files on the page; a browser shows that many at once
_BAR_WIDTH, _ROW_HEIGHT, _LABEL_WIDTH = 420, 24, 210  # pixels
_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5a6572; --paper: #ffffff; --line: #d7dde4;
  --bar: #2f6f9f; --warn: #b4471f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #9aa6b3; --paper: #14181d;
  --line: #303841; --bar: #6fb1e0; --warn: #f08a5d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
p.note { color: var(--soft); max-width: 48rem; }
dl.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0; }
dl.figures div { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1rem;
  min-width: 8.5rem; }
dl.figures dt { color: var(--soft); font-size: .85rem; }
dl.figures dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
dl.figures div.warn dd { color: var(--warn); }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 1.5rem; }
section { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto; }
section.wide { grid-column: 1 / -1; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 13px; }
svg rect { fill: var(--bar); } svg line { stroke: var(--line); }
table { border-collapse: collapse; } td { padding: .15rem 1rem .15rem 0; vertical-align: top; }
th { text-align: left; font-weight: 600; padding: .15rem 1rem .15rem 0; }
td:first-child { color: var(--soft); } td.warn { color: var(--warn); }
"""


def report_page(report: BatchReport) -> str:
    """The page. Everything on it comes from the report, which holds counts, states and versions alone."""
    documents = report.documents
    figures = [
        ("files", documents["all"], False),
        ("done", documents["ok"], False),
        ("failed", documents["failed"], documents["failed"] > 0),
        ("waiting", documents["waiting"], documents["waiting"] > 0),
        ("characters", report.characters, False),
        ("mentions", report.mentions, False),
        ("identities", report.identities, False),
        ("open links", report.open_links, False),
    ]
    if report.notes:
        figures.append(("notes", report.notes, False))
    if report.rejected:
        figures.append(("lines left out", report.rejected_lines, True))
    if report.pseudonym_links:
        figures.append(("further pseudonyms of one person", report.pseudonym_links, True))
    if report.judgements_unkept:
        figures.append(("judgements not kept", report.judgements_unkept, True))
    bins = len(report.probabilities)
    probabilities = {
        f"{100 * n // bins}-{100 * (n + 1) // bins} %": count for n, count in enumerate(report.probabilities)
    }
    plots = [
        _plot("Files by status", {word: documents[word] for word in ("ok", "failed", "skipped", "waiting")}),
        _plot("Failures and skipped files by kind", report.errors),
        _plot("Mentions by detector", report.detectors),
        _plot("Files by number of mentions", report.mentions_a_file),
        _plot("Judged pairs of name forms by match probability", probabilities),
        _plot("Seconds by stage", report.seconds, decimals=1),
        _plot("Parts of files that could not be read", report.unread),
        _plot(
            "Changed outputs that say in their metadata that they are pseudonymized",
            {"marked": report.marked}
            | {f"not marked: {name}": count for name, count in report.unmarked.items()},
        ),
    ]
    tiles = "".join(
        f"<div{' class=warn' if warn else ''}><dt>{name}</dt><dd>{count:,}</dd></div>"
        for name, count, warn in figures
    )
    span = f"{escape(report.started_at)} to {escape(report.finished_at)}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>nymlink: report of a run</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Report of a run</h1>\n<p>{span}{', dry run' if report.dry_run else ''}. "
        f"Misspelt mentions: {report.misspelt:,}. Pseudonyms found in the input: {report.tokens_kept:,} "
        f"kept, {report.tokens_escaped:,} that only look like one.{_recognized(report)}</p>\n"
        f'<p class="note">{escape(NOTE)}</p>\n<dl class="figures">{tiles}</dl>\n'
        f"<main>\n{_kinds(report)}{''.join(plots)}{_unread(report)}"
        f"{_table('Settings, models, versions', report)}</main>\n"
        "</body>\n</html>\n"
    )


def _recognized(report: BatchReport) -> str:
    if report.ocr_confidence is None:
        return ""
    return (
        f" Pages read by text recognition: {report.ocr_pages:,}, mean confidence"
        f" {100 * report.ocr_confidence:.1f} %."
    )


def _plot(title: str, values: Mapping[str, float], *, decimals: int = 0) -> str:
    """Bars with their values; a section that says so when there is nothing."""
    body = _bars(values, decimals=decimals) if any(values.values()) else "<p class=note>none</p>"
    return f"<section><h2>{escape(title)}</h2>{body}</section>\n"


def _bars(values: Mapping[str, float], *, decimals: int) -> str:
    highest = max(values.values())
    width, height = _LABEL_WIDTH + _BAR_WIDTH + 90, len(values) * _ROW_HEIGHT + 4
    rows: list[str] = []
    for number, (label, value) in enumerate(values.items()):
        top = number * _ROW_HEIGHT
        length = round(_BAR_WIDTH * value / highest, 1)
        rows.append(
            f'<text x="{_LABEL_WIDTH - 8}" y="{top + 17}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{_LABEL_WIDTH}" y="{top + 4}" width="{length}" height="{_ROW_HEIGHT - 8}" rx="2"/>'
            f'<text x="{_LABEL_WIDTH + length + 6}" y="{top + 17}">{value:,.{decimals}f}</text>'
        )
    axis = f'<line x1="{_LABEL_WIDTH}" y1="0" x2="{_LABEL_WIDTH}" y2="{height}"/>'
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img">{axis}{"".join(rows)}</svg>'


def _kinds(report: BatchReport) -> str:
    """What became of every kind of values: found, by which treatment replaced, left in."""
    head = "<tr><th>kind</th><th>treatment</th><th>found</th><th>replaced</th><th>left in</th></tr>"
    rows = "".join(
        f"<tr><td>{escape(one.kind)}</td><td>{escape(one.treatment.replace('_', ' '))}</td>"
        f"<td>{one.found:,}</td><td>{one.replaced:,}</td>"
        f"<td{' class=warn' if one.left_in else ''}>{one.left_in:,}</td></tr>"
        for one in report.kinds
    )
    one_way = f" Replaced without a way back: {report.one_way:,}." if report.one_way else ""
    if report.crowded:
        one_way += f" Labels that found too little room on a page: {report.crowded:,}."
    if report.text_only:
        one_way += f" Outputs of which the text alone comes back: {report.text_only:,}."
    if report.kept_originals:
        one_way += f" Originals kept in the vault: {report.kept_originals:,}, {report.kept_bytes:,} bytes."
    return (
        '<section class="wide"><h2>Values of other kinds than persons</h2>'
        f"<p>Profile {escape(report.profile)}. Way back: {escape(report.way_back)}.{one_way}</p>"
        f"<table>{head}{rows}</table></section>\n{_rare(report)}"
    )


def _rare(report: BatchReport) -> str:
    """How many texts have values together that few others have; nothing where there are none."""
    if not report.rare_documents:
        return ""
    rows = "".join(
        f"<tr><td>{escape(kinds)}</td><td>{count:,}</td></tr>" for kinds, count in report.rare.items()
    )
    return (
        '<section class="wide"><h2>Values that stay and together tell a person</h2>'
        f"<p>{report.rare_documents:,} texts have a combination of values that fewer than "
        f"{Profiles.load().rare.fewer_than} texts share.</p>"
        f"<table><tr><th>kinds</th><th>texts</th></tr>{rows}</table></section>\n"
    )


def _unread(report: BatchReport) -> str:
    """What was not read, by the id of the file and place; nothing where all was read."""
    if not report.unread_files:
        return ""
    rows = "".join(
        f"<tr><td>{escape(one.id)}</td><td>{escape(told(one.parts))}</td></tr>"
        for one in report.unread_files[:_UNREAD_ROWS]
    )
    more = len(report.unread_files) - _UNREAD_ROWS
    rest = f"<p class=note>and {more:,} files more, in report.json</p>" if more > 0 else ""
    return (
        '<section class="wide"><h2>Not read, by id of the file: names in it stay</h2>'
        f"<table>{rows}</table>{rest}</section>\n"
    )


def _table(title: str, report: BatchReport) -> str:
    rows = [("scope", report.scope), *_flat("", report.described)]
    cells = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<section class="wide"><h2>{escape(title)}</h2><table>{cells}</table></section>\n'


def _flat(prefix: str, values: Mapping[str, object]) -> Sequence[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in values.items():
        whole = f"{prefix}{name}"
        if isinstance(value, Mapping):
            found += _flat(f"{whole}.", value)
        else:
            found.append((whole, str(value)))
    return found
