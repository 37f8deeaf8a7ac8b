"""A file as a tree of bytes and texts, and the way back."""
