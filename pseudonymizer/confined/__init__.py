"""Files are read in a process of their own with limits on memory and time: they may be made to do harm."""

from pseudonymizer.confined.reading import read

__all__ = ["read"]
