"""Pseudonyms in one column of a data frame."""

from typing import TYPE_CHECKING, Any, Final, Literal

from pseudonymizer.errors import UntreatedDocumentError
from pseudonymizer.project import Project

if TYPE_CHECKING:
    import pandas as pd

_MOST_TOLD: Final = 10  # rows that one error names


def pseudonymize_column(
    project: Project, table: "pd.DataFrame", column: str, *, errors: Literal["raise", "missing"] = "raise"
) -> "pd.DataFrame":
    """A copy of the table with labels in place of names in one column. A cell that is no text stays as it is.

    Each cell is a document of its own. errors: "missing" puts a missing value in place of a text that cannot
    be treated.

    Raises:
        UntreatedDocumentError: a text cannot be treated; the error tells rows by their positions, from 0.
        KeyError: the table has no such column.
    """
    cells: list[Any] = list(table[column])
    positions = [number for number, cell in enumerate(cells) if isinstance(cell, str)]
    answer = project.pseudonymize([cells[number] for number in positions])
    failures = {
        number: document.failure
        for number, document in zip(positions, answer, strict=True)
        if document.failure is not None
    }
    if failures and errors == "raise":
        rows = ", ".join(map(str, [*failures][:_MOST_TOLD]))
        rows += " and others" if len(failures) > _MOST_TOLD else ""
        first = next(iter(failures.values()))
        raise UntreatedDocumentError(
            f"{len(failures)} of {len(positions)} texts could not be treated, in rows {rows}: {first.error}: "
            f'{first.reason}; mend them, or ask for a missing value in their place with errors="missing"'
        )
    for number, document in zip(positions, answer, strict=True):
        cells[number] = document.text
    return table.assign(**{column: cells})
