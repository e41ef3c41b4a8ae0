"""Stores where the settings say. Apart from `runs`, so that whoever only reads loads neither Prefect nor models."""

from core.settings import Settings
from storage.lineage import Lineage


def open_lineage(settings: Settings) -> Lineage:
    return Lineage(settings.lineage_file, settings.lock_timeout_seconds)
