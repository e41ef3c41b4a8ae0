"""A model server on the loopback address that answers like the real ones and fails as told. It is a development tool:
every test that needs a network runs the real SDKs against it, and reads in its log what was asked and paid."""
