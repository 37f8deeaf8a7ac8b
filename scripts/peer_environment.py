"""Environments of their own for peers, which no benchmark may make a dependency of the project."""

import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path


def peer_python(folder: Path, packages: Mapping[str, str]) -> str:
    """An interpreter that has the packages (module -> what pip installs): this one, or one made in folder.

    The folder is made, and pip asked, only where something is missing.

    Raises:
        CalledProcessError: pip could not install them.
    """
    if all(find_spec(module) for module in packages):
        return sys.executable
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print("installing the peers into an environment of their own", file=sys.stderr)
        venv.create(folder, with_pip=True)
    finds = f"import importlib.util as u; assert all(u.find_spec(m) for m in {list(packages)!r})"
    if subprocess.run([python, "-c", finds], capture_output=True).returncode:  # noqa: S603  our own command
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages.values()], check=True)  # noqa: S603
    return str(python)
