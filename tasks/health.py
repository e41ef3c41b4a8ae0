"""Whether a Prefect server answers, asked without loading Prefect, which takes a second."""

from urllib.error import URLError
from urllib.request import urlopen

DEFAULT_API = "http://127.0.0.1:4200/api"

_ANSWER_SECONDS = 2.0


def answers(api: str) -> bool:
    try:
        with urlopen(f"{api}/health", timeout=_ANSWER_SECONDS) as reply:
            return reply.status == 200 and reply.read(16).strip() == b"true"
    except (URLError, OSError, ValueError):
        return False
