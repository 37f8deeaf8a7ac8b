"""Italian for nymlink: its tables, lists and models lie in this folder of the wheel."""
