"""web: the service that programs call and people open, with its API tokens and accounts."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pseudonymizer.cli import options, web_accounts, web_tokens
from pseudonymizer.cli.saying import say
from pseudonymizer.cli.web_accounts import (
    Offered,
    client_secret,
    is_this_machine,
    read_accounts,
    refuse_open_door,
)
from pseudonymizer.cli.web_tokens import Desk, desk_place, tokens_at

if TYPE_CHECKING:
    from pseudonymizer.desk.engine import EngineSettings, KeptWorkspaces, OpenVault
    from pseudonymizer.web.settings import FrontSettings

_MOST_WORKERS: Final = 2  # of one model; more of them wait for memory more than they work
_ANY_PORT: Final = 0

Projects = Annotated[
    list[str] | None,
    typer.Option(
        "--project",
        metavar="NAME",
        help="A project that is made with its first text. May be given several times; the first one is meant "
        "where a request names none.",
    ),
]
Listen = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Where the front listens; else an address of this machine alone."),
]
PublicUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The address that callers use, where a proxy stands before the front."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, metavar="N", help="Processes that treat texts; else one a core, at most 2."
    ),
]
Rate = Annotated[
    int, typer.Option("--requests-a-minute", min=1, metavar="N", help="Requests that one account may send.")
]
SocketPlace = Annotated[
    Path, typer.Option("--socket", metavar="PATH", help="The socket between front and engine.")
]

WorkspacePlace = Annotated[
    Path | None,
    typer.Option(
        "--workspaces", metavar="DIR",
        help="Where files of workspaces lie, sealed; else vault.workspaces beside vault.db.",
    ),
]  # fmt: skip
WorkPlace = Annotated[
    Path | None,
    typer.Option("--work-folder", metavar="DIR", help="Where runs work, in memory (tmpfs); else found."),
]
UnsealedWork = Annotated[
    bool, typer.Option("--unsealed-work", help="Runs may work on a disk, where texts lie in plain meanwhile.")
]

AccountsFile = Annotated[
    Path | None,
    typer.Option(
        "--accounts", metavar="FILE",
        help="Several people use it: a file (TOML) with what each account or group may (docs/web.md).",
    ),
]  # fmt: skip

Presidio = Annotated[
    bool, typer.Option("--presidio", help="Serve the routes of Presidio's services, too, below /presidio.")
]

_web = typer.Typer(
    help="A service that programs call and people open in a browser, its tokens and accounts.",
    epilog="Example: nymlink web --vault vault.db --key-file kek.key --project study-12",
    rich_markup_mode=None,
)


def add_to(app: typer.Typer) -> None:
    _web.callback(invoke_without_command=True)(web)
    for verb in (engine, front):
        _web.command()(verb)
    web_tokens.add_to(_web)
    web_accounts.add_to(_web)
    app.add_typer(_web, name="web")


def web(
    context: typer.Context,
    *,
    vault: Annotated[
        str | None,
        typer.Option("--vault", metavar="VAULT", envvar="NYMLINK_VAULT", help="As of `nymlink run`."),
    ] = None,
    project: Projects = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    listen: Listen = None,
    public_url: PublicUrl = None,
    desk: Desk = None,
    workspaces: WorkspacePlace = None,
    work_folder: WorkPlace = None,
    unsealed_work: UnsealedWork = False,
    workers: Workers = None,
    requests_a_minute: Rate = 120,
    presidio: Presidio = False,
    accounts: AccountsFile = None,
    settings: options.SettingsFile = None,
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.INFO,
) -> None:
    """Serve the API at an address of this machine alone: a front, and an engine with models and vault."""
    if context.invoked_subcommand is not None:
        return
    if vault is None:
        raise typer.BadParameter("nymlink web needs a vault", param_hint="--vault")
    from pseudonymizer.desk.supervising import listening, private_folder, spawned

    options.start_logging(log_level)
    place = desk_place(vault, desk)
    host, port = _address(listen)
    offered = Offered(requests_a_minute, presidio, read_accounts(accounts))
    refuse_open_door(host, public_url, tokens_at(place), offered.accounts)
    kept = _Kept(workspaces, work_folder, unsealed_work)
    made = _engine_settings(vault, tuple(project or ()), (key_file, keys, actor), settings, kept)
    with private_folder() as folder:
        socket = folder / "engine.sock"
        told = _front_settings(socket, place, (host, port), public_url, offered, log_level)

        def start_front(life: int) -> int:
            import msgspec

            is_local = offered.accounts is None and is_this_machine(host)
            local = _local_actor(actor) if is_local else None
            given = msgspec.structs.replace(told, life=life, local_actor=local)
            return spawned(["-m", "pseudonymizer.web.front"], life, msgspec.json.encode(given))

        _run_engine(made, workers, lambda: listening(socket), start_front)


def engine(
    *,
    vault: options.VaultUrl,
    socket: SocketPlace,
    project: Projects = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    workspaces: WorkspacePlace = None,
    work_folder: WorkPlace = None,
    unsealed_work: UnsealedWork = False,
    workers: Workers = None,
    settings: options.SettingsFile = None,
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.INFO,
) -> None:
    """The engine alone, for a front that runs elsewhere on this machine; it needs no network."""
    from pseudonymizer.desk.supervising import check_place, listening

    options.start_logging(log_level)
    check_place(socket)
    kept = _Kept(workspaces, work_folder, unsealed_work)
    made = _engine_settings(vault, tuple(project or ()), (key_file, keys, actor), settings, kept)
    _run_engine(made, workers, lambda: listening(socket), None)


def front(
    *,
    socket: SocketPlace,
    desk: Annotated[Path, typer.Option("--desk", metavar="FILE", help="Where tokens are kept.")],
    listen: Listen = None,
    public_url: PublicUrl = None,
    requests_a_minute: Rate = 120,
    presidio: Presidio = False,
    accounts: AccountsFile = None,
    log_level: options.Level = options.LogLevel.INFO,
) -> None:
    """The front alone, for an engine that runs elsewhere on this machine; it takes tokens and accounts."""
    import msgspec

    from pseudonymizer.desk.supervising import become

    host, port = _address(listen)
    offered = Offered(requests_a_minute, presidio, read_accounts(accounts))
    refuse_open_door(host, public_url, tokens_at(desk, make=False), offered.accounts)
    told = _front_settings(socket, desk, (host, port), public_url, offered, log_level)
    status = become(["-m", "pseudonymizer.web.front"], msgspec.json.encode(told))
    raise typer.Exit(status)


def _address(listen: str | None) -> tuple[str, int]:
    """(host, port) of HOST:PORT; ("", 0): an address of this machine alone, and a port that is free."""
    if listen is None:
        return "", _ANY_PORT
    host, colon, port = listen.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise typer.BadParameter("give an address and a port, such as 127.0.0.1:8650", param_hint="--listen")
    return host.strip("[]"), int(port)


def _front_settings(
    socket: Path,
    desk: Path,
    address: tuple[str, int],
    public_url: str | None,
    offered: Offered,
    log_level: options.LogLevel,
) -> "FrontSettings":
    try:
        from pseudonymizer.web.settings import FrontSettings, Limits
    except ImportError:
        raise typer.BadParameter("nymlink web needs the extra: pip install 'nymlink[web]'") from None
    return FrontSettings(
        os.fspath(socket.absolute()), os.fspath(desk.absolute()), *address, public_url=public_url,
        limits=Limits(a_minute=offered.a_minute), log_level=log_level.value.upper(),
        presidio=offered.presidio, accounts=offered.accounts, client_secret=client_secret(offered.accounts),
    )  # fmt: skip


def _local_actor(actor: str | None) -> str:
    """The name in the vault's trail of who started the service."""
    from pseudonymizer.service.callers import user_name

    return actor or user_name(os.getuid())


