"""request, approve, deny, grant, requests: names for whom others agree to it."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.choosing import find_inputs
from pseudonymizer.cli.json_shape import say_items, say_result
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from pseudonymizer.records import AccessRequest

_requests = typer.Typer(
    help="Requests for names: which there are, and how they stand.", no_args_is_help=True,
    rich_markup_mode=None,
)  # fmt: skip
_RequestId = Annotated[int, typer.Argument(metavar="REQUEST", help="Its number; see requests list.")]


def add_to(app: typer.Typer) -> None:
    for verb in (request, approve, deny, grant):
        app.command()(verb)
    _requests.command("list")(list_requests)
    _requests.command("show")(show)
    _requests.command("withdraw")(withdraw)
    app.add_typer(_requests, name="requests")


def request(
    pseudonyms: Annotated[
        list[str] | None,
        typer.Argument(metavar="PSEUDONYM", help="As it stands in the texts, such as PERSOON-7KQM3."),
    ] = None,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--restore", metavar="INPUT", help="Files or folders to restore, in place of pseudonyms."
        ),
    ] = None,
    link_with: Annotated[
        str | None, typer.Option(metavar="NAME", help="A project to link with, in place of pseudonyms.")
    ] = None,
    legal_basis: Annotated[str, typer.Option(metavar="TEXT", help="Such as GDPR art. 6(1)(c).")] = "",
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Ask for the names behind pseudonyms, for files to restore, or for links with another project; others
    approve.
    """
    from pseudonymizer import crosslinks, reidentification

    if sum(map(bool, (pseudonyms, files, link_with))) != 1:
        raise typer.BadParameter("give pseudonyms, or --restore, or --link-with")
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        if pseudonyms:
            asked = reidentification.request(
                opened, project=project, pseudonyms=pseudonyms, purpose=purpose, legal_basis=legal_basis,
                ticket=ticket,
            )  # fmt: skip
        elif files:
            from pseudonymizer.engine.sources import read_file

            outputs = [read_file(source.path) for source in find_inputs(files)]
            asked = reidentification.request_restore(
                opened, project=project, outputs=outputs, purpose=purpose, legal_basis=legal_basis,
                ticket=ticket,
            )  # fmt: skip
        else:
            asked = crosslinks.request_link(
                opened, project=project, other=str(link_with), purpose=purpose, legal_basis=legal_basis,
                ticket=ticket,
            )  # fmt: skip
    state = asked.standing(datetime.now(UTC))
    shown = {"request": asked.request_id, "state": state, "approvals_needed": asked.approvals_needed}
    if as_json:
        say_result("request", shown)
    else:
        say(f"request {asked.request_id}: {state}, {_approvals(asked)}")


def approve(
    request_id: _RequestId,
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Approve somebody's request."""
    from pseudonymizer import reidentification

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        asked = reidentification.approve(opened, request_id)
    _tell("approve", asked, as_json=as_json)


def deny(
    request_id: _RequestId,
    *,
    vault: options.VaultUrl,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, for whoever asked; it is on record.")
    ] = "",
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Deny somebody's request, approved or not: a grant of it that was not used is worth nothing."""
    from pseudonymizer import reidentification

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        asked = reidentification.deny(opened, request_id, reason=reason)
    _tell("deny", asked, as_json=as_json)


def grant(
    request_id: _RequestId,
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
) -> None:
    """The grant of an approved request: give it to reveal as --grant; it works once, and not for long."""
    from pseudonymizer import reidentification

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        say(reidentification.grant(opened, request_id))


def list_requests(
    *,
    vault: options.VaultUrl,
    project: options.AnyProject = None,
    waiting: Annotated[
        bool, typer.Option("--waiting", help="Only those that wait for an approval or for their grant.")
    ] = False,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Requests as they stand: number, state, requester, project, what for, approvals, pseudonyms, purpose.

    An approver or auditor sees all, a requester the own ones.
    """
    from pseudonymizer import reidentification
    from pseudonymizer.records import RequestState

    now = datetime.now(UTC)
    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = reidentification.requests(opened, project)
    wanted = [
        asked
        for asked in found
        if not waiting or asked.standing(now) in (RequestState.OPEN, RequestState.APPROVED)
    ]
    if as_json:
        say_items("requests list", [_row(asked, now) for asked in wanted])
        return
    if not wanted:
        say("no requests" if not waiting else "no requests that wait", err=True)
    for asked in wanted:
        row = _row(asked, now)
        cells = (
            row["request"], row["state"], row["requester"], row["project"], row["action"],
            _approvals(asked), f"{len(asked.labels):,} pseudonyms", row["purpose"],
        )  # fmt: skip
        say("\t".join(printable(str(cell)) for cell in cells))


def show(
    request_id: _RequestId,
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """All of one request: who asks, what for, on what basis, for which pseudonyms, and how it stands."""
    from pseudonymizer import reidentification
    from pseudonymizer.errors import GrantInvalidError

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        found = [asked for asked in reidentification.requests(opened) if asked.request_id == request_id]
    if not found:
        raise GrantInvalidError(
            f"there is no request {request_id} that you may see; `nymlink requests list` shows those"
        )
    row = _row(found[0], datetime.now(UTC)) | {"subjects": list(found[0].labels)}
    if as_json:
        say_result("requests show", row)
        return
    for name, value in row.items():
        told = ", ".join(value) if isinstance(value, list) else str(value)
        say(f"{name}\t{printable(told)}")


def withdraw(
    request_id: _RequestId,
    *,
    vault: options.VaultUrl,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    as_json: options.AsJson = False,
) -> None:
    """Take back a request of your own that was not used yet."""
    from pseudonymizer import reidentification

    with options.vault_opener(vault, key_file, keys, actor)() as opened:
        asked = reidentification.withdraw(opened, request_id)
    _tell("requests withdraw", asked, as_json=as_json)


def _approvals(asked: "AccessRequest") -> str:
    return f"{len(asked.approvers)} of {asked.approvals_needed} approvals"


def _tell(verb: str, asked: "AccessRequest", *, as_json: bool) -> None:
    state = asked.standing(datetime.now(UTC))
    shown = {"request": asked.request_id, "state": state, "approvals": len(asked.approvers)}
    if as_json:
        say_result(verb, shown)
    else:
        say(f"request {asked.request_id}: {state}, {_approvals(asked)}")


def _row(asked: "AccessRequest", now: datetime) -> dict[str, object]:
    return {
        "request": asked.request_id, "state": str(asked.standing(now)), "requester": asked.actor,
        "project": asked.project, "action": asked.action, "approvals": list(asked.approvers),
        "approvals_needed": asked.approvals_needed, "pseudonyms": len(asked.labels),
        "purpose": asked.purpose, "legal_basis": asked.legal_basis, "ticket": asked.ticket,
        "expires_at": asked.expires_at.isoformat(), "denied_for": asked.denied_for,
    }  # fmt: skip
