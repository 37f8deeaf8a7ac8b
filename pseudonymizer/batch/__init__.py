"""A corpus through the whole pipeline: bounded memory, several processes, runs that can be taken up again."""
