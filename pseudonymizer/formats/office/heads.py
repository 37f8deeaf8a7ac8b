"""Which package a ZIP archive is."""

import io
import zipfile
import zlib

from linkage.errors import DamagedDocumentError

_OFFICE_PARTS = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_OPEN_DOCUMENT = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
}


def format_of_zip(raw: bytes) -> str:
    """The name of the format of a package; "zip" for an archive that is no package.

    Raises:
        DamagedDocumentError: no whole ZIP archive.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                found = _OPEN_DOCUMENT.get(archive.read("mimetype").strip().removesuffix(b"-template"))
                if found is not None:
                    return found
            if "[Content_Types].xml" in names:
                for folder, format_name in _OFFICE_PARTS.items():
                    if any(name.startswith(folder) for name in names):
                        return format_name
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError):
        raise DamagedDocumentError("the file is no whole ZIP archive; get it again") from None
    return "zip"
