"""The commands of a review against a real server when things go wrong: cut off, forgotten, refused, changed by hand."""

import json
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Protocol

import httpx
import pytest

from annotation.label_studio.server import Server

pytestmark = pytest.mark.services

_KILLS = 10
_PASSED = [
    {"from_name": name, "to_name": "modified", "type": "choices", "value": {"choices": ["pass"]}}
    for name in ("type_compliance", "unanswerability")
]


LogIn = Callable[[str, str, str], AbstractContextManager[httpx.Client]]


class DataFolder(Protocol):
    folder: Path

    def start(self, *arguments: str) -> "subprocess.Popen[str]": ...
    def run(self, *arguments: str, check: bool = True) -> "subprocess.CompletedProcess[str]": ...
    def read(self, *arguments: str) -> Any: ...
    def where(self, settings: Mapping[str, str]) -> "DataFolder": ...
    def served_by(self, url: str, token: str) -> "DataFolder": ...


@dataclass(frozen=True)
class Review:
    """The review of `sixty` by these people, on the session's server."""

    data: DataFolder
    server: Server
    names: tuple[str, ...]
    log_in: LogIn

    def plan(self) -> None:
        self.data.run("review", "plan", "sixty", "--annotators", ",".join(self.names))

    def run(self, verb: str, *options: str) -> str:
        return self.data.run("review", verb, "sixty", *options).stdout

    def fail(self, verb: str, *options: str) -> str:
        """What it says when it ends with 2: what failed, and what to do."""
        ended = self.data.run("review", verb, "sixty", *options, check=False)
        assert ended.returncode == 2, ended.stderr
        said = ended.stderr[ended.stderr.index("flawbench: ") :]
        assert said.count("\n") == 2
        assert "Traceback" not in ended.stderr
        return said

    def done(self) -> dict[str, tuple[int, list[list[object]]]]:
        """What counts of each, and the flags of what does not."""
        people = self.data.read("review", "status", "sixty")["annotators"]
        return {person["annotator"]: (person["done"], person["flagged"]) for person in people}

    def project(self, name: str) -> str:
        """Where the server has the newest project of somebody."""
        found = self.call("GET", "/api/projects/?page_size=100")["results"]
        return f"/api/projects/{max(one['id'] for one in found if f' r1 {name} ' in one['title'])}/"

    def users(self) -> dict[str, int]:
        return {user["email"]: user["id"] for user in self.call("GET", "/api/users/")}

    def call(self, method: str, path: str, body: object = None) -> Any:
        """As the administrator, by hand."""
        headers = {"Authorization": f"Token {self.server.token}"}
        answer = httpx.request(method, f"{self.server.url}{path}", json=body, headers=headers, timeout=60)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def tasks(self, name: str) -> list[dict[str, Any]]:
        """What lies in the annotator's project, by the server's own export."""
        listed = self.call("GET", f"{self.project(name)}export?exportType=JSON&download_all_tasks=true")
        return sorted(listed, key=lambda task: task["id"])

    def judge(self, name: str, count: int) -> None:
        """The next tasks of somebody, who is logged in as with a browser."""
        left = [task["id"] for task in self.tasks(name) if not task["annotations"]]
        logins = json.loads((self.data.folder / "label-studio" / "keys.json").read_text())["annotators"]
        account = next(one for one in logins if one["login"] == f"{name}@annotators.example")
        with self.log_in(self.server.url, account["login"], account["password"]) as browser:
            headers = {"X-CSRFToken": browser.cookies["csrftoken"]}
            for task in left[:count]:
                body = {"result": _PASSED, "lead_time": 4}
                answer = browser.post(f"/api/tasks/{task}/annotations/", json=body, headers=headers)
                assert answer.is_success, answer.text

    def keys_there(self) -> Counter[tuple[str, str]]:
        """Who has which item, in all projects of theirs."""
        projects = self.call("GET", "/api/projects/?page_size=100")["results"]
        assert sum(f" r1 {name} " in one["title"] for one in projects for name in self.names) == len(self.names)
        return Counter((name, task["data"]["sample_id"]) for name in self.names for task in self.tasks(name))

    def numbers(self) -> list[int]:
        return [task["id"] for name in self.names for task in self.tasks(name)]

    def keys_dealt(self) -> set[tuple[str, str]]:
        rows = self.data.read("sql", "SELECT annotator, item FROM review_assignments WHERE round = 1")
        return {(row["annotator"], row["item"]) for row in rows}

    def rows(self) -> list[dict[str, Any]]:
        return self.data.read("sql", "SELECT * FROM annotations ORDER BY id")


@pytest.fixture
def review_of(reviewed: DataFolder, desk: Server, log_in: LogIn) -> Callable[[str], Review]:
    """By the letter with which the names of its annotators begin: each test has people of its own on the server."""

    def plan(letter: str) -> Review:
        names = tuple(f"{letter}{number}" for number in range(3))
        review = Review(reviewed.served_by(desk.url, desk.token), desk, names, log_in)
        review.plan()
        return review

    return plan


