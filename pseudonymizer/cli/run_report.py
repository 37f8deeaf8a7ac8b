"""What a run has done, on the screen or as JSON."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pseudonymizer.cli.json_shape import say_result
from pseudonymizer.cli.options import SOME_FAILED
from pseudonymizer.cli.outcome import failure_lines, names_lines, unread_lines
from pseudonymizer.cli.reviewing import not_kept
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from pseudonymizer.runs.report import BatchReport

_MOST_LEFT_OVER: Final = 50  # on screen
_MOST_FILES: Final = 50  # on screen, of those with lines that are left out
_MOST_LINES: Final = 5  # of one file
ALSO_KNOWN: Final = (
    "people of earlier runs who turn out to be one person: {:,}; each pseudonym stays, "
    "and the vault has a link between them"
)
TEXT_ONLY: Final = (
    "text only: of {:,} PDF files and pictures the text alone comes back; --keep-original keeps originals, "
    "where all that was replaced has a way back"
)
TOKENS_FOR_CODES: Final = "deterministic pseudonyms cannot be codes, which count up: tokens were written"


def print_report(report: "BatchReport", output: Path, *, as_json: bool) -> None:
    if as_json:
        say_result("run", report.as_dict(), status=SOME_FAILED if report.has_failures else 0)
        return
    documents = report.documents
    words = [f"{documents['ok']:,} of {documents['all']:,} files done"]
    words += [f"{documents[word]:,} {word}" for word in ("failed", "skipped", "waiting") if documents[word]]
    if report.notes:
        words.append(f"{report.notes:,} notes in them")
    say(", ".join(words) if documents["all"] else "the inputs hold no files that are to be treated")
    say(
        f"{report.mentions:,} mentions ({report.misspelt:,} misspelt), {report.identities:,} identities, "
        f"{report.open_links:,} open links (people who may be one)"
    )
    if report.pseudonym_links:
        say(ALSO_KNOWN.format(report.pseudonym_links))
    if report.judgements or report.judgements_unkept:
        say(f"judgements: {report.judgements:,} kept")
    if report.judgements_unkept:
        say(not_kept(report.judgements_unkept))
    if report.tokens_for_codes:
        say(TOKENS_FOR_CODES)
    replaced = ", ".join(f"{one.replaced:,} {one.kind}" for one in report.kinds if one.replaced)
    if replaced:
        say(f"{'would be replaced' if report.dry_run else 'replaced'} besides names: {replaced}")
    if report.one_way:
        say(f"replaced without a way back: {report.one_way:,}")
    if report.crowded:
        say(f"labels that found too little room on a page: {report.crowded:,}")
    if report.text_only:
        say(TEXT_ONLY.format(report.text_only))
    if report.kept_originals:
        say(f"originals kept sealed in the vault: {report.kept_originals:,} ({megabytes(report.kept_bytes)})")
    left = ", ".join(f"{count:,} {kind}" for kind, count in report.identifiers_left_in.items() if count)
    if left:
        say(f"seen and {'would stay' if report.dry_run else 'left in'}: {left}")
    for line in unread_lines(report.unread_files, str(output / ".nymlink" / "report.json")):
        say(line)
    for line in rejected_lines(report, output, on_terminal=sys.stdout.isatty()):
        say(line)
    for why, count in report.skipped.items():
        say(f"skipped, {count:,}: {why}")
    if report.failures:
        errors = Counter(failed.error for failed in report.failures)
        say("errors: " + ", ".join(f"{count:,} {name}" for name, count in sorted(errors.items())))
    failures = [(failed.path, failed.place, failed.why) for failed in report.failures]
    sealed = "no records are written" if report.dry_run else f"`nymlink paths {output} --failed --out -`"
    for line in failure_lines(failures, sealed, on_terminal=sys.stdout.isatty()):
        say(line)
    for line in left_over_lines(report):
        say(line)
    if report.known_since:
        say(f"written before and treated again, for names that became known since: {report.known_since:,}")
    if not report.dry_run:
        from pseudonymizer.runs.report import NO_WAY_BACK

        for line in names_lines(report.names_in_folder, str(output / ".nymlink")):
            say(line)
        if report.open_links and report.way_back != NO_WAY_BACK:
            say(f"to judge the open links: nymlink review --run {output} --judgements FILE")
        say(f"report: {output / '.nymlink' / 'report.json'}")
        say("The result is pseudonymized, not anonymous: it is still personal data.")
    else:
        say("dry run: nothing was written, and nothing stored; without --dry-run it is done")


def megabytes(size: int) -> str:
    """A number of bytes in words."""
    return f"{max(size / 1_000_000, 0.1):,.1f} MB"


def rejected_lines(report: "BatchReport", output: Path, *, on_terminal: bool) -> Iterator[str]:
    """Lines about lines of files that could not be read. on_terminal: else paths do not stand there."""
    if not report.rejected:
        return
    yield f"lines that cannot be read, left out of the outputs: {report.rejected_lines:,}"
    for one in report.rejected[:_MOST_FILES]:
        shown = list(one.lines.items())[:_MOST_LINES]
        told = "; ".join(f"line {number}: {why}" for number, why in shown)
        more = f"; and {len(one.lines) - len(shown):,} more" if len(one.lines) > len(shown) else ""
        yield f"  {printable(one.path) if on_terminal else f'input {one.number}'}: {told}{more}"
    if len(report.rejected) > _MOST_FILES:
        yield f"  and lines of {len(report.rejected) - _MOST_FILES:,} files more"
    if not report.dry_run:
        yield (
            f"  they lie sealed in {output / '.nymlink'}; `nymlink paths {output} --rejected --out FILE` "
            "writes them: mend the input, and run again"
        )


def left_over_lines(report: "BatchReport") -> Iterator[str]:
    """Lines about outputs of inputs that are not among those of the run, or fail now. In the paths of outputs
    names are replaced.
    """
    if report.pruned:
        yield f"outputs deleted whose inputs are not here, or fail now: {report.pruned:,}"
    if not report.left_over:
        return
    yield (
        f"outputs of earlier runs whose inputs are not among these, or fail now: {len(report.left_over):,}; "
        "--prune deletes them"
    )
    for place in report.left_over[:_MOST_LEFT_OVER]:
        yield f"  {printable(place)}"
    if len(report.left_over) > _MOST_LEFT_OVER:
        yield f"  and {len(report.left_over) - _MOST_LEFT_OVER:,} more"
