"""Traces of a prompt are seen in any form that they take, and what a picture says is none."""

import pytest

from linting.debris import find_debris

DEBRIS = {
    "talk of premises": [
        "A cat sits. Incorrect premise: dog. What does the dog eat?",
        "What does the false premise say about the cup?",
        "premise = red car, what is next to it?",
        "图中正确前提是猫，它在吃什么？",
    ],
    "field of a prompt": [
        "A boy runs. Question: what is the girl doing?",
        "Output: What colour is the boat?",
        "**Question:** What colour is the boat?",
        "Q: What colour is the boat?",
        "What colour is the boat?\nExplanation: there is a car.",
        "问题：船是什么颜色？",
    ],
    "bold or italic marks": ["What colour is the **boat** on the lake?", "What does the sign *STOP HERE* mean?"],
    "heading or code marks": ["### Task\nWhat colour is it?", "What colour is the `boat`?", "```What colour is it?```"],
    "tag": ["<think>hm</think> What is it?", "What is it?<br>", "What is it? <|im_end|>", "[INST] What is it?"],
    "arrow": ["cat → dog, what does it eat?", "The cat -> dog sits where?"],
    "column mark": ["A cat sits. | What does the dog eat?"],
    "placeholder": ["What colour is the {object}?", "What colour is the [object] there?"],
    "JSON": ['{"quest": "What is it?"}', '["What is it?", "Where?"]', 'What is it?"}'],
    "list": ["- What is it?\n- Where is it?", "1. What is it?", "Look.\n2) Where is it?"],
    "mention of a caption": [
        "What does the dog do according to the caption?",
        "What else is mentioned in the description?",
        "Is the cat described as black in this caption?",
        "根据描述，狗在做什么？",
    ],
    "talk of an assistant": [
        "Sure! What colour is the boat?",
        "Here is a question: what colour is it?",
        "We need to replace cat by dog. What does it eat?",
        "As an AI I see no boat, what is it?",
        "I'm sorry, what is it?",
        "Let me think about what replaces it.",
        "The rewritten question asks what it is?",
    ],
    "replacement spelt out": ['Changing "cat" to "dog", what does it eat?'],
    "quoted as a whole": ['"What colour is the boat?"', "'What colour is the boat?'"],
    "escaped character": ["What is it?\\n\\nWhere is it?"],
}
CLEAN = [
    "What colour is the boat on the lake?",
    'What does the sign that reads "Question: why not?" stand next to?',
    'What street is named on the sign: "Elm" or "Oak"?',
    "What is on the table: cups or plates?",
    "The bus shows the go*Metro logo, what is its number?",
    "What is the ratio 3:4 of cows to sheep at 10:45 pm on 3/4?",
    "Is the man holding up five fingers—or four?",
    'What did the letter "I can\'t" on the shirt mean to the girl in the photo?',
    "What is the correct answer to the sum on the board?",
    "The white arrow and question mark are on the sign, what colour is it?",
    "The cat's bowl is near the dog's bowl, what's in it?",
    "What is the snake_case name on the label?",
    "Is the oldest of the 12 clocks, No. 7, above the door?",
    "The player leaps (c) photo.com, what does he catch?",
    "Great waves crash on shore, what is the man doing?",
    "$a_1 < b$ and $b > c$ hold, what is $a_1 * c$?",
    "<image 1> Which of the pictures shows a cell?",
    "Let us consider a triangle, what is the tool that we should use to measure it?",
    "图中红色的车旁边是什么？",
    "",
]


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in DEBRIS.items() for text in texts])
def test_trace_is_seen(name: str, text: str) -> None:
    seen = find_debris(text)
    assert seen is not None
    assert seen.split(":")[0] == name or name in ("column mark", "list", "heading or code marks", "quoted as a whole")


@pytest.mark.parametrize("text", CLEAN)
def test_question_without_traces_is_clean(text: str) -> None:
    assert find_debris(text) is None


def test_what_stood_in_the_source_is_no_trace() -> None:
    source = "Given **two** masses | 1 kg | 2 kg |, which is heavier?"
    assert find_debris(source) is not None
    assert find_debris(source.replace("heavier", "older"), source) is None
    assert find_debris(f"{source} Output: none", source) == "field of a prompt: Output:"
