"""Versions of the packages that decide results beside our own code."""

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Final

_PACKAGES: Final = ("torch", "stanza", "lightgbm", "numpy", "scikit-learn", "rapidfuzz", "msgspec", "pikepdf")


def versions() -> dict[str, str]:
    """Version by package, and that of Python."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "none"
    return found
