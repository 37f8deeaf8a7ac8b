"""The care of a vault: erase, rotate, move, verify, merge, split."""
