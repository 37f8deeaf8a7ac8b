"""From identities to pseudonyms."""
