# ruff: noqa: S608  no database sees these
"""Dumps are cut where a unit can be read by itself, and rows in later units are read under their columns."""

from pathlib import Path

import pytest

from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats.units import read_unit, units_of
from tests.pseudonymizer.formats.naming import LABEL

NAMES = ("Bas d'Ancona", "Zoë Hoekema")


def _in(text: str) -> str:
    return text.replace("'", "''")


def mysql(count: int) -> str:
    """Rows in long statements of one line, and a view with a comment that runs over lines."""
    columns = "  `id` int,\n  `naam` varchar(9),\n  KEY `k` (`id`)\n"
    head = f"-- MySQL dump\nCREATE TABLE `klant` (\n{columns}) ENGINE=InnoDB;\n"
    rows = [f"({n},'{_in(NAMES[n % 2])} ; regel {n}')" for n in range(count)]
    return head + "".join(
        f"INSERT INTO `klant` VALUES {','.join(rows[at : at + 7])};\n/* a ;\n' b */\n"
        for at in range(0, count, 7)
    )


def admin(count: int) -> str:
    """One statement with a row a line, strings over lines in it."""
    rows = ",\n".join(f"({n}, '{_in(NAMES[n % 2])} zei:\nzo (), \\' ;\n(nog {n}')" for n in range(count))
    return f"-- phpMyAdmin SQL Dump\nINSERT INTO `klant` (`id`, `naam`) VALUES\n{rows};\nSELECT 1;\n"


def postgres(count: int) -> str:
    rows = "".join(f"{n}\t{NAMES[n % 2]}\\n{n}\n" for n in range(count))
    body = "CREATE FUNCTION f() AS $$ BEGIN\n; ' \nEND $$ LANGUAGE sql;\n"
    return (
        f"-- PostgreSQL database dump\nCREATE TABLE klant (id integer, naam text);\n{body}"
        f"COPY public.klant (id, naam) FROM stdin;\n{rows}\\.\nSELECT 'Bas d''Ancona';\n"
    )


def lite(count: int) -> str:
    rows = "".join(f"INSERT INTO klant VALUES({n},'{_in(NAMES[n % 2])}');\n" for n in range(count))
    return f"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE klant (id, naam);\n{rows}COMMIT;\n"


def server(count: int) -> str:
    rows = "".join(
        f"INSERT [dbo].[klant] ([id], [naam]) VALUES ({n}, N'{_in(NAMES[n % 2])}')\r\n" for n in range(count)
    )
    return f"USE [x]\r\nGO\r\n{rows}GO\r\nUPDATE t SET a = N'Bas d''Ancona'\r\nGO\r\n"


MADE = {"mysql": mysql, "admin": admin, "postgres": postgres, "lite": lite, "server": server}


@pytest.mark.parametrize("way", MADE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_units_say_what_the_whole_says_and_are_written_whole(tmp_path: Path, way: str, encoding: str) -> None:
    raw = MADE[way](300).encode(encoding)
    path = tmp_path / "x.sql"
    path.write_bytes(raw)
    units = units_of(path, unit_bytes=2_000)
    assert len(units) > 3
    assert b"".join(unit.read(path) for unit in units) == raw
    rows: list[str] = []
    written, restored = b"", b""
    for unit in units:
        parsed = read_unit(unit.read(path), unit)
        prose = parsed.parts[0]
        rows += [line for line in prose.text.splitlines() if "naam: " in line]
        labels = {
            part.part_id: {
                Span(at, at + len(name)): LABEL
                for name in NAMES for at in range(len(part.text)) if part.text.startswith(name, at)
            }
            for part in parsed.parts
        }  # fmt: skip
        rendered = parsed.render(labels)
        written += rendered.raw
        restored += formats.undo("sql", rendered.raw, rendered.edits)
    assert restored == raw
    assert len(rows) == 300
    said = written.decode("utf-16" if encoding == "utf-16" else encoding)
    assert "Ancona" not in said
    assert "Hoekema" not in said
    assert said.count(LABEL) >= 300


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("SELECT '" + "a\n" * 6000, 5_000),
        ("(" * 10 + "\n(\n" * 3000, 5_000),
        ("COPY t FROM stdin;\n" + "a\tb\n" * 3000, 3_000),
    ],
)
def test_what_never_ends_is_cut_all_the_same(tmp_path: Path, text: str, most: int) -> None:
    path = tmp_path / "x.sql"
    path.write_text(text)
    units = units_of(path, unit_bytes=2_000)
    assert b"".join(unit.read(path) for unit in units) == text.encode()
    assert max(len(unit) for unit in units) <= most
    for unit in units:
        assert read_unit(unit.read(path), unit).render({}).raw == unit.read(path)
