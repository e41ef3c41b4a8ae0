"""Premise questions of the scripted writer: what it claims to see is drawn from the bytes of the picture, so it is true
of none. Some replies carry one of the faults that the released questions of Judge Before Answer have (requirements
3.4), and keep it when they are asked again: a build has to catch each of them."""

import re
from collections.abc import Sequence
from hashlib import blake2b

from pydantic import JsonValue

from models.scripted_texts import read_fence

Reply = dict[str, JsonValue]

_SLOT = "[PREMISE]"
_CHINESE_WANTED = re.compile(r"\bin Chinese\b")
_STATEMENT = re.compile(r"^(STATEMENT \d+): PASS\|FAIL$", re.MULTILINE)
_MARKED = re.compile("«(.*?)»", re.DOTALL)
_TOLD = re.compile(r"^(True|False|True instead): (.*)$", re.MULTILINE)

_SHAPES = ("lantern", "kettle", "ribbon", "ladder", "basket", "bottle", "saddle", "whistle", "bucket", "cushion")
_PLACES = ("door", "wall", "bench", "shelf", "fence", "crate", "stair", "window", "table", "pillar")
_COLOURS: tuple[str, ...] = ("azure", "scarlet", "chestnut", "purple")
_SYNONYMS: tuple[str, ...] = ("blue", "red", "brown", "violet")
_CHINESE_SHAPES = ("灯笼", "水壶", "丝带", "梯子", "篮子", "瓶子", "马鞍", "哨子", "水桶", "垫子")
_CHINESE_PLACES = ("门", "墙", "长凳", "架子", "栅栏", "木箱", "台阶", "窗户", "桌子", "柱子")
_CHINESE_COLOURS: tuple[str, ...] = ("深蓝色", "大红色", "金黄色", "橘黄色")
_CHINESE_SYNONYMS: tuple[str, ...] = ("蓝色", "红色", "黄色", "橙色")

_WORDS: tuple[tuple[str, str], ...] = tuple(
    zip((*_COLOURS, *_CHINESE_COLOURS), (*_SYNONYMS, *_CHINESE_SYNONYMS), strict=True)
)
_GAP = "~"

FAULTS = (
    "no_as_premise",
    "quoted_no",
    "premise_not_in_caption",
    "caption_hedged",
    "premise_not_replaced",
    "premise_kept_beside",
    "synonym",
    "asked_about",
    "asked_for",
    "debris",
    "newline",
    "hedged",
    "two_sentences",
    "other_language",
    "no_slot",
    "declined",
)


def write_premise(names: set[str], system: str, text: str, pictures: Sequence[str]) -> Reply | None:
    """The fields of a reply whose schema has these names; None when they are of no stage of a premise question."""
    chinese = bool(_CHINESE_WANTED.search(system))
    if names == {"present", "premise", "where"}:
        return _extract(f"{system}\0{pictures[-1] if pictures else text}", chinese)
    if names == {"caption", "span"}:
        return _caption(read_fence(text, "premise") or "", chinese)
    if "possible" in names and names & {"frame", "question"}:
        return _question(names, read_fence(text, "premise") or "", chinese)
    if names == {"think", "answer"}:
        return _answer(read_fence(text, "known") or "", chinese)
    return None


def write_premise_verdicts(text: str) -> str | None:
    """A validator that knows the words of this writer: it passes what is called true here, but sees every eighth
    premise otherwise and lets every twelfth replacement hold. None when the text asks for no such verdicts."""
    labels = _STATEMENT.findall(text)
    if not labels:
        return None
    stated = [found[1] for label in labels if (found := _MARKED.search(read_fence(text, label.lower()) or ""))]
    item = _draw("|".join(sorted(_plain(words) for words in stated)))
    verdicts = {label: _holds(words, item) for label, words in zip(labels, stated, strict=False)}
    lines = [f"{label}: {'PASS' if verdicts.get(label, True) else 'FAIL'}" for label in labels]
    return "\n".join(["Told by the words of the writer, not by the picture.", *lines])


def fault_of(premise: str) -> str | None:
    """Which fault the reply about these words carries: every third has none of them."""
    drawn = _draw(f"fault {_plain(premise)}")
    return FAULTS[drawn % len(FAULTS)] if drawn % 3 else None


def _extract(mark: str, chinese: bool) -> Reply:
    drawn = _draw(mark)
    if drawn % 5 == 0:
        return {"present": False, "premise": "", "where": "By a fixed rule: nothing of the kind."}
    premise = _phrase(mark, chinese)
    where = "By a fixed rule, in plain view."
    fault = fault_of(premise)
    if fault == "no_as_premise":
        return {"present": True, "premise": "No.", "where": where}
    if fault == "quoted_no":
        return {"present": True, "premise": "'No'", "where": where}
    return {"present": True, "premise": premise, "where": where}


def _caption(premise: str, chinese: bool) -> Reply:
    fault = fault_of(premise)
    said = "something" if fault == "premise_not_in_caption" else premise
    if chinese:
        hedge = "可能" if fault == "caption_hedged" else ""
        caption = f"画面里{hedge}有{said}，旁边放着三把椅子。后面是一条小路。"
    else:
        hedge = " perhaps" if fault == "caption_hedged" else ""
        caption = f"Beside three chairs there is{hedge} {said}. A narrow path lies behind them."
    return {"caption": caption, "span": premise}


