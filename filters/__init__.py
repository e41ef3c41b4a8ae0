"""Flawed sample in, decision out. Pure, like the injectors, and never sees how the flaw was made."""
