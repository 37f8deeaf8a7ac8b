"""What a writing would make of the mentions of a workspace, kind by kind. Nothing is stored."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from linkage.kinds import LITERAL, PERSON
from linkage.records import Document, DocumentId, KindId, LinkageResult, Span
from pseudonymizer.desk.corrected import Corrected
from pseudonymizer.desk.workspace_answered import ExampleForeseen, KindForeseen
from pseudonymizer.engine.mentions import as_values
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.preview import Preview
from pseudonymizer.project import Project
from pseudonymizer.treatments.treatment import Treatment

_NOBODY: Final = LinkageResult((), ())
_EXAMPLES: Final = 2  # of a kind: its commonest values
_BY_PERSON: Final = frozenset({Treatment.FOLLOW, Treatment.FOLLOW_OR_KEEP})


def foreseen(project: Project, state: Corrected) -> tuple[KindForeseen, ...]:
    """The kinds that occur, in the order of the table of kinds, with what would be written for examples."""
    preview, plan = project.preview(_NOBODY), project.plan()
    surfaces: dict[KindId, Counter[str]] = {}
    for one in state.mentions.values():
        if one.kind != LITERAL:
            surfaces.setdefault(one.kind, Counter())[one.text] += 1
    shown = []
    for kind in plan.kinds:
        if found := surfaces.get(kind):
            treatment = preview.person().treatment if kind == PERSON else plan.of(kind)
            examples = tuple(_examples(project, preview, kind, found, treatment))
            shown.append(KindForeseen(str(kind), str(treatment), found.total(), examples))
    return tuple(shown)


def _examples(
    project: Project, preview: Preview, kind: KindId, found: Counter[str], treatment: Treatment
) -> Iterator[ExampleForeseen]:
    for text, _ in found.most_common(_EXAMPLES):
        if kind == PERSON:
            one = preview.person()
        elif treatment in _BY_PERSON:
            yield ExampleForeseen(text, None, stays=False)
            continue
        else:
            given = GivenMention(Span(0, len(text)), text, kind=kind)
            (value,) = as_values(Document(DocumentId("example"), text), [given], finder=project.finder)
            one = preview.value(value)
        yield ExampleForeseen(text, one.text, stays=one.stays)
