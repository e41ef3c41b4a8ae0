"""Beyond capability by rule: the request asks for something about a thing of this very question that nobody can know
from the text and the pictures: what will be in a far future, or what was never recorded. Options belong to the old
request and go."""

import re
from typing import NamedTuple

from core.image_tokens import TOKEN
from core.records import Language, Sample
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.goals import before_goal, goal_words, is_inside_sentence, refuse_without_request, replace_goal
from injectors.passages import formulas, prose
from injectors.rewriting import Rewriting, make_injection
from injectors.wordlists import word_list

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_CHINESE_NAME = re.compile(r"小[明红刚华丽强军芳亮李王张刘陈杨赵林韩美兰东杰宇文雨晨](?![车球时于])")


class Thing(NamedTuple):
    """Something of the text, with its article, and the requests that fit it."""

    words: str
    requests: tuple[str, ...]


class BeyondCapability:
    """See docs/rule-injectors.md for what is accepted."""

    subtype = Subtype.BEYOND_CAPABILITY
    version = 2

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        refusal = refuse_without_request(sample)
        if refusal:
            return refusal
        if any(TOKEN.search(option) for option in sample.options):
            return Rejection(
                RejectionReason.NOTHING_TO_CHANGE, "the options are pictures and belong to the old request"
            )
        if sample.language is Language.ENGLISH and is_inside_sentence(sample):
            return Rejection(
                RejectionReason.NOTHING_TO_CHANGE, "the request is the end of a sentence that would not fit a new one"
            )
        things = _things(sample)
        if not things:
            return Rejection(
                RejectionReason.NOTHING_TO_CHANGE, "the text names nothing that a new request could be about"
            )
        thing = context.stream.choice(things)
        request = _fill(context.stream.choice(thing.requests), thing, sample.language, context)
        rewriting = Rewriting(replace_goal(sample, request), _explain(sample, thing, request), drop_options=True)
        return make_injection(sample, self.subtype, self.version, rewriting)


def _things(sample: Sample) -> list[Thing]:
    """The most telling things of the text: those of the first classes that have any, or else a formula."""
    text = f"{before_goal(sample)}\n{goal_words(sample)}"
    classes = word_list("unknowable")[sample.language.value]
    find = _chinese_things if sample.language is Language.CHINESE else _english_things
    found = find(text, classes)
    requests = {entry["class"]: tuple(entry["requests"]) for entry in classes}
    named = [thing for name, thing in found if name not in ("figure", "expression")]
    figures = [thing for name, thing in found if name == "figure"]
    return named[:3] or (figures[:3] if sample.pictures else []) or _formula(text, requests["expression"])


def _english_things(text: str, classes: list[dict[str, list[str] | str]]) -> list[tuple[str, Thing]]:
    words = prose(text)
    requests = {str(entry["class"]): tuple(entry["requests"]) for entry in classes}
    found: list[tuple[str, Thing]] = []
    for name in re.findall(r"(?<![A-Za-z])[A-Z][a-zé]+(?![A-Za-z]|\s+[A-Z][a-z]|ville|-)", words):
        if name in word_list("unknowable")["names"] and all(thing.words != name for _, thing in found):
            found.append(("person", Thing(name, requests["person"])))
    for entry in classes:
        name = str(entry["class"])
        singles = [noun for noun in entry["nouns"] if noun in words and _is_single(noun, words)]
        found += [(name, Thing(f"the {noun}", requests[name])) for noun in singles]
    return found


def _is_single(noun: str, words: str) -> bool:
    """The text speaks of one such thing: `a block`, `the black car`; not of several, and not of a kind of something
    else."""
    one = re.search(
        rf"\b(?:[Aa]n?|[Tt]he|[Tt]his|[Hh]is|[Hh]er|[Ii]ts)\s+(?:(?!gear\b|heat\b|light\b|race\b|colou?r\b)[a-z-]+\s+){{0,2}}?"
        rf"{noun}\b(?!\s+(?:of|that is|hall|council|shop|stations?|[a-z]+(?:er|or|ing|tion|side|graph|code)\b)|-|['’])",
        words,
    )
    several = re.search(
        rf"\b(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ee]ach|[Ee]very|[Ee]ither|[Bb]oth"
        rf"|\d+)\s+(?:[a-z]+\s+){{0,2}}{noun}s?\b",
        words,
    )
    return bool(one) and not several


def _chinese_things(text: str, classes: list[dict[str, list[str] | str]]) -> list[tuple[str, Thing]]:
    requests = {str(entry["class"]): tuple(entry["requests"]) for entry in classes}
    found = [("person", Thing(name, requests["person"])) for name in dict.fromkeys(_CHINESE_NAME.findall(text))]
    for entry in classes:
        for noun in entry["nouns"]:
            if noun in text and not any(noun in thing.words for _, thing in found):
                found.append((str(entry["class"]), Thing(noun, requests[str(entry["class"])])))
    return found


def _formula(text: str, requests: tuple[str, ...]) -> list[Thing]:
    """A short formula of the text with some content."""
    whole = [span.of(text) for span in formulas(text)]
    telling = [
        one
        for one in whole
        if 8 <= len(one) <= 60
        and len(re.sub(r"[$\s\\()]", "", one)) >= 6
        and not one.startswith("$$")
        and not re.search(r"[=+\-^(_,]\s*\$$", one)
        and re.search(r"[=+\-^(_]|\\frac|\\angle|\\triangle", one)
    ]
    return [Thing(one, requests) for one in dict.fromkeys(telling[-2:])]


def _fill(template: str, thing: Thing, language: Language, context: InjectionContext) -> str:
    year, month, day = context.stream.randint(2051, 2098), context.stream.randint(1, 12), context.stream.randint(1, 28)
    date = f"{day} {_MONTHS[month - 1]} {year}" if language is Language.ENGLISH else f"{year}年{month}月{day}日"
    return template.format(thing=thing.words, date=date, year=year)


def _explain(sample: Sample, thing: Thing, request: str) -> str:
    options = " The options belonged to the old request and are gone." if sample.options else ""
    return (
        f'The request "{goal_words(sample)}" became "{request}".{options} The text and the pictures say nothing '
        f"about this fact "
        f'of "{thing.words}", and no knowledge of the world settles it, so nobody can answer.'
    )


BEYOND_CAPABILITY = BeyondCapability()
