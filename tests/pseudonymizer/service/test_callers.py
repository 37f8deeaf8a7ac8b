"""Who calls: the kernel's user, or an account for which the web front speaks; nobody else for anybody."""

import os
import pwd
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.errors import AccessRefusedError, ServiceError
from pseudonymizer.policy import Role
from pseudonymizer.service.admission import Connections, Shares
from pseudonymizer.service.callers import Callers, UserIds, front_user, user_name
from pseudonymizer.service.server import Limits
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.remote.client import VaultClient
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.service.test_server import Served, filled, running

ALL = UserIds(65_534, ((0, 4_294_967_295),))
CONTAINER = UserIds(65_534, ((0, 65_536),))  # as rootless containers have it: 65534 is everybody else
SMALL = UserIds(65_534, ((0, 1), (1000, 1)))
ME = os.getuid()


def test_a_user_that_the_namespace_lacks_cannot_be_told() -> None:
    assert ALL.tell(65_534)
    assert ALL.tell(998)
    assert CONTAINER.tell(998)
    assert not CONTAINER.tell(65_534)
    assert SMALL.tell(1000)
    assert not SMALL.tell(998)


def test_this_machine_is_read_from_the_kernel() -> None:
    found = UserIds.of_this_process()
    assert found.overflow > 0
    assert found.tell(ME)


def test_the_front_is_a_user_of_the_system_who_can_be_told_from_others() -> None:
    assert front_user("root", ALL) == pwd.getpwnam("root").pw_uid
    assert front_user("998", ALL) == 998
    for unknown in ("nobody-of-this-name", "-1", "1e3", "99999999999"):
        with pytest.raises(ServiceError, match="no user of this name"):
            front_user(unknown, ALL)
    with pytest.raises(ServiceError, match="user namespace"):
        front_user("998", SMALL)
    with pytest.raises(ServiceError, match="gives 65534 for all whom it lacks"):
        front_user("65534", CONTAINER)


def test_a_caller_who_cannot_be_told_is_refused() -> None:
    callers = Callers(front=65_534, ids=CONTAINER)
    for acting_for in ("", "web:anna"):
        with pytest.raises(ServiceError, match="cannot tell who you are"):
            callers.actor(65_534, acting_for)


def test_only_the_front_speaks_and_only_for_accounts() -> None:
    callers = Callers(actor_of=lambda user: f"os-{user}", front=998, ids=ALL)
    assert callers.actor(998, "") == "os-998"
    assert callers.actor(997, "") == "os-997"
    assert callers.actor(998, "web:https://inlog.nl/a b#é") == "web:https://inlog.nl/a b#é"
    for strange in ("root", "kim", "web", "web:", "web: ", "WEB:anna", " web:anna", "web:a\nb", "web:a\0"):
        with pytest.raises(AccessRefusedError, match="for accounts alone"):
            callers.actor(998, strange)
    with pytest.raises(AccessRefusedError, match="at most 200"):
        callers.actor(998, "web:" + "a" * 197)
    for user, of in ((997, callers), (998, Callers(ids=ALL))):
        with pytest.raises(AccessRefusedError, match="only the user"):
            of.actor(user, "web:anna")


