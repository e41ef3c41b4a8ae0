"""Sample in, flawed sample out. Pure: everything comes in as an argument."""
