"""How names are written: one taken apart, and its parts put together again."""

from linkage.names.parsing import parse_name
from linkage.names.rendering import render_name

__all__ = ["parse_name", "render_name"]
