"""Where the shipped tables, lists and models lie."""

from importlib import resources
from pathlib import Path

from linkage.errors import ModelNotFoundError


def data_directory() -> Path:
    """Where the shipped gazetteers and models lie: inside an installed package, or in the checkout.

    Raises:
        ModelNotFoundError: if neither place has them.
    """
    package = Path(str(resources.files("linkage")))
    for place in (package / "data", package.parent / "data"):
        if (place / "models").is_dir():
            return place
    raise ModelNotFoundError(
        "the shipped models are missing; install nymlink again, or run from a whole checkout"
    )
