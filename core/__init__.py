"""Vocabulary of the project: records, taxonomy, recipe, settings, errors. Imports nothing else of it."""
