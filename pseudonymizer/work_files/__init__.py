"""Work files of output folders, below the vault: one sealed SQLite file each, and its keys.

What the passes of a run keep in one, pseudonymizer.runs knows. Here is what erasure must know too.
"""
