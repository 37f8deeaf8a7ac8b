"""The pipeline on Spark: one machine's functions over Arrow batches, joins in place of its indexes.

Needs the extra `nymlink[spark]`. Workers see texts and mentions, never the key of the vault: assignment and
everything else that touches the vault is the driver's.
"""
