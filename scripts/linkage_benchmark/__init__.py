"""Peers of linkage in the benchmark of linkage."""
