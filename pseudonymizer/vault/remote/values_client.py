"""Values of other kinds than persons through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Collection, Mapping, Sequence

from pseudonymizer.errors import SettingsError
from pseudonymizer.records import ErasureReceipt, LookupResult, Style
from pseudonymizer.values import AssignedValues, Candidates, MetValue, Value, ValueLabels
from pseudonymizer.vault.remote import value_messages as m
from pseudonymizer.vault.remote.messages import OfStyle
from pseudonymizer.vault.remote.review_client import ReviewClient


class ValuesClient(ReviewClient):
    """A vault service as a ValuesApi."""

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
        """As of a vault in this process. The service asks for candidates of the values that need some."""
        rows = tuple(map(m.MetRow.of, values))
        by_kind = tuple(m.LabelsRow.of(kind, how) for kind, how in sorted(labels.items()))
        sent: list[m.CandidatesRow] = []
        while True:
            asked = m.AssignValues(
                project=project, values=rows, labels=by_kind,
                candidates=None if candidates is None else tuple(sent), avoid_tags=tuple(sorted(avoid_tags)),
                deterministic=deterministic,
            )  # fmt: skip
            given = self.ask(m.ASSIGN_VALUES, asked)
            if given.assigned is not None:
                return given.assigned
            if candidates is None:
                raise SettingsError("surrogates of values are taken from candidates, and none are given")
            sent += [m.CandidatesRow.of(row, candidates(*row.key)) for row in given.wanted]

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
