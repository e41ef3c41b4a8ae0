"""Prefect flows: order, fan-out and parameters, no logic."""
