"""What parses, reads and undoes each format. Modules load on first use: pikepdf, pyarrow and others
are heavy.
"""

from collections.abc import Callable, Sequence
from typing import Final

from linkage.errors import UnsupportedInputError
from pseudonymizer.formats import restoring
from pseudonymizer.formats.nodes import Node
from pseudonymizer.formats.parsing import ParsedFile, Reading
from pseudonymizer.formats.records import Edit, FormatOptions

Parser = Callable[[bytes, Reading], Node]
Reader = Callable[[bytes, FormatOptions], ParsedFile]
Undo = Callable[[bytes, Sequence[Edit]], bytes]

PICTURES: Final = frozenset({"png", "jpeg", "tiff"})


def parser_of(format_name: str) -> Parser | None:
    """What makes one tree of a file's bytes; None for a format that is no such tree.

    Raises:
        UnsupportedInputError: the format needs a package that is not installed.
    """
    try:
        return _parser_of(format_name)
    except ModuleNotFoundError as error:
        raise _not_installed(error) from None


def reader_of(format_name: str) -> Reader | None:
    """What reads a format that is not one tree of bytes, or that is read piece by piece; None for others.

    Raises:
        UnsupportedInputError: the format needs a package that is not installed.
    """
    try:
        return _reader_of(format_name)
    except ModuleNotFoundError as error:
        raise _not_installed(error) from None


def _not_installed(error: ModuleNotFoundError) -> UnsupportedInputError:
    return UnsupportedInputError(
        f"this format needs {error.name}; install it with: pip install 'nymlink[docs]'"
    )


def _parser_of(format_name: str) -> Parser | None:
    match format_name:
        case "txt" | "md":
            from pseudonymizer.formats import plain

            return plain.parse
        case "whatsapp":
            from pseudonymizer.formats import chat

            return chat.parse
        case "csv" | "tsv":
            from pseudonymizer.formats import delimited

            return delimited.parse
        case "json":
            from pseudonymizer.formats import json_text

            return json_text.parse
        case "jsonl":
            from pseudonymizer.formats import json_text

            return json_text.parse_lines
        case "fhir":
            from pseudonymizer.formats import fhir

            return fhir.parse
        case "html":
            from pseudonymizer.formats import html

            return html.parse
        case "xml":
            from pseudonymizer.formats import xml

            return xml.parse
        case "eml":
            from pseudonymizer.formats import mail

            return mail.parse
        case "docx":
            from pseudonymizer.formats import word

            return word.parse
        case "xlsx":
            from pseudonymizer.formats import spreadsheet

            return spreadsheet.parse
        case "pptx":
            from pseudonymizer.formats import slides

            return slides.parse
        case "odt" | "ods" | "odp":
            from pseudonymizer.formats import opendocument

            return opendocument.parse
        case "rtf":
            from pseudonymizer.formats import rich_text

            return rich_text.parse
        case "hl7":
            from pseudonymizer.formats import hl7

            return hl7.parse
    return None


def _reader_of(format_name: str) -> Reader | None:
    match format_name:
        case "mbox":
            from pseudonymizer.formats import mailbox

            return mailbox.read
        case "xlsx":
            from pseudonymizer.formats import spreadsheet

            return spreadsheet.read
        case "pdf":
            from pseudonymizer.formats import pdf

            return pdf.read
        case "msg":
            from pseudonymizer.formats import outlook

            return outlook.read
        case "parquet":
            from pseudonymizer.formats import columns

            return columns.read
        case "png" | "jpeg" | "tiff":
            from pseudonymizer.formats import picture_files

            return picture_files.read
    return None


def undo_of(format_name: str) -> Undo:
    """What gives a file back without the edits; of pdf and pictures the text in UTF-8."""
    match format_name:
        case "pdf":
            from pseudonymizer.formats import pdf

            return pdf.undo
        case "msg":
            from pseudonymizer.formats import outlook

            return outlook.undo
        case "parquet":
            from pseudonymizer.formats import columns

            return columns.undo
        case "png" | "jpeg" | "tiff":
            from pseudonymizer.formats import picture_files

            return picture_files.undo
    return restoring.undo
