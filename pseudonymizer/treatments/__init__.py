"""What becomes of each kind of identifier: treatments, profiles of them, and the texts that they write."""
