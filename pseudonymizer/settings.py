"""Settings of a vault's project; stored with the project, changes are audited. How pseudonyms look."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Self

from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style

# What a style can be set for beside persons: kinds of identifiers (pseudonymizer.identifiers) by their name.
STYLED_KINDS: Final = ("email", "handle", "url", "path", "text")
ONE_WAY: Final = frozenset({Style.MASK, Style.INITIALS})


@dataclass(frozen=True, slots=True)
class StyleSettings:
    """How pseudonyms look, and what they may keep of the real names.

    style is for names in text, and for identifiers whose kind has none of its own in kinds. keep_initials and
    keep_family are for surrogates; keep_professionals leaves judges, doctors and the like readable where the
    text says that they are; keep_domain leaves the domain of e-mail addresses. mark: outputs say in their
    metadata that they are pseudonymized. tag_word stands in tags.
    """

    style: Style = Style.TOKEN
    kinds: Mapping[str, Style] = field(default_factory=dict)
    keep_initials: bool = False
    keep_family: bool = False
    keep_professionals: bool = False
    keep_domain: bool = False
    mark: bool = True
    tag_word: str = "PERSOON"

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.kinds) - set(STYLED_KINDS)):
            raise SettingsError(f"no style can be set for {unknown[0]!r}; known: {', '.join(STYLED_KINDS)}")
        if not re.fullmatch(r"[A-Z]{2,20}", self.tag_word):
            raise SettingsError("tag_word must be 2 to 20 capital letters, such as PERSOON")

    def of_kind(self, kind: str) -> Style:
        return self.kinds.get(kind, self.style)

    @property
    def styles(self) -> frozenset[Style]:
        """All styles that are in use."""
        return frozenset({self.style, *self.kinds.values()})

    @property
    def is_one_way(self) -> bool:
        """Whether any style is: then no way back of files is stored."""
        return bool(self.styles & ONE_WAY)

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any], *, base: "StyleSettings | None" = None) -> Self:
        """Raises SettingsError for an unknown key or a value of the wrong type."""
        before = base or StyleSettings()
        values: dict[str, Any] = {f.name: getattr(before, f.name) for f in fields(cls)}
        for name, value in table.items():
            if name not in values:
                raise SettingsError(f"unknown setting {name!r} of pseudonyms; known: {', '.join(values)}")
            if name == "style":
                value = style_of(value)
            elif name == "kinds":
                if not isinstance(value, Mapping):
                    raise SettingsError('kinds must be a table, such as { email = "token" }')
                value = {str(kind): style_of(style) for kind, style in value.items()}
            elif type(value) is not type(values[name]):
                raise SettingsError(f"setting {name!r} of pseudonyms has a value of the wrong type")
            values[name] = value
        return cls(**values)

    def to_mapping(self) -> dict[str, Any]:
        found = {f.name: getattr(self, f.name) for f in fields(self)}
        return found | {"style": str(self.style), "kinds": {k: str(v) for k, v in sorted(self.kinds.items())}}


def style_of(value: object) -> Style:
    try:
        return Style(str(value))
    except ValueError:
        raise SettingsError(f"style must be one of {', '.join(Style)}") from None


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """How a project's names may be had back.

    single_approval: the requester may approve his own request (the embedded default, one actor in all roles).
    approvals_needed counts approvers besides the requester; above extra_approval_above pseudonyms in one
    request one more is needed. limit_capacity pseudonyms may be revealed at once by one actor; limit_per_hour
    come back. style and pseudonyms (the other keys of StyleSettings) are the default of runs.
    """

    style: Style = Style.TOKEN
    pseudonyms: Mapping[str, Any] = field(default_factory=dict)
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
                value = style_of(value)
            elif name == "pseudonyms":
                if not isinstance(value, Mapping):
                    raise SettingsError("pseudonyms must be a table of settings")
                StyleSettings.from_mapping(value)
                value = dict(value)
            elif isinstance(known[name], bool) != isinstance(value, bool) or not isinstance(
                value, int | None
            ):
                raise SettingsError(f"project setting {name!r} has a value of the wrong type")
            values[name] = value
        return cls(**values)

    def to_mapping(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def styles(self) -> StyleSettings:
        """How pseudonyms of the project look unless a run says otherwise."""
        return StyleSettings.from_mapping(self.pseudonyms, base=StyleSettings(style=self.style))
