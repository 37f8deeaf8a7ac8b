"""How pseudonyms look: they are made and read here, without a vault."""
