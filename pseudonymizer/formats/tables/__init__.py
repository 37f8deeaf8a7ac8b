"""Tables as text, and columns of data."""

from typing import Final

from pseudonymizer.formats.format import Cut, Format, Restores, Way

FORMATS: Final = (
    Format(
        "parquet", "Parquet", ("parquet",), heads=(b"PAR1",), is_signed=True, is_table=True,
        read=Way("tables.parquet:read"), undo=Way("tables.parquet:undo"),
        is_marked=Way("tables.parquet:is_marked"), restores=Restores.PARTS,
    ),
    Format(
        "sql", "Dump of a database (SQL)", ("sql",), ("application/sql",),
        looks_like=Way("tables.database_dump:looks_like_dump"), among=frozenset({"txt"}),
        parse=Way("tables.database_dump:parse"), cut=Cut.STATEMENTS,
    ),
    Format(
        "csv", "Table as text (CSV)", ("csv",), ("text/csv",), parse=Way("tables.delimited:parse"),
        cut=Cut.ROWS, is_table=True,
    ),
    Format(
        "tsv", "Table as text (tabs)", ("tsv", "tab"), ("text/tab-separated-values",),
        parse=Way("tables.delimited:parse"), cut=Cut.ROWS, is_table=True,
    ),
)  # fmt: skip
