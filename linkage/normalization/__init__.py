"""Mentions -> normalized mentions: names taken apart, and what the text around them says."""

from linkage.normalization.context import gender_of, normalize
from linkage.normalization.parsing import parse_name
from linkage.normalization.rendering import render_name

__all__ = ["gender_of", "normalize", "parse_name", "render_name"]
