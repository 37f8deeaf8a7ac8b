"""Shares of connections: nobody is shut out by others, whatever they hold open."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from pseudonymizer.service.admission import Connections, Shares

_SHARES = Shares(most=32, most_a_user=8, kept_free=8)


@pytest.fixture
def sockets() -> Iterator[Iterator[socket.socket]]:
    with ExitStack() as stack:
        yield (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(1_000))


def test_four_users_with_all_they_can_get_leave_room_for_others(sockets: Iterator[socket.socket]) -> None:
    connections = Connections(_SHARES)
    for _ in range(10):
        for user in range(4):
            connections.admit(next(sockets), user, 0.0)
    assert len(connections) == _SHARES.most - _SHARES.kept_free
    assert connections.admit(next(sockets), 99, 0.1) == (True, None)


def test_where_all_are_taken_an_idle_one_of_a_user_with_several_goes(
    sockets: Iterator[socket.socket],
) -> None:
    connections = Connections(Shares(most=4, most_a_user=4, kept_free=0))
    held = [next(sockets) for _ in range(4)]
    for number, one in enumerate(held):
        connections.admit(one, 1, float(number))
    connections.begin(held[0])  # a verb runs: it stays, however long
    assert connections.admit(next(sockets), 2, 4.0) == (False, None)  # all were used a moment ago
    assert connections.admit(next(sockets), 2, 100.0) == (True, held[1])
    connections.end(held[0], 101.0)
    assert connections.admit(next(sockets), 3, 200.0) == (True, held[2])
    assert len(connections) == 4


def test_a_user_gives_up_the_own_idle_one_and_nobody_elses(sockets: Iterator[socket.socket]) -> None:
    connections = Connections(Shares(most=9, most_a_user=2, kept_free=0))
    first, second, other = next(sockets), next(sockets), next(sockets)
    connections.admit(other, 2, 0.0)
    connections.admit(first, 1, 1.0)
    connections.admit(second, 1, 2.0)
    assert connections.admit(next(sockets), 1, 3.0) == (False, None)
    assert connections.admit(next(sockets), 1, 60.0) == (True, first)
    assert other in connections.idle()


def test_users_with_one_each_do_not_push_each_other_out(sockets: Iterator[socket.socket]) -> None:
    connections = Connections(Shares(most=2, most_a_user=2, kept_free=0))
    connections.admit(next(sockets), 1, 0.0)
    connections.admit(next(sockets), 2, 0.0)
    assert connections.admit(next(sockets), 3, 1_000.0) == (False, None)


def test_what_is_closed_does_not_count(sockets: Iterator[socket.socket]) -> None:
    connections = Connections(Shares(most=1, most_a_user=1, kept_free=0))
    one = next(sockets)
    connections.admit(one, 1, 0.0)
    connections.leave(one)
    connections.begin(one)  # a thread that is late
    assert len(connections) == 0
    assert connections.admit(next(sockets), 2, 0.0) == (True, None)
