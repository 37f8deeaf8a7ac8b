"""LibreOffice, where it is installed, as what turns old Office files into new ones and back.

It works on a copy in a folder that only this user may open, in memory where the system has such a place; the
folder goes when the work is done. Neither macros nor links of the file are followed.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from linkage.errors import DamagedDocumentError, DocumentTooLargeError, UnsupportedInputError

REMEDY: Final = (
    "install LibreOffice (soffice), save the file in the new format, or convert it with "
    "soffice --headless --convert-to docx (xlsx, pptx) FILE"
)
_SECONDS: Final = 55  # by the clock, for one file; a reading process has 120 for all that it does with one
_IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108  the folder in it is made by tempfile, for this user alone
_PROFILE: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""  # noqa: E501  as LibreOffice writes it


def program() -> str | None:
    """The path of LibreOffice; None where it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def converted(raw: bytes, before: str, after: str) -> bytes:
    """A file turned from one format into another. before, after: suffixes, such as "doc" and "docx".

    Raises:
        UnsupportedInputError: LibreOffice is not installed.
        DamagedDocumentError: it cannot read the file.
        DocumentTooLargeError: it does not end in time.
    """
    office = program()
    if office is None:
        raise UnsupportedInputError(f"old Office files (doc, xls, ppt) need LibreOffice: {REMEDY}")
    place = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="nymlink-", dir=place) as folder:
        settings = Path(folder, "profile", "user")
        settings.mkdir(parents=True)
        (settings / "registrymodifications.xcu").write_text(_PROFILE, encoding="utf-8")
        source = Path(folder, f"file.{before}")
        source.write_bytes(raw)
        _run([
            office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore",
            "--nolockcheck", "--convert-to", after, "--outdir", f"{folder}/out", str(source),
        ], folder)  # fmt: skip
        made = Path(folder, "out", f"file.{after}")
        if not made.is_file():
            raise DamagedDocumentError(
                "LibreOffice cannot read the file; open it and save it in the new format"
            )
        return made.read_bytes()


def _run(command: list[str], folder: str) -> None:
    """Its output is shown to nobody: it may say what the file says."""
    process = subprocess.Popen(  # noqa: S603  the path of the program, and paths that we made
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": folder, "TMPDIR": folder}, start_new_session=True,
    )  # fmt: skip
    try:
        process.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        raise DocumentTooLargeError(
            f"LibreOffice takes more than {_SECONDS} seconds for the file; save it in the new format"
        ) from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
