"""Scores against gold: gold files (gold), mentions (detection), identities and links (linkage)."""
