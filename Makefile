.PHONY: check test up

check:  ## format, lint, types, import contracts
	uv run ruff format --check .
	uv run ruff check .
	uv run pyright
	uv run lint-imports

test:  ## the whole suite
	uv run pytest

up:  ## server, worker and deployments on this machine
	uv run flawbench up
