"""Kept candidates to a release that `datasets` opens."""
