"""Both stores, the keys, one unit of work: below every row and every verb."""
