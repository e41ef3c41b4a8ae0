"""One Label Studio under the token of its administrator: the SDK, loaded when it is first needed, and failures by
what can be done about them. A pull reads by plain HTTP alone, and so does a push its list of tasks: the SDK takes
every 404 for the last page, so a project deleted meanwhile would look like one whose tasks were deleted; and it turns
odd annotations into something else, while a verdict must be judged as it was sent. Sign-up is a form of the web pages
(`accounts`) and files are sent as a form too (`uploads`), which the SDK cannot do."""

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

import httpx

from core.errors import AnnotationError

if TYPE_CHECKING:
    from label_studio_sdk import AllRolesProjectList
    from label_studio_sdk.base_client import LabelStudioBase
    from label_studio_sdk.core.client_wrapper import SyncClientWrapper

SUPPORTED_RELEASE = "1.23."
PAGE = 200
NOT_FOUND = 404
_FAILED = 500
_PARTS = 10
_TIMEOUT_SECONDS = 120.0
_DETAIL_LETTERS = 300


class RequestRefusedError(AnnotationError):
    """The server understood and will not: what was asked is wrong, not the way to it."""


class ServerFailedError(AnnotationError):
    """The server has a fault of its own (500), which may lie in one task of many."""


class _Page(NamedTuple):
    """`unreadable`: numbers of tasks that should stand in it."""

    total: int
    tasks: list[dict[str, object]]
    unreadable: list[int]


