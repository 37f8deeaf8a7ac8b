"""Reading the learned tables: arrays of an .npz file, never pickle."""

import struct
import zlib
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from linkage.errors import ModelDamagedError, ModelNotFoundError

# numpy lets through what zipfile and zlib raise: a RuntimeError where a flipped bit says "encrypted" or
# names a packing nobody has, a SyntaxError, TokenError or TypeError where an array's description is altered.
_DAMAGE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    BadZipFile,
    zlib.error,
    RuntimeError,
    SyntaxError,
    TypeError,
    AttributeError,
    TokenError,
    struct.error,
)


def read_arrays(path: Path, *names: str, what: str) -> tuple[npt.NDArray[Any], ...]:
    """The named arrays of the file, in that order; what says in an error which table it is.

    Raises:
        ModelNotFoundError: if the file is not there.
        ModelDamagedError: if it is not such a table, or cut off or altered in any place.
    """
    if not path.is_file():
        raise ModelNotFoundError(f"the table of {what} is missing; install again or train the classifier")
    try:
        # Opened here, because numpy leaves the file open where it cannot read it.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return tuple(np.asarray(arrays[name]) for name in names)
    except _DAMAGE as error:
        raise ModelDamagedError(f"the table of {what} cannot be read: {type(error).__name__}") from None


def read_weights(path: Path, *, what: str) -> tuple[npt.NDArray[np.float32], float]:
    """Weights, float32, and a number to add: an .npz with int8 "codes", and float32 "scale" and "base", each
    one number. what says in an error which table it is.

    Raises:
        ModelNotFoundError: if the file is not there.
        ModelDamagedError: if it is not such a table, or cut off or altered in any place.
    """
    codes, scale, base = read_arrays(path, "codes", "scale", "base", what=what)
    return codes.astype(np.float32) * np.float32(scale.ravel()[0]), float(base.ravel()[0])
