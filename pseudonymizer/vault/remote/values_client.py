"""Values of other kinds than persons through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from linkage.records import EntityId, MentionId
from pseudonymizer.errors import ServiceError
from pseudonymizer.records import ErasureReceipt, LookupResult, Pseudonym, Style
from pseudonymizer.values import (
    AssignedValues,
    Candidates,
    ErasurePlan,
    MetValue,
    ToErase,
    Value,
    ValueLabels,
)
from pseudonymizer.vault.remote import value_messages as m
from pseudonymizer.vault.remote.folders_client import FoldersClient
from pseudonymizer.vault.remote.messages import OfProject, OfStyle
from pseudonymizer.vault.remote.review_client import ReviewClient

_VALUES_A_MESSAGE: Final = 50_000  # of some 200 bytes each: a sixth of the usual largest message


class ValuesClient(ReviewClient, FoldersClient):
    """A vault service as a ValuesApi."""

    def planned_erasure(self, project: str, what: ToErase, *, purpose: str, ticket: str = "") -> ErasurePlan:
        return self.ask(
            m.PLANNED_ERASURE, m.PlanErasure(project=project, what=what, purpose=purpose, ticket=ticket)
        )

    def assign_values(
        self,
        project: str,
        values: Sequence[MetValue],
        labels: Mapping[str, ValueLabels],
        *,
        candidates: Candidates | None = None,
        avoid_tags: Collection[str] = (),
        deterministic: bool = False,
    ) -> AssignedValues:
        """As of a vault in this process, some values a message. The service asks for candidates of the values
        that need some.
        """
        some = [values[at : at + _VALUES_A_MESSAGE] for at in range(0, len(values), _VALUES_A_MESSAGE)]
        if len(some) > 1 and any(how.style is Style.SURROGATE for how in labels.values()):
            # All are stored first, so that no surrogate of one message is a real value of a later one.
            stored = {kind: ValueLabels(None) for kind in labels}
            for rows in some:
                self._assigned(m.AssignValues.of(project, rows, stored), None)
        pseudonyms: dict[MentionId, Pseudonym] = {}
        owners: dict[MentionId, EntityId] = {}
        clashes = 0
        for rows in some or [()]:
            asked = m.AssignValues.of(project, rows, labels, avoid_tags, deterministic=deterministic)
            found = self._assigned(asked, candidates)
            pseudonyms |= found.pseudonyms
            owners |= found.owners
            clashes += found.clashes
        return AssignedValues(pseudonyms, owners, clashes)

    def _assigned(self, asked: m.AssignValues, candidates: Candidates | None) -> AssignedValues:
        sent: list[m.CandidatesRow] = []
        while True:
            offered = None if candidates is None else tuple(sent)
            given = self.ask(m.ASSIGN_VALUES, msgspec.structs.replace(asked, candidates=offered))
            if given.assigned is not None:
                return given.assigned
            if candidates is None:
                raise ServiceError("the vault service asks for candidates that it was not told of")
            sent += [m.CandidatesRow.of(row, candidates(*row.key)) for row in given.wanted]

    def treatment_key(self, project: str) -> bytes:
        return self.ask(m.TREATMENT_KEY, OfProject(project=project))

    def lookup_value(self, *, project: str, value: Value, purpose: str, ticket: str = "") -> LookupResult:
        return self.ask(
            m.LOOKUP_VALUE, m.OfValue(project=project, value=value, purpose=purpose, ticket=ticket)
        )

    def erase_values(
        self, *, project: str, values: Sequence[Value], purpose: str, ticket: str = ""
    ) -> ErasureReceipt:
        asked = m.OfValues(project=project, values=tuple(values), purpose=purpose, ticket=ticket)
        return self.ask(m.ERASE_VALUES, asked)

    def stored_value_labels(self, project: str, style: Style) -> tuple[str, ...]:
        return self.ask(m.STORED_VALUE_LABELS, OfStyle(project=project, style=style))
