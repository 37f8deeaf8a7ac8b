"""Another style in an output folder or a project: what it would write over, or beside, is asked first."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Final

from pseudonymizer.errors import BatchError
from pseudonymizer.records import Style
from pseudonymizer.settings import ONE_WAY, StyleSettings
from pseudonymizer.work_files.folder import RECORDS_FOLDER

_REPORT: Final = "report.json"


def refuse_other_style(
    output: Path | None,
    styles: StyleSettings,
    used: Collection[Style] = (),
    *,
    as_tokens: bool = False,
    how: str = "restyle=True",
) -> None:
    """Nothing, where the last run into a folder wrote pseudonyms of persons in this style or in one that has
    no way back, or where no run ended there and the project has no pseudonyms of people in other
    styles alone.

    output: None for a text. used: the styles in which people of the project have pseudonyms. as_tokens: codes
    are written as tokens. how: what the caller says who wants it.

    Raises:
        BatchError: it wrote them in another style. A person would have two pseudonyms, and outputs with a way
            back might get one without.
    """
    before = None if output is None else _style_of(output)
    wanted = str(styles.style)
    if before is None:
        own = str(Style.TOKEN) if as_tokens and styles.style is Style.CODE else wanted
        if used and styles.style not in ONE_WAY and own not in map(str, used):
            raise BatchError(
                f"people of this project have pseudonyms of the style {' and '.join(used)}, and {own} is "
                "asked for: a person would have two pseudonyms. Take that style or another project, or "
                f"write a second kind with {how}"
            )
        return
    if before == wanted or before in map(str, ONE_WAY):
        return
    lost = "; its outputs would lose their way back" if styles.is_one_way else ""
    raise BatchError(
        f"the outputs in this folder have pseudonyms of the style {before}, and {wanted} is asked for: a "
        f"person would have two pseudonyms{lost}. Choose another --out, or write over them with {how}"
    )


def _style_of(output: Path) -> str | None:
    """The style that the report of the last run tells; None where there is no such report."""
    try:
        report = json.loads((output / RECORDS_FOLDER / _REPORT).read_bytes())
        return str(report["styles"]["style"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
