"""Every kind with its treatment, where that comes from, and how the kind is found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkage.kinds import LITERAL, PERSON, Kind, KindId, Kinds, patterns_of
from linkage.network_kinds import NETWORK_KINDS
from pseudonymizer.treatments.asked import AskedTreatments
from pseudonymizer.treatments.profiles import Profiles
from pseudonymizer.treatments.treatment import Treatment, WayBack


@dataclass(frozen=True, slots=True)
class TreatedKind:
    """A kind under a plan.

    found: what finds it: "network", "list", "rule"; empty for a kind that only given mentions have.
    origin: where the treatment comes from: "default" of the kind, "profile", or one of the places that were
    asked, such as "settings", which also have the kinds of the user.
    """

    kind: KindId
    category: str
    word: str
    found: tuple[str, ...]
    treatment: Treatment
    way_back: WayBack
    origin: str


def treated_kinds(
    asked: Mapping[str, AskedTreatments], *, language: str, kinds: Kinds
) -> Iterator[TreatedKind]:
    """The kinds in the order of their table.

    asked: by the name of a place what it says, the last word last.

    Raises:
        SettingsError: see AskedTreatments.plan.
    """
    together = AskedTreatments()
    origin_of: dict[KindId, str] = {}
    for place, said in asked.items():
        together = said.over(together)
        origin_of.update(dict.fromkeys(said.treatments(kinds), place))
    plan = together.plan(kinds)
    profile = Profiles.load().profile(plan.profile)
    fixed, shipped = Profiles.load().fixed, Kinds.load()
    for key, kind in kinds.items():
        is_default = key in fixed or (key in profile.treatments and key not in profile.differs)
        usual = "settings" if key not in shipped else "default" if is_default else "profile"
        yield TreatedKind(
            key,
            kind.category,
            kind.word(language),
            _found_by(kind, kinds),
            plan.of(key),
            plan.way_back(key),
            origin_of.get(key, usual),
        )


def _found_by(kind: Kind, kinds: Kinds) -> tuple[str, ...]:
    """What finds the mentions of a kind."""
    if kind.key == PERSON:
        return ("network", "list")
    by_network = ("network",) if kind.key in NETWORK_KINDS else ()
    by_rule = ("rule",) if kind.key == LITERAL or patterns_of(kinds, kind.key) else ()
    by_list = ("list",) if kind.is_own and not by_rule else ()
    return (*by_network, *by_rule, *by_list)
