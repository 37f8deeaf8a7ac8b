"""Invented values of the right type, in the spelling of the real ones, that nobody can have."""

from pseudonymizer.treatments.surrogates.invented import InventedValues as InventedValues
