"""Pictures, read by text recognition."""

from functools import partial
from typing import Final

from pseudonymizer.formats.format import Format, Restores, Way

_picture = partial(
    Format, is_signed=True, read=Way("pictures.files:read"),
    undo=Way("pictures.files:undo"), is_marked=Way("pictures.files:is_marked"), restores=Restores.TEXT,
)  # fmt: skip
FORMATS: Final = (
    _picture("png", "PNG picture", ("png",), heads=(b"\x89PNG\r\n\x1a\n",)),
    _picture("jpeg", "JPEG picture", ("jpg", "jpeg"), heads=(b"\xff\xd8\xff",)),
    _picture("tiff", "TIFF picture", ("tif", "tiff"), heads=(b"II*\0", b"MM\0*")),
)
