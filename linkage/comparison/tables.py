"""Reading the learned tables: arrays of an .npz file, never pickle."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from linkage.errors import ModelDamagedError, ModelNotFoundError


def read_arrays(path: Path, *names: str, what: str) -> tuple[npt.NDArray[Any], ...]:
    """The named arrays of the file, in that order; what says in an error which table it is.

    Raises:
        ModelNotFoundError: if the file is not there.
        ModelDamagedError: if it is not such a table.
    """
    if not path.is_file():
        raise ModelNotFoundError(f"the table of {what} is missing; install again or train the classifier")
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return tuple(np.asarray(arrays[name]) for name in names)
    except (OSError, ValueError, KeyError) as error:
        raise ModelDamagedError(f"the table of {what} cannot be read: {type(error).__name__}") from None
