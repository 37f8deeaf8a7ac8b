"""Another style in an output folder: whose outputs it would write over is asked first."""

import json
from pathlib import Path
from typing import Final

from pseudonymizer.errors import BatchError
from pseudonymizer.settings import ONE_WAY, StyleSettings
from pseudonymizer.work_files.folder import RECORDS_FOLDER

_REPORT: Final = "report.json"


def refuse_other_style(output: Path, styles: StyleSettings) -> None:
    """Nothing, where the last run into a folder wrote pseudonyms of persons in this style or in one that has
    no way back, or where no run ended.

    Raises:
        BatchError: it wrote them in another style. A person would have two pseudonyms, and outputs with a way
            back might get one without.
    """
    before = _style_of(output)
    wanted = str(styles.style)
    if before is None or before == wanted or before in map(str, ONE_WAY):
        return
    lost = "; its outputs would lose their way back" if styles.is_one_way else ""
    raise BatchError(
        f"the outputs in this folder have pseudonyms of the style {before}, and {wanted} is asked for: a "
        f"person would have two pseudonyms{lost}. Choose another --out, or write over them with --restyle"
    )


def _style_of(output: Path) -> str | None:
    """The style that the report of the last run tells; None where there is no such report."""
    try:
        report = json.loads((output / RECORDS_FOLDER / _REPORT).read_bytes())
        return str(report["styles"]["style"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
