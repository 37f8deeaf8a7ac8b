"""What may become of an identifier, what a treatment is given, and what it answers."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta

from linkage.kinds import KindId
from pseudonymizer.records import Style


class Treatment(StrEnum):
    """What becomes of each mention of a kind."""

    KEEP = "keep"
    FOLLOW = "follow"  # the label of the known person whose name it spells; of nobody known: as CODE
    FOLLOW_OR_KEEP = "follow_or_keep"  # the same; of nobody known: as KEEP
    CODE = "code"
    TOKEN = "token"  # noqa: S105  a style, not a secret
    TAG = "tag"
    SURROGATE = "surrogate"
    INITIALS = "initials"
    MASK = "mask"
    RANDOM = "random"  # letters for letters, digits for digits
    CATEGORY = "category"  # the word of the kind
    SHIFT = "shift"  # dates, by one secret number of days
    MONTH = "month"  # dates, to their month
    YEAR = "year"  # dates, to their year
    BANDS = "bands"  # ages, to bands of years
    FIRST_FIGURES = "first_figures"  # post codes, to their first figures
    ROUND = "round"  # amounts

    @property
    def style(self) -> Style | None:
        """The style whose labels the vault keeps; None for treatments that write a text of their own."""
        return _STYLES.get(self)

    @property
    def way_back(self) -> "WayBack":
        """Where the value comes back."""
        if self.style is not None:
            return WayBack.TEXT
        return WayBack.NONE if self in _ONE_WAY else WayBack.FILE


class WayBack(StrEnum):
    """Where a treated value comes back."""

    TEXT = "text"  # in whole files and in pasted text
    FILE = "file"  # in whole files alone
    NONE = "none"


_STYLES: Final = {
    Treatment.CODE: Style.CODE,
    Treatment.TOKEN: Style.TOKEN,
    Treatment.TAG: Style.TAG,
    Treatment.SURROGATE: Style.SURROGATE,
}
_ONE_WAY: Final = frozenset(
    {
        Treatment.INITIALS, Treatment.MASK, Treatment.CATEGORY, Treatment.MONTH, Treatment.YEAR,
        Treatment.BANDS, Treatment.FIRST_FIGURES, Treatment.ROUND,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TreatedValue:
    """A value as it stands in a text. country: ISO 3166 code of its pattern, or "international". subject: the
    id of the person by whose number of days a date is shifted; "": by that of the project. language: ISO
    639-1 code of the text; "": the usual one of the run.
    """

    kind: KindId
    normal: str = field(repr=False)
    text: str = field(repr=False)
    country: str = "international"
    subject: str = field(default="", repr=False)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a value.

    treatment: the one that was done; another one than was asked for where that cannot be done, such as CODE
    for a date that no calendar has. text: what to write; None where the value stays (KEEP), where a label of
    the style comes from the vault, or where a person is followed.
    """

    treatment: Treatment
    text: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class TreatmentOptions:
    """How treatments write. Lengths count characters, bands years."""

    mask: Annotated[
        str,
        Meta(
            pattern="^(same|fixed)\\Z",
            title="one of same, fixed",
            description="masks as long as the value, or the word of the kind",
        ),
    ] = "same"
    random_check: Annotated[
        str,
        Meta(
            pattern="^(valid|invalid)\\Z",
            title="one of valid, invalid",
            description="check digits of random numbers: they pass, or they never do",
        ),
    ] = "invalid"
    whole_weeks: Annotated[
        bool, Meta(description="dates are shifted by whole weeks, so that weekdays stay")
    ] = True
    shift_by: Annotated[
        str,
        Meta(
            pattern="^(project|person)\\Z",
            title="one of project, person",
            description="one number of days for all dates of the project, or one for each person whom a text "
            "or a row of a table is about",
        ),
    ] = "project"
    bands: Annotated[
        str,
        Meta(
            pattern="^(all|over)\\Z",
            title="one of all, over",
            description="which ages `bands` writes: all, or only those above ages_together_over; others stay",
        ),
    ] = "all"
    age_band: Annotated[int, Meta(ge=2, le=50, description="years in a band of ages")] = 10
    ages_together_over: Annotated[int, Meta(ge=50, le=120, description="ages above it are one band")] = 89
    post_figures: Annotated[int, Meta(ge=1, le=3, description="figures of a post code that stay")] = 1
    round_figures: Annotated[int, Meta(ge=1, le=6, description="significant figures of a rounded amount")] = 1


@dataclass(frozen=True, slots=True)
class TreatmentKeys:
    """The secrets of a run, 32 bytes each.

    shift: the project's; the numbers of days come from it, and are the same in all runs. drawing: new in each
    run; random texts and surrogates come from it, so that nobody can try values out later.
    """

    shift: bytes = field(repr=False)
    drawing: bytes = field(repr=False)
