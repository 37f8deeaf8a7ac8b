"""Dates in their spellings: read, shifted, and told as a month or a year."""
