"""What one file may take while it is read: the table [files] of a settings file."""

from dataclasses import dataclass
from typing import Annotated, Final, TypedDict

from msgspec import Meta

MEGABYTE: Final = 1024 * 1024


class Bounds(TypedDict):
    """The bounds of a file under the names that FormatOptions has."""

    max_bytes: int
    max_ratio: int
    max_depth: int
    max_seconds: float
    max_memory: int


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The bounds of one file; one that meets them fails alone. The defaults are those of FormatOptions."""

    max_memory: Annotated[
        int,
        Meta(
            ge=64,
            description="megabytes of memory that reading a file may take, and at most half of the "
            "machine's; Linux only",
        ),
    ] = 4096
    max_seconds: Annotated[
        int,
        Meta(
            ge=1,
            description="seconds that reading a file may take, and 60 more for each megabyte "
            "(docs/measurements/scale.md)",
        ),
    ] = 120
    max_depth: Annotated[
        int, Meta(ge=0, le=32, description="levels of files within files, such as attachments, that are read")
    ] = 4
    max_size: Annotated[
        int, Meta(ge=1, description="megabytes of a file and of everything packed in it, together")
    ] = 512
    max_ratio: Annotated[
        int, Meta(ge=2, description="how many times its own size a packed file may unpack to")
    ] = 200

    @property
    def bounds(self) -> Bounds:
        return Bounds(
            max_bytes=self.max_size * MEGABYTE, max_ratio=self.max_ratio, max_depth=self.max_depth,
            max_seconds=float(self.max_seconds), max_memory=self.max_memory * MEGABYTE,
        )  # fmt: skip
