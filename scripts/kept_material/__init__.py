"""What scripts/make_kept makes tests/kept/*.tar.xz of."""
