"""Prefect tasks: load, call one function of the domain, store, return ids."""
