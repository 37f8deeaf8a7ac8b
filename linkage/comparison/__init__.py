"""Candidate pairs -> comparison vectors: the table of features and the comparer that fills it."""

from linkage.comparison.comparer import FormComparer, KnownForms
from linkage.comparison.features import FEATURES, Feature
from linkage.comparison.forms import PreparedForms

__all__ = ["FEATURES", "Feature", "FormComparer", "KnownForms", "PreparedForms"]
