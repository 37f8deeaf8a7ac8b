"""No statement for a later text walks over everybody of a project, or over all rows of a table."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.records import Detector, Document, DocumentId, Mention, Span
from linkage.settings import LinkingSettings
from pseudonymizer import FileKey, Vault, assign
from pseudonymizer.vault import known

# Tables with rows for each person, mention, document or event. A handful of rows is found in the others.
GROWING = (
    "approval", "audit_event", "document", "edit", "entity", "entity_key", "form", "link", "mention_list",
    "name_index", "pseudonym", "tombstone",
)  # fmt: skip
# The steps of a plan that read all of a table, or all that it has of one project.
WALK = re.compile(
    rf"^(?:SCAN|SEARCH) ({'|'.join(GROWING)})\b(?:$| USING [A-Z ]*INDEX \w+(?: \(project_id=\?\))?$)"
)


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    key = FileKey(tmp_path / "kek.key")
    key.create()
    with Vault.create(f"sqlite:///{tmp_path / 'vault.db'}", key) as made:
        yield made


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker.load(LinkingSettings(), Gazetteer.load())


def come(vault: Vault, linker: Linker, document: str, names: list[str]) -> None:
    text = "".join(f"Het verslag van {name} is binnen. " for name in names)
    read = Document(DocumentId(document), text)
    spans = [Span(at := text.index(name), at + len(name)) for name in names]
    mentions = [Mention.at(read, span, detector=Detector.LIST, confidence=1.0) for span in spans]
    linked = vault.linked("p", normalize(read, mentions, linker.gazetteer), linker=lambda: linker)
    assign(linked.result, vault, project="p", seen_through=linked.seen_through)
    vault.commit()


def walks(connection: sqlite3.Connection, statement: str) -> list[str]:
    """The steps of a plan that read everything. What is last is read at the end of an index."""
    if not statement.startswith(("SELECT", "UPDATE", "DELETE")) or statement.startswith("SELECT max("):
        return []
    if "WHERE" not in statement and statement.endswith(" ORDER BY sequence DESC LIMIT 1"):
        return []
    plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
    return [f"{detail}: {statement[:120]}" for *_, detail in plan if WALK.match(detail)]


def test_no_statement_for_a_later_text_reads_a_whole_project(
    vault: Vault, linker: Linker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "MOST_LINKED", 0)
    come(vault, linker, "first", ["Anna de Vries", "Pieter Bakker", "Karin Postma"])
    come(vault, linker, "second", ["Anna de Vries", "Fatima Yilmaz"])
    driver = vault.store.connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    statements: list[str] = []
    driver.set_trace_callback(statements.append)
    come(vault, linker, "third", ["Pieter Bakker", "Joris Dekker", "Fatima", "K. Postma"])
    driver.set_trace_callback(None)
    assert sum(" FROM pseudonym " in one for one in statements) >= 2
    assert sum(" FROM form " in one for one in statements) >= 1
    assert [found for one in dict.fromkeys(statements) for found in walks(driver, one)] == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT label FROM pseudonym WHERE project_id = 1 ORDER BY pseudonym_id",
        "SELECT label FROM pseudonym WHERE project_id = 1 AND entity_id IN (1, 2)",
        "SELECT form_id FROM form WHERE project_id = 1 AND form_id > 7 ORDER BY entity_id",
        "SELECT kind FROM link WHERE decision = 'x'",
    ],
)
def test_a_walk_is_seen(vault: Vault, statement: str) -> None:
    driver = vault.store.connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    assert walks(driver, statement)
