"""The verbs of an open vault for values of other kinds than persons; a part of pseudonymizer.vault.vault."""

from collections.abc import Collection, Mapping, Sequence

from pseudonymizer.policy import Verb
from pseudonymizer.records import ErasureReceipt, LookupResult, Style
from pseudonymizer.values import (
    AssignedValues,
    Candidates,
    ErasurePlan,
    MetValue,
    ToErase,
    Value,
    ValueLabels,
)
from pseudonymizer.vault import erasure, erasure_plan
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.assigning import value_assignment
from pseudonymizer.vault.assigning.value_surrogates import asking
from pseudonymizer.vault.folder_verbs import FoldersVault
from pseudonymizer.vault.rows import styled
from pseudonymizer.vault.ways_back import reidentification


class ValuesVault(FoldersVault):
    """An open vault as a ValuesApi."""

    def planned_erasure(self, project: str, what: ToErase, *, purpose: str, ticket: str = "") -> ErasurePlan:
        """What erasing these people or this value would destroy. Nothing is changed."""
        return erasure_plan.planned_erasure(self, project, what, purpose=purpose, ticket=ticket)

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
        """A pseudonym for every value, as labels says by kind; new values are stored. The caller commits
        before any text carries one.

        Raises:
            SettingsError: deterministic, a kind without labels, or surrogates without candidates.
            SurrogatesExhaustedError: no candidate can be taken.
        """
        ask = None if candidates is None else asking(candidates)
        how = value_assignment.HowToLabel(labels, ask, avoid_tags, deterministic)
        return value_assignment.assign_values(self, project, values, how)

    def treatment_key(self, project: str) -> bytes:
        """The secret of the project from which treatments take what must be the same in all its runs."""
        with self.lock:
            authorize(self, Verb.PSEUDONYMIZE, project_name=project)
            return self.ensure_keys(project).treatment_key()

    def lookup_value(self, *, project: str, value: Value, purpose: str, ticket: str = "") -> LookupResult:
        """The pseudonyms and documents of a value, given in its normal form or in a spelling that was met."""
        return reidentification.lookup_value(
            self, project=project, value=value, purpose=purpose, ticket=ticket
        )

    def erase_values(
        self, *, project: str, values: Sequence[Value], purpose: str, ticket: str = ""
    ) -> ErasureReceipt:
        """Destroy what the vault knows of these values, each given as for lookup_value."""
        return erasure.erase_values(self, project=project, values=values, purpose=purpose, ticket=ticket)

    def stored_value_labels(self, project: str, style: Style) -> tuple[str, ...]:
        """All pseudonyms of a style in a project that stand for values."""
        return tuple(label for label, _ in styled.labels_of_values(self, self.keys_of(project), style))
