"""Outputs of earlier runs into a folder whose inputs are not among those of this run, or fail now."""

from linkage.records import DocumentId
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_rows import SourceState


def left_over_outputs(work: WorkFile) -> dict[DocumentId, str]:
    """Their paths in the output folder, by the id of their input, in the order of the paths."""
    states = {row.doc_id: row.state for row in work.rows(with_paths=False)}
    found = {
        doc_id: place
        for doc_id, place in work.outputs()
        if states.get(doc_id, SourceState.FAILED) is SourceState.FAILED
    }
    return dict(sorted(found.items(), key=lambda one: one[1]))


def prune(work: WorkFile, output: OutputFolder) -> int:
    """Delete them; returns how many. The vault keeps what undoes them, and copies of them can be restored."""
    found = left_over_outputs(work)
    for place in found.values():
        output.remove(place)
    work.forget_outputs(found)
    return len(found)
