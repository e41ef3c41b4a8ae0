"""Tasks into a real Label Studio and verdicts out of it, with all that people and servers do in between."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from socketserver import ThreadingMixIn
from typing import Any, Self

import httpx
import numpy as np
import pytest

from annotation.label_studio.accounts import Account, ensure_accounts
from annotation.label_studio.client import Client
from annotation.label_studio.pictures import DiskPictures, check_picture
from annotation.label_studio.projects import Place, ensure_project
from annotation.label_studio.pulling import FULL_EVERY, Pulled, pull_project
from annotation.label_studio.pushing import Pushed, push_tasks
from annotation.label_studio.server import Server
from annotation.label_studio.shapes import seal
from annotation.label_studio.uploads import UploadedPictures
from annotation.screen.config import render_config
from core.errors import AnnotationError
from core.pictures import encode_png
from core.records import Language, Picture
from core.review import Assignment, Flag, Judged, Judgement, ReviewPlan, ReviewProject, Round
from core.taxonomy import Subtype
from storage.reviews import Reviews

pytestmark = pytest.mark.services

StartDesk = Callable[[Path], AbstractContextManager[Server]]
LogIn = Callable[[str, str, str], AbstractContextManager[httpx.Client]]

SCREEN = render_config(Language.ENGLISH)
PASSED = {"type_compliance": "pass", "unanswerability": "pass"}
FAILED = PASSED | {"unanswerability": "fail", "unanswerability_reason": "the figure says it"}


def data(item: str, text: str = "text", content: str = "first") -> dict[str, object]:
    """As `annotation.screen.tasks` makes it, with little in it."""
    return {
        "sample_id": item,
        "round": 1,
        "content_sha": content,
        "claim": "<p>claim</p>",
        "original": f"<p>{text}</p>",
        "modified": f"<p>{text}</p>",
        "pictures": [],
        "no_pictures": [],
        "first_round": [],
        "ask_type_compliance": [{}],
        "ask_unanswerability": [{}],
        "decided": [],
    }


def result(answers: dict[str, str]) -> list[dict[str, object]]:
    return [
        {
            "from_name": name,
            "to_name": "modified",
            "type": "textarea" if "reason" in name else "choices",
            "value": {"text" if "reason" in name else "choices": [answer]},
        }
        for name, answer in answers.items()
    ]


@dataclass(frozen=True)
class Person:
    """Somebody who is logged in as with a browser."""

    account: Account
    browser: httpx.Client

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        headers = {"X-CSRFToken": self.browser.cookies["csrftoken"]}
        answer = self.browser.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else {}

    def judge(self, task: int, answers: dict[str, str], **changes: object) -> int:
        body = {"result": result(answers), "lead_time": 3.5} | changes
        return int(self.call("POST", f"/api/tasks/{task}/annotations/", body)["id"])

    def change(self, annotation: int, **changes: object) -> None:
        self.call("PATCH", f"/api/annotations/{annotation}/", changes)


@pytest.fixture(scope="module")
def people(desk: Server, client: Client, log_in: LogIn) -> Generator[list[Person], None, None]:
    """The annotator, another one, who has the same rights, and one who will leave."""
    with ExitStack() as stack:
        persons: list[Person] = []
        for account in ensure_accounts(client, desk.keys_file, ["ann1", "ann2", "erased"]):
            assert account.password is not None
            browser = log_in(desk.url, account.login, account.password.get_secret_value())
            persons.append(Person(account, stack.enter_context(browser)))
        yield persons


@dataclass
class Review:
    """One annotator's round with its stored side."""

    client: Client
    account: Account
    reviews: Reviews
    build: str
    drawn: str = "seed 42"

    def project(self, screen: str = SCREEN, restore: bool = False) -> ReviewProject:
        place = Place(self.build, Round.FIRST, self.account.annotator, self.drawn)
        known = next(iter(self.reviews.projects(self.build)), None)
        project = ensure_project(self.client, place, self.account, screen, known, restore)
        self.reviews.store_project(project)
        return project

    def push(self, tasks: Sequence[dict[str, object]]) -> Pushed:
        project = self.project()
        items = [str(task["sample_id"]) for task in tasks]
        counted = {judgement.item for judgement in self.reviews.judgements(self.build) if judgement.counts}
        pushed = push_tasks(self.client, project, tasks, counted, items)
        self.reviews.store_tasks(self.build, project.project, pushed.tasks)
        assigned = [
            Assignment(item=item, subtype=Subtype.AMBIGUITY, round=Round.FIRST, annotator=self.account.annotator)
            for item in items
        ]
        self.reviews.add_assignments(self.build, assigned)
        return pushed

    def pull(self, wanted: dict[str, str] | None = None) -> Pulled:
        (project,) = self.reviews.projects(self.build)
        pulled = pull_project(
            self.client,
            project,
            self.reviews.assignments(self.build),
            self.reviews.tasks(self.build),
            self.reviews.judgements(self.build),
            wanted or {},
        )
        self.reviews.store_pull(pulled.project, pulled.judgements, pulled.items)
        return pulled

    def numbers(self) -> dict[str, int]:
        return {task.item: task.task for task in self.reviews.tasks(self.build)}

    def flags(self, item: str) -> list[set[Flag]]:
        """Of all versions, in a fixed order."""
        return sorted((set(judgement.flags) for judgement in self.judgements(item)), key=sorted)

    def judgements(self, item: str) -> list[Judgement]:
        return [judgement for judgement in self.reviews.judgements(self.build) if judgement.item == item]

    def pull_in_full(self) -> Pulled:
        """The next pull lists all tasks."""
        (project,) = self.reviews.projects(self.build)
        self.reviews.store_project(project.model_copy(update={"pulls": FULL_EVERY}))
        return self.pull()

    def there(self) -> list[dict[str, Any]]:
        (project,) = self.reviews.projects(self.build)
        return list(self.client.list_tasks(project.project, "id,data", "listing"))  # type: ignore[arg-type]


