"""One module for each provider: a request into its wire format and its reply back out, nothing else."""
