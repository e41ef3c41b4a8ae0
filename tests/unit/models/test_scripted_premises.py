"""A writer without knowledge whose faults a build has to catch: which ones there are, and that words do not tell."""

import json
from collections import Counter

from core.prompts import fence
from models.scripted_premises import FAULTS, fault_of, write_premise, write_premise_verdicts

EXTRACTION, CAPTION = {"present", "premise", "where"}, {"caption", "span"}
PAIR = {"possible", "replacement", "frame", "answer"}
ENGLISH, CHINESE = "Write in English.", "Write in Chinese."


def extract(number: int, system: str = ENGLISH) -> dict[str, object]:
    reply = write_premise(EXTRACTION, system, "", [f"picture {number}"])
    assert reply is not None
    return dict(reply)


def phrases(system: str = ENGLISH) -> list[str]:
    replies = (extract(number, system) for number in range(400))
    return [str(reply["premise"]) for reply in replies if reply["present"] and "No" not in str(reply["premise"])]


def replace(premise: str) -> str:
    return str((write_premise(PAIR, ENGLISH, fence("premise", premise), []) or {})["replacement"])


def test_what_is_seen_hangs_on_the_picture_and_some_show_nothing() -> None:
    assert extract(1) == extract(1) != extract(2)
    assert 0.1 < sum(not extract(number)["present"] for number in range(400)) / 400 < 0.3


def test_every_fault_comes_up_and_a_third_has_none() -> None:
    counts = Counter(fault_of(f"the red cup number {number}") for number in range(3000))
    assert set(counts) == {None, *FAULTS}
    assert 0.25 < counts[None] / 3000 < 0.45


def test_a_fault_stays_when_it_is_asked_again() -> None:
    premise = next(words for words in phrases() if fault_of(words) == "hedged")
    text = fence("premise", premise)
    assert write_premise(PAIR, ENGLISH, text, []) == write_premise(PAIR, ENGLISH, text + "Mend it.", [])


def test_no_word_tells_the_true_filling_from_the_false_one() -> None:
    sound = [words for words in phrases() if fault_of(words) is None]
    pairs = [
        (words, str((write_premise(PAIR, ENGLISH, fence("premise", words), []) or {})["replacement"]))
        for words in sound
    ]
    true, false = (Counter(word for words in filling for word in words.split()) for filling in zip(*pairs, strict=True))
    assert set(true) == set(false)
    assert all(one != other and len(one.split()) == len(other.split()) for one, other in pairs)


def test_the_validator_knows_true_from_false_but_for_a_few() -> None:
    verdicts: Counter[str] = Counter()
    for words in (words for words in phrases() if fault_of(words) is None):
        other = replace(words)
        shown = "\n\n".join(fence(f"statement {at}", f"Near «{one}»?") for at, one in enumerate((words, other), 1))
        reply = write_premise_verdicts(f"{shown}\nSTATEMENT 1: PASS|FAIL\nSTATEMENT 2: PASS|FAIL")
        assert reply is not None
        verdicts[" ".join(line.rpartition(" ")[2] for line in reply.splitlines()[1:])] += 1
    assert verdicts.most_common(1)[0][0] == "PASS FAIL"
    assert verdicts["FAIL FAIL"] and verdicts["PASS PASS"]
    assert write_premise_verdicts("VALIDITY: PASS|FAIL") is None


def test_the_language_that_is_asked_for_is_kept() -> None:
    premise = phrases(CHINESE)[0]
    reply = write_premise(CAPTION, CHINESE, fence("premise", premise), [])
    assert not json.dumps(reply).isascii() or "\\u" in json.dumps(reply)
    assert not premise.isascii()


def test_other_replies_are_left_to_others() -> None:
    assert write_premise({"possible", "edits", "readings"}, ENGLISH, "", []) is None
