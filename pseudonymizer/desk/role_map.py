"""Who may do what in which project, as a file says: by account or by group of a provider. What no line of it
gives, nobody has; and the vault decides by its own roles, too.
"""

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from pseudonymizer.errors import SettingsError
from pseudonymizer.policy import MATRIX, Role, Verb

EVERY_PROJECT: Final = "*"
_Text = Annotated[str, Meta(min_length=1, max_length=500)]


class Allowed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the map. account or group: whom it is about, and not both. projects: names, or
    EVERY_PROJECT.
    """

    roles: Annotated[tuple[Role, ...], Meta(min_length=1)]
    projects: Annotated[tuple[_Text, ...], Meta(min_length=1)]
    account: _Text | None = None
    group: _Text | None = None


class Provider(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A provider of OpenID Connect.

    issuer: its address, as its tokens say it. client_secret_file: a file whose first line is the secret;
    None: a public client, with PKCE alone. groups_claim: the claim of a token that lists groups. name_claim:
    the one that names the account in the trail; people must not be able to change it themselves.
    """

    issuer: _Text
    client_id: _Text
    client_secret_file: _Text | None = None
    scopes: tuple[_Text, ...] = ("openid", "profile")
    groups_claim: _Text = "groups"
    name_claim: _Text = "sub"


@dataclass(frozen=True, slots=True)
class Right:
    """Verbs that somebody may use in a project. project: None: in every one."""

    project: str | None
    verbs: frozenset[Verb]


class RoleMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """allow: the lines. oidc: None where people log in by passwords."""

    allow: tuple[Allowed, ...]
    oidc: Provider | None = None

    def rights(self, account: str, groups: Collection[str] = ()) -> tuple[Right, ...]:
        """The rights of an account with these groups: in every project first, then by names of projects."""
        mine = [one for one in self.allow if one.account == account or (one.group and one.group in groups)]
        projects = sorted({project for one in mine for project in one.projects if project != EVERY_PROJECT})
        rights = []
        for project in (EVERY_PROJECT, *projects):
            roles = {
                role for one in mine if {project, EVERY_PROJECT} & set(one.projects) for role in one.roles
            }
            verbs = frozenset[Verb]().union(*(MATRIX[role] for role in roles))
            if verbs:
                rights.append(Right(None if project == EVERY_PROJECT else project, verbs))
        return tuple(rights)


def read_role_map(place: Path) -> RoleMap:
    """The map of a file (TOML).

    Raises:
        SettingsError: the file cannot be read, or says something else than a map.
    """
    try:
        found = msgspec.toml.decode(place.read_bytes(), type=RoleMap)
    except OSError:
        raise SettingsError("the file of accounts cannot be read; --accounts names it") from None
    except msgspec.DecodeError as error:
        raise SettingsError(f"the file of accounts cannot be used: {_where(error)}") from None
    for number, one in enumerate(found.allow, start=1):
        if (one.account is None) == (one.group is None):
            raise SettingsError(f"line {number} of [[allow]] names an account or a group, and not both")
        if one.group is not None and found.oidc is None:
            raise SettingsError(
                f"line {number} of [[allow]] names a group, and there is no [oidc] that tells groups"
            )
    if found.oidc is not None and not is_safe_address(found.oidc.issuer):
        raise SettingsError("the issuer of [oidc] is an address that begins with https://")
    return found


def is_safe_address(url: str) -> bool:
    """Whether what is sent to an address cannot be read on its way: by TLS, or inside this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme == "http":
        return is_loopback(host)
    return parts.scheme == "https" and host != ""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _where(error: msgspec.DecodeError) -> str:
    """The place that is wrong; values of the file are names of accounts, which nobody is told."""
    if isinstance(error, msgspec.ValidationError):
        _, _, place = str(error).rpartition(" - at ")
        return f"the value at {place.strip('`$.') or 'the top'} is unknown, of another type or missing"
    return "it is no TOML"
