"""The flawbench command: one module per group of commands, heavy imports inside the commands."""
