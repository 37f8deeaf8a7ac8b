"""What a front is started with: it goes through JSON, and a front of today reads what was written before."""

import msgspec

from pseudonymizer.web.settings import FrontSettings, Limits


def test_settings_come_through_standard_input() -> None:
    made = FrontSettings(
        "/run/engine.sock", "/var/desk.db", "127.0.0.1", 0, life=7, local_actor="anna", presidio=True,
        limits=Limits(a_minute=5),
    )  # fmt: skip
    assert msgspec.json.decode(msgspec.json.encode(made), type=FrontSettings) == made


def test_what_is_left_out_has_its_bound() -> None:
    told = b'{"engine": "e", "desk": "d", "host": "", "port": 0}'
    read = msgspec.json.decode(told, type=FrontSettings)
    assert not read.presidio
    assert read.limits.largest_file >= read.limits.largest_body > 0
    assert read.limits.file_seconds >= read.limits.body_seconds > 0