@pytest.fixture
def review(client: Client, people: list[Person], tmp_path: Path, request: pytest.FixtureRequest) -> Review:
    return Review(client, people[0].account, new_reviews(tmp_path / "lineage.duckdb"), request.node.name)


def new_reviews(file: Path) -> Reviews:
    reviews = Reviews(file, 5)
    reviews.store_plan(ReviewPlan(build="some", annotators=("ann1", "ann2")), {}, [])
    return reviews


def test_a_push_is_made_once_and_found_again_without_what_was_stored(review: Review, tmp_path: Path) -> None:
    tasks = [data(f"cnd_{number}") for number in range(7)]
    first = review.push(tasks)
    again = review.push(list(reversed(tasks)))
    review.reviews = new_reviews(tmp_path / "another.duckdb")
    adopted = review.push([*tasks, data("cnd_new")])

    assert (first.created, first.kept) == (7, 0)
    assert (again.created, again.kept, again.updated) == (0, 7, 0)
    assert set(again.tasks) == set(first.tasks)
    assert (adopted.created, adopted.kept) == (1, 7)
    assert len(review.there()) == 8
    numbers = [task.task for task in first.tasks]
    assert numbers == sorted(numbers)


class _HandingOn(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._hand_on()

    def do_POST(self) -> None:
        self._hand_on()

    def do_PATCH(self) -> None:
        self._hand_on()

    def do_DELETE(self) -> None:
        self._hand_on()

    def _hand_on(self) -> None:
        way = self.server
        assert isinstance(way, AnotherWay)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        kept = {name: self.headers[name] for name in ("authorization", "content-type") if name in self.headers}
        answer = httpx.request(self.command, way.target + self.path, content=body, headers=kept, timeout=None)
        lost = way.losing and "/import" in self.path
        if lost:
            way.imports.append(len(json.loads(body)))
        with suppress(ConnectionError):  # who has asked is gone
            self.send_response(503 if lost else answer.status_code)
            self.send_header("content-type", answer.headers.get("content-type", ""))
            self.end_headers()
            self.wfile.write(b"" if lost else answer.content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing to standard error."""


class AnotherWay(ThreadingMixIn, HTTPServer):
    """Another address of a server, in `with`, whose end waits until all is answered that came this way: a server goes
    on with what a client that was killed has asked for. `losing`: each import is carried out and answered by 503.
    `imports`: how many tasks were in each of those."""

    def __init__(self, target: str, *, losing: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _HandingOn)
        self.target, self.losing = target, losing
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.imports: list[int] = []
        self._thread = threading.Thread(target=self.serve_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


def test_imports_of_500_are_sent_once_and_looked_for_when_their_answers_are_lost(review: Review, desk: Server) -> None:
    tasks = [data(f"cnd_{number}") for number in range(1200)]
    with AnotherWay(desk.url, losing=True) as way, Client(way.url, desk.token) as client:
        pushed = replace(review, client=client).push(tasks)

    assert way.imports == [500, 500, 200]
    assert pushed.created == len({task["data"]["sample_id"] for task in review.there()}) == len(review.there()) == 1200


def test_a_project_hands_out_each_task_in_turn_without_skipping_and_without_empty_answers(review: Review) -> None:
    project = review.project()
    sent = review.client.get(f"api/projects/{project.project}/", "reading").json()

    assert sent["maximum_annotations"] == 1
    assert sent["show_skip_button"] is False
    assert sent["enable_empty_annotation"] is False
    assert sent["sampling"] == "Sequential sampling"
    assert sent["show_collab_predictions"] is False
    assert len(sent["title"]) <= 50


def test_what_changed_before_a_verdict_is_updated_and_after_one_is_stale(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a"), data("cnd_b"), data("cnd_c")])
    people[0].judge(review.numbers()["cnd_b"], PASSED)
    people[0].judge(review.numbers()["cnd_c"], PASSED)
    pushed = review.push(
        [data("cnd_a", "new", "second"), data("cnd_b", "new", "second"), data("cnd_c", "picture at another address")]
    )

    assert (pushed.updated, pushed.stale, pushed.kept) == (2, ["cnd_b"], 0)
    shown = {task["data"]["sample_id"]: task["data"]["modified"] for task in review.there()}
    assert shown == {
        "cnd_a": "<p>new</p>",
        "cnd_b": "<p>text</p>",
        "cnd_c": "<p>picture at another address</p>",
    }
    review.pull({"cnd_a": "second", "cnd_b": "second", "cnd_c": "first"})
    assert review.flags("cnd_b") == [{Flag.STALE}]
    assert review.flags("cnd_c") == [set()]


def test_doubled_tasks_are_removed_but_never_one_with_a_verdict(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a"), data("cnd_b"), data("cnd_c")])
    (project,) = review.reviews.projects(review.build)
    copies = [{"data": seal(data(item))} for item in ("cnd_a", "cnd_b", "cnd_c")]
    made = people[1].call("POST", f"/api/projects/{project.project}/import?return_task_ids=true", copies)["task_ids"]
    people[0].judge(made[1], PASSED)
    people[0].judge(made[2], PASSED)
    people[0].judge(review.numbers()["cnd_c"], FAILED)
    lowest = review.numbers()
    pushed = review.push([data("cnd_a"), data("cnd_b"), data("cnd_c")])

    assert pushed.removed == [made[0], lowest["cnd_b"]]
    assert pushed.doubles == ["cnd_c"]
    assert review.numbers() == {"cnd_a": lowest["cnd_a"], "cnd_b": made[1], "cnd_c": lowest["cnd_c"]}
    review.pull()
    assert review.flags("cnd_c") == [set(), {Flag.DOUBLE}]


def test_a_pull_reads_verdicts_once_and_their_changes_later(review: Review, people: list[Person]) -> None:
    review.push([data(f"cnd_{number}") for number in range(3)])
    empty = review.pull()
    task = review.numbers()["cnd_0"]
    annotation = people[0].judge(task, FAILED)
    first = review.pull()
    stored = review.reviews.judgements(review.build)
    again = review.pull()

    assert (empty.items, first.items, again.items) == ((), ("cnd_0",), ())
    assert review.reviews.judgements(review.build) == stored
    (judgement,) = stored
    assert judgement.counts
    assert judgement.unanswerability is Judged.FAIL
    assert judgement.unanswerability_reason == "the figure says it"
    assert (judgement.seconds, judgement.task, judgement.annotation) == (3.5, task, annotation)
    assert judgement.edited_by == people[0].account.user

    people[0].change(annotation, result=result(PASSED))
    review.pull()
    assert review.flags("cnd_0") == [set(), {Flag.REVISED}]


def test_a_pull_reads_what_changed_since_its_mark_and_two_minutes_before(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a")])
    people[0].judge(review.numbers()["cnd_a"], PASSED)
    (project,) = review.reviews.projects(review.build)
    read: list[tuple[int, tuple[str, ...]]] = []
    for ahead in (timedelta(minutes=10), timedelta(minutes=1)):
        mark = review.client.read_clock() + ahead
        review.reviews.store_project(project.model_copy(update={"pulled": mark, "pulls": 1}))
        pulled = review.pull()
        read.append((pulled.read, pulled.items))

    assert read == [(0, ()), (1, ("cnd_a",))]


def test_all_that_the_server_lets_through_is_flagged(review: Review, people: list[Person]) -> None:
    names = ("edited", "given", "foreign", "skipped", "empty", "choice", "control", "double", "deleted", "gone")
    review.push([data(name) for name in (*names, "draft")])
    me, other = people[:2]
    task = review.numbers()
    honest = {name: me.judge(task[name], PASSED) for name in ("edited", "given", "double", "deleted", "gone")}
    review.pull()
    other.change(honest["edited"], result=result(FAILED))
    other.change(honest["given"], completed_by=other.account.user)
    other.judge(task["foreign"], PASSED)
    me.judge(task["skipped"], PASSED, was_cancelled=True)
    me.judge(task["empty"], {})
    me.judge(task["choice"], PASSED | {"unanswerability": "perhaps"})
    me.judge(task["control"], PASSED | {"mood": "good"})
    me.judge(task["double"], FAILED)
    me.call("DELETE", f"/api/annotations/{honest['deleted']}/")
    other.call("DELETE", f"/api/tasks/{task['gone']}/")
    me.call("POST", f"/api/tasks/{task['draft']}/drafts", {"result": result(PASSED), "lead_time": 1})
    review.pull()
    assert review.flags("gone") == [set()]  # the server's filter does not tell
    review.pull_in_full()
    again = review.pull_in_full()

    assert again.items == ()
    assert {name: review.flags(name) for name in names} == {
        "edited": [set(), {Flag.EDITED_BY_OTHER}],
        "given": [set(), {Flag.FOREIGN}],
        "foreign": [{Flag.FOREIGN}],
        "skipped": [{Flag.SKIPPED}],
        "empty": [{Flag.EMPTY}],
        "choice": [{Flag.UNKNOWN_CHOICE, Flag.INCOMPLETE}],
        "control": [{Flag.UNKNOWN_CONTROL}],
        "double": [set(), {Flag.DOUBLE}],
        "deleted": [{Flag.DELETED}],
        "gone": [{Flag.DELETED}],
    }
    assert review.flags("draft") == [{Flag.DRAFT}]
    counted = [judgement for judgement in review.reviews.judgements(review.build) if judgement.counts]
    assert {judgement.unanswerability for judgement in counted} == {Judged.PASS}


def test_a_task_on_which_the_server_fails_is_named_and_left_out_until_it_can_be_read(
    review: Review, people: list[Person]
) -> None:
    review.push([data(f"cnd_{number:03}") for number in range(203)])
    first = review.pull()
    me, task = people[0], review.numbers()
    me.judge(task["cnd_000"], PASSED)
    me.judge(task["cnd_202"], FAILED)
    body = json.dumps({"result": result(FAILED | {"unanswerability_reason": "bad \ud800"}), "lead_time": 1})
    headers = {"X-CSRFToken": me.browser.cookies["csrftoken"], "Content-Type": "application/json"}
    for kind, item in (("annotations/", "cnd_150"), ("drafts", "cnd_151")):
        answer = me.browser.post(f"/api/tasks/{task[item]}/{kind}", content=body, headers=headers)
        assert answer.status_code == 500
    pulled = review.pull()
    again = review.pull()

    assert pulled.unreadable == again.unreadable == (task["cnd_150"], task["cnd_151"])
    assert pulled.items == ("cnd_000", "cnd_202")
    assert again.items == ()
    assert first.project.pulled == again.project.pulled
    for item in ("cnd_150", "cnd_151"):
        people[1].call("DELETE", f"/api/tasks/{task[item]}/")
    cured = review.pull()
    assert cured.unreadable == ()
    assert cured.project.pulled is not None
    assert first.project.pulled is not None
    assert cured.project.pulled > first.project.pulled


def test_a_draft_is_seen_and_forgotten_when_it_is_submitted(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a")])
    review.pull()
    task = review.numbers()["cnd_a"]
    draft = people[0].call("POST", f"/api/tasks/{task}/drafts", {"result": result(PASSED), "lead_time": 1})
    review.pull()
    assert review.flags("cnd_a") == [{Flag.DRAFT}]
    people[0].call("DELETE", f"/api/drafts/{draft['id']}/")
    people[0].judge(task, PASSED)
    review.pull()

    assert review.flags("cnd_a") == [set()]


def test_data_edited_by_hand_after_a_verdict_make_it_stale_and_are_not_covered_up(
    review: Review, people: list[Person]
) -> None:
    review.push([data("cnd_a")])
    task = review.numbers()["cnd_a"]
    people[0].judge(task, PASSED)
    review.pull()
    people[1].call("PATCH", f"/api/tasks/{task}/", {"data": seal(data("cnd_a")) | {"modified": "<p>another</p>"}})
    pushed = review.push([data("cnd_a")])
    review.pull()

    assert pushed.stale == ["cnd_a"]
    assert review.flags("cnd_a") == [{Flag.STALE}]


def test_a_screen_changed_by_hand_is_flagged_and_put_back_only_when_asked(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a"), data("cnd_b")])
    (project,) = review.reviews.projects(review.build)
    people[0].judge(review.numbers()["cnd_a"], PASSED)
    review.pull()
    changed = SCREEN.replace("</View>", "<!-- kinder words --></View>", 1)
    people[1].call("PATCH", f"/api/projects/{project.project}/", {"label_config": changed})
    people[0].judge(review.numbers()["cnd_b"], PASSED)

    with pytest.raises(AnnotationError, match=r"changed by hand.*--restore-screen"):
        review.push([data("cnd_a")])
    assert review.pull().screen_changed
    assert [review.flags("cnd_a"), review.flags("cnd_b")] == [[set()], [{Flag.SCREEN_CHANGED}]]
    review.project(restore=True)
    assert not review.pull().screen_changed
    assert review.flags("cnd_b") == [{Flag.SCREEN_CHANGED}]


def test_our_own_newer_screen_replaces_the_older_and_old_verdicts_stay(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a")])
    people[0].judge(review.numbers()["cnd_a"], PASSED)
    review.pull()
    newer = review.project(SCREEN.replace("</View>", "<!-- next release --></View>", 1))
    review.pull()

    assert review.flags("cnd_a") == [set()]
    assert review.project(SCREEN.replace("</View>", "<!-- next release --></View>", 1)) == newer.model_copy(
        update={"pulled": review.reviews.projects(review.build)[0].pulled, "pulls": 2}
    )


def test_a_deleted_project_is_an_error_for_pull_and_made_again_by_push(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a"), data("cnd_b")])
    people[0].judge(review.numbers()["cnd_a"], PASSED)
    review.pull()
    (project,) = review.reviews.projects(review.build)
    people[1].call("DELETE", f"/api/projects/{project.project}/")

    with pytest.raises(AnnotationError, match=r"was deleted.*flawbench review push"):
        review.pull()
    made = review.push([data("cnd_a"), data("cnd_b")])
    assert (made.created, made.kept) == (1, 0)
    assert [task["data"]["sample_id"] for task in review.there()] == ["cnd_b"]
    review.pull_in_full()
    assert review.flags("cnd_a") == [set()]
    assert review.push([data("cnd_a"), data("cnd_b")]).kept == 1


def test_the_verdicts_of_an_account_that_was_deleted_stay_when_they_were_read(
    review: Review, people: list[Person], desk: Server
) -> None:
    leaver = people[2]
    review.account = leaver.account
    review.push([data("cnd_a"), data("cnd_b")])
    leaver.judge(review.numbers()["cnd_a"], PASSED)
    review.pull()
    leaver.judge(review.numbers()["cnd_b"], PASSED)
    headers = {"Authorization": f"Token {desk.token}"}
    assert httpx.delete(f"{desk.url}/api/users/{leaver.account.user}/", headers=headers).is_success
    review.pull()

    assert review.flags("cnd_a") == [set()]
    (lost,) = review.judgements("cnd_b")
    assert lost.flags == (Flag.FOREIGN,)
    assert "deleted" in lost.detail


def test_a_project_of_another_review_under_the_same_names_is_refused(review: Review, tmp_path: Path) -> None:
    review.push([data("cnd_a"), data("cnd_b")])
    review.reviews = new_reviews(tmp_path / "another.duckdb")

    with pytest.raises(AnnotationError, match=r"another review .* 2 of 2 .* cnd_a.*another name"):
        review.push([data("cnd_c"), data("cnd_d")])
    assert len(review.there()) == 2
    review.drawn = "seed 7"
    with pytest.raises(AnnotationError, match=r"with seed 42, and this one has seed 7"):
        review.push([data("cnd_a"), data("cnd_b")])


def test_tasks_of_somebody_else_are_left_alone_and_named(review: Review, people: list[Person]) -> None:
    review.push([data("cnd_a")])
    (project,) = review.reviews.projects(review.build)
    path = f"/api/projects/{project.project}/import?return_task_ids=true"
    (strange,) = people[1].call("POST", path, [{"data": data("cnd_unknown")}])["task_ids"]
    people[0].judge(strange, PASSED)

    assert review.push([data("cnd_a")]).kept == 1
    assert review.pull().strange == (strange,)
    assert len(review.there()) == 2


def test_a_refused_task_says_why_and_leaves_no_half_batch(review: Review) -> None:
    with pytest.raises(AnnotationError, match=r"importing 2 tasks into project \d+ .* \(400\)"):
        review.push([data("cnd_a"), data("cnd_b") | {"claim": None}])
    assert review.there() == []


def test_pictures_of_the_object_store_are_served_and_checked_before_the_first_task(
    review: Review, people: list[Person], picture_root: Path
) -> None:
    project = review.project().project
    blob = encode_png(np.full((4, 5, 3), 90, np.uint8))
    name = f"pictures/ab/{blob.picture.sha256}.png"
    (picture_root / "pictures" / "ab").mkdir(exist_ok=True)
    (picture_root / name).write_bytes(blob.data)
    source = DiskPictures(picture_root, "pictures", lambda picture: f"pictures/ab/{picture.sha256}.png")

    with pytest.raises(AnnotationError, match=r"404.*LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT"):
        check_picture(review.client, source, project, blob.picture)
    for _ in range(2):
        source.open_to(review.client, project)
    check_picture(review.client, source, project, blob.picture)
    assert people[0].browser.get(source.url(blob.picture)).content == blob.data
    assert httpx.get(review.client.url.rstrip("/") + source.url(blob.picture)).content != blob.data
    assert len(review.client.get(f"api/storages/localfiles/?project={project}", "listing").json()) == 1
    with pytest.raises(AnnotationError, match=r"LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT"):
        DiskPictures(Path("/etc"), "ssl", source.name_of).open_to(review.client, project)
    with pytest.raises(AnnotationError, match=r"image/svg\+xml"):
        source.url(Picture(sha256="0" * 64, media_type="image/svg+xml", width=1, height=1))


def test_pictures_are_uploaded_once_where_nothing_is_shared(review: Review, people: list[Person]) -> None:
    blobs = {
        blob.picture: blob.data for blob in (encode_png(np.full((3, 3, 3), shade, np.uint8)) for shade in range(130))
    }

    def name_of(picture: Picture) -> str:
        return f"pictures/{picture.sha256}.png"

    source = UploadedPictures(name_of)

    assert source.upload(review.client, blobs, blobs.__getitem__) == 130
    assert UploadedPictures(name_of).upload(review.client, blobs, blobs.__getitem__) == 0
    for picture in list(blobs)[::40]:
        check_picture(review.client, source, 0, picture)
        assert people[0].browser.get(source.url(picture)).content == blobs[picture]


def test_two_pushes_at_once_upload_into_one_project_and_later_ones_find_the_same_pictures(desk: Server) -> None:
    blobs = {
        blob.picture: blob.data for blob in (encode_png(np.full((3, 3, 3), shade, np.uint8)) for shade in range(3))
    }

    def upload(start: Callable[[], object]) -> list[str]:
        source = UploadedPictures(lambda picture: f"pictures/{picture.sha256}.png")
        with Client(desk.url, desk.token) as client:
            assert client.sdk
            start()
            source.upload(client, blobs, blobs.__getitem__)
        return [source.url(picture) for picture in blobs]

    with Client(desk.url, desk.token) as client, ThreadPoolExecutor() as threads:
        for project in client.list_projects("flawbench pictures", "looking for those of other tests"):
            client.sdk.projects.delete(id=project.id or 0)
        barrier = threading.Barrier(2)
        uploads = [threads.submit(upload, barrier.wait) for _ in range(2)]
        urls = [url for one in uploads for url in one.result()]
        (project,) = client.list_projects("flawbench pictures", "looking for the one that is left")
        assert all(url.startswith(f"/data/upload/{project.id}/") for url in urls)
        assert set(upload(threading.Event().set)) <= set(urls)
        assert all(client.get(url.removeprefix("/"), "fetching a picture").content in blobs.values() for url in urls)


PUSH = """
import sys
from pathlib import Path
from annotation.label_studio.accounts import Account
from annotation.label_studio.client import Client
from annotation.label_studio.projects import Place, ensure_project
from annotation.label_studio.pushing import push_tasks
from core.review import Round
import json

job = json.loads(sys.stdin.read())
with Client(job["url"], job["token"]) as client:
    client.sdk
    print("ready", flush=True)
    account = Account(annotator=job["annotator"], login="x", user=job["user"], password=None)
    place = Place(job["build"], Round.FIRST, job["annotator"], "seed 42")
    project = ensure_project(client, place, account, job["screen"], None)
    push_tasks(client, project, job["tasks"])
"""


def test_a_push_killed_anywhere_and_repeated_makes_each_task_once(review: Review, desk: Server) -> None:
    tasks = [data(f"cnd_{number}") for number in range(1200)]
    job = {
        "token": desk.token,
        "annotator": review.account.annotator,
        "user": review.account.user,
        "build": review.build,
        "screen": SCREEN,
        "tasks": tasks,
    }
    items = [str(task["sample_id"]) for task in tasks]
    random = Random(20)
    with AnotherWay(desk.url) as way:
        for _ in range(4):
            process = subprocess.Popen([sys.executable, "-c", PUSH], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(job | {"url": way.url}).encode())
            process.stdin.close()
            assert process.stdout.readline() == b"ready\n"
            time.sleep(random.uniform(0.05, 3))
            process.send_signal(signal.SIGKILL)
            process.stdout.close()
            process.wait()
    pushed = review.push(tasks)

    assert sorted(task["data"]["sample_id"] for task in review.there()) == sorted(items)
    assert len(pushed.tasks) == 1200
    assert review.push(tasks).kept == 1200
