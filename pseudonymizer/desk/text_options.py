"""Options of a request as options of a project: which kinds are treated and how, and the caller's own lists.

A request differs from the settings of the service in what it says, and in nothing else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from linkage.errors import LinkageError
from linkage.kind_lists import TextsByKind
from linkage.kinds import PERSON, KindId, Kinds, Link
from linkage.own_kinds import OwnValues
from linkage.records import KnownIdentity
from linkage.settings import LinkageSettings, RecognitionSettings
from pseudonymizer.desk.asked import DetectTexts, Lists, TreatOptions
from pseudonymizer.engine.records import Pipeline
from pseudonymizer.errors import RestyleNeededError, SettingsError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.project_options import ProjectOptions
from pseudonymizer.records import Scope, Style
from pseudonymizer.settings import ProjectSettings, StyleSettings
from pseudonymizer.treatments.asked import AskedTreatments
from pseudonymizer.treatments.choices import ordered_choices
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.profiles import Profiles
from pseudonymizer.treatments.treatment import Treatment

WithLists = Callable[
    [RecognitionSettings], Pipeline
]  # the pipeline of a process with lists of other settings


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What the service was started with: settings of finding and linking, styles, treatments, registry."""

    linkage: LinkageSettings = field(default_factory=LinkageSettings)
    styles: StyleSettings | None = None
    treatments: AskedTreatments = field(default_factory=AskedTreatments)
    formats: FormatOptions = field(default_factory=FormatOptions)
    registered: tuple[KnownIdentity, ...] = field(default=(), repr=False)

    def options(self, load: Callable[[], Pipeline]) -> ProjectOptions:
        """The options of a project without anything that a request says."""
        return ProjectOptions(
            self.linkage, self.styles, formats=self.formats, load=load, registered=self.registered,
            new_project=ProjectSettings.of_new_project(), treatments=self.treatments,
        )  # fmt: skip


class WrongOptionError(SettingsError):
    """A request has an option that cannot be. field: its name in the body."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the option {name} names what there is not, or what does not go together")
        self.field = name


def with_lists(base: ProjectOptions, asked: DetectTexts | TreatOptions, lists: WithLists) -> ProjectOptions:
    """The options with the texts that the request says always, or never, are a mention.

    Raises:
        WrongOptionError: a list is of an unknown kind, or holds a text without letter or figure.
    """
    if not asked.always and not asked.never:
        return base
    recognition = base.settings.recognition
    changed = replace(
        recognition,
        always=recognition.always | _texts(asked.always, "always"),
        never=recognition.never | _texts(asked.never, "never"),
    )
    settings = replace(base.settings, recognition=changed)
    for name, own in (
        ("always", OwnValues(settings.kinds, changed.always)),
        ("never", OwnValues(settings.kinds, never=changed.never)),
    ):
        try:
            _ = own.all_kinds
        except LinkageError:
            raise WrongOptionError(name) from None
    return replace(base, settings=settings, load=lambda: lists(changed))


def _texts(given: Lists, name: str) -> TextsByKind:
    by_kind: Mapping[str, tuple[str, ...]] = given if isinstance(given, dict) else {str(PERSON): given}
    if not all(any(map(str.isalnum, text)) for texts in by_kind.values() for text in texts):
        raise WrongOptionError(name)
    return TextsByKind.of({kind_id(kind): texts for kind, texts in by_kind.items() if texts})


def kind_id(written: str) -> KindId:
    """The id of a kind as people write it, such as bank-account."""
    return KindId(written.strip().upper().replace("-", "_").replace(" ", "_"))


def named_kinds(names: tuple[str, ...], kinds: Kinds) -> frozenset[KindId]:
    """The kinds that names of kinds and categories stand for.

    Raises:
        WrongOptionError: there is no such kind or category.
    """
    found: set[KindId] = set()
    for name in names:
        word = kind_id(name)
        several = (word,) if word in kinds else tuple(kinds) if word == "ALL" else kinds.in_category(word)
        if not several:
            raise WrongOptionError("kinds")
        found.update(several)
    return frozenset(found)


def with_treatments(base: ProjectOptions, asked: TreatOptions) -> ProjectOptions:
    """The options with the style, profile, treatments and scope of the request.

    Raises:
        WrongOptionError: there is no such profile, kind or treatment, or they do not go together.
    """
    kinds, styles = base.settings.own.all_kinds, base.styles
    said = AskedTreatments(asked.profile).with_style(None if asked.style is None else Style(asked.style))
    try:
        said = said.with_choices(ordered_choices(asked.treatments.items()))
        said.treatments(kinds)
    except SettingsError:
        raise WrongOptionError("treatments") from None
    if asked.profile is not None and asked.profile.lower() not in Profiles.load().profiles:
        raise WrongOptionError("profile")
    if asked.style is not None:
        styles = StyleSettings.from_mapping({"style": asked.style}, base=styles)
    return replace(
        base, styles=styles, scope=Scope(asked.scope),
        treatments=said.over(base.treatments or AskedTreatments()),
    )  # fmt: skip


def only_kinds(base: ProjectOptions, plan: Plan, names: tuple[str, ...] | None) -> ProjectOptions:
    """The options with other kinds than the named ones left in; a named kind that the plan keeps has its
    usual treatment. plan: of these options. Addresses follow a person whom they spell if persons are.

    Raises:
        WrongOptionError: there is no such kind or category.
    """
    if names is None:
        return base
    kinds = plan.kinds
    named = named_kinds(names, kinds)
    fixed = Profiles.load().fixed
    choices = []
    for kind, row in kinds.items():
        if kind in fixed:
            continue
        if kind in named:
            if plan.of(kind) is Treatment.KEEP:
                choices.append((str(kind), _usual(row.default)))
        elif PERSON in named and row.link is Link.SPELLS:
            choices.append((str(kind), str(Treatment.FOLLOW_OR_KEEP)))
        else:
            choices.append((str(kind), str(Treatment.KEEP)))
    return replace(base, treatments=(base.treatments or AskedTreatments()).with_choices(choices))


def _usual(default: str) -> str:
    return str(Treatment.CODE) if default == Treatment.KEEP else default


def refuse_other_terms(own: Plan, asked: Plan) -> None:
    """Nothing, where a request treats every kind as the project does.

    Raises:
        RestyleNeededError: it asks for another style or treatment.
    """
    if any(own.of(kind) is not asked.of(kind) for kind in asked.treatments):
        raise RestyleNeededError(
            "the request asks for another style or treatment than the project has; send restyle: true if "
            "that is meant, or leave the options out"
        )