@dataclass(frozen=True, slots=True)
class _Kept:
    """Where workspaces lie, and where runs work."""

    workspaces: Path | None
    work_folder: Path | None
    unsealed: bool

    def made(self, vault: str) -> "KeptWorkspaces | None":
        """The workspaces of the service; None where a vault that is no file has no place beside it."""
        from pseudonymizer.desk.engine import KeptWorkspaces
        from pseudonymizer.desk.job_runner import RunPlace
        from pseudonymizer.desk.jobs import JobBell
        from pseudonymizer.desk.store import DeskStore, vault_file
        from pseudonymizer.desk.workspaces import WorkspaceStore

        beside = vault_file(vault)
        place = self.workspaces
        if place is None and beside is not None:
            place = beside.with_name(beside.name.removesuffix(".db") + ".workspaces")
        if place is None:
            return None
        place.mkdir(mode=0o700, exist_ok=True)
        return KeptWorkspaces(
            WorkspaceStore(DeskStore.open(place / "workspaces.db"), place),
            RunPlace(self.work_folder, self.unsealed), JobBell(),
        )  # fmt: skip


def _engine_settings(
    vault: str,
    projects: tuple[str, ...],
    key: tuple[Path | None, str | None, str | None],
    settings: Path | None,
    kept: _Kept,
) -> "Callable[[], EngineSettings]":
    """What makes the settings of an engine, in each process anew over models that are loaded once.

    key: key file, key store and actor.
    """
    from pseudonymizer.desk.engine import EngineSettings
    from pseudonymizer.desk.models import Models
    from pseudonymizer.desk.text_options import ServiceSettings
    from pseudonymizer.desk.texts import TextDesk
    from pseudonymizer.formats import FormatOptions

    told = options.read_settings(settings)
    load = cache(options.pipeline_loader(told.linkage))
    service = ServiceSettings(
        told.linkage, told.pseudonyms, told.treatments,
        FormatOptions(own=told.linkage.own, column_kinds=told.tables.kinds, **told.files.bounds),
        tuple(options.registered_people(told.linkage)),
    )  # fmt: skip
    models, open_vault = Models(load), _vault_opener(vault, *key)
    workspaces = kept.made(vault)

    def made() -> EngineSettings:
        texts = TextDesk(service, models, projects)
        return EngineSettings(
            texts, open_vault, projects, told.linkage.recognition.language, texts.warm_up, workspaces
        )

    return made


