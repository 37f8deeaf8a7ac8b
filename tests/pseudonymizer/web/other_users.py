"""Processes of other users of the system, for tests that run as root.

The interpreter may lie in a folder that only root enters, such as /root. Then each process gets a view of the
file system of its own, in which this folder holds the interpreter and nothing else. The view ends with the
process.
"""

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
_INTERPRETER: Final = Path(sys.base_prefix).resolve()
_VIEW: Final = """
set -e; umask 022; closed=$1 kept=$2; shift 2
exec 9< "$kept"
mount -t tmpfs -o mode=0755 none "$closed"
mkdir -p "$kept"; mount --no-canonicalize --bind /proc/self/fd/9 "$kept"
exec 9<&-; exec "$@"
"""


@dataclass(frozen=True)
class OtherUser:
    """A user and his group, by number. group: of the system; None: one of his own."""

    number: int
    group: int | None = None

    def command(self, *words: str) -> list[str]:
        """A command as this user runs it."""
        group = self.number if self.group is None else self.group
        become = ["setpriv", "--reuid", str(self.number), "--regid", str(group), "--clear-groups", "--"]
        closed = _closed_folder()
        if closed is None:
            return [*become, *words]
        view = ["unshare", "--mount", "sh", "-c", _VIEW, "sh", os.fspath(closed), os.fspath(_INTERPRETER)]
        return [*view, *become, *words]

    def run(self, code: str, *words: str, home: Path) -> subprocess.CompletedProcess[str]:
        """How a piece of Python ended that this user ran."""
        return subprocess.run(  # noqa: S603  our own interpreter
            self.command(sys.executable, "-c", code, *words), capture_output=True, text=True, check=False,
            timeout=60, cwd=home, env=environment(home),
        )  # fmt: skip

    def own(self, *places: Path) -> None:
        """Give places, and all that lies in them, to this user."""
        for place in places:
            for one in (place, *place.rglob("*")):
                os.chown(one, self.number, self.number if self.group is None else self.group)


def environment(home: Path) -> dict[str, str]:
    """What a process of another user finds: nothing of root's own folders."""
    return {
        "PATH": os.environ.get("PATH", os.defpath), "HOME": os.fspath(home), "TMPDIR": os.fspath(home),
        "PYTHONPATH": os.fspath(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8",
    }  # fmt: skip


def why_not(user: OtherUser, home: Path) -> str:
    """Why no process of another user can run here; empty where one can."""
    if os.getuid() != 0:
        return "only root can start processes of other users"
    if not all(map(shutil.which, ("setpriv", "unshare", "mount"))):
        return "setpriv, unshare and mount (util-linux) are not here"
    done = user.run("import os, pseudonymizer, cryptography; print(os.getuid())", home=home)
    if done.stdout.strip() != str(user.number):
        return "another user cannot run this interpreter here, or not read this checkout"
    return ""


def _closed_folder() -> Path | None:
    """The outermost folder above the interpreter that others may not enter; None: they reach it."""
    for place in (*reversed(_INTERPRETER.parents), _INTERPRETER):
        if not place.stat().st_mode & stat.S_IXOTH:
            return place
    return None
