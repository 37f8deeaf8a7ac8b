"""The web front: HTTP and nothing else. It has no key, no model and no connection to a vault."""
