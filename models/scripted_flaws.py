"""Flaws of the scripted writer. A number becomes another one, a word a vaguer one, a query one without a goal: by rules
that look at letters alone, so that what comes of them has the form of a flaw and may be none."""

import re
from collections.abc import Callable
from typing import NamedTuple

from pydantic import JsonValue

from models.scripted_texts import (
    Place,
    clause_of,
    content_words,
    drawn_box,
    end_of,
    numbers,
    picture_tokens,
    quotation_of,
    without_tokens,
)

Reply = dict[str, JsonValue]

_NO_MODEL = "By a fixed rule, without any knowledge:"
_GOAL_LENGTH = 300


class Shown(NamedTuple):
    """The question in a prompt. `attempt` counts from 0: what was refused is tried another way."""

    context: str | None
    query: str | None
    options: str | None
    chinese: bool
    attempt: int

    @property
    def parts(self) -> list[tuple[str, str]]:
        return [(name, text) for name, text in (("context", self.context), ("query", self.query)) if text]


def write_flaw(names: set[str], shown: Shown) -> Reply | None:
    """The fields of a reply whose schema has these names; None when it asks for no flaw in a text that is shown."""
    maker = next((maker for name, maker in _MAKERS.items() if name in names), None)
    if maker is None or not shown.parts:
        return None
    return maker(shown)


def write_picture_edit(mark: str) -> Reply:
    """What an image editor is told: other colours in a box, which lies where the mark decides."""
    return {
        "premise": f"{_NO_MODEL} the colours in the box.",
        "possible": True,
        "instruction": "Give everything inside the box clearly other colours and leave the rest as it is.",
        "changes_from": "the colours as they are",
        "changes_to": "clearly other colours",
        "box": {**drawn_box(mark)._asdict()},
        "why_unanswerable": f"{_NO_MODEL} the two pictures differ, and nothing says which of them holds.",
        "answerability_argument": f"{_NO_MODEL} none was looked for.",
    }


def _make_ambiguity(shown: Shown) -> Reply:
    """A number or a word becomes one that fits many things."""
    places = [place for part, text in shown.parts for place in numbers(part, text)]
    vaguer = "若干" if shown.chinese else "several"
    if shown.attempt >= len(places):
        words = [place for part, text in shown.parts for place in content_words(part, text, shown.chinese)]
        if words:
            places, vaguer = words, "某些" if shown.chinese else "something"
    if not places:
        return _decline("no number and no word to make vaguer")
    edit, _ = _put(places[shown.attempt % len(places)], vaguer)
    readings: list[JsonValue] = [
        {"meaning": "a smaller value is meant", "answer": "the smaller result"},
        {"meaning": "a larger value is meant", "answer": "the larger result"},
    ]
    return {**_common(shown, edit, "the words that became vaguer", drop_options=True), "readings": readings}


def _make_unclear_intent(shown: Shown) -> Reply:
    """The query keeps its first word that means something, and its pictures."""
    if shown.query is None:
        return _decline("there is no query")
    subject = _subject(shown.query, shown.chinese)
    query = f"那么{subject}呢？" if shown.chinese else f"And what about the {subject}?"
    goal = without_tokens(shown.query)[:_GOAL_LENGTH].strip()
    return {
        **_common(shown, _replace_query(shown.query, query), "what is to be found", drop_options=True),
        "goal": goal,
    }


def _make_cross_modal_contradiction(shown: Shown) -> Reply:
    """A number of the text becomes another one; without numbers a count is stated."""
    places = [place for part, text in shown.parts for place in numbers(part, text)]
    if shown.attempt < len(places):
        place = places[shown.attempt]
        edit, stated = _put(place, _other_number(place.words))
        shows = place.words
    else:
        stated = "图中恰好标出了九个点。" if shown.chinese else "Exactly nine points are marked there."
        edit, _ = _put(end_of(*shown.parts[0]), _joint(shown.parts[0][1], shown.chinese) + stated)
        shows = "another number of points"
    return {
        **_common(shown, edit, "what the text says of the picture"),
        "picture": 1,
        "text_states": stated,
        "picture_shows": f"{_NO_MODEL} {shows}",
    }


