"""A Label Studio for one desk with the annotators' accounts in it, for as long as it is wanted."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from annotation.label_studio.accounts import Account, ensure_accounts
from annotation.label_studio.server import LOG_FILE, serve_desk
from core.errors import AnnotationError
from core.settings import load_settings
from tasks.review_desk import desk_folder, open_desk
from tasks.review_store import open_reviews, planned


@dataclass(frozen=True, slots=True)
class ServedDesk:
    """`accounts` in the order of the plan."""

    url: str
    folder: Path
    accounts: tuple[Account, ...]
    process: "subprocess.Popen[bytes]"

    def wait(self) -> None:
        """Until the server ends, which it should not. Raises AnnotationError then."""
        code = self.process.wait()
        raise AnnotationError(
            f"Label Studio ended by itself with {code}.",
            f"See the end of {self.folder / LOG_FILE}, then start it again.",
        )


@contextmanager
def serve_review(build: str, port: int) -> Generator[ServedDesk, None, None]:
    """Raises ConfigurationError for a review that is not planned, and AnnotationError when the server does not start or
    the settings name another one."""
    settings = load_settings()
    if settings.label_studio_url:
        raise AnnotationError(
            f"FLAWBENCH_LABEL_STUDIO_URL names {settings.label_studio_url}: a server started here would not be used.",
            "Unset it to use a server of this machine.",
        )
    plan = planned(open_reviews(settings), build)
    objects = Path(settings.objects_url.removeprefix("file://"))
    objects.mkdir(parents=True, exist_ok=True)
    with serve_desk(desk_folder(settings), objects, port) as server, open_desk(settings) as desk:
        accounts = ensure_accounts(desk.client, desk.keys_file, plan.active)
        yield ServedDesk(server.url, server.folder, tuple(accounts), server.process)
