"""The annotators' screen in a real browser on a real Label Studio: what is seen, which keys it takes, and that no text
of a source, a model or a person does anything."""

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from playwright.sync_api import FloatRect, Locator, Page, Request, Response, sync_playwright

from annotation.label_studio.accounts import Account, ensure_accounts
from annotation.label_studio.client import Client
from annotation.label_studio.pictures import DiskPictures
from annotation.label_studio.projects import Place, ensure_project
from annotation.label_studio.pushing import push_tasks
from annotation.label_studio.server import Server
from annotation.screen.config import render_config
from annotation.screen.tasks import make_task
from core.pictures import encode_png
from core.records import Flaw, FlawedSample, Language, Picture, PictureReplacement, Sample, Subject, TextEdit, TextPart
from core.review import Judged, Judgement, Round
from core.taxonomy import Subtype
from core.votes import Criterion
from tasks.guard import PROJECT

pytestmark = pytest.mark.services

_LAPTOP = (1366, 768)
_TABLET = (820, 1180)
_BEACON = "beacon.invalid"
PROBES = {
    "script": "<script>window.hit=1</script>",
    "event handler": '<img src=x onerror="window.hit=2">',
    "style": '<p style="position:fixed;inset:0;background:url(http://beacon.invalid/style)">s</p>',
    "remote picture": '<img src="http://beacon.invalid/picture.png">',
    "formaction": '<form><button formaction="javascript:window.hit=3">go</button></form>',
    "meta refresh": '<meta http-equiv="refresh" content="0;url=http://beacon.invalid/refresh">',
    "Markdown": "![m](http://beacon.invalid/m.png) [l](javascript:window.hit=4) <b>bold</b>",
    "embed": '<embed src="http://beacon.invalid/e.svg"><object data="http://beacon.invalid/o"></object>',
    "iframe": '<iframe srcdoc="<script>parent.hit=5</script>"></iframe>',
    "javascript link": '<a href="javascript:window.hit=6">link</a>',
    "style sheet": "</p><style>.judge { display: none !important }</style>",
    "base": '<base href="http://beacon.invalid/"> $sample_id {{ style }} &lt;script&gt;',
}
LABELS = yaml.safe_load((PROJECT / "annotation" / "screen" / "texts.yaml").read_text(encoding="utf-8"))
_TEXT = "[...document.querySelectorAll('.judge .lsf-htx-richtext')].map(e => e.textContent).join(' ')"
_LOOK = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e, '::before').content]"
_OURS = {"b", "small", "p", "q", "h6", "section", "ol", "li", "del", "ins", "code", "figure", "figcaption", "img"}


@pytest.fixture(scope="module")
def account(desk: Server, client: Client) -> Account:
    return ensure_accounts(client, desk.keys_file, ["screen"])[0]


