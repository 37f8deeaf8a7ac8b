"""Where outputs go: each file has its own place, and nobody else's file is ever written over."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Self

from linkage.records import DocumentId
from pseudonymizer.engine.failures import guarded
from pseudonymizer.engine.following import SOMEBODY
from pseudonymizer.engine.records import SourceRendered
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.errors import ForeignFileError
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.units import file_id
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_rows import PlacedOutput


class Places:
    """Which files in an output folder are outputs of the project, and where the next ones go.

    A place is noted as ours before a file is put there, so that a killed run leaves no file that the next
    one would take for somebody else's; a place that is not known and where a file lies is refused.
    """

    def __init__(
        self,
        output: OutputFolder,
        owners: Iterable[tuple[DocumentId, str]],
        sources: Mapping[DocumentId, SourceFile],
    ) -> None:
        """owners: (id of the file, path in the output) of all outputs there are."""
        self._output, self._sources = output, sources
        self._owners = {place.casefold(): doc_id for doc_id, place in owners}
        self._reserved: dict[str, DocumentId] | None = None

    @classmethod
    def known(cls, work: WorkFile, output: OutputFolder, sources: Mapping[DocumentId, SourceFile]) -> Self:
        """The places that the work file tells of. What a killed run was about to put is an output if it is
        there, byte for byte.
        """
        there: list[PlacedOutput] = []
        for intended in work.intended():
            doc_id, place = intended.doc_id, intended.place
            if output.size_of(place) is None or _digest(output, place) != intended.plain:
                continue
            before = work.output_of(doc_id)
            if before is not None and before != place:
                guarded(doc_id, output.remove, before)
            there.append(PlacedOutput(doc_id, place, output.size_of(place) or 0))
        work.settle_intended(there)
        return cls(output, work.outputs(), sources)

    def refuse_foreign(self) -> None:
        """Say before anything is done that files of somebody else lie where outputs would go. Where an output
        gets another name than its source, choose sees it.

        Raises:
            ForeignFileError: there are such files.
        """
        settled = set(self._owners.values())
        foreign = {
            source.relative
            for doc_id, source in self._sources.items()
            if not source.is_litter and file_id(doc_id) not in settled and self._is_foreign(source.relative)
        }
        if foreign:
            raise ForeignFileError(_told(len(foreign)))

    def choose(self, rendered: SourceRendered) -> str:
        """Where an output goes; the place is its own from now on. Names that become one word could make one
        path of two: the id parts them.

        Raises:
            ForeignFileError: a file of somebody else lies there.
            OutsideFolderError: that would not be in the output folder.
        """
        place, own = rendered.relative, file_id(rendered.doc_id)
        path = PurePosixPath(place)
        is_changed = place != self._sources[rendered.doc_id].relative
        if (is_changed and SOMEBODY in path.name) or not self._is_free(place, own, is_changed=is_changed):
            place = path.with_name(f"{path.stem}~{own[-8:]}{path.suffix}").as_posix()
        self._output.path_of(place)
        if self._is_foreign(place):
            raise ForeignFileError(_told(1))
        self._owners[place.casefold()] = own
        return place

    def is_output(self, place: str) -> bool:
        """Whether a file there is an output of a run of the project."""
        return place.casefold() in self._owners

    def _is_foreign(self, place: str) -> bool:
        return place.casefold() not in self._owners and self._output.is_taken(place)

    def _is_free(self, place: str, own: DocumentId, *, is_changed: bool) -> bool:
        """Whether no other source has this place, or could have it by its own name."""
        if self._owners.get(place.casefold(), own) != own:
            return False
        if not is_changed:
            return True
        if self._reserved is None:
            self._reserved = {
                source.relative.casefold(): file_id(doc_id) for doc_id, source in self._sources.items()
            }
        return self._reserved.get(place.casefold(), own) == own


def _digest(output: OutputFolder, place: str) -> str | None:
    try:
        with output.path_of(place).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _told(count: int) -> str:
    files, them = ("1 file", "it") if count == 1 else (f"{count} files", "them")
    return (
        f"the output folder holds {files} that no run of this project wrote there and an output would "
        f"replace; choose another --out, or move {them} away"
    )
