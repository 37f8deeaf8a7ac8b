"""Mentions -> normalized mentions: names taken apart, and what the text around them says."""

from linkage.normalization.context import gender_of, normalize

__all__ = ["gender_of", "normalize"]
