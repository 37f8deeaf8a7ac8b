"""Candidate pairs -> comparison vectors: the table of features and the comparer that fills it."""

from linkage.comparison.comparer import FormComparer, PreparedForms
from linkage.comparison.features import FEATURES, Feature

__all__ = ["FEATURES", "Feature", "FormComparer", "PreparedForms"]
