"""Which dossier, client or case a text belongs to: --group-by."""

from typing import Annotated

import typer

GroupBy = Annotated[
    str,
    typer.Option(
        "--group-by",
        metavar="folder|FIELD|REGEX",
        help="What says which dossier or client a text is of, where people of one name are likelier one: its "
        "folder, a field of JSON lines (else `group`), or a part of its path, as 'clients/([^/]+)/'.",
    ),
]


def checked(group_by: str) -> str:
    """The option as it was given; a wrong usage where it is no regular expression."""
    from linkage.errors import SettingsError
    from pseudonymizer.formats.groups import check_group_by

    try:
        return check_group_by(group_by)
    except SettingsError as error:
        raise typer.BadParameter(str(error), param_hint="--group-by") from None
