"""python -m linkage.language CODE: the tables and models of a language, and which are still to be made.

Exit status: 0 where nothing lacks, 4 where something does, 2 for wrong usage.
"""

import re
import sys
from collections.abc import Collection, Mapping

from linkage.errors import LinkageError
from linkage.language.contents import CONTENTS, MODELS, missing, missing_models
from linkage.language.pack import Language
from linkage.settings import data_directory

_CODE = re.compile(r"[a-z]{2,3}")


def main(arguments: list[str]) -> int:
    """Print what a language has and lacks; returns the exit status."""
    if len(arguments) != 1 or not _CODE.fullmatch(arguments[0]):
        sys.stderr.write("usage: python -m linkage.language CODE, such as de (ISO 639-1)\n")
        return 2
    (code,) = arguments
    tables, models = data_directory() / "languages" / code, data_directory() / "models" / code
    lacking, unmade = missing(tables), missing_models(models)
    _show(f"data/languages/{code}", CONTENTS, lacking)
    _show(f"data/models/{code}", MODELS, unmade)
    if lacking or unmade:
        sys.stdout.write(
            "Take the tables of data/languages/nl as examples, and run this again. Add a SOURCE.md that says "
            "where each comes from and under what licence.\n"
        )
        return 4
    try:
        Language.load(code).check()
    except LinkageError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


def _show(folder: str, files: Mapping[str, str], lacking: Collection[str]) -> None:
    sys.stdout.write(f"{folder}: {len(files) - len(lacking)} of {len(files)} files\n")
    for name, holds in files.items():
        sys.stdout.write(f"  {'missing' if name in lacking else 'there':7}  {name}: {holds}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
