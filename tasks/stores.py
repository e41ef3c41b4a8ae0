"""Stores where the settings say. Apart from `runs`, so that whoever only reads loads neither Prefect nor what asks
models."""

from core.settings import Settings
from models.ledger import Ledger
from storage.lineage import Lineage


def open_lineage(settings: Settings) -> Lineage:
    return Lineage(settings.lineage_file, settings.lock_timeout_seconds)


def open_ledger(settings: Settings, build: str) -> Ledger:
    """Of what the build paid."""
    return Ledger(settings.spending / build)