def _question(names: set[str], premise: str, chinese: bool) -> Reply:
    """A pair by its frame, or one question of the published scheme."""
    fault = fault_of(premise)
    replacement, frame, answer = _frame(premise, chinese)
    if fault == "premise_not_replaced":
        replacement = premise
    if fault == "synonym":
        colour = _colour_in(premise)
        replacement = premise.replace(colour, dict(_WORDS)[colour])
    if fault == "premise_kept_beside":
        frame = frame.replace(_SLOT, f"{_SLOT} 和{premise}" if chinese else f"{_SLOT} and {premise}")
    frame, answer = _spoil(fault, frame, answer, premise, chinese)
    possible = fault != "declined"
    if "frame" in names:
        return {"possible": possible, "replacement": replacement, "frame": frame, "answer": answer}
    stated = replacement if "replacement" in names else premise
    question = frame.replace(_SLOT, stated, 1)
    reply: Reply = {"possible": possible, "question": question, "span": stated, "answer": answer}
    return reply | ({"replacement": replacement} if "replacement" in names else {})


def _spoil(fault: str | None, frame: str, answer: str, premise: str, chinese: bool) -> tuple[str, str]:
    match fault:
        case "asked_about":
            return (f"画面里有{_SLOT}吗？" if chinese else f"Is there {_SLOT} beside the chairs?"), answer
        case "asked_for":
            return frame, premise
        case "debris":
            return f"Incorrect premise: {frame}", answer
        case "newline":
            return f"{frame[:-1]}\n{frame[-1]}", answer
        case "hedged":
            return (f"如果{frame}" if chinese else f"If so, {frame[0].lower()}{frame[1:]}"), answer
        case "two_sentences":
            return (f"有{_SLOT}。有几把椅子？" if chinese else f"There is {_SLOT}. How many chairs are there?"), answer
        case "other_language":
            return (
                "How many chairs stand beside " + _SLOT + "?" if chinese else f"旁边有{_SLOT}的椅子有几把？"
            ), answer
        case "no_slot":
            return frame.replace(_SLOT, "那个" if chinese else "it"), answer
        case _:
            return frame, answer


def _frame(premise: str, chinese: bool) -> tuple[str, str, str]:
    """Replacement, frame and answer. Which of a few frames is drawn from the premise."""
    drawn = _draw(f"frame {premise}")
    if chinese:
        frames = (
            f"旁边有{_SLOT}的椅子有几把？",
            f"画面里有{_SLOT}，椅子有多少把？",
            f"靠近{_SLOT}的地方摆着几把椅子？",
        )
        return _other(premise), frames[drawn % 3], "三"
    frames = (
        f"How many chairs stand beside {_SLOT}?",
        f"With {_SLOT} in view, what number of chairs is there?",
        f"Near {_SLOT}, how many chairs have been set out?",
    )
    return _other(premise), frames[drawn % 3], "three"


def _answer(known: str, chinese: bool) -> Reply:
    """Every fourth quotes what only the teacher was told."""
    quotes = _draw(f"hint {known}") % 4 == 0
    told = dict(_TOLD.findall(known))
    stated, truth = told.get("False") or told.get("True") or "it", told.get("True instead")
    if chinese:
        hint = "正确的前提是另一个。" if quotes else "看得很清楚。"
        think = f"问题提到{stated}，所以我先在画面里找它，再看旁边的椅子和后面的小路，{hint}"
        answer = f"画面里并没有{stated}，而是{truth}。" if truth else "有三把椅子。"
        return {"think": think, "answer": answer}
    hint = "The correct premise is another one." if quotes else "That is what is to be seen there."
    think = f"The question takes {stated} for granted, so I look for it beside the chairs before I go on. {hint}"
    answer = f"The picture does not show {stated}: it shows {truth}." if truth else "There are three chairs."
    return {"think": think, "answer": answer}


def _phrase(mark: str, chinese: bool) -> str:
    """Its colour follows from the rest: no other one is true of it, and no word tells."""
    drawn = int.from_bytes(blake2b(mark.encode("utf-8", "surrogatepass"), digest_size=6).digest())
    shapes, places = (_CHINESE_SHAPES, _CHINESE_PLACES) if chinese else (_SHAPES, _PLACES)
    shape, place, number = shapes[drawn % 10], places[drawn // 10 % 10], drawn // 100 % 90 + 10
    rest = f"{place}上的{_GAP}{shape}{number}号" if chinese else f"the {_GAP} {shape} on the {place} number {number}"
    return rest.replace(_GAP, _colour_of(rest))


def _other(premise: str) -> str:
    """The same in another colour."""
    colour = _colour_in(premise)
    colours = next((found for found in (_COLOURS, _CHINESE_COLOURS) if colour in found), None)
    if colours is None:
        return "another thing" if premise.isascii() else "另一个东西"
    return premise.replace(colour, colours[(colours.index(colour) + 1 + _draw(f"other {premise}") % 3) % 4])


def _holds(words: str, item: int) -> bool:
    colour = _colour_in(words)
    true = colour == _colour_of(words.replace(colour, _GAP))
    return item % 8 != 0 if true else item % 12 == 1


def _colour_of(rest: str) -> str:
    colours = _COLOURS if rest.isascii() else _CHINESE_COLOURS
    return colours[_draw(_plain(rest)) % len(colours)]


def _colour_in(words: str) -> str:
    return next((colour for colour, _ in _WORDS if colour in words), words)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _draw(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest())
