"""Between the review and a Label Studio: a server for a desk, accounts, projects, pictures, tasks in, verdicts out."""
