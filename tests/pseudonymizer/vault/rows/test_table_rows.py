"""Rows by name have the columns of their tables, in their order."""

import pytest

from pseudonymizer.schema import vault_metadata
from pseudonymizer.vault.rows.bound_rows import BOUND
from pseudonymizer.vault.rows.table_rows import DocumentRow, LinkRow, PseudonymRow, RunResultRow

ROWS = {
    "pseudonym": PseudonymRow._fields,
    "link": LinkRow._fields,
    "document": DocumentRow._fields,
    "run_result": RunResultRow._fields,
}


@pytest.mark.parametrize("table", ROWS)
def test_a_row_has_the_columns_of_its_table(table: str) -> None:
    assert ROWS[table] == tuple(column.name for column in vault_metadata.tables[table].columns)


@pytest.mark.parametrize("table", BOUND)
def test_what_is_bound_counts_the_columns_of_its_table(table: str) -> None:
    columns = vault_metadata.tables[table].columns
    of_type = {int: 1, float: 0.5, str: "x", bytes: b"\1" * 32}
    row = tuple(of_type[column.type.python_type] for column in columns)
    changed = BOUND[table](row)
    assert changed == BOUND[table](row)
    assert len(changed) > len(columns)
