"""Dumps of databases: rows as tables with the names of their columns; keywords are no names."""

from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats.tables.database_dump import looks_like_dump
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Bas d'Ancona"
DUMP = (
    "-- PostgreSQL database dump van Bas d'Ancona\n"  # noqa: S608  no database sees it
    "CREATE TABLE `klant` (`id` int NOT NULL, `voornaam` varchar(50) DEFAULT NULL, `achternaam` varchar(60),"
    " `tel` varchar(20), PRIMARY KEY (`id`));\n"
    "INSERT INTO `klant` VALUES (1,'Bas','d''Ancona','0612345678'),(2,'Zo\u00eb','Hoekema',NULL);\n"
    "INSERT INTO notitie (id, tekst) VALUES (1, 'Bas d\\'Ancona belde\\nlang'), (2, x'"
    + b"Bas d'Ancona kwam".hex()
    + "');\n"
    "UPDATE t SET naam = 'Bas d''Ancona' WHERE a = \"Bas d'Ancona\";\n"
    "COPY public.klant (id, voornaam, achternaam) FROM stdin;\n3\tSanne\tde Boer\n4\t\\N\tHoek\\tema\n\\.\n"
).encode()


def test_rows_are_tables_with_the_columns_of_their_table() -> None:
    part = formats.read(DUMP, name="x.sql").parts[0]
    names = [span.cut(part.text) for span in part.names]
    assert "Bas d'Ancona" in names
    assert "Zo\u00eb Hoekema" in names
    assert "Sanne de Boer" in names
    assert "tel: 0612345678" in part.text


def test_keywords_are_no_text() -> None:
    text = "\n".join(part.text for part in formats.read(DUMP, name="x.sql").parts)
    for word in ("varchar", "INSERT", "VALUES", "CREATE", "PRIMARY", "stdin", "NULL"):
        assert word not in text


def test_names_go_in_strings_comments_and_bytes_and_come_back() -> None:
    parsed, rendered = rewrite(DUMP, "x.sql", [NAME])
    text = rendered.raw.decode()
    assert parsed.format_name == "sql"
    assert f"dump van {LABEL}" in text
    assert f"'{LABEL} belde\\nlang'" in text
    assert f"x'{f'{LABEL} kwam'.encode().hex()}'" in text
    assert f"naam = '{LABEL}' WHERE" in text
    assert formats.undo("sql", rendered.raw, rendered.edits) == DUMP


def test_a_number_that_is_replaced_becomes_a_string() -> None:
    raw = b"INSERT INTO t (id, bsn) VALUES (1, 123456782);\n"
    parsed = formats.read(raw, name="x.sql")
    part = parsed.parts[0]
    at = part.text.index("123456782")
    span = Span(at, at + 9)
    rendered = parsed.render({"": {span: "B-1"}})
    assert rendered.raw == b"INSERT INTO t (id, bsn) VALUES (1, 'B-1');\n"


def test_the_head_tells_a_dump() -> None:
    assert looks_like_dump(DUMP)
    assert formats.format_of(DUMP, "txt") == "sql"
    assert not looks_like_dump(b"-- een lijst\n")
