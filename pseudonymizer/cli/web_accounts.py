"""web account: accounts of people, and who may reach a front from elsewhere."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_items, say_result
from pseudonymizer.cli.saying import printable, say
from pseudonymizer.cli.web_tokens import Desk, OfService, desk_place

if TYPE_CHECKING:
    from pseudonymizer.desk.accounts import Account, Accounts
    from pseudonymizer.desk.role_map import RoleMap
    from pseudonymizer.desk.tokens import Tokens

_EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  these are refused without an address that callers use
_Name = Annotated[str, typer.Argument(metavar="NAME", help="Of the account: web:NAME in the vault's trail.")]

_account = typer.Typer(help="Accounts of people.", no_args_is_help=True, rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    _account.command()(create)
    _account.command("list")(list_accounts)
    _account.command()(password)
    _account.command()(end)
    app.add_typer(_account, name="account")


def create(
    name: _Name, *, vault: OfService = None, desk: Desk = None, as_json: options.AsJson = False
) -> None:
    """Make an account. Its password is asked for at the terminal, or read from standard input."""
    _told(
        "create", accounts_at(desk_place(vault, desk)).create(name, _password(repeat=True)), as_json=as_json
    )


def list_accounts(*, vault: OfService = None, desk: Desk = None, as_json: options.AsJson = False) -> None:
    """All accounts, also those that have ended."""
    shown = [_shown(one) for one in accounts_at(desk_place(vault, desk), make=False).all()]
    if as_json:
        say_items("web account list", shown)
        return
    if not shown:
        say("there are no accounts; `nymlink web account create NAME` makes one", err=True)
    for one in shown:
        say("\t".join(printable(str(value)) for value in one.values()))


def password(
    name: _Name, *, vault: OfService = None, desk: Desk = None, as_json: options.AsJson = False
) -> None:
    """Give an account another password; its sessions end. It is asked for as with create."""
    accounts = accounts_at(desk_place(vault, desk), make=False)
    _told("password", accounts.set_password(name, _password(repeat=True)), as_json=as_json)


def end(name: _Name, *, vault: OfService = None, desk: Desk = None, as_json: options.AsJson = False) -> None:
    """End an account and its sessions at once. What the trail says of it stays."""
    _told("end", accounts_at(desk_place(vault, desk), make=False).end(name), as_json=as_json)


def _password(*, repeat: bool) -> str:
    """The password that is typed, or the first line of standard input; arguments are seen by others."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    import getpass

    typed = getpass.getpass("Password: ")
    if repeat and getpass.getpass("The same again: ") != typed:
        raise typer.BadParameter("the two passwords differ: type the same one twice")
    return typed


def _told(verb: str, account: "Account", *, as_json: bool) -> None:
    if as_json:
        say_result(f"web account {verb}", _shown(account))
        return
    said = {
        "create": f"the account is made; it may what the file of --accounts gives {account.name!r}",
        "password": "the password is changed; sessions of the account have ended",
        "end": "the account has ended; nobody can log in with it any more",
    }
    say(printable(said[verb]))


def _shown(account: "Account") -> dict[str, object]:
    return {
        "name": account.name, "login": "provider" if account.is_by_provider else "password",
        "created": account.created_at.isoformat(),
        "ended": None if account.ended_at is None else account.ended_at.isoformat(),
        "last_login": None if account.last_login is None else account.last_login.isoformat(),
    }  # fmt: skip


def accounts_at(place: Path, *, make: bool = True) -> "Accounts":
    from pseudonymizer.desk.accounts import Accounts
    from pseudonymizer.desk.store import DeskStore

    return Accounts(DeskStore.open(place, make=make))


# -- what a front offers to whom -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offered:
    """a_minute: requests of one account. accounts: what accounts may; None: there are none."""

    a_minute: int
    presidio: bool
    accounts: "RoleMap | None"


def read_accounts(place: Path | None) -> "RoleMap | None":
    if place is None:
        return None
    from pseudonymizer.desk.role_map import read_role_map

    return read_role_map(place)


def client_secret(accounts: "RoleMap | None") -> str | None:
    """The secret of this service at the provider of its accounts."""
    if accounts is None or accounts.oidc is None or accounts.oidc.client_secret_file is None:
        return None
    try:
        return Path(accounts.oidc.client_secret_file).read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError):
        raise typer.BadParameter(
            "client_secret_file of [oidc] cannot be read; name a file whose first line is the secret",
            param_hint="--accounts",
        ) from None


def is_this_machine(host: str) -> bool:
    """Whether what listens there is reached from this machine alone."""
    from pseudonymizer.desk.role_map import is_loopback

    return host == "" or is_loopback(host)


def refuse_open_door(host: str, public_url: str | None, tokens: "Tokens", accounts: "RoleMap | None") -> None:
    """Raises BadParameter for an address that others reach while nobody could prove who they are."""
    if is_this_machine(host):
        return
    if accounts is None and not any(token.is_alive(tokens.clock()) for token in tokens.all()):
        raise typer.BadParameter(
            "others reach this address, and there is no token with which they could prove who they are: make "
            "one with `nymlink web token create`, name accounts with --accounts, or listen at 127.0.0.1",
            param_hint="--listen",
        )
    if accounts is not None and not (public_url or "").startswith("https://"):
        raise typer.BadParameter(
            "accounts log in by TLS alone: put a proxy with TLS before the front, and say here by which "
            "https:// address people reach it",
            param_hint="--public-url",
        )
    if public_url is None and host in _EVERYWHERE:
        raise typer.BadParameter("say by which address callers reach it", param_hint="--public-url")
