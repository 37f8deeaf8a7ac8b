"""What a run has to say: counts, states and versions, never anything personal.

report.json is for programs, report.html for people, documents.jsonl has one line a file. Which id is which
file stands sealed in the work file (pseudonymizer.runs.path_records).
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self

from pseudonymizer.runs.failed_files import FailedFile
from pseudonymizer.runs.names_in_folder import NamesInFolder
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.rare import TOTAL, rare_of
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_rows import SourceRow, SourceState
from pseudonymizer.settings import ONE_WAY, StyleSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import WayBack

if TYPE_CHECKING:
    from pseudonymizer.runs.run import BatchSettings

_WORD_OF: Final = {
    SourceState.PLANNED: "waiting",
    SourceState.DETECTED: "waiting",
    SourceState.LABELLED: "waiting",
    SourceState.DONE: "ok",
    SourceState.FAILED: "failed",
    SourceState.SKIPPED: "skipped",
}
PROBABILITY_BINS: Final = 10
FORESEEN: Final = "would_replace_"  # of a dry run: a total of the work file, with the kind behind it
NOTE: Final = (
    "Pseudonymized text is still personal data. Names that detection missed, identifiers of other kinds "
    "(counted here, left in), and what the text tells about people remain."
)
NO_WAY_BACK: Final = (
    "none for files: a style without a way back was asked for, and nothing that undoes it is stored"
)
WAY_BACK: Final = "files and pasted text, through the vault"
WAY_BACK_IN_PART: Final = (
    "files and pasted text, through the vault; not what has a treatment without a way back"
)


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """What was not read in an output. file: its path in the output folder, in which names are replaced, or
    "input 3" where a dry run wrote none. parts: how often what where, see pseudonymizer.formats.unread.
    """

    id: str
    file: str
    parts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RejectedIn:
    """The lines of a file that are left out of its output. number: its place among the files of the inputs,
    from 1. path: below its input, which may hold a name. lines: why each is left out, by its number.
    """

    id: str
    number: int
    path: str = field(repr=False)
    lines: Mapping[str, str]

    def as_dict(self) -> dict[str, Any]:
        """What goes into a report, which holds no name."""
        return {"id": self.id, "number": self.number, "lines": dict(self.lines)}


@dataclass(frozen=True, slots=True)
class KindOfReport:
    """What became of a kind of values: how many were found, and how many of them carry another text now."""

    kind: str
    treatment: str
    found: int
    replaced: int

    @property
    def left_in(self) -> int:
        """How many stand in the outputs as they were."""
        return self.found - self.replaced


@dataclass(frozen=True, slots=True)
class BatchReport:
    """Counts over all files of a run. seconds are wall time by stage; documents counts files by status."""

    project: str
    scope: str
    dry_run: bool
    started_at: str
    finished_at: str
    seconds: Mapping[str, float]
    documents: Mapping[str, int]
    characters: int
    mentions: int
    misspelt: int
    identities: int
    open_links: int
    forms: int | None  # different names, folded; None where not all of these documents have them noted
    detectors: Mapping[str, int]
    identifiers_left_in: Mapping[str, int]
    unread: Mapping[str, int]
    tokens_kept: int
    tokens_escaped: int
    errors: Mapping[str, int]
    surrogate_clashes: int = 0  # invented names that a real person of the project turned out to have
    styles: Mapping[str, Any] = field(default_factory=dict)
    way_back: str = ""
    mentions_a_file: Mapping[str, int] = field(default_factory=dict)  # files by number of mentions, "2-3"
    probabilities: Sequence[int] = ()  # judged pairs of forms by match probability, bins of equal width
    described: Mapping[str, Any] = field(default_factory=dict)
    marked: int = 0  # changed outputs that say in their metadata that they are pseudonymized
    unmarked: Mapping[str, int] = field(default_factory=dict)  # those that do not, by format
    judgements: int = 0  # of people about links, that are kept for mentions of this run
    pseudonym_links: int = 0  # people who had pseudonyms of their own and turn out to be one with another one
    judgements_unkept: int = 0  # those that are not, since they would join people who are held apart
    ocr_pages: int = 0  # pictures of pages that text recognition read
    ocr_confidence: float | None = None  # mean over those pages, 0 to 1
    unread_files: Sequence[UnreadFile] = ()  # outputs with content that was not read, in which names may stay
    names_in_folder: NamesInFolder = field(default_factory=NamesInFolder)  # besides those in outputs
    tokens_for_codes: bool = False  # deterministic pseudonyms were asked for, which have no codes
    profile: str = ""
    kinds: Sequence[KindOfReport] = ()
    one_way: int = 0  # replacements in outputs that have no way back
    rare_documents: int = 0  # texts with a combination of values that stay and that fewer than five share
    rare: Mapping[str, int] = field(default_factory=dict)  # how many, by the kinds of the combination
    failures: Sequence[FailedFile] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)  # files by why; on screen alone
    left_over: Sequence[str] = ()  # paths of outputs whose inputs are not here, or fail now
    pruned: int = 0  # such outputs that were deleted
    known_since: int = 0  # files of earlier runs that were treated again: a name in them became known since
    notes: int = 0  # lines, rows and messages that are read each by itself
    rejected: Sequence[RejectedIn] = ()  # lines that could not be read, left out of the outputs
    crowded: int = 0  # labels of pages (PDF) that are wider than the room that their line has
    text_only: int = 0  # outputs of which the text alone comes back, for their originals are not kept
    kept_originals: int = 0  # originals that are kept whole in the vault
    kept_bytes: int = 0  # of these together

    @property
    def has_failures(self) -> bool:
        """Whether a file failed, or a line of one was left out."""
        return self.documents["failed"] > 0 or bool(self.rejected)

    @property
    def rejected_lines(self) -> int:
        """How many lines are left out of the outputs."""
        return sum(len(one.lines) for one in self.rejected)

    @classmethod
    def of(
        cls,
        work: WorkFile,
        settings: "BatchSettings",
        *,
        started: float,
        finished: float,
        seconds: Mapping[str, float],
        names_in_folder: NamesInFolder | None = None,
        tokens_for_codes: bool = False,
    ) -> Self:
        """started and finished are seconds since 1970, UTC."""
        documents: Counter[str] = Counter({"all": 0, "ok": 0, "failed": 0, "skipped": 0, "waiting": 0})
        characters = mentions = misspelt = tokens_kept = tokens_escaped = marked = ocr_pages = 0
        detectors: Counter[str] = Counter()
        identifiers: Counter[str] = Counter()
        unread: Counter[str] = Counter()
        errors: Counter[str] = Counter()
        skipped: Counter[str] = Counter()
        sizes: Counter[int] = Counter()
        unmarked: Counter[str] = Counter()
        unread_files: list[UnreadFile] = []
        found: Counter[str] = Counter()
        replaced: Counter[str] = Counter()
        confidence, one_way, notes = 0.0, 0, 0
        rejected: list[RejectedIn] = []
        crowded, text_only, kept = 0, 0, []
        for row in work.rows():
            documents["all"] += 1
            status = status_of(row, dry_run=settings.dry_run)
            documents[status] += 1
            if row.error:
                errors[row.error] += 1
                if status == "skipped":
                    skipped[row.reason or row.error] += 1
                continue
            counts = row.counts
            notes += counts.notes or 0
            if counts.rejected:
                rejected.append(RejectedIn(row.doc_id, documents["all"], row.path, counts.rejected))
            characters += counts.characters or 0
            mentions += counts.mentions or 0
            misspelt += counts.misspelt or 0
            tokens_kept += counts.tokens_kept or 0
            tokens_escaped += counts.tokens_escaped or 0
            if counts.mentions is not None:
                sizes[counts.mentions.bit_length()] += 1
            detectors.update(counts.detectors or {})
            identifiers.update(counts.identifiers or {})
            identifiers["email"] -= min(counts.addresses_replaced or 0, identifiers["email"])  # before 0.2
            found.update(counts.identifiers or {})
            one_way += counts.one_way or 0
            crowded += counts.crowded or 0
            text_only += bool(counts.text_only)
            if counts.kept_original:
                kept.append(counts.kept_original)
            for kind, count in (counts.values_replaced or {}).items():
                replaced[kind] += count
                identifiers[kind] -= min(count, identifiers[kind])
            unread.update(counts.unread or {})
            if status == "ok" and counts.unread:
                # Runs before version 0.2 noted no places.
                parts = counts.unread_places or counts.unread
                unread_files.append(UnreadFile(row.doc_id, row.output or f"input {documents['all']}", parts))
            marked += bool(counts.marked)
            if counts.marked is False:
                unmarked[counts.format_name or ""] += 1
            pages = counts.ocr_pages or 0
            ocr_pages += pages
            confidence += pages * (counts.ocr_confidence or 0.0)
        totals = work.totals()
        if settings.dry_run:
            for name, count in totals.items():
                if name.startswith(FORESEEN):
                    kind = name.removeprefix(FORESEEN)
                    replaced[kind] = count
                    identifiers[kind] -= min(count, identifiers[kind])
        styles = settings.styles or StyleSettings()
        plan = settings.plan or Plan.of_names(styles.style)
        return cls(
            project=settings.project,
            scope=settings.scope.value,
            dry_run=settings.dry_run,
            started_at=_moment(started),
            finished_at=_moment(finished),
            seconds={name: round(value, 3) for name, value in seconds.items()},
            documents=dict(documents),
            characters=characters,
            mentions=mentions,
            misspelt=misspelt,
            identities=totals.get("identities", 0),
            open_links=totals.get("open_links", 0),
            forms=work.form_count(),
            judgements=totals.get("judgements", 0),
            pseudonym_links=totals.get("pseudonym_links", 0),
            judgements_unkept=totals.get("judgements_unkept", 0),
            detectors=dict(sorted(detectors.items())),
            identifiers_left_in={kind: count for kind, count in sorted(identifiers.items()) if count},
            unread=dict(sorted(unread.items())),
            tokens_kept=tokens_kept,
            tokens_escaped=tokens_escaped,
            errors=dict(sorted(errors.items())),
            surrogate_clashes=totals.get("surrogate_clashes", 0),
            styles=styles.to_mapping(),
            way_back=_way_back(styles, plan),
            mentions_a_file={_range(bits): sizes[bits] for bits in range(max(sizes, default=-1) + 1)},
            probabilities=[totals.get(f"probability_{n}", 0) for n in range(PROBABILITY_BINS)],
            described=settings.described,
            marked=marked,
            unmarked=dict(sorted(unmarked.items())),
            ocr_pages=ocr_pages,
            ocr_confidence=round(confidence / ocr_pages, 4) if ocr_pages else None,
            unread_files=unread_files,
            names_in_folder=names_in_folder or NamesInFolder(),
            tokens_for_codes=tokens_for_codes,
            profile=plan.profile,
            kinds=_kinds(plan, found, replaced),
            one_way=one_way,
            rare_documents=totals.get(TOTAL, 0),
            rare=rare_of(totals),
            failures=FailedFile.of(work.rows()),
            skipped=dict(skipped),
            notes=notes,
            rejected=rejected,
            crowded=crowded,
            text_only=text_only,
            kept_originals=len(kept),
            kept_bytes=sum(kept),
        )

    def as_dict(self) -> dict[str, Any]:
        failures = [failed.as_dict() for failed in self.failures]
        told = asdict(replace(self, failures=(), left_over=(), rejected=()))
        del told["skipped"]
        rejected = [one.as_dict() for one in self.rejected]
        return {
            "note": NOTE, **told, "failures": failures, "left_over": len(self.left_over), "rejected": rejected
        }  # fmt: skip


def _way_back(styles: StyleSettings, plan: Plan) -> str:
    """What comes back of the outputs of a run, in words."""
    ways = {treatment.way_back for treatment in plan.written.values()}
    if styles.is_one_way and ways <= {WayBack.NONE}:
        return NO_WAY_BACK
    return WAY_BACK_IN_PART if styles.styles & ONE_WAY or WayBack.NONE in ways else WAY_BACK


def _kinds(plan: Plan, found: Counter[str], replaced: Counter[str]) -> tuple[KindOfReport, ...]:
    """The kinds of values that were found or are treated, in the order of their table."""
    return tuple(
        KindOfReport(kind, str(treatment), found[kind], min(replaced[kind], found[kind]))
        for kind, treatment in plan.of_values.items()
        if found[kind] or kind in plan.written
    )


def status_of(row: SourceRow, *, dry_run: bool = False) -> str:
    """ok, failed, skipped or waiting. A dry run ends with detection, so that what was detected is ok."""
    if dry_run and row.state is SourceState.DETECTED:
        return "ok"
    return _WORD_OF[row.state]


def document_lines(work: WorkFile, *, dry_run: bool = False) -> Iterator[dict[str, Any]]:
    """One mapping a file, in the order of the inputs: id, status, error, counts."""
    for row in work.rows(with_paths=False):
        line: dict[str, Any] = {"id": row.doc_id, "status": status_of(row, dry_run=dry_run)}
        if row.error:
            line |= {"error": row.error, "reason": row.reason}
        else:
            line |= row.counts.as_dict()
        yield line


def probability_counts(probabilities: Iterable[float]) -> dict[str, int]:
    """How many lie in each of PROBABILITY_BINS bins, under the names that WorkFile.save_linked gets."""
    counts = Counter(min(int(p * PROBABILITY_BINS), PROBABILITY_BINS - 1) for p in probabilities)
    return {f"probability_{n}": counts[n] for n in range(PROBABILITY_BINS)}


def write_report(output: OutputFolder, work: WorkFile, report: BatchReport) -> None:
    """report.json, report.html and documents.jsonl among the records, a line at a time.

    Raises:
        OSError: the disk is full.
    """
    from pseudonymizer.runs.page import report_page

    output.write_record(
        "documents.jsonl",
        (f"{json.dumps(line, ensure_ascii=False)}\n".encode() for line in document_lines(work)),
    )
    with (output.records / "documents.jsonl").open("rb") as lines:
        output.write_record("report.json", _as_json(report, lines))
    output.write_record("report.html", [report_page(report).encode()])


def _as_json(report: BatchReport, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The report with documents.jsonl inside, whose lines are JSON already. It names files by their ids."""
    content = report.as_dict()
    content["unread_files"] = [{"id": one.id, "parts": one.parts} for one in report.unread_files]
    yield json.dumps(content, ensure_ascii=False, indent=1)[:-2].encode()
    yield b',\n "documents_by_id": [\n  '
    for number, line in enumerate(lines):
        yield (b",\n  " if number else b"") + line.rstrip(b"\n")
    yield b"\n ]\n}\n"


def _range(bits: int) -> str:
    """The numbers of so many binary digits, in words."""
    first, last = (1 << bits) >> 1, (1 << bits) - 1
    return str(first) if first == last or not bits else f"{first}-{last}"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
