"""Pseudonyms for the people of a linkage result; see pseudonymizer.vault.assignment."""

from pseudonymizer.vault.assignment import assign, literal_label, one_person_a_key

__all__ = ["assign", "literal_label", "one_person_a_key"]
