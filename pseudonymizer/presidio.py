"""Presidio's anonymizer with this vault: operators both ways, and recognizer results as mentions."""
