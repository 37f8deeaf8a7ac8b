"""Finding values by pattern: every kind of identifier that has a shape, a check digit or a cue word."""

from linkage.detection.finder import ValueFinder as ValueFinder
from linkage.detection.finder import find_values as find_values
from linkage.detection.finder import finder_of as finder_of
from linkage.detection.patterns import FoundValue as FoundValue
from linkage.detection.values import normal_form as normal_form
from linkage.detection.values import value_mentions as value_mentions