def _vault_opener(vault: str, key_file: Path | None, keys: str | None, actor: str | None) -> "OpenVault":
    """What opens the vault in the name of an actor; the key is asked for once, and opened once."""
    from pseudonymizer.desk.records import WEB
    from pseudonymizer.service.server import HeldKey
    from pseudonymizer.vault import Vault
    from pseudonymizer.vault.known import KnownPeople
    from pseudonymizer.vault.remote.connection import is_service

    if is_service(vault):
        if key_file is not None or keys is not None or actor is not None:
            raise typer.BadParameter(
                "a vault service has the key and knows the caller: leave out --key-file, --keys and --actor"
            )
        return lambda name: Vault.connect(vault, acting_for=name if name.startswith(WEB) else "")
    held, known, head = HeldKey(options.key_provider(key_file)), KnownPeople(), options.head_file()
    with Vault.open(vault, held, keys_url=keys, actor=actor, head=head):
        pass  # a wrong key or a vault that is not there is told now

    def opened(name: str) -> Vault:
        made = Vault.open(vault, held, keys_url=keys, actor=name, head=head)
        made.share_known(known)
        return made

    return opened


def _run_engine(
    made: "Callable[[], EngineSettings]",
    workers: int | None,
    listen: "Callable[[], object]",
    start_front: "Callable[[int], int] | None",
) -> None:
    from pseudonymizer.desk.engine import Engine
    from pseudonymizer.desk.models import import_trees_alone
    from pseudonymizer.desk.supervising import Supervisor

    def load() -> None:
        import_trees_alone()
        settings.warm_up()

    count = workers or min(_MOST_WORKERS, os.cpu_count() or 1)
    settings = made()
    ended = Supervisor(
        lambda: Engine(made()), count, start_front, does_jobs=settings.workspaces is not None
    ).run(load, listen)  # type: ignore[arg-type]
    if not ended.by_signal:
        say(f"nymlink: {ended.reason}", err=True)
        raise typer.Exit(1)
