"""Which dossier, client or case a text belongs to: its folder, a field of its line, or a part of its path.

In one group people of one name are far likelier one person; linking takes that as evidence.
"""

import re
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from linkage.errors import SettingsError

FOLDER: Final = "folder"
FIELD: Final = "group"  # of a line of JSON, where nothing else is said
_NAME: Final = re.compile(r"\w+")


def check_group_by(group_by: str) -> str:
    """The text as given: "folder", the name of a field of JSON lines, or a regular expression for paths.

    Raises:
        SettingsError: it is none of these.
    """
    try:
        _pattern(group_by)
    except re.error as error:
        raise SettingsError(
            f"what texts are grouped by is no regular expression: {error.msg} at character {error.pos}; give "
            f'"{FOLDER}", the name of a field of JSON lines, or an expression such as "clients/([^/]+)/"'
        ) from None
    return group_by


def group_field(group_by: str) -> str:
    """The field of a line of JSON that holds its group."""
    return group_by if group_by != FOLDER and _NAME.fullmatch(group_by) else FIELD


def group_of_path(relative: str | None, group_by: str) -> str:
    """The group of a file by its path inside the corpus; "" where the path says none.

    By "folder" it is the folder of the file. By an expression it is what the first parentheses match, or all
    that matches.
    """
    if not relative or not group_by:
        return ""
    path = PurePosixPath(relative.replace("\\", "/"))
    if group_by == FOLDER:
        return "" if path.parent == PurePosixPath() else str(path.parent)
    if _NAME.fullmatch(group_by):
        return ""
    found = _pattern(group_by).search(str(path))
    if found is None:
        return ""
    return found[1] or "" if found.re.groups else found[0]


@cache
def _pattern(group_by: str) -> re.Pattern[str]:
    return re.compile(group_by)
