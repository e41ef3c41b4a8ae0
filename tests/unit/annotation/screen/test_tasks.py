"""The data of a task: what is shown of an item, and its hash."""

import re
from typing import Any
from xml.etree import ElementTree

from annotation.screen.config import render_config
from annotation.screen.tasks import make_task
from core.records import (
    Edit,
    Flaw,
    FlawedSample,
    Language,
    Picture,
    PictureAddition,
    PictureRemoval,
    PictureReplacement,
    Sample,
    Subject,
    TextEdit,
    TextPart,
    TextRemoval,
)
from core.review import Judged, Judgement, Round
from core.taxonomy import Subtype
from core.votes import Criterion

_EDIT = TextEdit(part=TextPart.QUERY, start=4, before="red ", after="")


def _url(picture: Picture) -> str:
    return f"/pictures/{picture.sha256[:4]}?d=1&e=2"


def _picture(digit: str) -> Picture:
    return Picture(sha256=digit * 64, media_type="image/png", width=80, height=60)


def _sample(*pictures: Picture, language: Language = Language.ENGLISH) -> Sample:
    return Sample(
        source="s",
        source_id="1",
        context="A ball falls.",
        query="The red ball?",
        options=("2 s", "3 s"),
        pictures=pictures,
        subject=Subject.PHYSICS,
        language=language,
        licence="CC0-1.0",
        attribution="a",
    )


def _flawed(parent: Sample, *edits: Edit, **changed: Any) -> FlawedSample:
    flaw = Flaw(
        subtype=Subtype.AMBIGUITY, generator="rules", injector_version=1, edits=edits or (_EDIT,), explanation="Hidden."
    )
    fields = {"context": parent.context, "query": parent.query, "options": parent.options, "pictures": parent.pictures}
    return FlawedSample(parent=parent.id, flaws=(flaw,), **(fields | changed))


def _task(candidate: FlawedSample, parent: Sample, **more: Any) -> dict[str, Any]:
    return make_task(candidate, parent, more.pop("round_", Round.FIRST), _url, **more)


def _judgement(annotator: str, verdict: Judged, reason: str = "") -> Judgement:
    return Judgement(
        item="i",
        round=Round.FIRST,
        annotator=annotator,
        type_compliance=verdict,
        type_compliance_reason=reason,
        unanswerability=Judged.PASS,
        project=1,
        task=1,
        annotation=1,
        content_sha="",
        screen_sha="",
        created="",
        updated="",
    )


def _sources(task: dict[str, Any], side: str) -> list[str]:
    return [re.findall(r'src="/pictures/(\w)', picture[side])[0] for picture in task["pictures"] if picture[side]]


def test_the_data_hold_every_key_of_the_configuration() -> None:
    parent = _sample()
    data = _task(_flawed(parent), parent)
    for tag in ElementTree.fromstring(render_config(Language.ENGLISH)).iter():
        for attribute in ("value", "on"):
            if found := re.match(r"\$(\w+)", tag.get(attribute, "")):
                assert found[1] in data
    assert {"sample_id", "round", "content_sha"} <= data.keys()


def test_the_hash_is_of_the_content_and_not_of_the_addresses_of_the_pictures() -> None:
    parent = _sample(_picture("a"))
    candidate = _flawed(parent)
    task = _task(candidate, parent)
    elsewhere = make_task(candidate, parent, Round.FIRST, lambda picture: f"s3://b/{picture.sha256}")
    assert task["content_sha"] == elsewhere["content_sha"]
    assert task["pictures"] != elsewhere["pictures"]

    others = [
        _task(_flawed(parent, query="The ball?"), parent),
        _task(_flawed(parent, pictures=(_picture("b"),)), parent),
        _task(candidate, parent, round_=Round.ADJUDICATION),
        _task(candidate, parent, criteria=(Criterion.UNANSWERABILITY,)),
        _task(candidate, parent, informed=[_judgement("ann1", Judged.FAIL, "No.")]),
    ]
    assert len({task["content_sha"], *(other["content_sha"] for other in others)}) == 6


