"""From a linkage result to labels: pseudonyms are stored in the vault, and each mention gets its label."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from linkage.records import EntityId, KnownIdentity, LinkageResult, MentionId, Span
from pseudonymizer.engine.records import Label, LabelledPerson, PartPlaces
from pseudonymizer.engine.styling import Styled, Styling
from pseudonymizer.engine.value_labels import TreatedValues
from pseudonymizer.errors import LinkageOutdatedError
from pseudonymizer.records import Linked, Pseudonym
from pseudonymizer.styles.looks import is_code_look

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

ATTEMPTS: Final = 3  # times that a result is linked, while other processes erase people of it


@dataclass(frozen=True, slots=True)
class FileLabels:
    """The labels of one file in the order of its parts, with counts for the report.

    people: how many persons the file names. people_readable: how many of them keep their names. tokens_kept:
    how many labels of the project stood in the file already. tokens_escaped: how many texts only look like
    labels, and got a token of their own.
    """

    labels: tuple[Label, ...]
    people: int
    people_readable: int
    tokens_kept: int
    tokens_escaped: int


class Labelling:
    """Gives the labels of a linkage result. The vault is committed before any text carries them."""

    def __init__(
        self,
        styled: Styled,
        literals: Mapping[str, Pseudonym],
        own_codes: frozenset[str] = frozenset(),
        values: TreatedValues | None = None,
    ) -> None:
        """literals: the token of each text that only looks like a label of the project. own_codes: the texts
        in the form of a code that are codes of the project. values: what is written in place of values; None:
        they stay.
        """
        self._styled = styled
        self._values = values
        self._literals = literals
        self._own_codes = own_codes

    @classmethod
    def of_nothing(cls, styling: Styling) -> Self:
        """The labels of a result without mentions."""
        return cls(Styled(styling.settings, LinkageResult((), ()), {}, styling.scope), {})

    @property
    def clashes(self) -> int:
        """How many surrogates of earlier runs share a word with a real name of this result."""
        return self._styled.clashes

    def entity_of(self, mention_id: MentionId) -> EntityId:
        """The person of a mention: an entity of the vault; in a one-way style an identity of the result."""
        return self._styled.entity_of(mention_id)

    def people(self) -> tuple[LabelledPerson, ...]:
        """Each person with the label that holds in the whole corpus; without ambiguous mentions."""
        return tuple(self._styled.people().values())

    def of(self, parts: Iterable[PartPlaces], professionals: Iterable[str] = ()) -> FileLabels:
        """The labels of one file. professionals: ids of mentions whose persons act by profession there."""
        labels: list[Label] = []
        entities: set[EntityId] = set()
        kept = escaped = 0
        readable = self._styled.readable(professionals)
        for found in parts:
            codes = [span for *span, text in found.looks if text in self._own_codes]
            part = found.clear_of(codes)
            for start, end, mention_id in part.mentions:
                entities.add(self._styled.entity_of(mention_id))
                labels.append(self._styled.label(part.part_id, Span(start, end), mention_id, readable))
            if self._values is not None:
                labels += self._values.labels(part)
            kept += len(codes)
            for start, end, text in part.looks:
                if is_code_look(text):
                    continue
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
    parts: Iterable[PartPlaces] = (),
) -> Labelling:
    """The labels of a result, stored in the vault's unit of work; the caller commits.

    looks: texts of the inputs that look like labels. A look that is no label of the project gets a token of
    its own, so that restoring brings the look back unchanged. One like a code stays, and is not drawn. parts:
    the texts with their values.
    """
    from pseudonymizer.assignment import literal_label

    texts = list(looks)
    foreign = styling.foreign_looks(vault, project, texts)
    own_codes = styling.own_codes(vault, project, texts)
    avoid = [*foreign, *(text for text in texts if is_code_look(text) and text not in own_codes)]
    styled = styling.styled(vault, project, linked, avoid_tags=avoid, registered=registered)
    own = (part.clear_of([span for *span, text in part.looks if text in own_codes]) for part in parts)
    named = styled.named if styled.has_lasting_people else None
    values = styling.values_of(vault, project, own, lambda: tuple(styled.people().values()), avoid, named)
    literals = {text: literal_label(vault, project, text) for text in foreign}
    return Labelling(styled, literals, own_codes, values)


def linked_and_labelled(
    vault: "VaultApi", linking: Callable[[], Linked], labelling: Callable[[Linked], Labelling]
) -> tuple[LinkageResult, Labelling]:
    """A linkage result with its labels. It is linked again where another process erased a person meanwhile.

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


def own_outputs(
    vault: "VaultApi", project: str, digests: Iterable[bytes], styling: Styling
) -> frozenset[bytes]:
    """The digests of inputs that are outputs of the project; such inputs are left as they are.

    Empty for labels that are told in text. Ends the unit of work.
    """
    wanted = set(digests)
    if styling.is_told_in_text or not wanted:
        return frozenset()
    known = frozenset(vault.outputs_among(project, wanted))
    vault.rollback()
    return known
