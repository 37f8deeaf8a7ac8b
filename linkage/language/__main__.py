"""python -m linkage.language CODE: the tables and models of a language, and which are still to be made.

With --write-digests it writes digests.tsv anew first, for whoever changed a table or a model on purpose.

Exit status: 0 where nothing lacks, 4 where something does, 2 for wrong usage.
"""

import os
import re
import sys
from collections.abc import Collection, Mapping

from linkage.errors import LinkageError
from linkage.language.digests import write_digests
from linkage.language.pack import Language
from linkage.language_contents import (
    CONTENTS,
    DIGESTS,
    MODELS,
    SPARED,
    language_folder,
    missing,
    missing_models,
)

_CODE = re.compile(r"[a-z]{2,3}")
_WRITE = "--write-digests"


def main(arguments: list[str]) -> int:
    """Print what a language has and lacks; returns the exit status."""
    codes = [argument for argument in arguments if argument != _WRITE]
    if len(codes) != 1 or not _CODE.fullmatch(codes[0]):
        sys.stderr.write(f"usage: python -m linkage.language CODE [{_WRITE}], such as de (ISO 639-1)\n")
        return 2
    (code,) = codes
    folder = language_folder(code)
    if _WRITE in arguments and folder.is_dir():
        sys.stdout.write(f"{code}/{DIGESTS}: {write_digests(folder)} files\n")
    lacking, unmade = missing(folder), missing_models(folder)
    spared = {name for name in SPARED if not (folder / name).is_file()}
    _show(f"{code}, tables", CONTENTS, lacking)
    _show(f"{code}, models", MODELS, unmade, spared)
    if lacking or unmade:
        sys.stdout.write(
            "Take the tables of data/languages/nl as examples, and run this again. Add a SOURCE.md that says "
            "where each comes from and under what licence.\n"
        )
        return 4
    try:
        language = Language.load(code)
        language.check()
        language.models()
    except LinkageError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


def _show(
    part: str, files: Mapping[str, str], lacking: Collection[str], spared: Collection[str] = ()
) -> None:
    sys.stdout.write(f"{part}: {len(files) - len(lacking) - len(spared)} of {len(files)} files\n")
    for name, holds in files.items():
        state = "missing" if name in lacking else "spared" if name in spared else "there"
        sys.stdout.write(f"  {state:7}  {name}: {holds}\n")


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # "| head" reads no further; Python would complain when it closes its output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)
