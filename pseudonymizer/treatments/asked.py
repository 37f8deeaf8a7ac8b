"""What a settings file, a project or a command line says of treatments, and the plan that comes of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Final, Self

from msgspec import Meta

from linkage.kinds import PERSON, KindId, Kinds
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style
from pseudonymizer.treatments.choices import chosen_treatments, ordered_choices, treatment_named
from pseudonymizer.treatments.plan import NAMES, Plan
from pseudonymizer.treatments.profiles import Profiles
from pseudonymizer.treatments.treatment import Treatment, TreatmentOptions

KEPT_IDS: Final = ("CASE_NUMBER", "keep")  # the choice by which tables of several sources still join

TREAT_TYPE: Final = Meta(
    title="a table from kinds or categories to treatments",
    description='treatments that differ from the profile, such as `{ DATE = "month", ID = "code" }`; '
    "a kind goes before its category",
)


@dataclass(frozen=True, slots=True)
class TreatmentTable(TreatmentOptions):
    """The table [treatments] of a settings file: its keys and their types."""

    profile: Annotated[
        str | None,
        Meta(
            title="the name of a profile",
            description="which kinds are treated, and how (docs/reference/treatments.md); "
            "else as the project says",
        ),
    ] = None
    treat: Annotated[Mapping[str, str], TREAT_TYPE] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_profile(self.profile)
        for treatment in self.treat.values():
            treatment_named(treatment)


@dataclass(frozen=True, slots=True)
class AskedTreatments:
    """What one place says of treatments.

    profile: None where it says none. choices: kinds or categories, each with a treatment; of two choices of
    one kind the later holds. options: the fields of TreatmentOptions that it gives.
    """

    profile: str | None = None
    choices: tuple[tuple[str, str], ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of_table(cls, table: Mapping[str, object]) -> Self:
        """What a checked table of a settings file says; of its choices a kind goes before its category."""
        treat, known = table.get("treat", {}), {one.name for one in fields(TreatmentOptions)}
        choices = treat.items() if isinstance(treat, Mapping) else ()
        profile = table.get("profile")
        return cls(
            str(profile) if profile is not None else None,
            ordered_choices((str(kind), str(treatment)) for kind, treatment in choices),
            {name: value for name, value in table.items() if name in known},
        )

    def over(self, earlier: Self) -> Self:
        """What holds where this place has the last word, and an earlier one speaks where this is silent."""
        return replace(
            self,
            profile=self.profile if self.profile is not None else earlier.profile,
            choices=(*earlier.choices, *self.choices),
            options={**earlier.options, **self.options},
        )

    def with_choices(self, choices: Iterable[tuple[str, str]]) -> Self:
        """All that is asked for with further choices, which are later."""
        return replace(self, choices=(*self.choices, *choices))

    def with_style(self, style: Style | None) -> Self:
        """All that is asked for with a style, a treatment of PERSON; None: it stays as it is."""
        return self if style is None else self.with_choices([(str(PERSON), style.value)])

    def after_style(self, style: Style | None) -> Self:
        """All that is asked for with a style that other choices go before; None: it stays as it is."""
        return self if style is None else replace(self, choices=((str(PERSON), style.value), *self.choices))

    def treatments(self, kinds: Kinds) -> dict[KindId, Treatment]:
        """The treatment of each kind that is asked for.

        Raises:
            SettingsError: a kind or treatment is unknown, or the kind cannot have the treatment.
        """
        return chosen_treatments(self.choices, kinds)

    def plan(self, kinds: Kinds | None = None) -> Plan:
        """The plan.

        Raises:
            SettingsError: see Plan.made and treatments.
        """
        every = kinds if kinds is not None else Kinds.load()
        return Plan.made(self.profile or NAMES, self.treatments(every), None, self.options, every)


def check_profile(name: str | None) -> None:
    """Raises SettingsError where there is no profile of this name; None and the first one always are."""
    if name is not None and name != NAMES:
        Profiles.load().profile(name)


def check_table(table: Mapping[str, str], kinds: Kinds) -> None:
    """Raises SettingsError for a table of treatments with an unknown kind, one that is written twice, or one
    that cannot have its treatment.
    """
    if not table:
        return
    choices = ordered_choices(table.items())
    chosen_treatments(choices, kinds)
    names = [kind.lower().replace("-", "_") for kind, _ in choices]
    if twice := [name for name in names if names.count(name) > 1]:
        raise SettingsError(f"treat names the kind {twice[0]} twice; keep one of the two")
