"""web token: API tokens of the service, made, listed and ended."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_items, say_result
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from pseudonymizer.desk.records import ApiToken
    from pseudonymizer.desk.tokens import Tokens

OfService = Annotated[
    str | None, typer.Option("--vault", metavar="VAULT", envvar="NYMLINK_VAULT", help="Of the service.")
]
Desk = Annotated[
    Path | None,
    typer.Option("--desk", metavar="FILE", help="Where tokens are kept; else vault.desk.db beside vault.db."),
]

_token = typer.Typer(help="API tokens.", no_args_is_help=True, rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    _token.command()(create)
    _token.command("list")(list_tokens)
    _token.command()(revoke)
    app.add_typer(_token, name="token")


def create(
    *,
    account: Annotated[
        str, typer.Option(metavar="NAME", help="Of the program: web:NAME in the vault's trail.")
    ],
    project: options.Project,
    verbs: Annotated[
        str, typer.Option(metavar="LIST", help="What it may do: verbs of docs/reference/vault.md.")
    ] = "pseudonymize,give-back",
    days: Annotated[int, typer.Option(min=1, metavar="N", help="How long it lives.")] = 90,
    vault: OfService = None,
    desk: Desk = None,
    as_json: options.AsJson = False,
) -> None:
    """Make a token and show it, once."""
    from pseudonymizer.policy import Verb

    try:
        chosen = [Verb(name.strip()) for name in verbs.split(",") if name.strip()]
    except ValueError:
        raise typer.BadParameter(
            f"there is no such verb; known: {', '.join(Verb)}", param_hint="--verbs"
        ) from None
    made = tokens_at(desk_place(vault, desk)).create(account, project, chosen, days=days)
    if as_json:
        say_result("web token create", {"token": made.written, **_shown(made.token)})
        return
    say(made.written)
    say(
        f"keep it now: the token is not shown again. It is valid until {made.token.expires_at.date()}",
        err=True,
    )


def list_tokens(
    *,
    vault: OfService = None,
    desk: Desk = None,
    as_json: options.AsJson = False,
) -> None:
    """All tokens without their secrets, also those that are revoked or have ended."""
    tokens = tokens_at(desk_place(vault, desk), make=False)
    shown = [_shown(token) | {"alive": token.is_alive(tokens.clock())} for token in tokens.all()]
    if as_json:
        say_items("web token list", shown)
        return
    for one in shown:
        say("\t".join(printable(str(value)) for value in one.values()))


def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="From `nymlink web token list`.")],
    *,
    vault: OfService = None,
    desk: Desk = None,
    as_json: options.AsJson = False,
) -> None:
    """End a token at once."""
    revoked = tokens_at(desk_place(vault, desk), make=False).revoke(token_id)
    if as_json:
        say_result("web token revoke", _shown(revoked))
    else:
        say("the token is revoked; nobody can use it any more")


def _shown(token: "ApiToken") -> dict[str, object]:
    return {
        "id": token.token_id, "account": token.account, "project": token.project,
        "verbs": ",".join(sorted(token.verbs)), "created": token.created_at.isoformat(),
        "ends": token.expires_at.isoformat(),
        "revoked": None if token.revoked_at is None else token.revoked_at.isoformat(),
        "last_used": None if token.last_used is None else token.last_used.isoformat(),
    }  # fmt: skip


def desk_place(vault: str | None, desk: Path | None) -> Path:
    from pseudonymizer.desk.store import desk_file, vault_file
    from pseudonymizer.errors import VaultUninitializedError

    if (
        desk is None
        and vault is not None
        and (found := vault_file(vault)) is not None
        and not found.is_file()
    ):
        raise VaultUninitializedError("there is no vault at this address; `nymlink vault init` makes one")
    place = desk or (desk_file(vault) if vault is not None else None)
    if place is None:
        raise typer.BadParameter(
            "name the file in which tokens are kept, since the vault is no file beside which it could lie",
            param_hint="--desk",
        )
    return place


def tokens_at(place: Path, *, make: bool = True) -> "Tokens":
    from pseudonymizer.desk.store import DeskStore
    from pseudonymizer.desk.tokens import Tokens

    return Tokens(DeskStore.open(place, make=make))
