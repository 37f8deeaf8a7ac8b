"""Pseudonyms of several styles; see pseudonymizer.vault.styled_assignment."""

from pseudonymizer.vault.styled_assignment import InventedNames, StyledPseudonyms, assign_styled

__all__ = ["InventedNames", "StyledPseudonyms", "assign_styled"]