def test_neither_the_explanation_nor_a_mask_nor_who_made_the_flaw_is_shown() -> None:
    parent = _sample(_picture("a"))
    addition = PictureAddition(index=1, of=0, after=_picture("b"), mask=_picture("c"), change="a bar is longer")
    candidate = _flawed(parent, addition, pictures=(*parent.pictures, _picture("b")))
    shown = str(_task(candidate, parent))
    assert not [hidden for hidden in ("Hidden.", "cccc", "a bar is longer", "rules") if hidden in shown]


def test_texts_inside_an_item_are_in_its_language() -> None:
    parent = _sample(language=Language.CHINESE)
    task = _task(_flawed(parent), parent)
    assert "歧义" in task["claim"]
    assert "选项" in task["modified"]


def test_both_claims_of_two_flaws_are_shown() -> None:
    parent = _sample()
    first = _flawed(parent)
    second = first.flaws[0].model_copy(update={"subtype": Subtype.UNCLEAR_INTENT})
    task = _task(first.model_copy(update={"flaws": (*first.flaws, second)}), parent)
    assert "ambiguity" in task["claim"]
    assert "unclear intent" in task["claim"]


def test_a_part_that_was_removed_says_so_on_the_new_side() -> None:
    parent = _sample()
    removal = TextRemoval(part=TextPart.OPTIONS)
    task = _task(_flawed(parent, removal, options=(), query=None), parent)
    assert task["modified"].count("this part was removed") == 2
    assert task["original"].count("<del>") == 3


def test_a_changed_picture_has_its_original_behind_it() -> None:
    parent = _sample(_picture("a"), _picture("b"))
    edit = PictureReplacement(index=1, before=_picture("b"), after=_picture("c"), donor="smp_0")
    task = _task(_flawed(parent, edit, pictures=(_picture("a"), _picture("c"))), parent)
    assert _sources(task, "now") == ["a", "c"]
    assert [bool(picture["was"]) for picture in task["pictures"]] == [False, True]
    assert _sources(task, "was") == ["b"]


def test_an_added_copy_has_the_picture_that_it_copies_behind_it_wherever_it_stands() -> None:
    parent = _sample(_picture("a"), _picture("b"))
    edit = PictureAddition(index=1, of=0, after=_picture("c"), mask=_picture("d"), change="x")
    task = _task(_flawed(parent, edit, pictures=(_picture("a"), _picture("c"), _picture("b"))), parent)
    assert _sources(task, "now") == ["a", "c", "b"]
    assert _sources(task, "was") == ["a"]
    assert "ADDED" in task["pictures"][1]["now"]


def test_removed_pictures_stay_in_view_and_are_named_as_removed() -> None:
    parent = _sample(_picture("a"), _picture("b"))
    task = _task(_flawed(parent, PictureRemoval(before=parent.pictures), pictures=()), parent)
    assert _sources(task, "now") == ["a", "b"]
    assert all("REMOVED" in picture["now"] for picture in task["pictures"])
    assert not task["no_pictures"]


def test_an_item_without_pictures_says_so() -> None:
    parent = _sample()
    task = _task(_flawed(parent), parent)
    assert task["pictures"] == []
    assert task["no_pictures"]


def test_no_html_of_a_picture_holds_two_addresses() -> None:
    """With S3 the server resolves one in each text."""
    parent = _sample(_picture("a"))
    edit = PictureReplacement(index=0, before=_picture("a"), after=_picture("c"), donor="smp_0")
    task = _task(_flawed(parent, edit, pictures=(_picture("c"),)), parent)
    assert [text.count("/pictures/") for picture in task["pictures"] for text in picture.values()] == [1, 1]


def test_first_verdicts_are_shown_without_names_in_an_order_that_tells_nothing() -> None:
    parent = _sample()
    said = [_judgement("ann1", Judged.FAIL, "No <b>."), _judgement("ann2", Judged.PASS)]
    task = _task(_flawed(parent), parent, informed=said)
    text = task["first_round"][0]["text"]
    assert "No &lt;b&gt;." in text
    assert "ann" not in text
    assert _task(_flawed(parent), parent, informed=said[::-1])["first_round"] == task["first_round"]


def test_only_the_criteria_in_dispute_are_asked() -> None:
    parent = _sample()
    task = _task(_flawed(parent), parent, criteria=(Criterion.UNANSWERABILITY,))
    assert task["ask_type_compliance"] == []
    assert task["ask_unanswerability"]
    assert "A, fits the type" in task["decided"][0]["text"]