def test_no_user_of_the_system_is_taken_for_an_account(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = pwd.struct_passwd(("web:anna", "x", 4242, 4242, "", "/", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda _: entry)
    assert user_name(4242) == "uid-4242"


def test_the_front_has_more_connections_and_leaves_the_others_theirs() -> None:
    shares = Shares(most=32 + 24, most_a_user=8, kept_free=8, front=998, most_of_front=24)
    connections = Connections(shares)
    made = [socket.socket(socket.AF_UNIX) for _ in range(99)]
    try:
        sockets = iter(made)
        assert [connections.admit(next(sockets), 998, 0.0)[0] for _ in range(25)] == [True] * 24 + [False]
        others = [connections.admit(next(sockets), user, 0.0)[0] for user in (1, 2, 3) for _ in range(9)]
        assert others == ([True] * 8 + [False]) * 3
    finally:
        for one in made:
            one.close()


# -- over the socket -----------------------------------------------------------------------------------------


def speaking(place: VaultPlace, front: int | None) -> Iterator[Served]:
    filled(place)
    with place.open("boss") as vault:
        give_role(vault, "web:anna", Role.ANALYST)
        give_role(vault, "web:aud", Role.AUDITOR)
        vault.commit()
    callers = Callers(actor_of=lambda _: "webuser", front=front, ids=ALL)
    with running(place, callers=callers, limits=Limits(most_a_user=2, most_of_front=5)) as served:
        yield served


@pytest.fixture
def served(sqlite_place: VaultPlace) -> Iterator[Served]:
    yield from speaking(sqlite_place, ME)


@pytest.fixture
def without_front(sqlite_place: VaultPlace) -> Iterator[Served]:
    yield from speaking(sqlite_place, None)


def client_of(served: Served, acting_for: str) -> VaultClient:
    return Vault.connect(f"unix://{served.socket}", acting_for=acting_for)


def test_an_account_has_its_own_roles_and_the_trail_has_it_with_the_front(served: Served) -> None:
    with client_of(served, "web:anna") as client:
        assert (client.status.actor, client.status.roles) == ("web:anna", ("analyst",))
        client.literal_label("p", "P1-XXXX")
        with pytest.raises(AccessRefusedError):
            list(client.audit_events())
    with client_of(served, "web:aud") as client:
        events = list(client.audit_events())
        assert client.verify_audit() == len(events)
    of_anna = [event for event in events if event.actor == "web:anna"]
    assert {event.outcome for event in of_anna} >= {"done", "refused:role"}
    assert {event.counts["via"] for event in of_anna} == {ME}
    assert all("via" not in event.counts for event in events if event.actor == "boss")


def test_an_account_without_a_role_has_none_though_the_user_of_the_front_has(served: Served) -> None:
    with served.place.open("boss") as vault:
        give_role(vault, "webuser", Role.KEYADMIN)
        vault.commit()
    with client_of(served, "web:nieuw") as client:
        assert client.status.roles == ()
        with pytest.raises(AccessRefusedError):
            client.verify()


@pytest.mark.parametrize("named", ["kim", "root", "dpo", "web:"])
def test_the_front_cannot_name_a_user_of_the_system(served: Served, named: str) -> None:
    with pytest.raises(AccessRefusedError):
        client_of(served, named)
    with served.place.open("boss") as vault:
        event = list(vault.trail.events())[-1]
    assert (event.actor, event.action, event.outcome) == ("webuser", "acting-for", "refused:front")


def test_without_a_front_nobody_speaks_for_accounts(without_front: Served) -> None:
    with pytest.raises(AccessRefusedError, match="--front-user"):
        client_of(without_front, "web:anna")
    with client_of(without_front, "") as client:
        assert client.status.actor == "webuser"


def test_a_connection_that_was_ended_is_made_again_for_the_same_account(served: Served) -> None:
    with client_of(served, "web:anna") as client:
        client._connection.close()
        client._connection = ended()
        assert client.projects() == ("p",)
        assert client.status.actor == "web:anna"


def test_a_service_that_was_away_for_some_calls_is_found_again(served: Served) -> None:
    with client_of(served, "web:anna") as client:
        client._connection.close()
        client._connection = ended()
        address, client._address = client._address, served.socket.with_name("away.sock")
        for _ in range(2):
            with pytest.raises(ServiceError):
                client.projects()
        client._address = address
        assert client.projects() == ("p",)


def ended() -> socket.socket:
    """A socket of which the other side has closed its end."""
    left, right = socket.socketpair()
    right.close()
    return left


def test_the_front_has_more_connections_than_others(served: Served) -> None:
    clients = [client_of(served, "web:anna") for _ in range(5)]
    try:
        with pytest.raises(ServiceError, match="too many"):
            client_of(served, "web:anna")
    finally:
        for client in clients:
            client.close()


AS_FRONT = """
import os, sys
from pseudonymizer.vault.remote.client import VaultClient
os.setgroups([]), os.setgid(65534), os.setuid(65534)
try:
    with VaultClient.connect(sys.argv[1], acting_for=sys.argv[2]) as client:
        print(client.status.actor, *client.status.roles)
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(
    os.getuid() != 0 or not UserIds.of_this_process().are_all, reason="only root, outside a namespace"
)
@pytest.mark.parametrize(
    ("front", "acting_for", "said"),
    [
        (65_534, "web:anna", "web:anna analyst"), (65_534, "root", "AccessRefusedError"),
        (0, "web:anna", "AccessRefusedError"), (None, "web:anna", "AccessRefusedError"),
    ],
)  # fmt: skip
def test_another_user_of_the_system_speaks_for_accounts_only_as_the_front(
    sqlite_place: VaultPlace, front: int | None, acting_for: str, said: str
) -> None:
    filled(sqlite_place)
    with sqlite_place.open("boss") as vault:
        give_role(vault, "web:anna", Role.ANALYST)
        vault.commit()
    with tempfile.TemporaryDirectory(prefix="nym") as folder:
        Path(folder).chmod(0o711)
        served = Served(sqlite_place, Path(folder), callers=Callers("nogroup", front=front))
        served.thread.start()
        served.ready.wait(20)
        try:
            done = subprocess.run(  # noqa: S603  our own interpreter
                [sys.executable, "-c", AS_FRONT, f"unix://{served.socket}", acting_for], capture_output=True,
                text=True, check=False, timeout=120,
            )  # fmt: skip
            assert done.stdout.strip() == said, done.stderr
        finally:
            served.service.stop()
            served.thread.join(20)
