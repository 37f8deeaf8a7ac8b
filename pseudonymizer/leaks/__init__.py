"""What a written file says when it is read again: every text in it, in whatever encoding.

Its readers are others than those of `formats`, so that a place which those do not know is seen as well.
"""

from pseudonymizer.leaks.search import Search, read_again

__all__ = ["Search", "read_again"]
