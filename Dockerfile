# The application as it runs from its checkout: source copied in, installed editable (a wheel of it carries no modules).
# The headless OpenCV needs no libraries of a desktop.
#
# Not built yet: the machine that wrote this file has no Docker daemon. Checked there: `uv sync --frozen --no-default-groups` in a copy
# of the files that .dockerignore lets through, and from that copy the commands of docker-compose.yml as plain processes.
FROM python:3.11-slim

RUN pip install --no-cache-dir uv

ENV UV_PYTHON_DOWNLOADS=never \
    UV_LINK_MODE=copy \
    PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1

RUN useradd --create-home --uid 1000 flawbench \
    && install --directory --owner flawbench --group flawbench /app /data
USER flawbench
WORKDIR /app

# The libraries are a layer of their own: a change of the source does not install them again.
COPY --chown=flawbench pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --frozen --no-default-groups --extra anthropic --extra s3 --extra s3 --no-install-project --no-cache

COPY --chown=flawbench . .
RUN uv sync --frozen --no-default-groups --extra anthropic --extra s3 --extra s3 --no-cache

# The image has no .git: `docker build --build-arg FLAWBENCH_COMMIT=$(git rev-parse HEAD) .` lets a release name its code.
ARG FLAWBENCH_COMMIT=unknown
ENV FLAWBENCH_COMMIT=$FLAWBENCH_COMMIT \
    FLAWBENCH_DATA=/data \
    PREFECT_HOME=/data/prefect \
    DO_NOT_TRACK=1

VOLUME /data
CMD ["flawbench", "--help"]
