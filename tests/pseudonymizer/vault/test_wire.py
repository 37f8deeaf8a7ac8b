"""Frames and values of the service: what fits comes over, what does not is refused before it is used."""

import math
import socket
import struct
import threading
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import LinkageResult, PersonName
from pseudonymizer.errors import AccessRefusedError, LimitExceededError, PseudonymizerError, ServiceError
from pseudonymizer.records import PseudonymLink, RevealedName
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote.connection import is_service, socket_path
from tests.fakes import linkage_result

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]], open_links=[(0, 1, 0.5)]
)


def test_a_result_of_linking_comes_over_whole() -> None:
    assert wire.decode(wire.encode(RESULT), LinkageResult) == RESULT


def test_not_a_number_comes_over() -> None:
    sent = wire.decode(wire.encode((math.nan,)), tuple[float])
    assert math.isnan(sent[0])


@given(st.binary(max_size=400))
def test_any_bytes_are_a_value_of_the_type_or_refused(raw: bytes) -> None:
    for kind in (wire.Call, wire.Answer, LinkageResult, RevealedName, PersonName | str, PseudonymLink, int):
        try:
            wire.decode(raw, kind)
        except wire.FrameRefusedError as error:
            assert len(str(error)) < 200  # noqa: PT017  any bytes may also be a value


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.binary() | st.integers(-9, 9), st.lists, max_leaves=9
    )
)
def test_a_value_of_another_type_is_refused_without_being_shown(value: Any) -> None:
    with pytest.raises(wire.FrameRefusedError) as caught:
        wire.decode(msgspec.msgpack.encode({"label": value, "name": "Jan Tolsma", "forms": 3}), RevealedName)
    assert "Tolsma" not in str(caught.value)


def test_records_check_themselves() -> None:
    for broken in ({"given": ""}, {"given": 3}, {"naam": "x", "given": []}):
        with pytest.raises(wire.FrameRefusedError):
            wire.decode(msgspec.msgpack.encode(broken), PersonName)


def test_half_a_character_cannot_be_sent() -> None:
    with pytest.raises(ServiceError, match="surrogate"):
        wire.encode("a\ud800")


def test_an_error_comes_back_as_itself_and_nothing_else_as_an_error_of_ours() -> None:
    told = wire.raised(wire.failure(LimitExceededError("3 left")))
    assert (type(told), str(told)) == (LimitExceededError, "3 left")
    told = wire.raised(wire.failure(KeyError("Jan Tolsma")))
    assert type(told) is ServiceError
    assert "Tolsma" not in str(told)
    for name in ("Exception", "__doc__", "SystemExit", "os", ""):
        made = wire.raised(wire.Answer(msgspec.Raw(b"\xc0"), name, "x"))
        assert type(made) is ServiceError
    assert isinstance(wire.raised(wire.failure(AccessRefusedError("x"))), PseudonymizerError)


def pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)


@given(st.lists(st.binary(max_size=5000), max_size=5))
def test_frames_come_one_after_the_other(payloads: list[bytes]) -> None:
    left, right = pair()
    with left, right:
        for payload in payloads:
            wire.send_frame(left, payload, largest=5000)
            assert wire.receive_frame(right, largest=5000) == payload
        left.close()
        with pytest.raises(wire.ConnectionEndedError):
            wire.receive_frame(right, largest=5000)


def test_a_frame_of_many_pieces() -> None:
    left, right = pair()
    payload = bytes(range(256)) * 4000
    with left, right:
        sender = threading.Thread(target=wire.send_frame, args=(left, payload), kwargs={"largest": 1 << 20})
        sender.start()
        assert wire.receive_frame(right, largest=1 << 20) == payload
        sender.join()


def test_too_long_too_short_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = pair()
    with left, right:
        with pytest.raises(ServiceError, match="too many"):
            wire.send_frame(left, bytes(11), largest=10)
        left.sendall(struct.pack(">I", 11))
        with pytest.raises(wire.FrameRefusedError, match="largest"):
            wire.receive_frame(right, largest=10)
    left, right = pair()
    with left, right:
        left.sendall(struct.pack(">I", 9) + b"x")
        left.shutdown(socket.SHUT_WR)
        with pytest.raises(wire.FrameRefusedError, match="cut off"):
            wire.receive_frame(right, largest=10)
    monkeypatch.setattr(wire, "FRAME_SECONDS", 0.05)
    left, right = pair()
    with left, right:
        left.sendall(struct.pack(">I", 9) + b"x")
        with pytest.raises(wire.FrameRefusedError, match="too long"):
            wire.receive_frame(right, largest=10)
        with pytest.raises(wire.FrameRefusedError, match="too long"):
            wire.receive_frame(right, largest=10, idle_seconds=0.05)


def test_addresses_of_services() -> None:
    assert is_service("unix:/run/v.sock")
    assert not is_service("sqlite:///v.db")
    assert str(socket_path("unix:/run/v.sock")) == "/run/v.sock"
    assert str(socket_path("unix:///run/v.sock")) == "/run/v.sock"
    assert str(socket_path("unix:v.sock")) == "v.sock"