def test_a_push_killed_at_ten_points_makes_each_task_once_and_a_lost_lineage_finds_them_all(
    review_of: Callable[[str], Review], sixty: DataFolder, answered: Callable[[Path], int]
) -> None:
    review = review_of("k")
    folder = review.server.folder
    random = Random(5)
    killed = 0
    while killed < _KILLS:
        there, wanted = answered(folder), random.randint(1, 15)
        push = review.data.start("review", "push", "sixty")
        while push.poll() is None and answered(folder) < there + wanted:
            time.sleep(0.002)
        if push.poll() is None:
            push.send_signal(signal.SIGKILL)
            killed += 1
        push.communicate()
    review.run("push")
    dealt = review.keys_dealt()
    assert len(dealt) == 2 * 60 + 3 * 2
    assert review.keys_there() == Counter(dealt)

    review.judge("k0", 3)
    review.run("pull")
    rows = review.rows()
    numbers = review.numbers()
    shutil.copy(sixty.folder / "lineage.duckdb", review.data.folder)  # the build alone, as if it were made again
    review.plan()
    pushed = review.run("push")
    assert created(pushed) == {"k0": 0, "k1": 0, "k2": 0}
    assert review.numbers() == numbers
    for _ in range(2):
        review.run("pull")
        assert review.rows() == rows
    assert len(rows) == review.done()["k0"][0] == 3

    assert "--seed 42" in review.fail("plan", "--annotators", ",".join(review.names), "--seed", "7")
    shutil.copy(sixty.folder / "lineage.duckdb", review.data.folder)
    review.data.run("review", "plan", "sixty", "--annotators", ",".join(review.names), "--seed", "7")
    assert re.search(r"with seed 42 .* has seed 7 .*\n", review.fail("push"))
    assert review.numbers() == numbers


def test_what_people_do_by_hand_is_an_error_with_a_way_out_or_a_flag(review_of: Callable[[str], Review]) -> None:
    review = review_of("f")
    stranger = replace(review, data=review.data.served_by(review.server.url, "0" * 40))
    assert re.search(r"refuses the token .*\n.*FLAWBENCH_LABEL_STUDIO_TOKEN", stranger.fail("push"))
    nowhere = replace(review, data=review.data.served_by("http://127.0.0.1:9", "0" * 40))
    assert re.search(r"127\.0\.0\.1:9/ does not answer .*\n.*flawbench review up", nowhere.fail("push"))
    a_page = replace(review, data=review.data.served_by(f"{review.server.url}/projects", review.server.token))
    assert re.search(r"/projects/ .*\n.*without the path of a page", a_page.fail("push"))

    review.run("push")
    for name in review.names:
        review.judge(name, 2)
    review.run("pull")

    changed = review.call("GET", review.project("f0"))["label_config"].replace("<View", "<!-- kinder --><View", 1)
    review.call("PATCH", review.project("f0"), {"label_config": changed})
    review.judge("f0", 1)
    assert re.search(r"screen of project .* of f0 .* changed by hand.*\n.*--restore-screen", review.fail("push"))
    task = review.tasks("f1")[0]
    review.call("PATCH", f"/api/tasks/{task['id']}/", {"data": task["data"] | {"modified": "<p>Another question</p>"}})
    review.run("pull")
    assert review.done() == {"f0": (2, [["screen_changed", 1]]), "f1": (1, [["stale", 1]]), "f2": (2, [])}
    flagged = review.data.read("review", "status", "sixty", "--flagged")
    assert [(row["annotator"], row["flags"]) for row in flagged] == [("f0", ["screen_changed"]), ("f1", ["stale"])]
    numbers = [row["link"].removeprefix(f"{review.server.url}/projects/").partition("?task=")[2] for row in flagged]
    assert numbers == [str(review.tasks("f0")[2]["id"]), str(task["id"])]
    for number in numbers:
        (annotation,) = review.call("GET", f"/api/tasks/{number}/annotations/")
        review.call("DELETE", f"/api/annotations/{annotation['id']}/")
    assert created(review.run("push", "--restore-screen")) == {"f0": 0, "f1": 0, "f2": 0}
    for name in ("f0", "f1"):
        review.judge(name, 1)
    review.run("pull")
    assert {name: done for name, (done, _) in review.done().items()} == {"f0": 3, "f1": 2, "f2": 2}
    assert review.data.read("review", "status", "sixty", "--flagged") == []

    review.call("DELETE", review.project("f2"))
    assert re.search(r"Project \d+ of f2 .* was deleted .*\n.*flawbench review push", review.fail("pull"))
    assert created(review.run("push")) == {"f0": 0, "f1": 0, "f2": len(review.tasks("f2"))}
    assert len(review.tasks("f2")) == len([key for key in review.keys_dealt() if key[0] == "f2"]) - 2
    review.run("pull")
    assert review.done()["f2"] == (2, [])

    review.call("DELETE", f"/api/organizations/1/memberships/{review.users()['f2@annotators.example']}/")
    assert re.search(r"f2@.* removed from the organization\.\n.*another name", review.fail("push"))
    assert "f2 already have items" in review.fail("plan", "--annotators", "f0,f1")
    review.run("pull")
    assert review.done()["f2"] == (2, [])


