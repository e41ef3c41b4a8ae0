"""Named things in a Chinese request that can be named vaguely. A finder only answers when the text has at least two
candidates."""

import re

from injectors.geometric_referents import names_in
from injectors.referents import Referent, Request, is_last_spoken_of
from injectors.wordlists import word_list

_GEOMETRY_ZH = re.compile(
    r"(?P<angle>∠[A-Z]{1,3})|弦?(?P<segment>(?<![A-Z∠△⊙])[A-Z]{2}(?![A-Z]))(?=的?长|[=＝]|的长度)"
)

_LABELLED_ZH = re.compile(
    r"(?P<label>[A-Z](?:_?\d)?|[甲乙丙丁])\s?(?P<noun>省|市|县|村|厂|波|车|球|点|物体|物块|粒子|小球|地|城|站|船|同学|公司|工厂|商店|容器|瓶|盒|袋|灯|棒|弹簧"
    r"|滑块|木板|木块|溶液|物质|元素|方案|班|队|国|岛|植物|细胞|基因|港|展厅|教室|楼|仓库)"
)

_NOUN_FIRST_ZH = re.compile(
    r"(?<!最大)(?<!最小)(?P<noun>正方形|长方形|圆|电阻|物块|小球|开关|灯泡|容器|区域|展厅|粒子|质点|函数|直线|平面|卫星|支点|车间)\s?(?P<label>[A-Z](?:_?\d)?"
    r"|[甲乙丙丁])(?![A-Z])"
)

_NAMES_ZH = re.compile(
    r"小[\u4e00-\u9fff](?![\u4e00-\u9fff]?[于的时球车块])|[甲乙丙丁](?![\u4e00-\u9fff]{0,2}图|[、和与])"
)

_COLOURS_ZH = "红|蓝|绿|黄|黑|白|灰|紫|橙|粉|大|小|左|右|内|外"


def chinese_geometric(request: Request) -> list[Referent]:
    goal = request.goal
    matches = list(_GEOMETRY_ZH.finditer(goal))
    if len(matches) != 1 or len(names_in(goal)) != 1:
        return []
    match = matches[0]
    noun, vague = ("angle", "该角") if match["angle"] else ("segment", "该线段")
    name = (match["angle"] or match["segment"]).removeprefix("∠")
    if match["angle"]:
        told = re.findall(r"∠([A-Z]{1,3})", request.before)
    else:
        told = [one[:2] for one in names_in(request.before) if len(one) in (2, 3, 4)]
    others = [one for one in dict.fromkeys(told) if set(one) != set(name)]
    if not others:
        return []
    return [Referent(request.place(*match.span()), vague, tuple(f"{noun} {one}" for one in (name, *others[:4])))]


def chinese_labelled(request: Request) -> list[Referent]:
    found: list[Referent] = []
    in_goal = list(_LABELLED_ZH.finditer(request.goal))
    for match in in_goal:
        same = [one["label"] for one in in_goal if one["noun"] == match["noun"]]
        before = re.findall(
            rf"([A-Z甲乙丙丁](?:_?\d)?)(?:(?:、|和|与|，)[A-Z甲乙丙丁](?:_?\d)?)*(?:两|三|四|个|种|块|条|只|辆)*{match['noun']}",
            request.before,
        )
        listed = re.findall(
            rf"((?:[A-Z甲乙丙丁](?:_?\d)?(?:、|和|与)?\s?)+)(?:两|三|四|个|种|块|条|只|辆)*{match['noun']}",
            request.before,
        )
        labels = [*before, *(one for run in listed for one in re.findall(r"[A-Z甲乙丙丁](?:_?\d)?", run))]
        others = [one for one in dict.fromkeys(labels) if one not in same]
        is_told = len(others) > 1 or match["label"] in labels
        if is_told and same == [match["label"]] and others and request.goal.count(match["label"]) == 1:
            names = tuple(f"{one}{match['noun']}" for one in (match["label"], *others))
            found.append(Referent(request.place(*match.span()), f"该{match['noun']}", names))
    return found


def chinese_noun_first(request: Request) -> list[Referent]:
    """`红色物块 Q` where the text has another one."""
    found: list[Referent] = []
    for match in _NOUN_FIRST_ZH.finditer(request.goal):
        labels = re.findall(rf"{match['noun']}\s?((?:[A-Z甲乙丙丁](?:_?\d)?(?:、|和|与)?)+)", request.before)
        told = [one for run in labels for one in re.findall(r"[A-Z甲乙丙丁](?:_?\d)?", run)]
        others = [one for one in dict.fromkeys(told) if one != match["label"] and one not in request.goal]
        is_told = len(others) > 1 or match["label"] in told
        if others and is_told and request.goal.count(match["label"]) == 1:
            colour = re.search(rf"(?:{_COLOURS_ZH})色的?$", request.goal[: match.start()])
            start = match.start() - (len(colour[0]) if colour else 0)
            names = tuple(f"{match['noun']}{one}" for one in (match["label"], *others))
            found.append(Referent(request.place(start, match.end()), f"该{match['noun']}", names))
    return found