@pytest.fixture(scope="module")
def page(chromium: Mapping[str, Any], desk: Server, account: Account) -> Generator[Page, None, None]:
    """Of the annotator, who is logged in: each test opens a project of its own in it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium)
        opened = browser.new_page()
        opened.goto(f"{desk.url}/user/login/")
        assert account.password is not None
        opened.fill("input[name=email]", account.login)
        opened.fill("input[name=password]", account.password.get_secret_value())
        opened.press("input[name=password]", "Enter")
        opened.wait_for_url(lambda url: "/user/login" not in url)
        yield opened
        browser.close()


class Desk:
    """Puts items into a project of their own and opens it."""

    def __init__(self, server: Server, client: Client, account: Account, page: Page, root: Path) -> None:
        self.server, self.client, self.account, self.page = server, client, account, page
        self.source = DiskPictures(root, "pictures", lambda picture: f"pictures/{picture.sha256}.png")
        self.root = root
        self.requested: list[str] = []
        self.number = 0

    def picture(self, shade: int) -> Picture:
        pixels = np.full((60, 80, 3), shade, np.uint8)
        pixels[20:40, 20:60] = (255 - shade, shade, 90)
        blob = encode_png(pixels)
        (self.root / self.source.name_of(blob.picture)).write_bytes(blob.data)
        return blob.picture

    def open(
        self,
        name: str,
        tasks: Sequence[dict[str, object]],
        size: tuple[int, int] = _LAPTOP,
        language: Language = Language.ENGLISH,
    ) -> Page:
        place = Place(name, Round(tasks[0]["round"]), "screen", "seed 42")
        project = ensure_project(self.client, place, self.account, render_config(language), None)
        self.source.open_to(self.client, project.project)
        push_tasks(self.client, project, tasks)
        self.number = project.project
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.goto(f"{self.server.url}/projects/{self.number}/data?labeling=1")
        wait_for_item(self.page)
        return self.page

    def hear(self, request: Request) -> None:
        self.requested.append(request.url)

    def results(self) -> list[list[tuple[str, list[str]]]]:
        """What is stored, by task: the name of each control and its choices or text."""
        listed = self.client.get(f"api/projects/{self.number}/export?exportType=JSON", "reading what is stored").json()
        tasks = sorted(listed, key=lambda task: task["id"])
        return [
            [
                (one["from_name"], one["value"].get("choices") or one["value"].get("text"))
                for annotation in task["annotations"]
                for one in annotation["result"]
            ]
            for task in tasks
        ]


@pytest.fixture
def screen(
    desk: Server, client: Client, account: Account, page: Page, picture_root: Path
) -> Generator[Desk, None, None]:
    opened = Desk(desk, client, account, page, picture_root)
    page.on("request", opened.hear)
    yield opened
    page.remove_listener("request", opened.hear)
    page.goto("about:blank")


def wait_for_item(page: Page) -> None:
    """The first one, or the one after that which was submitted."""
    page.wait_for_selector(".judge:not([data-judged]) .dock", timeout=60_000)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)  # the keys are bound after the item is drawn


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(120)


def submit(page: Page) -> None:
    def is_stored(response: Response) -> bool:
        return "/annotations?" in response.url and response.request.method == "POST"

    page.evaluate("document.querySelector('.judge').dataset.judged = ''")
    with page.expect_response(is_stored) as stored:
        press(page, "Control+Enter")
    assert stored.value.status == 201


def sample(pictures: Sequence[Picture] = (), language: Language = Language.ENGLISH, **texts: object) -> Sample:
    fields: dict[str, object] = {"context": "A red ball falls.", "query": "How long does the red ball fall?"}
    return Sample(
        source="s",
        source_id="1",
        pictures=tuple(pictures),
        subject=Subject.PHYSICS,
        language=language,
        licence="CC0-1.0",
        attribution="a",
        **(fields | texts),  # pyright: ignore[reportArgumentType]
    )


def flawed(parent: Sample, subtype: Subtype = Subtype.AMBIGUITY, **changed: object) -> FlawedSample:
    edit = TextEdit(part=TextPart.QUERY, start=17, before=" red", after="")
    fields: dict[str, object] = {"flaws": (_flaw(subtype, edit),), "query": "How long does the ball fall?"}
    kept = parent.model_dump(include={"context", "options"}) | {"pictures": parent.pictures}
    return FlawedSample(parent=parent.id, **(kept | fields | changed))  # pyright: ignore[reportArgumentType]


def _flaw(subtype: Subtype, edit: TextEdit | PictureReplacement) -> Flaw:
    return Flaw(subtype=subtype, generator="rules", injector_version=1, edits=(edit,), explanation="e")


def judgement(type_compliance: Judged, reason: str) -> Judgement:
    return Judgement(
        item="i",
        round=Round.FIRST,
        annotator="grace@example.org",
        type_compliance=type_compliance,
        type_compliance_reason=reason,
        unanswerability=Judged.PASS,
        unanswerability_reason="",
        project=1,
        task=1,
        annotation=1,
        content_sha="",
        screen_sha="",
        created="",
        updated="",
    )


def test_the_link_to_a_task_leads_to_the_own_answer_which_can_be_changed_and_submitted_again(screen: Desk) -> None:
    page = screen.open("again", [make_task(flawed(sample()), sample(), Round.FIRST, screen.source.url)])
    press(page, "1", "4")
    submit(page)
    (task,) = screen.client.list_tasks(screen.number, "id", "listing")
    page.goto(f"{screen.server.url}/projects/{screen.number}/data?task={task['id']}")
    wait_for_item(page)
    press(page, "6")
    with page.expect_response(
        lambda answer: answer.request.method == "PATCH" and "/annotations/" in answer.url
    ) as stored:
        press(page, "Control+Enter")

    assert stored.value.status == 200
    assert screen.results() == [[("type_compliance", ["pass"]), ("unanswerability", ["unsure"])]]


def test_an_item_judged_before_is_reached_and_changed_by_keys_and_a_reload_leads_on(screen: Desk) -> None:
    parents = [sample(query=f"How long does the red ball fall on day {number}?") for number in range(3)]
    tasks = [make_task(flawed(parent), parent, Round.FIRST, screen.source.url) for parent in parents]
    page = screen.open("back", tasks)
    for _ in range(2):
        press(page, "1", "4")
        submit(page)
        wait_for_item(page)

    for _ in range(2):
        press_previous(page)
        wait_for_item(page)
        assert page.locator(".judge input:checked").count() == 2
    press(page, "6")
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as stored:
        press(page, "Control+Enter")
    assert stored.value.status == 200
    page.reload()
    wait_for_item(page)

    kept, changed = ([("type_compliance", ["pass"]), ("unanswerability", [said])] for said in ("pass", "unsure"))
    assert screen.results() == [changed, kept]
    assert page.get_by_text("fall on day 2").count()


def press_previous(page: Page) -> None:
    """The arrow at the bottom, without a mouse."""
    page.evaluate("document.querySelector('.judge').dataset.judged = ''")
    for _ in range(20):
        press(page, "Shift+Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == "Previous task":
            press(page, "Space")
            return
    pytest.fail("no way to the arrow by Shift+Tab")


def test_every_probe_comes_out_as_text_in_every_field_and_does_nothing(screen: Desk) -> None:
    every = "\n".join(PROBES.values())
    parent = sample(context=every, query=f"{every} red", options=(every, f"b {every}"))
    changed = flawed(parent, query=f"{every} blue")
    first = [judgement(Judged.FAIL, every), judgement(Judged.PASS, "")]
    page = screen.open("probes", [make_task(changed, parent, Round.FIRST, screen.source.url, first)])

    text = str(page.evaluate(_TEXT))
    # Context, query and two options, on both sides, and the reason of the first round.
    assert {name: text.count(probe) for name, probe in PROBES.items()} == dict.fromkeys(PROBES, 9)
    found = page.evaluate("[...document.querySelectorAll('.judge .lsf-htx-richtext *')].map(e => e.localName)")
    assert set(found) <= _OURS
    for place in ((300, 250), (900, 250), (300, 600)):
        page.mouse.click(*place)
    press(page, "1", "4")
    submit(page)

    assert page.evaluate("window.hit") is None
    assert page.url.startswith(screen.server.url)
    assert [url for url in screen.requested if url.startswith(screen.server.url)]
    assert not [url for url in screen.requested if _BEACON in url]


def test_a_clear_item_takes_three_keys_and_nothing_else_is_stored(screen: Desk) -> None:
    parent = sample()
    page = screen.open("keys", [make_task(flawed(parent), parent, Round.FIRST, screen.source.url)])

    press(page, "1", "4")
    submit(page)

    assert screen.results() == [[("type_compliance", ["pass"]), ("unanswerability", ["pass"])]]


def test_a_chinese_item_on_a_chinese_screen_takes_the_same_keys_and_shows_probes_as_text(screen: Desk) -> None:
    every = "\n".join(PROBES.values())
    query = "红球下落需要多长时间？"
    parent = sample(language=Language.CHINESE, context=f"一个红球落下。{every}", query=query)
    edit = TextEdit(part=TextPart.QUERY, start=0, before="红球", after="球")
    changed = flawed(parent, query=query.removeprefix("红"), flaws=(_flaw(Subtype.AMBIGUITY, edit),))
    task = make_task(changed, parent, Round.FIRST, screen.source.url)
    page = screen.open("chinese", [task], language=Language.CHINESE)

    text = str(page.evaluate(_TEXT))
    assert {name: text.count(probe) for name, probe in PROBES.items()} == dict.fromkeys(PROBES, 2)
    assert page.locator(".judge del:not(.mark)").inner_text() == "红"
    shown = page.locator(".judge").inner_text()
    assert not [label for label in LABELS["en"]["labels"].values() if label in shown]
    assert all(LABELS["zh"]["labels"][label] in shown for label in ("type_compliance", "unanswerability", "submit"))
    press(page, "4", "Control+Enter")
    page.get_by_text(LABELS["zh"]["labels"]["type_compliance_missing"]).wait_for()
    close_message(page)
    press(page, "1", "5", "Tab")
    page.keyboard.type("根据高度可以计算。14f")
    press(page, "Shift+Enter")
    submit(page)

    assert sorted(screen.results()[0]) == [
        ("type_compliance", ["pass"]),
        ("unanswerability", ["fail"]),
        ("unanswerability_reason", ["根据高度可以计算。14f"]),
    ]
    assert page.evaluate("window.hit") is None
    assert not [url for url in screen.requested if _BEACON in url]


def test_both_questions_stand_side_by_side_and_a_change_has_a_colour_and_a_sign(screen: Desk) -> None:
    parent = sample()
    changed = flawed(parent, query="How long does the blue ball fall?")
    page = screen.open("sides", [make_task(changed, parent, Round.FIRST, screen.source.url)])

    original, modified = (box_of(page.locator(f".judge .body .card:has({tag})")) for tag in ("del", "ins"))
    assert 0 <= original["x"] < original["x"] + original["width"] <= modified["x"]
    assert _LAPTOP[0] * 0.85 < modified["x"] + modified["width"] <= _LAPTOP[0]  # an item without pictures
    assert (original["y"], original["width"], original["height"]) == pytest.approx(
        (modified["y"], modified["width"], modified["height"]), abs=2
    )
    gone, new = (box_of(page.locator(f".judge {tag}")) for tag in ("del", "ins"))
    assert gone["y"] == pytest.approx(new["y"], abs=2)
    assert gone["x"] - original["x"] == pytest.approx(new["x"] - modified["x"], abs=2)
    seen = [page.locator(f".judge {tag}").evaluate(_LOOK) for tag in ("del", "ins")]
    assert [sign for _, sign in seen] == ['"− "', '"+ "']
    assert len({"rgba(0, 0, 0, 0)", *(colour for colour, _ in seen)}) == 3


def test_a_click_on_a_picture_fills_the_window_and_the_next_puts_it_back(screen: Desk) -> None:
    parent = sample([screen.picture(70)])
    page = screen.open("zoom", [make_task(flawed(parent), parent, Round.FIRST, screen.source.url)])
    figure = page.locator(".judge figure")
    small = box_of(figure)

    figure.click()
    large = box_of(figure)
    assert large["width"] > 0.95 * _LAPTOP[0]
    assert large["height"] > 0.75 * _LAPTOP[1]
    page.mouse.click(_LAPTOP[0] / 2, _LAPTOP[1] / 2)
    assert box_of(figure) == small


def test_what_is_missing_is_asked_for_and_a_reason_is_reached_and_given_by_keys(screen: Desk) -> None:
    parent = sample()
    page = screen.open("reason", [make_task(flawed(parent), parent, Round.FIRST, screen.source.url)])

    press(page, "3", "Control+Enter")
    page.get_by_text("Answer B first").wait_for()
    close_message(page)
    press(page, "2", "5", "Control+Enter")
    page.get_by_text("You said No to A").wait_for()
    assert screen.results() in ([], [[]])

    close_message(page)
    press(page, "Tab")
    page.keyboard.type("Nothing is vague: 1 4 f 7.")
    press(page, "Tab")
    page.keyboard.type("By its height.")
    press(page, "Shift+Enter", "7")
    submit(page)

    assert sorted(screen.results()[0]) == [
        ("problem", ["picture_broken"]),
        ("type_compliance", ["fail"]),
        ("type_compliance_reason", ["Nothing is vague: 1 4 f 7."]),
        ("unanswerability", ["fail"]),
        ("unanswerability_reason", ["By its height."]),
    ]


def close_message(page: Page) -> None:
    press(page, "Escape")
    page.locator(".ant-modal-root").wait_for(state="hidden")
    page.wait_for_timeout(400)  # the focus comes back after the message has faded


def test_one_key_flips_the_changed_picture_and_only_it_and_leaves_no_trace(screen: Desk) -> None:
    kept, before, after = (screen.picture(shade) for shade in (40, 120, 200))
    parent = sample([kept, before])
    edit = PictureReplacement(index=1, before=before, after=after, donor="smp_0")
    changed = flawed(parent, query=parent.query, pictures=(kept, after), flaws=(_flaw(Subtype.MISMATCH, edit),))
    page = screen.open("flip", [make_task(changed, parent, Round.FIRST, screen.source.url)])

    assert seen(page) == [kept.sha256, after.sha256]
    press(page, "f")
    assert seen(page) == [kept.sha256, before.sha256]
    press(page, "z")
    assert box_of(page.locator("figure.modified"))["height"] > _LAPTOP[1] / 2
    assert page.locator(".judge .criterion").nth(1).is_visible()
    press(page, "z", "f", "1", "4")
    assert seen(page) == [kept.sha256, after.sha256]
    submit(page)
    assert len(screen.results()[0]) == 2


def box_of(element: Locator) -> FloatRect:
    """Where it is in the window."""
    box = element.bounding_box()
    assert box is not None
    return box


def seen(page: Page) -> list[str]:
    """The pictures that are not transparent, by what they are named after."""
    sources = page.evaluate(
        "[...document.querySelectorAll('.judge figure img')]"
        ".filter(e => getComputedStyle(e.closest('.now, .was')).opacity === '1').map(e => e.src)"
    )
    return [Path(str(source)).stem for source in sources]


@pytest.mark.parametrize("size", [_LAPTOP, _TABLET], ids=["laptop", "tablet"])
def test_any_number_of_pictures_is_shown_with_both_criteria_in_view(screen: Desk, size: tuple[int, int]) -> None:
    counts = (0, 1, 2, 5, 9)
    pictures = [screen.picture(20 + 20 * number) for number in range(9)]
    parents = [sample(pictures[:count]) for count in counts]
    tasks = [make_task(flawed(parent), parent, Round.FIRST, screen.source.url) for parent in parents]
    page = screen.open(f"pictures {size[0]}", tasks, size)

    for count in counts:
        wait_for_item(page)
        loaded = "[...document.querySelectorAll('.judge figure img')].filter(e => e.naturalWidth === 80).length"
        assert page.evaluate(loaded) == count
        assert page.get_by_text("This item has no pictures.").count() == (count == 0)
        for criterion in page.locator(".judge .criterion").all():
            box = box_of(criterion)
            assert 0 < box["y"] < size[1] - box["height"] - 40  # the bar of Label Studio
        press(page, "1", "4")
        submit(page)


def test_a_long_item_scrolls_by_the_space_bar(screen: Desk) -> None:
    parent = sample(context=r"A long story of $\frac{1}{2}$. " * 700)
    page = screen.open("long", [make_task(flawed(parent), parent, Round.FIRST, screen.source.url)])

    assert page.locator(".judge mfrac").count() == 1400
    press(page, "Space")
    page.wait_for_timeout(400)

    assert page.evaluate("document.scrollingElement.scrollTop") > _LAPTOP[1] / 2
    assert page.locator(".judge .criterion").nth(1).is_visible()


def test_the_second_round_asks_what_is_disputed_and_names_nobody(screen: Desk) -> None:
    parent = sample()
    first = [judgement(Judged.FAIL, "Nothing is vague."), judgement(Judged.PASS, "")]
    disputed = (Criterion.TYPE_COMPLIANCE,)
    task = make_task(flawed(parent), parent, Round.ADJUDICATION, screen.source.url, first, disputed)
    page = screen.open("second", [task])

    assert page.get_by_text("Nothing is vague.").is_visible()
    assert page.get_by_text("Decided in the first round").is_visible()
    assert page.locator(".judge .criterion").count() == 1
    assert "grace" not in page.content()
    press(page, "1")
    submit(page)
    assert screen.results() == [[("type_compliance", ["pass"])]]
