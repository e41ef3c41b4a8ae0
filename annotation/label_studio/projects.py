"""One project for each annotator and round. It is found again by its title and a marker in its description, so nothing
depends on what is stored on our side."""

import json
from dataclasses import dataclass

from annotation.label_studio.accounts import Account
from annotation.label_studio.client import NOT_FOUND, Client
from core.errors import AnnotationError
from core.identity import bytes_hash, content_hash
from core.review import ReviewProject, Round

_TITLE_LETTERS = 50  # what the server takes at most
_HASH_DIGITS = 8
_NOTICE = "Made by flawbench. Do not edit or delete it; it is found again by this line: "


@dataclass(frozen=True, slots=True)
class Place:
    """Whose project it is, in which review. `drawn`: by which seed and the like the review was dealt, in words; another
    would deal the same annotator other items."""

    build: str
    round: Round
    annotator: str
    drawn: str

    @property
    def title(self) -> str:
        """Cut to what the server takes; the hash of the whole tells apart what was cut."""
        whole = f"flawbench {self.build} r{int(self.round)} {self.annotator}"
        tail = " " + content_hash(whole)[:_HASH_DIGITS]
        return whole[: _TITLE_LETTERS - len(tail)].rstrip() + tail


@dataclass(frozen=True, slots=True)
class FoundProject:
    """`pushed_sha` is the screen that the marker names, `screen_sha` that which is there."""

    number: int
    pushed_sha: str
    screen_sha: str


def hash_screen(label_config: str) -> str:
    """The server cuts blanks at both ends."""
    return bytes_hash(label_config.strip().encode())


def ensure_project(
    client: Client,
    place: Place,
    account: Account,
    label_config: str,
    known: ReviewProject | None,
    restore_screen: bool = False,
) -> ReviewProject:
    """The project of that annotator and round, made where it is not there; `known` keeps its mark of the last pull.

    A screen that is ours but older is replaced. Raises AnnotationError where it was changed by hand, unless
    `restore_screen`, where two projects have the same marker, and where it is that of another review."""
    screen_sha = hash_screen(label_config)
    found = find_project(client, place)
    if found is None:
        number = _create(client, place, label_config)
    else:
        number = found.number
        if found.screen_sha != screen_sha:
            _require_own_screen(client, found, place, restore_screen)
        if screen_sha not in (found.screen_sha, found.pushed_sha) or found.screen_sha != found.pushed_sha:
            _update_screen(client, number, place, label_config)
    fresh = ReviewProject(
        build=place.build,
        round=place.round,
        annotator=place.annotator,
        url=client.url,
        project=number,
        user=account.user,
        screen_sha=screen_sha,
    )
    if known is None or (known.project, known.url) != (number, client.url):
        return fresh
    return fresh.model_copy(update={"pulled": known.pulled, "pulls": known.pulls})


def find_project(client: Client, place: Place) -> FoundProject | None:
    """Raises AnnotationError where several have the marker, and where the review was dealt otherwise."""
    listed = client.list_projects(place.title, f"looking for the project of {place.annotator}")
    ours = [(project, marker) for project in listed if (marker := _read_marker(project.description, place))]
    if len(ours) > 1:
        numbers = " and ".join(str(project.id) for project, _ in ours)
        raise AnnotationError(
            f"Projects {numbers} of {client.url} are both that of {place.annotator} in round {int(place.round)}.",
            "Delete the one in which nobody judged, then run the command again.",
        )
    if not ours:
        return None
    project, marker = ours[0]
    if marker["drawn"] != place.drawn:
        raise AnnotationError(
            f"Project {project.id} of {place.annotator} at {client.url} belongs to a review of {place.build} with"
            f" {marker['drawn']}, and this one has {place.drawn}.",
            "Plan with what the project was planned with, build under another name, or delete the old projects there.",
        )
    return FoundProject(int(project.id or 0), marker["screen"], hash_screen(project.label_config or ""))


def read_screen(client: Client, project: ReviewProject) -> str:
    """The hash of the screen that is there now. Raises AnnotationError, also when the project was deleted."""
    what = f"reading project {project.project} of {project.annotator}"
    with client.doing(what):
        response = client.get_any(f"api/projects/{project.project}/")
    if response.status_code == NOT_FOUND:
        raise AnnotationError(
            f"Project {project.project} of {project.annotator} (round {int(project.round)}) was deleted from"
            f" {client.url}.",
            "Put back a copy of the server's database, or run `flawbench review push`, which makes the project again:"
            " verdicts that were read stay.",
        )
    return hash_screen(str(client.check(response, what).json().get("label_config")))


def _create(client: Client, place: Place, label_config: str) -> int:
    with client.doing(f"making the project of {place.annotator}"):
        made = client.sdk.projects.create(
            title=place.title,
            description=_marker(place, hash_screen(label_config)),
            label_config=label_config,
            maximum_annotations=1,
            show_skip_button=False,
            enable_empty_annotation=False,
            sampling="Sequential sampling",
            show_collab_predictions=False,
        )
    return int(made.id or 0)


def _require_own_screen(client: Client, found: FoundProject, place: Place, restore: bool) -> None:
    if found.screen_sha == found.pushed_sha or restore:
        return
    raise AnnotationError(
        f"The labelling screen of project {found.number} of {place.annotator} at {client.url} was changed by hand.",
        "Run `flawbench review pull`, which flags the verdicts given on it, then"
        " `flawbench review push --restore-screen`.",
    )


def _update_screen(client: Client, number: int, place: Place, label_config: str) -> None:
    """Screen and marker in one request."""
    with client.doing(f"updating the screen of project {number}"):
        client.sdk.projects.update(
            id=number, label_config=label_config, description=_marker(place, hash_screen(label_config))
        )


def _marker(place: Place, screen_sha: str) -> str:
    return _NOTICE + json.dumps(
        {
            "build": place.build,
            "round": int(place.round),
            "annotator": place.annotator,
            "drawn": place.drawn,
            "screen": screen_sha,
        }
    )


def _read_marker(description: str | None, place: Place) -> dict[str, str] | None:
    """How the review was dealt and the hash of the screen that was pushed; None for a project that is not this one."""
    _, _, text = (description or "").partition(_NOTICE)
    try:
        marker = json.loads((text.splitlines() or [""])[0])
        named = (marker["build"], marker["round"], marker["annotator"])
    except (ValueError, KeyError, TypeError):
        return None
    if named != (place.build, int(place.round), place.annotator):
        return None
    return {name: str(marker.get(name)) for name in ("drawn", "screen")}