def test_what_somebody_leaves_goes_to_another_who_is_new_or_at_work(review_of: Callable[[str], Review]) -> None:
    review = review_of("h")
    review.run("push")
    review.judge("h0", 3)
    review.judge("h1", 2)
    review.run("pull")

    planned = review.run("plan", "--replace", "h0=h9")
    told = review.run("push")

    assert "h0, whose verdicts stay" in planned
    assert len(review.tasks("h0")) == 3
    mine = {task["data"]["sample_id"] for task in review.tasks("h9")}
    dealt = review.keys_dealt()
    assert mine == {item for name, item in dealt if name == "h9"}
    controls = _controls(review)
    asked = Counter(item for _, item in dealt if item not in controls)
    assert (len(asked), set(asked.values())) == (60, {2})
    assert created(told) == {"h0": 0, "h1": 0, "h2": 0, "h9": len(mine)}
    assert re.findall(r"^judge .* log in as (\w+)@", told, flags=re.MULTILINE) == ["h9"]
    review.judge("h9", 1)
    review.run("pull")
    assert {name: done for name, (done, _) in review.done().items()} == {"h0": 3, "h1": 2, "h2": 0, "h9": 1}
    assert created(review.run("push")) == {"h0": 0, "h1": 0, "h2": 0, "h9": 0}


def test_pictures_that_the_server_does_not_share_stop_a_push_before_its_first_task_or_are_uploaded(
    review_of: Callable[[str], Review], picture_root: Path, tmp_path: Path
) -> None:
    review = review_of("p")
    shutil.copytree(picture_root / "pictures", tmp_path / "apart" / "pictures")
    apart = replace(review, data=review.data.where({"FLAWBENCH_OBJECTS": str(tmp_path / "apart")}))

    assert re.search(rf"\n.*LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT={tmp_path}/apart,", apart.fail("push"))
    assert review.tasks("p0") == []
    elsewhere = review.server.url.replace("127.0.0.1", "0.0.0.0")  # an address that names no machine as this one
    replace(apart, data=apart.data.served_by(elsewhere, review.server.token)).run("push")
    pictures = [picture["now"] for task in review.tasks("p0") for picture in task["data"]["pictures"]]
    assert pictures
    assert all('src="/data/upload/' in picture for picture in pictures)


def test_where_a_prefect_server_runs_it_records_push_and_pull_and_status_follows_what_is_judged(
    review_of: Callable[[str], Review], prefect_environment: Mapping[str, str]
) -> None:
    review, prefect_api = review_of("w"), prefect_environment["PREFECT_API_URL"]
    recorded = replace(review, data=review.data.where(prefect_environment))
    recorded.run("push")
    following = review.data.where({"FORCE_COLOR": "1"}).start("review", "status", "sixty", "--follow")
    read_until(r"w1 +0 .*\n.*w2 +0 ", following)
    review.judge("w0", 2)
    recorded.run("pull")

    ours = {"flows": {"name": {"any_": ["push-reviews", "pull-reviews"]}}}  # beside those of the build
    runs = httpx.post(f"{prefect_api}/flow_runs/filter", json=ours).json()
    assert {run["name"]: run["state_type"] for run in runs} == {
        "push reviews of sixty": "COMPLETED",
        "pull reviews of sixty": "COMPLETED",
    }
    (artifact,) = httpx.post(f"{prefect_api}/artifacts/filter", json=ours).json()
    assert artifact["key"] == "review"
    rows = [(row["annotator"], row["done"], row["seconds an item"]) for row in json.loads(artifact["data"])]
    assert rows == [("w0", 2, 4), ("w1", 0, None), ("w2", 0, None)]

    review.judge("w1", 1)
    read_until(r"w0 +2 .*\n.*w1 +1 .*\n.*w2 +0 ", following)  # in a later table, without another command
    following.send_signal(signal.SIGINT)
    following.communicate(timeout=60)
    assert following.returncode == 0
    assert len(review.rows()) == 3


def read_until(pattern: str, process: "subprocess.Popen[str]") -> None:
    """What it prints, line by line."""
    assert process.stdout is not None
    told = ""
    while not re.search(pattern, told):
        line = process.stdout.readline()
        assert line, f"{told}{process.communicate()[1]}"
        told += line


def _controls(review: Review) -> set[str]:
    return {row["item"] for row in review.data.read("sql", "SELECT item FROM review_assignments WHERE control")}


def created(told: str) -> dict[str, int]:
    """New tasks by annotator, from what a push printed."""
    return {name: int(count) for name, count in re.findall(r"^(\w+) +1 +(\d+) ", told, flags=re.MULTILINE)}
