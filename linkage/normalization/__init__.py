"""Mentions -> normalized mentions: names taken apart, and what the text around them says."""

from linkage.normalization.parsing import parse_name, render_name

__all__ = ["parse_name", "render_name"]
