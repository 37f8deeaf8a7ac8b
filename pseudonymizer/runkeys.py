"""Pseudonyms by workers that share nothing; see pseudonymizer.vault.runkeys."""

from pseudonymizer.vault.runkeys import MOST_HOURS, Accepted, RunKey, RunWorker, accept, hand_out

__all__ = ["MOST_HOURS", "Accepted", "RunKey", "RunWorker", "accept", "hand_out"]