def chinese_legend(request: Request) -> list[Referent]:
    """`A 表示食品，B 表示住房`: one of the entries of a legend is asked for. One that the premises go on to speak of is
    meant whatever it is called."""
    entries = list(dict.fromkeys(re.findall(r"表示([\u4e00-\u9fff]{2,6})(?=[，。；、]|$)", request.before)))
    named = [one for one in entries if one in request.goal]
    if len(entries) < 2 or len(named) != 1 or request.goal.count(named[0]) != 1 or request.before.count(named[0]) != 1:
        return []
    start = request.goal.index(named[0])
    return [
        Referent(
            request.place(start, start + len(named[0])),
            "该项",
            (named[0], *(one for one in entries if one != named[0])),
        )
    ]


def chinese_names(request: Request) -> list[Referent]:
    goal_names = list(_NAMES_ZH.finditer(request.goal))
    if len(goal_names) != 1:
        return []
    match = goal_names[0]
    kind = r"小[\u4e00-\u9fff]" if match[0].startswith("小") else r"[甲乙丙丁]"
    others = [one for one in dict.fromkeys(re.findall(kind, request.before)) if one != match[0]]
    if not others or match[0] not in request.before:
        return []
    repeated = [one for one in others if request.before.count(one) >= 1]
    vague = "他" if match[0].startswith("小") else "这一个"
    return [Referent(request.place(*match.span()), vague, (match[0], *repeated))]


def chinese_of_a_kind(request: Request) -> list[Referent]:
    found: list[Referent] = []
    for kind in word_list("kinds")["zh"]:
        alternatives = "|".join(sorted(kind["members"], key=len, reverse=True))
        in_goal = list(re.finditer(alternatives, request.goal))
        named = in_goal[0][0] if len(in_goal) == 1 else ""
        others = [one for one in dict.fromkeys(re.findall(alternatives, request.before)) if one != named]
        is_told = bool(named) and named in request.before
        if not is_told or not others or is_last_spoken_of(named, others, request):
            continue
        if not _stands_alone(request.goal, in_goal[0]):
            continue
        colour = re.search(rf"(?:{_COLOURS_ZH})色的?$", request.goal[: in_goal[0].start()])
        start = in_goal[0].start() - (len(colour[0]) if colour else 0)
        counted = re.search(r"[个只块条名种]$", request.goal[:start])
        vague = f"{'这种' if counted else '该'}{kind['vague']}"
        found.append(Referent(request.place(start, in_goal[0].end()), vague, (named, *others[:4])))
    return found


def _stands_alone(goal: str, match: re.Match[str]) -> bool:
    """The name is no part of a longer one, has no label behind it, and the rest of the request does not give it
    away."""
    rest = goal[: match.start()] + goal[match.end() :]
    labelled = re.match(r"\s?[A-Z甲乙丙丁\d]", goal[match.end() :])
    part = match[0][-1] in rest or re.search(r"最[大小]$", goal[: match.start()])
    return not (labelled or part)


def chinese_contrasted(request: Request) -> list[Referent]:
    found: list[Referent] = []
    for match in re.finditer(
        rf"(?P<word>{_COLOURS_ZH})(?:色的?)?(?P<noun>活塞|物块|小车|齿轮|柱|条形|折线|球|圆|车|珠|纸片|卡片|方块|灯|线|曲线|区域|正方形|三角形|花|瓶|盒)",
        request.goal,
    ):
        others = re.findall(rf"({_COLOURS_ZH})(?:色的?)?{match['noun']}", request.before)
        is_told = match["word"] in others
        others = [one for one in dict.fromkeys(others) if one != match["word"]]
        labelled = re.search(r"[A-Z]_?\d", request.goal) or re.match(r"\s?[A-Z]", request.goal[match.end() :])
        if (
            others
            and is_told
            and not labelled
            and len(re.findall(rf"(?:{_COLOURS_ZH})(?:色的?)?{match['noun']}", request.goal)) == 1
        ):
            names = tuple(f"{one}{match['noun']}" for one in (match["word"], *others))
            counts = re.search(r"多少个|几个|个数|数量|最多|最少", request.goal)
            vague = f"这种{match['noun']}" if counts else f"该{match['noun']}"
            found.append(Referent(request.place(*match.span()), vague, names))
    return found