class Client:
    """`url` as in FLAWBENCH_LABEL_STUDIO_URL. `token`: a legacy token or a personal access token. To be used in `with`,
    which closes its connections."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/") + "/"  # the SDK loses a path without its slash when it renews an access token
        self._token = token
        self._http = httpx.Client(timeout=_TIMEOUT_SECONDS, follow_redirects=True)

    @cached_property
    def sdk(self) -> "LabelStudioBase":
        """Never repeats a request by itself: the server carries out what it could not answer in time, so a repeated
        import or creation would be there twice. The extended client of the SDK would load pandas and more for what is
        not used here. Raises AnnotationError for a token that has run out."""
        from label_studio_sdk.base_client import LabelStudioBase

        with self.doing("reading the token"):
            return LabelStudioBase(base_url=self.url, api_key=self._token, httpx_client=self._http, max_retries=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    @contextmanager
    def doing(self, what: str) -> Generator[None, None, None]:
        """Turns every failure of the server or the way to it into an AnnotationError. `what` as in `listing tasks`."""
        from label_studio_sdk.core.api_error import ApiError

        try:
            yield
        except ApiError as error:
            raise self._refusal(error.status_code, error.body, what) from None
        except httpx.TimeoutException:
            raise AnnotationError(
                f"Label Studio at {self.url} did not answer in time while {what}.",
                "Run the command again: what is there already is kept. With SQLite and several people use PostgreSQL.",
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise AnnotationError(
                f"Label Studio at {self.url} does not answer while {what}: {str(error).rstrip('.')}.",
                "Start it with `flawbench review up`, or set FLAWBENCH_LABEL_STUDIO_URL to the server that runs.",
            ) from None

    def get(self, path: str, what: str, parameters: Mapping[str, str | int] | None = None) -> httpx.Response:
        """Any answer but an error. Raises AnnotationError."""
        with self.doing(what):
            response = self.get_any(path, parameters)
        return self.check(response, what)

    def get_any(self, path: str, parameters: Mapping[str, str | int] | None = None) -> httpx.Response:
        """Whatever status it has; to be used in `doing`."""
        return self._http.get(self.url + path, params=parameters, headers=self._headers())

    def get_list(self, path: str, what: str) -> list[dict[str, object]]:
        """Raises AnnotationError, also for an answer that is no list of objects."""
        try:
            body = self.get(path, what).json()
        except ValueError:
            raise self._no_label_studio() from None
        if isinstance(body, list) and all(isinstance(one, dict) for one in body):
            return body
        raise self._no_label_studio()

    def post_files(self, path: str, files: Sequence[tuple[str, bytes, str]], what: str) -> None:
        """Each with name, bytes and media type. The SDK sends no files to that address. Raises AnnotationError."""
        with self.doing(what):
            # Each under a key of its own: of several files under one key the server keeps the last.
            parts = [(name, (name, data, kind)) for name, data, kind in files]
            response = self._http.post(self.url + path, files=parts, headers=self._headers())
        self.check(response, what)

    def check(self, response: httpx.Response, what: str) -> httpx.Response:
        """The response itself. Raises AnnotationError for an error."""
        if response.is_error:
            raise self._refusal(response.status_code, response.text, what)
        return response

    def list_projects(self, title: str, what: str) -> "list[AllRolesProjectList]":
        """Those with exactly this title. The SDK by itself goes on to a page after the last, which is an error. Raises
        AnnotationError."""
        found: list[AllRolesProjectList] = []
        with self.doing(what):
            for page in self.sdk.projects.list(title=title).iter_pages():
                found += [project for project in page.items or () if project.title == title]
                if page.response.next is None:
                    break
        return found

    def list_tasks(
        self,
        project: int,
        include: str,
        what: str,
        query: Mapping[str, object] | None = None,
        page_size: int = PAGE,
        unreadable: list[int] | None = None,
    ) -> Iterator[dict[str, object]]:
        """In the order of their ids, as they were sent. Where `unreadable` is given, it gets the numbers of the tasks
        on which the server fails, and the others are listed all the same. Raises AnnotationError."""
        parameters: dict[str, str | int] = {
            "project": project,
            "fields": "all",
            "include": include,
            "resolve_uri": "false",
            "query": json.dumps({"ordering": ["tasks:id"], **(query or {})}),
        }
        number, seen, total = 1, 0, 1
        while seen < total:
            page = self._read_page(parameters, number, page_size, what, around=unreadable is not None)
            if page is None:  # tasks were deleted while they were listed
                return
            yield from page.tasks
            if unreadable is not None:
                unreadable += page.unreadable
            number, seen, total = number + 1, seen + len(page.tasks) + len(page.unreadable), page.total

    def read_clock(self) -> datetime:
        """The time of the server: its filters compare with that. Raises AnnotationError, also for another release."""
        response = self.get("api/version", "reading its version")
        release = _find_release(response)
        if release is None or not release.startswith(SUPPORTED_RELEASE):
            raise AnnotationError(
                f"{self.url} is {'no Label Studio' if release is None else f'Label Studio {release}'}.",
                f"Set FLAWBENCH_LABEL_STUDIO_URL to a Label Studio {SUPPORTED_RELEASE}x, or unset it and start one with"
                " `flawbench review up`.",
            )
        sent = response.headers.get("date")
        return parsedate_to_datetime(sent).astimezone(UTC) if sent else datetime.now(UTC)

    def _headers(self) -> dict[str, str]:
        """As the SDK sends them: it trades a personal access token for one of five minutes, again and again."""
        return self._signer.get_headers()

    @cached_property
    def _signer(self) -> "SyncClientWrapper":
        """The part of the SDK that knows tokens: who only reads needs no more."""
        from label_studio_sdk.core.client_wrapper import SyncClientWrapper

        with self.doing("reading the token"):
            return SyncClientWrapper(
                api_key=self._token, base_url=self.url, httpx_client=self._http, timeout=_TIMEOUT_SECONDS, max_retries=0
            )

    def _read_page(
        self, parameters: Mapping[str, str | int], page: int, size: int, what: str, *, around: bool = False
    ) -> _Page | None:
        """None for one after the last. `around`: read what is left of it where the server fails on a task."""
        with self.doing(what):
            response = self.get_any("api/tasks/", {**parameters, "page": page, "page_size": size})
        if response.status_code == NOT_FOUND and "Invalid page" in response.text:
            return None
        if response.status_code == _FAILED and around:
            return self._read_parts(parameters, page, size, what)
        try:
            body = self.check(response, what).json()
            return _Page(int(body["total"]), list(body["tasks"]), [])
        except (ValueError, KeyError, TypeError):
            raise self._no_label_studio() from None

    def _read_parts(self, parameters: Mapping[str, str | int], page: int, size: int, what: str) -> _Page | None:
        """The same page in smaller ones, down to the task on which the server fails, of which it then tells the number
        alone. A server that fails on everything fails on that too, after a few requests."""
        if size == 1:
            alone = self._read_page({**parameters, "include": "id"}, page, 1, what)
            return alone and _Page(alone.total, [], [int(str(sent["id"])) for sent in alone.tasks])
        smaller = size // _PARTS if size % _PARTS == 0 else 1
        parts = size // smaller
        whole = _Page(0, [], [])
        for number in range((page - 1) * parts + 1, page * parts + 1):
            part = self._read_page(parameters, number, smaller, what, around=True)
            if part is None:
                break
            whole = _Page(part.total, whole.tasks + part.tasks, whole.unreadable + part.unreadable)
        return whole if whole.total else None

    def _refusal(self, status: int | None, body: object, what: str) -> AnnotationError:
        detail = _describe(body)
        match status:
            case 401 if "legacy" in detail:
                return AnnotationError(
                    f"Label Studio at {self.url} has its legacy tokens switched off.",
                    "Switch them on in Organization > API Tokens Settings, or set FLAWBENCH_LABEL_STUDIO_TOKEN to a"
                    " personal access token of the administrator.",
                )
            case 401:
                return AnnotationError(
                    f"Label Studio at {self.url} refuses the token while {what}: {detail}.",
                    "Set FLAWBENCH_LABEL_STUDIO_TOKEN to a token of its administrator (Account & Settings there), or"
                    " unset it to use the server of `flawbench review up`.",
                )
            case 404:
                return AnnotationError(
                    f"{self.url} has nothing there while {what} (404): {detail}.",
                    "Set FLAWBENCH_LABEL_STUDIO_URL to the address of Label Studio, without the path of a page. What"
                    " was deleted there by hand is made again by `flawbench review push`.",
                )
            case 400:
                return RequestRefusedError(
                    f"Label Studio at {self.url} refuses, while {what} (400): {detail}.",
                    "Mend what it says and run the command again: what is there already is kept.",
                )
            case int() if status < 400:
                return self._no_label_studio()
            case _:
                kind = ServerFailedError if status == _FAILED else AnnotationError
                return kind(
                    f"Label Studio at {self.url} failed while {what} ({status}): {detail}.",
                    "Read its log, mend what it says and run the command again: what is there already is kept.",
                )

    def _no_label_studio(self) -> AnnotationError:
        return AnnotationError(
            f"{self.url} answers, but not as Label Studio does.",
            "Set FLAWBENCH_LABEL_STUDIO_URL to the address of Label Studio, without the path of a page.",
        )


def _find_release(response: httpx.Response) -> str | None:
    try:
        release = response.json()["release"]
    except (ValueError, KeyError, TypeError):
        return None
    return release if isinstance(release, str) else None


def _describe(body: object) -> str:
    """What the server says is wrong, in one line."""
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            return " ".join(str(body).split())[:_DETAIL_LETTERS] if "<" not in str(body) else "a page of HTML"
    if isinstance(body, dict):
        body = body.get("validation_errors") or body.get("detail") or body
    return " ".join(str(body).split())[:_DETAIL_LETTERS]
