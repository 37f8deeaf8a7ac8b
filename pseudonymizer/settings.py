"""Settings of a vault's project; stored with the project, changes are audited."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """How a project's names may be had back.

    single_approval: the requester may approve his own request (the embedded default, one actor in all roles).
    approvals_needed counts approvers besides the requester; above extra_approval_above pseudonyms in one
    request one more is needed. limit_capacity pseudonyms may be revealed at once by one actor; limit_per_hour
    come back.
    """

    style: Style = Style.TOKEN
    single_approval: bool = True
    approvals_needed: int = 1
    extra_approval_above: int = 100
    grant_minutes: int = 60
    limit_capacity: int = 100_000
    limit_per_hour: int = 100_000
    retention_days: int | None = None

    def __post_init__(self) -> None:
        counts = (self.approvals_needed, self.grant_minutes, self.limit_capacity, self.limit_per_hour)
        if min(counts) < 1 or self.extra_approval_above < 0:
            raise SettingsError("approvals_needed, grant_minutes and limits of a project must be 1 or more")
        if self.retention_days is not None and self.retention_days < 0:
            raise SettingsError(f"retention_days is {self.retention_days}, it must be 0 or more")

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Self:
        """Raises SettingsError for an unknown key or a value of the wrong type."""
        known = {f.name: f.default for f in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in table.items():
            if name not in known:
                raise SettingsError(f"unknown project setting {name!r}; known: {', '.join(sorted(known))}")
            if name == "style":
                try:
                    value = Style(value)
                except ValueError:
                    raise SettingsError(f"style must be one of {', '.join(Style)}") from None
            elif isinstance(known[name], bool) != isinstance(value, bool) or not isinstance(
                value, int | None
            ):
                raise SettingsError(f"project setting {name!r} has a value of the wrong type")
            values[name] = value
        return cls(**values)

    def to_mapping(self) -> dict[str, Any]:
        return asdict(self)
