"""Files of many formats: their texts out, the same file with pseudonyms back, and the way back from that."""

from pseudonymizer.formats.kept_originals import is_text_only, kept_original
from pseudonymizer.formats.records import (
    Column,
    Edit,
    FormatOptions,
    PartRole,
    RenderedFile,
    Replacements,
    TextPart,
    UnreadContent,
)
from pseudonymizer.formats.registry import format_of, is_table, read, restored_suffix, undo
from pseudonymizer.formats.tree.parsing import ParsedFile

__all__ = [
    "Column",
    "Edit",
    "FormatOptions",
    "ParsedFile",
    "PartRole",
    "RenderedFile",
    "Replacements",
    "TextPart",
    "UnreadContent",
    "format_of",
    "is_table",
    "is_text_only",
    "kept_original",
    "read",
    "restored_suffix",
    "undo",
]
