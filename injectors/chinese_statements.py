"""Values stated by Chinese clauses that can be repeated as they are, or be made of words such as 质量为2 kg的物块."""

import re

from injectors.english_statements import power_digits
from injectors.passages import Span
from injectors.quantities import POWER, UNIT_WORD, Quantity

_CHINESE_LEAD = re.compile(
    r"^(?:又?已知|若|如果|假设|设|其中|现有|现测得|测得|且|则|当|而|并且|但|且已知|如图所示|如图|忽略|恰好以)"
)

_CHINESE_STATED = re.compile(
    rf"(?:均?[为是＝=]|大小为|等于|代表|共有|有|达到?|长)\s*(?P<number>\d+(?:\.\d+)?)(?P<unit>{POWER}\s*(?:{UNIT_WORD}"
    rf"|[个只条名人次块米元度秒天年颗头件种辆本]|平方千?米|立方米|万?[元人]|厘米|千克|小时|分钟|\\Omega)?)\s*$"
)

_CHINESE_OWNED = re.compile(
    rf"(?P<name>质量|半径|边长|长度|高度?|电阻|内阻|速度|初速度|体积|电荷量|直径|面积|周长|动摩擦因数)[均都]?(?:为|是)(?P<number>\d+(?:\.\d+)?)"
    rf"(?P<unit>{POWER}\s?{UNIT_WORD}?)的(?P<owner>[⊙A-Za-z\u4e00-\u9fff]{{1,5}}?)(?=[上中下内从在与和沿以放静，。；]|$)"
)


def chinese(text: str) -> list[Quantity]:
    found: list[Quantity] = []
    for match in _CHINESE_OWNED.finditer(text):
        before, after = f"{match['owner']}的{match['name']}为", match["unit"].rstrip()
        found.append(
            Quantity(Span(*match.span()), f"{match['owner']}的{match['name']}", match["number"], after, before, after)
        )
    for match in re.finditer(r"[^，。；：,;\n$？]+", text):
        clause = match[0].strip()
        stated = _CHINESE_STATED.search(_CHINESE_LEAD.sub("", clause))
        body = _CHINESE_LEAD.sub("", clause)
        if (
            not stated
            or len(body) > 32
            or len(re.findall(r"(?<![A-Za-z_\d])\d+(?:\.\d+)?", body)) > 1 + power_digits(body)
        ):
            continue
        if re.search(r"[～~≤≥<>]|[、与和]$|^\d|例如|约|第|图|每|那|一段", body) or not re.search(
            r"[\u4e00-\u9fff]", body[: stated.start()]
        ):
            continue
        start = match.start() + match[0].index(clause) + len(clause) - len(body)
        name = re.sub(r"(?:均|都|大小)?$", "", body[: stated.start()])
        before, after = body[: stated.start("number")], body[stated.end("number") :].rstrip()
        found.append(Quantity(Span(start, start + len(body)), name, stated["number"], after, before, after))
    return found
