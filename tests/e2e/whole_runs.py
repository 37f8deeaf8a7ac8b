"""The whole pipeline with the shipped models on files of a test, and what the tests look at."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkage.gazetteer import Gazetteer
from linkage.pipeline import LinkagePipeline
from linkage.records import (
    Document,
    KnownIdentity,
    LinkageResult,
    Mention,
    NormalizedMention,
    ValueMention,
)
from linkage.review import Judgement
from linkage.settings import LinkageSettings
from pseudonymizer.engine.loading import load_pipeline
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.path_records import path_lines
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.restore import Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import make_vault, new_batch

PROJECT = "study-1"


class Recording:
    """The real pipeline; keeps what it found, by the text of the document, and how it was linked."""

    def __init__(self, pipeline: LinkagePipeline) -> None:
        self._pipeline = pipeline
        self.found: dict[str, tuple[Mention, ...]] = {}
        self.results: list[LinkageResult] = []

    @property
    def gazetteer(self) -> Gazetteer:
        return self._pipeline.gazetteer

    @property
    def linker(self) -> "Recording":
        return self

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        mentions = self._pipeline.detect(documents, searched=searched)
        self.found |= {document.text: found for document, found in zip(documents, mentions, strict=True)}
        return mentions

    def normalize(
        self,
        documents: Sequence[Document],
        mentions: Sequence[Sequence[Mention]],
        values: Sequence[Sequence[ValueMention]] | None = None,
    ) -> tuple[NormalizedMention, ...]:
        return self._pipeline.normalize(documents, mentions, values)

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        self.results.append(self._pipeline.linker.link(mentions, known=known, judgements=judgements))
        return self.results[-1]


@dataclass
class WholeRun:
    """One run: the files before and after, the report, and the way back."""

    folder: Path
    files: Mapping[str, bytes]
    open_vault: Callable[[], AbstractContextManager[Vault]]
    pipeline: Recording
    report: BatchReport
    outputs: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def statuses(self) -> dict[str, dict[str, Any]]:
        """documents.jsonl by the path of the input."""
        records = self.folder / "out" / ".nymlink"
        lines = path_lines(self.folder / "out", self.open_vault, PROJECT).decode().splitlines()[1:]
        by_id = {row[0]: row[1] for row in (line.split("\t") for line in lines)}
        return {
            by_id[line["id"]]: line
            for line in map(json.loads, (records / "documents.jsonl").read_text().splitlines())
        }

    def restored(self) -> Mapping[str, bytes]:
        back = self.folder / "back"
        restoration = Restoration(self.open_vault, PROJECT, "test of the way back")
        restoration.files(find_sources([self.folder / "out"]), back)
        return files_below(back)


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".nymlink" not in path.parts
    }


def run_files(folder: Path, files: Mapping[str, bytes], **settings: Any) -> WholeRun:
    """Run files (by relative path) through everything, with a new vault in folder."""
    for name, raw in files.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(raw)
    pipeline = Recording(load_pipeline(LinkageSettings()))
    open_vault = make_vault(folder / "vault")
    batch = new_batch(
        find_sources([folder / "in"], output=folder / "out"),
        folder / "out",
        BatchSettings(PROJECT, **settings),
        load=lambda: pipeline, open_vault=open_vault,
    )  # fmt: skip
    report = batch.run()
    return WholeRun(folder, files, open_vault, pipeline, report, files_below(folder / "out"))
