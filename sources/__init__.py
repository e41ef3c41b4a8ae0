"""Public data sets to samples: the quirks of each stay in its own file."""
