"""One tree of errors: catch PseudonymizerError for everything that pseudonymizer raises on purpose."""


class PseudonymizerError(Exception):
    """Base of every error that pseudonymizer raises on purpose. Messages hold ids, counts, spans."""


class OverlappingReplacementsError(PseudonymizerError, ValueError):
    """Two replacements claim the same characters; resolve overlaps in recognition, not here."""


class RewrittenTextChangedError(PseudonymizerError, ValueError):
    """A rewritten text was edited since, so it cannot be undone edit by edit."""


class BatchError(PseudonymizerError):
    """A run cannot start or go on, such as an output folder that is an input folder."""


class WorkFileError(BatchError):
    """The work file of a run is damaged, sealed under another key, or of another version."""
