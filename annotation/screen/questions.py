"""The original and the modified question side by side, part by part: context, question, options."""

from itertools import zip_longest

from annotation.screen.diff import Change, Sides, compare, find_moved, show_changes
from annotation.screen.escaping import escape
from core.records import FlawedSample, Sample

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def show_questions(candidate: FlawedSample, parent: Sample, words: dict[str, str]) -> Sides:
    texts = {
        "context": [_compare(parent.context, candidate.context)],
        "query": [_compare(parent.query, candidate.query)],
        "options": [_compare(old, new) for old, new in zip_longest(parent.options, candidate.options)],
    }
    moved = find_moved([changes for parts in texts.values() for changes in parts])
    gone = {"context": not candidate.context, "query": not candidate.query, "options": not candidate.options}
    original, modified = "", ""
    for part, stretches in texts.items():
        if not any(stretches):
            continue
        sides = [show_changes(changes, moved) for changes in stretches]
        lettered = part == "options" and len(sides) <= len(_LETTERS)
        original += _section(words[part], part, [side.original for side in sides], lettered=lettered)
        if gone[part]:
            removed = f'<del class="mark part">− {escape(words["removed_part"])}</del>'
            modified += _section(words[part], part, [removed], lettered=False)
        else:
            modified += _section(words[part], part, [side.modified for side in sides], lettered=lettered)
    return Sides(original, modified)


def _compare(before: str | None, after: str | None) -> list[Change]:
    return compare(before or "", after or "")


def _section(title: str, part: str, texts: list[str], *, lettered: bool) -> str:
    lines = [f"<p>{f'<b>{_LETTERS[number]}.</b> ' if lettered else ''}{text}</p>" for number, text in enumerate(texts)]
    return f'<section class="{part}"><h6>{escape(title)}</h6>{"".join(lines)}</section>'
