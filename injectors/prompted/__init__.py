"""Injectors that ask a model: what they ask, and what they hold its reply against. None of them calls."""
