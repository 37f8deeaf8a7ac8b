"""A corpus of files: planned, worked on by processes, taken up again, written whole, reported, restored."""
