"""Who calls a vault service: the user that the kernel tells, or an account for which the web front speaks."""

import grp
import pwd
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from pseudonymizer.errors import AccessRefusedError, ServiceError
from pseudonymizer.vault.access import MOST_ACTOR

WEB: Final = "web:"  # how the actor of an account begins; no user of a system has a colon in his name
_USUAL_OVERFLOW: Final = 65_534
_EVERY_USER: Final = (1 << 32) - 1  # ids that a namespace without a map of its own has
_KERNEL: Final = Path("/proc/sys/kernel/overflowuid")
_MAP: Final = Path("/proc/self/uid_map")


@dataclass(frozen=True, slots=True)
class UserIds:
    """Which users of the machine this process can tell apart.

    overflow: the id that the kernel gives for every user whom the namespace of this process lacks. ranges:
    (first id, number of ids) that the namespace has.
    """

    overflow: int
    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of_this_process(cls) -> Self:
        """As the kernel says; without /proc as on a machine without namespaces."""
        try:
            overflow = int(_KERNEL.read_text(encoding="ascii"))
            lines = [line.split() for line in _MAP.read_text(encoding="ascii").splitlines()]
            return cls(overflow, tuple((int(first), int(count)) for first, _, count in lines))
        except (OSError, ValueError):
            return cls(_USUAL_OVERFLOW, ((0, _EVERY_USER),))

    @property
    def are_all(self) -> bool:
        """Whether every user of the machine has an id of his own here."""
        return sum(count for _, count in self.ranges) >= _EVERY_USER

    def tell(self, user: int) -> bool:
        """Whether this id is one user's, and not that of everybody whom the namespace lacks."""
        if self.are_all:
            return True
        return user != self.overflow and any(first <= user < first + count for first, count in self.ranges)


def user_name(user_id: int) -> str:
    """The actor that a user of the operating system is; never that of an account."""
    try:
        name = pwd.getpwuid(user_id).pw_name
    except KeyError:
        return f"uid-{user_id}"
    return f"uid-{user_id}" if name.startswith(WEB) else name


def front_user(named: str, ids: UserIds | None = None) -> int:
    """The id of the user as whom the web front runs, of his name or his number.

    Raises:
        ServiceError: there is none, or this process could not tell him from others.
    """
    known = ids or UserIds.of_this_process()
    try:
        user = pwd.getpwnam(named).pw_uid
    except KeyError:
        if not (named.isascii() and named.isdecimal() and len(named) <= 10):
            raise ServiceError("--front-user: there is no user of this name on this system") from None
        user = int(named)
    if not known.tell(user):
        raise ServiceError(
            f"--front-user: user {user} cannot be told from others here. This process runs in a user "
            f"namespace that does not have every user of the machine, and the kernel gives {known.overflow} "
            "for all whom it lacks, so that others could pass for the front. Run the vault service outside "
            "the namespace, or map the front's user into it"
        )
    return user


def group_id(name: str) -> int:
    """The id of a group of the system. Raises ServiceError."""
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError:
        raise ServiceError("there is no group of this name on this system") from None


@dataclass(frozen=True, slots=True)
class Callers:
    """Who may connect, and who they are.

    group: a group of the system whose members may, beside the service's own user. actor_of: the actor that a
    user id is. front: the user who may speak for accounts. ids: see UserIds.
    """

    group: str | None = None
    actor_of: Callable[[int], str] = user_name
    front: int | None = None
    ids: UserIds | None = None

    def actor(self, user: int, acting_for: str) -> str:
        """The actor whose roles count: the user himself, or the account for which the front speaks.

        Raises:
            ServiceError: the user cannot be told from others.
            AccessRefusedError: the user may not speak for others, or not for such a one.
        """
        known = self.ids or UserIds.of_this_process()
        if not known.tell(user):
            raise ServiceError(
                f"the vault service cannot tell who you are: it runs in a user namespace that lacks your "
                f"user, and the kernel gives {known.overflow} for all such users"
            )
        if not acting_for:
            return self.actor_of(user)
        if self.front is None or user != self.front:
            raise AccessRefusedError(
                "only the user that `nymlink vault serve --front-user` names speaks for accounts"
            )
        account = acting_for.removeprefix(WEB)
        if not acting_for.startswith(WEB) or not account.strip() or not acting_for.isprintable():
            raise AccessRefusedError(f"the front speaks for accounts alone, whose names begin with {WEB}")
        if len(acting_for) > MOST_ACTOR:
            raise AccessRefusedError(f"the name of an account has at most {MOST_ACTOR} characters")
        return acting_for
