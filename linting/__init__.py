"""Looks through a data set of questions, ours or anybody's, for what is known to go wrong in them."""
