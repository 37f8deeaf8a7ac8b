"""What becomes of every kind in a run: a profile, with what the user asks for beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Self

from linkage.kinds import PERSON, KindId, Kinds, Link
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style
from pseudonymizer.treatments.choices import treatment_named
from pseudonymizer.treatments.profiles import Profile, Profiles, told_options
from pseudonymizer.treatments.treatment import Treatment, TreatmentOptions, WayBack

NAMES: Final = "names"  # the profile of projects that have stored none
_PERSON_STYLES: Final = {
    Treatment.CODE: Style.CODE,
    Treatment.TOKEN: Style.TOKEN,
    Treatment.TAG: Style.TAG,
    Treatment.SURROGATE: Style.SURROGATE,
    Treatment.INITIALS: Style.INITIALS,
    Treatment.MASK: Style.MASK,
}
# What needs a secret of the vault, or a value of its own in it: deterministic runs have neither.
_NEEDS_THE_VAULT: Final = frozenset(
    {
        Treatment.FOLLOW, Treatment.CODE, Treatment.TOKEN, Treatment.TAG, Treatment.SURROGATE,
        Treatment.RANDOM, Treatment.SHIFT,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """The treatment of every kind.

    asked: the kinds whose treatment the user named himself, in place of that of the profile. kinds: the
    shipped kinds and those of the user.
    """

    profile: str
    treatments: Mapping[KindId, Treatment]
    options: TreatmentOptions = field(default_factory=TreatmentOptions)
    asked: frozenset[KindId] = frozenset()
    kinds: Kinds = field(default_factory=Kinds.load, repr=False)

    @classmethod
    def made(
        cls,
        profile: str,
        treat: Mapping[KindId, Treatment] = MappingProxyType({}),
        style: Style | None = None,
        options: Mapping[str, object] = MappingProxyType({}),
        kinds: Kinds | None = None,
    ) -> Self:
        """The plan of a profile, with a style for persons and treatments of kinds that go before it.

        treat goes before style, and style before the profile. options: the fields of TreatmentOptions that
        are given; the others are as in the profile. kinds: the shipped ones, and those of the user.

        Raises:
            SettingsError: there is no such profile, kind or option, or a kind cannot have its treatment.
        """
        every, profiles = kinds if kinds is not None else Kinds.load(), Profiles.load()
        chosen = profiles.profile(profile)
        if unknown := [kind for kind in treat if kind not in every]:
            raise SettingsError(f"there is no kind {unknown[0]} to treat; `nymlink kinds` shows all")
        named = {} if style is None else {PERSON: Treatment(style)}
        treatments = {kind: _of_profile(kind, chosen, every) for kind in every} | named | dict(treat)
        for kind, treatment in treatments.items():
            profiles.check(kind, treatment)
        told = told_options(options, chosen.options, of="treatments")
        return cls(chosen.name, treatments, told, frozenset(treat), every)

    @classmethod
    def of_names(cls, style: Style | None = None) -> Self:
        """The plan of runs that store no profile: names of persons alone."""
        return cls.made(NAMES, style=style)

    def of(self, kind: KindId) -> Treatment:
        """The treatment of a kind; a kind that the plan does not know stays."""
        return self.treatments.get(kind, Treatment.KEEP)

    @property
    def found(self) -> frozenset[KindId]:
        """The kinds of which something becomes: what a run looks for."""
        return frozenset(k for k, treatment in self.treatments.items() if treatment is not Treatment.KEEP)

    @property
    def of_values(self) -> Mapping[KindId, Treatment]:
        """The treatments of kinds whose values are found in texts: all but persons and labels."""
        fixed = Profiles.load().fixed
        return {k: t for k, t in self.treatments.items() if k != PERSON and k not in fixed}

    @property
    def written(self) -> Mapping[KindId, Treatment]:
        """The treatments of values that spell no known person, by kind, without kinds that stay then."""
        return {
            kind: Treatment.CODE if treatment is Treatment.FOLLOW else treatment
            for kind, treatment in self.of_values.items()
            if treatment not in (Treatment.KEEP, Treatment.FOLLOW_OR_KEEP)
        }

    def keeps_spelling(self, kind: KindId) -> bool:
        """Whether the user keeps a kind whose values may spell a person: then the names in them stay."""
        is_kept = kind in self.asked and self.of(kind) is Treatment.KEEP
        return is_kept and kind in self.kinds and self.kinds[kind].link is Link.SPELLS

    @property
    def is_names(self) -> bool:
        """Whether every kind but PERSON is as the profile `names` has it."""
        of_names = Plan.of_names().treatments
        return all(
            treatment is of_names.get(kind, Treatment.KEEP)
            for kind, treatment in self.treatments.items()
            if kind != PERSON
        )

    @property
    def person_style(self) -> Style | None:
        """The style of persons' pseudonyms; None where names stay."""
        return _PERSON_STYLES.get(self.of(PERSON))

    def way_back(self, kind: KindId) -> WayBack:
        """Where values of a kind come back, if the treatment can be done."""
        return self.of(kind).way_back

    def is_one_way(self, kind: KindId) -> bool:
        """Whether values of a kind never come back."""
        return self.way_back(kind) is WayBack.NONE

    def for_deterministic(self) -> Self:
        """This plan for pseudonyms that are computed under a key: of names alone.

        Other kinds are masked where their treatment needs the vault. Their values can all be tried out under
        the key of a run. Persons get tokens in place of codes, which count up.

        Raises:
            SettingsError: the user named a treatment of another kind that needs the vault.
        """
        fixed = Profiles.load().fixed
        masked = [
            kind
            for kind, treatment in self.treatments.items()
            if treatment in _NEEDS_THE_VAULT and kind != PERSON and kind not in fixed
        ]
        if refused := [kind for kind in masked if kind in self.asked]:
            raise SettingsError(
                f"deterministic pseudonyms are for names only, so {refused[0]} cannot have the treatment "
                f"{self.of(refused[0])}: under the key of a run all its values can be tried out; give it "
                "mask or category, or leave deterministic out"
            )
        treatments = {**self.treatments, **dict.fromkeys(masked, Treatment.MASK)}
        if self.of(PERSON) is Treatment.CODE:
            treatments[PERSON] = Treatment.TOKEN
        return replace(self, treatments=treatments)


def _of_profile(kind: KindId, profile: Profile, kinds: Kinds) -> Treatment:
    """The treatment of a kind in a profile. Kinds of the user have their own in every profile."""
    if kind in Profiles.load().fixed:
        return Profiles.load().fixed[kind]
    if kind not in Kinds.load():
        return treatment_named(kinds[kind].default)
    return profile.treatments.get(kind, Treatment.KEEP)
