"""What a vault is opened with besides its address and its key: who, at what time, with what randomness."""

import getpass
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self, TypedDict, Unpack

from pseudonymizer.crypto import Entropy

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def os_user() -> str:
    """The operating-system user, by default the actor of everything."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"


class Options(TypedDict, total=False):
    """Keywords of Vault.create and Vault.open. keys_url: the key store, where it is not beside the vault.
    head: a file outside, in which the end of the trail is kept.
    """

    keys_url: str | Path | None
    actor: str | None
    clock: Clock
    entropy: Entropy
    head: Path | None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The keywords of Vault.create and Vault.open, with what was left out filled in."""

    keys_url: str | Path | None
    actor: str
    clock: Clock
    entropy: Entropy
    head: Path | None = None

    @classmethod
    def of(cls, **given: Unpack[Options]) -> Self:
        return cls(
            given.get("keys_url"), given.get("actor") or os_user(), given.get("clock", utc_now),
            given.get("entropy", os.urandom), given.get("head"),
        )  # fmt: skip