def _make_intra_textual_contradiction(shown: Shown) -> Reply:
    """The words around a number are said again with another number; without numbers something else is stated."""
    places = [place for part, text in shown.parts for place in numbers(part, text)]
    clauses = [(place, clause_of(place)) for place in places]
    clauses = [(place, clause) for place, clause in clauses if len(clause.words) > len(place.words) + 1]
    part, text = shown.parts[0]
    if shown.attempt < len(clauses):
        place, clause = clauses[shown.attempt]
        kept = clause.words
        head, tail = text_around(place, clause)
        new = f"{head}{_other_number(place.words)}{tail}"
    else:
        kept = clause_of(end_of(part, text)._replace(start=0, end=1)).words
        new = "其中恰有三个量彼此相等" if shown.chinese else "exactly three of the values are equal"
    sentence = f"此处{new}。" if shown.chinese else f"{new[0].upper()}{new[1:]}."
    edit, _ = _put(end_of(part, text), _joint(text, shown.chinese) + sentence)
    return {**_common(shown, edit, "a statement of the text"), "statement_kept": kept, "statement_new": sentence}


def _make_beyond_capability(shown: Shown) -> Reply:
    """The query asks for a day that nobody knows."""
    if shown.query is None:
        return _decline("there is no query")
    subject = _subject(shown.query, shown.chinese)
    query = (
        f"{subject}最后一次被人看到将是在哪一年的哪一天？"
        if shown.chinese
        else f"On which day of which year will the {subject} be looked at for the last time?"
    )
    return {
        **_common(shown, _replace_query(shown.query, query), "what is asked for", drop_options=True),
        "kind": "future",
        "unknowable": "the day on which it will be looked at for the last time",
    }


_MAKERS: dict[str, Callable[[Shown], Reply]] = {
    "readings": _make_ambiguity,
    "goal": _make_unclear_intent,
    "text_states": _make_cross_modal_contradiction,
    "statement_new": _make_intra_textual_contradiction,
    "unknowable": _make_beyond_capability,
}


def text_around(place: Place, clause: Place) -> tuple[str, str]:
    """What of a clause stands before and behind a place in it."""
    return place.text[clause.start : place.start], place.text[place.end : clause.end]


def _common(shown: Shown, edit: Reply, premise: str, drop_options: bool = False) -> Reply:
    return {
        "premise": f"{_NO_MODEL} {premise}.",
        "possible": True,
        "edits": [edit],
        "drop_options": drop_options and shown.options is not None,
        "why_unanswerable": f"{_NO_MODEL} {premise} is no longer as in the source.",
        "answerability_argument": f"{_NO_MODEL} none was looked for.",
    }


def _decline(reason: str) -> Reply:
    return {"possible": False, "why_unanswerable": f"{_NO_MODEL} {reason}."}


def _put(place: Place, new: str) -> tuple[Reply, str]:
    """The edit that puts new words in a place, and these words with some of what follows, as they then stand there."""
    quotation = quotation_of(place)
    head, tail = text_around(place, quotation)
    behind = text_around(place, clause_of(place))[1]
    edit: Reply = {"part": place.part, "original_span": quotation.words, "new_span": f"{head}{new}{tail}"}
    return edit, f"{new}{behind}"


def _replace_query(query: str, new: str) -> Reply:
    return {
        "part": "query",
        "original_span": query.strip(),
        "new_span": " ".join([new, *picture_tokens(query)]),
    }


def _subject(query: str, chinese: bool) -> str:
    words = [place.words for place in content_words("query", query, chinese)]
    if words:
        return words[-1]
    return "这个" if chinese else "rest"


def _joint(text: str, chinese: bool) -> str:
    """What goes between a text and a further sentence."""
    ended = text.rstrip()[-1:] in ".?!:;。？！：；>$"
    if chinese:
        return "" if ended else "。"
    return " " if ended else ". "


def _other_number(number: str) -> str:
    """The first digit moved on, never to 0 and never to itself."""
    return re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 9 + 1), number, count=1)
