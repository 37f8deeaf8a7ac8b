"""The settings file that holds where none is given: nymlink.toml in the working folder or above it."""

import os
from pathlib import Path
from typing import Final

NAME: Final = "nymlink.toml"
_ANYBODY_MAY_WRITE: Final = 0o002


def nearest_settings() -> Path | None:
    """The first nymlink.toml from the working folder upwards, to the home folder or the root.

    Raises:
        SettingsError: it is another user's, and lies in a folder in which anybody may write, such as /tmp.
    """
    try:
        start = Path.cwd()
    except OSError:  # the folder was taken away
        return None
    home = _home()
    for folder in (start, *start.parents):
        found = folder / NAME
        if os.path.isfile(found):  # noqa: PTH113  Path.is_file raises where a folder may not be looked into
            _refuse_planted(found)
            return found
        if folder == home:
            break
    return None


def shown_name(found: Path) -> str:
    """The path from the working folder: it has dots only, no name of a folder."""
    return os.path.relpath(found)


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):  # a user without one
        return None


def _refuse_planted(found: Path) -> None:
    from pseudonymizer.errors import SettingsError

    if not hasattr(os, "getuid"):
        return
    may_write = found.parent.stat().st_mode & _ANYBODY_MAY_WRITE
    if may_write and found.stat().st_uid not in (os.getuid(), 0):
        raise SettingsError(
            f"{shown_name(found)} is another user's, in a folder where anybody may write; give it with "
            "--settings, or work in another folder"
        )
