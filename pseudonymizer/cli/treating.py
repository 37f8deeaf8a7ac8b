"""kinds: what becomes of every kind; and the options of treatments that verbs share."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_items
from pseudonymizer.cli.projects import VaultPlace, both_named
from pseudonymizer.cli.saying import say

if TYPE_CHECKING:
    from linkage.kinds import Kinds
    from pseudonymizer.settings import ProjectSettings
    from pseudonymizer.treatments.asked import AskedTreatments
    from pseudonymizer.treatments.overview import TreatedKind

Profile = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Which kinds are treated: names, direct, mortgage, clinical, hipaa, everything; else as the "
        "project's settings say.",
    ),
]
Treat = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND=TREATMENT",
        help="What becomes of a kind or category of `nymlink kinds`, such as date=shift or "
        "id=code,phone=mask. May be given several times; it goes before --style, and that before --profile.",
    ),
]


@dataclass(frozen=True, slots=True)
class Named:
    """What the command line says of treatments. keeps_ids: numbers of files stay."""

    profile: str | None = None
    style: str | None = None
    keeps_ids: bool = False
    treat: Sequence[str] = ()


def add_to(app: typer.Typer) -> None:
    app.command()(kinds)


def asked(named: Named, kinds: "Kinds | None" = None) -> "AskedTreatments":
    """What the command line asks of treatments, checked. kinds: those in use; None: the shipped ones.

    Raises:
        BadParameter: there is no such profile, kind or treatment, or a kind cannot have the treatment.
    """
    from linkage.kinds import Kinds
    from pseudonymizer.errors import SettingsError
    from pseudonymizer.records import Style
    from pseudonymizer.treatments.asked import KEPT_IDS, AskedTreatments, check_profile
    from pseudonymizer.treatments.choices import written_choices

    try:
        check_profile(named.profile)
    except SettingsError as error:
        raise typer.BadParameter(str(error), param_hint="--profile") from None
    found = AskedTreatments(named.profile).with_style(Style(named.style) if named.style else None)
    if named.keeps_ids:
        found = found.with_choices([KEPT_IDS])
    try:
        found = found.with_choices(written_choices(named.treat))
        if named.treat:
            found.treatments(kinds or Kinds.load())
    except SettingsError as error:
        raise typer.BadParameter(str(error), param_hint="--treat") from None
    return found


def kinds(
    *,
    profile: Profile = None,
    treat: Treat = None,
    vault: Annotated[
        str | None,
        typer.Option("--vault", metavar="VAULT", help="With the settings of --project in this vault."),
    ] = None,
    project: options.SomeProject = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    settings: options.SettingsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Show every kind of identifiers: its word, how it is found, what becomes of it, and who says so."""
    from pseudonymizer.settings import ProjectSettings
    from pseudonymizer.treatments.overview import treated_kinds

    told = options.read_settings(settings)
    in_use = told.linkage.own.all_kinds
    stored = _stored(VaultPlace(vault, key_file, keys, actor), project)
    own = stored or ProjectSettings.of_new_project()
    style = told.pseudonyms.style if told.pseudonyms is not None else None
    places = {
        "project" if stored is not None else "new project": own.asked(),
        "settings": told.treatments.after_style(style),
        "command line": asked(Named(profile, treat=treat or ()), in_use),
    }
    found = tuple(treated_kinds(places, language=told.linkage.recognition.language, kinds=in_use))
    if as_json:
        say_items("kinds", [asdict(kind) for kind in found])
    else:
        _print(found)


def _stored(place: VaultPlace, project: str | None) -> "ProjectSettings | None":
    """The settings of the project; None where no vault is named."""
    url, project = both_named(place.url, project)
    if (url is None) != (project is None):
        raise typer.BadParameter("--vault and --project go together: give both, or neither")
    if url is None or project is None:
        return None
    with options.vault_opener(url, place.key_file, place.keys_url, place.actor)() as opened:
        return opened.project_settings(project)


def _print(found: "Sequence[TreatedKind]") -> None:
    rows = [("kind", "word", "found by", "treatment", "comes back", "from")]
    rows += [
        (one.kind, one.word, ", ".join(one.found) or "not yet", one.treatment, _way_back(one), one.origin)
        for one in found
    ]
    widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
    for row in rows:
        say("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())


def _way_back(kind: "TreatedKind") -> str:
    from pseudonymizer.treatments.treatment import Treatment, WayBack

    if kind.treatment is Treatment.KEEP:
        return "stays"
    words = {WayBack.TEXT: "files, pasted text", WayBack.FILE: "files", WayBack.NONE: "nowhere"}
    return words[kind.way_back]
