"""A column of texts in a data frame."""

from typing import TYPE_CHECKING, Any, Literal

from pseudonymizer.errors import UntreatedDocumentError
from pseudonymizer.project import Project

if TYPE_CHECKING:
    import pandas as pd

_MOST_TOLD = 10  # rows that an error names


def pseudonymize_column(
    project: Project, table: "pd.DataFrame", column: str, *, errors: Literal["raise", "missing"] = "raise"
) -> "pd.DataFrame":
    """The table with pseudonyms in one column of texts; what is no text, such as a missing value, stays.

    Each cell is a document of its own. errors: "missing" leaves a missing value in place of a text that
    cannot be treated.

    Raises:
        UntreatedDocumentError: a text cannot be treated; it names the rows by their position, from 0.
        KeyError: the table has no such column.
    """
    cells: list[Any] = list(table[column])
    positions = [number for number, cell in enumerate(cells) if isinstance(cell, str)]
    answer = project.pseudonymize([cells[number] for number in positions])
    failed = [number for number, one in zip(positions, answer, strict=True) if one.failure is not None]
    if failed and errors == "raise":
        told = ", ".join(map(str, failed[:_MOST_TOLD])) + (" and others" if len(failed) > _MOST_TOLD else "")
        first = next(one.failure for one in answer if one.failure is not None)
        raise UntreatedDocumentError(
            f"{len(failed)} of {len(positions)} texts could not be treated, in rows {told}: {first.error}: "
            f'{first.reason}; mend them, or ask for a missing value in their place with errors="missing"'
        )
    for number, document in zip(positions, answer, strict=True):
        cells[number] = document.text
    return table.assign(**{column: cells})
