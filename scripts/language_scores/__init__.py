"""Scores of detection in any language, on the gold sets of that language."""
