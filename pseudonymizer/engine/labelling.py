"""From a linkage result to labels: pseudonyms stored in the vault, and where they stand in a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from linkage.records import EntityId, KnownIdentity, LinkageResult, MentionId, Span
from pseudonymizer.engine.records import Label, LabelledPerson, PartPlaces
from pseudonymizer.engine.styling import Styled, Styling
from pseudonymizer.errors import LinkageOutdatedError
from pseudonymizer.records import Linked, Pseudonym, Style

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

ATTEMPTS: Final = 3  # at linking, while other processes erase people
# Styles whose labels are told from names where they stand. In the others a label in an output looks like a
# name, so that outputs which come in again are looked up by their digests.
TOLD_IN_TEXT: Final = frozenset({Style.TOKEN, Style.TAG})


@dataclass(frozen=True, slots=True)
class FileLabels:
    """The labels of one file in the order of its parts, and counts for the report.

    people: persons who are named in the file; people_readable: those of them who keep their names;
    tokens_kept: labels of the project that stood in the file already; tokens_escaped: texts that only look
    like labels and got a token of their own.
    """

    labels: tuple[Label, ...]
    people: int
    people_readable: int
    tokens_kept: int
    tokens_escaped: int


class Labelling:
    """The labels of a linkage result. Commit the vault before any text carries them."""

    def __init__(self, styled: Styled, literals: Mapping[str, Pseudonym]) -> None:
        """literals: the token of each text that only looks like a label of the project."""
        self._styled = styled
        self._literals = literals

    @classmethod
    def of_nothing(cls, styling: Styling) -> Self:
        """The labels of a result without mentions."""
        return cls(Styled(styling.settings, LinkageResult((), ()), {}, styling.scope), {})

    @property
    def clashes(self) -> int:
        """How many surrogates of earlier runs hold a word that is a real name in this result."""
        return self._styled.clashes

    def entity_of(self, mention_id: MentionId) -> EntityId:
        """The person of a mention: an entity of the vault, or where it has none an identity of the result."""
        return self._styled.entity_of(mention_id)

    def people(self) -> tuple[LabelledPerson, ...]:
        """Everybody who is told apart, with the label that holds in the whole corpus."""
        return tuple(self._styled.people().values())

    def of(self, parts: Iterable[PartPlaces], professionals: Iterable[str] = ()) -> FileLabels:
        """The labels of one file. professionals: ids of its mentions of people who act by profession."""
        labels: list[Label] = []
        entities: set[EntityId] = set()
        kept = escaped = 0
        readable = self._styled.readable(professionals)
        for part in parts:
            for start, end, mention_id in part.mentions:
                written = self._styled.written(mention_id, readable)
                entities.add(written.entity_id)
                person = written.person if written.person != written.text else None
                labels.append(Label(part.part_id, Span(start, end), written.text, written.entity_id, person))
            for start, end, text in part.looks:
                if (literal := self._literals.get(text)) is None:
                    kept += 1
                else:
                    escaped += 1
                    labels.append(Label(part.part_id, Span(start, end), literal.label, literal.entity_id))
        return FileLabels(tuple(labels), len(entities), len(readable), kept, escaped)


def label_result(
    vault: "VaultApi",
    project: str,
    linked: Linked,
    looks: Iterable[str],
    styling: Styling,
    registered: Sequence[KnownIdentity] = (),
) -> Labelling:
    """The labels of a result, stored in the vault's unit of work; the caller commits.

    looks: texts of the inputs that look like labels. Those that are none of the project get a token of their
    own, so that they come back as they were.
    """
    from pseudonymizer.assignment import literal_label

    foreign = styling.foreign_looks(vault, project, looks)
    styled = styling.styled(vault, project, linked, avoid_tags=foreign, registered=registered)
    return Labelling(styled, {text: literal_label(vault, project, text) for text in foreign})


def linked_and_labelled(
    vault: "VaultApi", linking: Callable[[], Linked], labelling: Callable[[Linked], Labelling]
) -> tuple[LinkageResult, Labelling]:
    """A linkage result with its labels, linked again where another process erased a person in between.

    Raises:
        LinkageOutdatedError: after ATTEMPTS attempts.
    """
    for _ in range(ATTEMPTS - 1):
        linked = linking()
        try:
            return linked.result, labelling(linked)
        except LinkageOutdatedError:
            vault.rollback()
    linked = linking()
    return linked.result, labelling(linked)


def own_outputs(vault: "VaultApi", project: str, digests: Iterable[bytes], style: Style) -> frozenset[bytes]:
    """Those of these digests of inputs that are of outputs of the project: such inputs stay as they are.

    Ends the unit of work. Empty for a style of TOLD_IN_TEXT.
    """
    wanted = set(digests)
    if style in TOLD_IN_TEXT or not wanted:
        return frozenset()
    known = frozenset(vault.outputs_among(project, wanted))
    vault.rollback()
    return known
