"""A vault service goes on for others while some hold connections open and ask nothing."""

import time
from pathlib import Path

from pseudonymizer.service.server import Limits
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote.connection import _connected
from pseudonymizer.vault.remote.greeting import own_greeting
from tests.pseudonymizer.conftest import sqlite_place_in
from tests.pseudonymizer.service.test_server import filled, running


def test_an_idle_connection_ends_and_its_client_connects_again(tmp_path: Path) -> None:
    place = sqlite_place_in(tmp_path)
    filled(place)
    with (
        running(place, limits=Limits(idle_seconds=0.2)) as served,
        served.connect("ana") as client,
    ):
        assert client.projects() == ("p",)
        before = client._connection
        time.sleep(1)
        assert client.projects() == ("p",)
        assert client._connection is not before


def test_connections_that_never_ask_are_ended(tmp_path: Path) -> None:
    place = sqlite_place_in(tmp_path)
    filled(place)
    with running(place, limits=Limits(idle_seconds=0.2, most_a_user=2)) as served:
        silent = [_connected(Path(served.socket)) for _ in range(2)]
        for one in silent:
            wire.send_frame(one, wire.encode(own_greeting()), largest=wire.LARGEST_GREETING)
        for one in silent:
            wire.receive_frame(one, largest=wire.LARGEST_FRAME)
            one.settimeout(20)
            assert one.recv(1) == b""
        for _ in range(100):  # until their threads have noted it
            if len(served.service._open) == 0:
                break
            time.sleep(0.05)
        with served.connect("ana") as client:
            assert client.projects() == ("p",)
        for one in silent:
            one.close()
