"""What a VaultApi has for values of other kinds than persons; a part of pseudonymizer.vault.api."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

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


class ValuesApi(Protocol):
    """Values and their pseudonyms; and what an erasure of people or values would destroy."""

    def planned_erasure(self, project: str, what: ToErase, *, purpose: str, ticket: str = "") -> ErasurePlan:
        """What erasing these people or this value would destroy. Nothing is changed."""
        ...

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
        """A pseudonym for every value, as labels says by kind; new values are stored.

        candidates: of surrogates; it is called in the process of the caller. avoid_tags: texts of the inputs
        that look like tags or codes. Raises SettingsError for deterministic pseudonyms: those are for names.
        """
        ...

    def treatment_key(self, project: str) -> bytes:
        """The 32 secret bytes of a project from which treatments take what must be the same in all its runs,
        such as the days by which dates are shifted. Rotations of keys leave them; they open nothing of the
        vault. Whoever may pseudonymize gets them.
        """
        ...

    def lookup_value(self, *, project: str, value: Value, purpose: str, ticket: str = "") -> LookupResult:
        """The pseudonyms and documents of a value, given in its normal form or in a spelling that was met.
        Commits.
        """
        ...

    def erase_values(
        self, *, project: str, values: Sequence[Value], purpose: str, ticket: str = ""
    ) -> ErasureReceipt:
        """Destroy what the vault knows of these values, each given as for lookup_value. Commits."""
        ...

    def stored_value_labels(self, project: str, style: Style) -> tuple[str, ...]:
        """All pseudonyms of a style in a project that stand for values."""
        ...
