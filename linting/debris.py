"""Traces in a question of how it was made: pieces of the prompt, of its examples or of the working, markup, and talk of
an assistant."""

import re
from typing import NamedTuple

_FIELD = (
    r"question|questions|caption|description|input|output|answer|response|reply|premise|example|examples|explanation"
    r"|reasoning|analysis|thought|thoughts|note|label|statement|rewritten\s+question|final\s+(?:question|answer|output)"
    r"|new\s+question|positive|negative|result|task|instructions?|image|q|a|user|assistant|system"
)
_TAGS = (
    r"think|thinking|answer|output|input|caption|premise|question|reasoning|example|image|img|br|p|b|i|u|em|strong|div"
    r"|span|ul|ol|li|table|tr|td|code|pre|h[1-6]|s|sub|sup|a|hr|font|style|html|body|end|eos|pad|bos|unk|inst|sys"
)


class Trace(NamedTuple):
    name: str
    pattern: re.Pattern[str]


def _trace(name: str, pattern: str) -> Trace:
    return Trace(name, re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.VERBOSE))


_CALLED = "false|wrong|original|true|new|replaced|altered|modified|given|contradictory|replacement"
_BLANKS = r"premise|object|entity|noun|number|colou?r|text|caption|replacement|x|insert[^\]]*|your[^\]]*|image"
_EDGES = " \t\r\n.?!|"  # what stands before a field is none of it
_MADE = "rewritten|revised|generated|modified"
_MAKING = "replace|generate|create|rewrite|formulate|output"

TRACES = (
    _trace(
        "talk of premises",
        rf"""\b(?:in)?correct[\s_]premise | \b(?:{_CALLED})[\s_]premise\b | \bpremise(?:\s+\w+)?\s*\**\s*[:=]
        | (?:错误|正确|原|新)前提""",
    ),
    _trace(
        "field of a prompt",
        rf"""(?: ^ | [|\n→]\s* | [.?!]\s+ | \*\*\s* ) [\s*_\#>"'-]* (?:{_FIELD}) \s*\d* [\s*_]* : (?!\d)
        | ["'](?:{_FIELD})["']\s*: | (?: ^ | [|\n] ) \s* (?:问题|描述|输入|输出|答案|回答|前提|示例|分析) \s* [:：]""",
    ),
    _trace("bold or italic marks", r"\*\*|__\w | (?<![\w*])\*(?![\s*])[^*\n]+(?<![\s*])\*(?![\w*])"),
    _trace("heading or code marks", r"^\s*\#{1,6}\s+\S | ``` | `[^`\n]+`"),
    _trace(
        "tag",
        rf"""</?(?:{_TAGS})\s*/?> | <\|[^|>]*\|> | \[/?(?:INST|SYS|MASK|PAD|CLS|SEP|EOS|BOS|UNK|IMG)\]
        | &(?:nbsp|amp|lt|gt|quot|\#\d+);""",
    ),
    _trace("arrow", r"→ | ⇒ | ➔ | (?<=\s)(?:->|=>|-->|==>)(?=\s)"),
    _trace("column mark", r"\s\|{1,2}\s"),
    _trace("placeholder", rf"\{{\{{?\s*[a-z_]+\s*\}}\}}? | \[(?:{_BLANKS})\] | <(?:{_BLANKS})>"),
    _trace("JSON", r"""^\s*[\[{]\s*["'{\[] | ["']\s*[}\]]\s*$ | ["'][a-z_]+["']\s*:\s*["'\[{]"""),
    _trace("list", r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+\S"),
    _trace(
        "mention of a caption",
        r"""\b(?:the|this|that|above|given|provided|original|following)\s+(?:(?:image|given|provided)\s+)?captions?\b
        | \b(?:according|based|described|mentioned|stated|given)\s+(?:to|on|in|by)\s+(?:the|this)
          \s+(?:(?:given|provided|above)\s+)?(?:captions?|description|prompt|premise|passage)\b
        | 根据(?:标题|描述|说明)""",
    ),
    _trace(
        "talk of an assistant",
        rf"""^\s*["']?(?:sure|certainly|of\s+course|okay|ok|absolutely|great)\s*[,!.:] | ^\s*(?:好的|当然|以下是)
        | \bhere(?:\s+is|'s|\s+are)\s+(?:an?|the|one|your|my)\s+(?:\w+\s+)?(?:question|caption|answer|output|version)\b
        | \bas\s+an?\s+(?:AI|language\s+model)\b | (?: ^ | [.?!]\s+ ) I(?:'?m\s+sorry|\s+(?:cannot|can't|apologize))\b
        | \b(?:I|we)\s+(?:will|need\s+to|should|must|can|have\s+to)\s+(?:{_MAKING})\b
        | \blet(?:'s|\s+me|\s+us)\s+(?:{_MAKING}|think|try)\b
        | \b(?:word\s+count|few-shot|step\s+\d+\s*[:.]) | \b(?:{_MADE})\s+(?:question|version|caption|sentence)\b""",
    ),
    _trace(
        "replacement spelt out",
        r"""\b(?:replac(?:e|ed|ing)|chang(?:e|ed|ing)|swap(?:ped|ping)?)\s+["'“‘][^"'”’]+["'”’]
        \s+(?:with|by|to|for)\s+["'“‘]""",
    ),
    _trace("quoted as a whole", r"""\A\s*(?:"[^"]*"|“[^“”]*”|「[^「」]*」|'[^']*[?.]')\s*\Z"""),
    _trace("escaped character", r"""\\[nrt](?![a-z]) | \\u[0-9a-f]{4} | \\" """),
)


def find_debris(question: str, source_text: str | None = None) -> str | None:
    """The first trace that is not in the source text as well: its name and what was seen."""
    for name, pattern in TRACES:
        for found in pattern.finditer(question):
            if source_text is None or found[0] not in source_text:
                return f"{name}: {found[0].strip(_EDGES) or found[0]}"
    return None
