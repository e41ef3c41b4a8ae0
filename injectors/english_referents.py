"""Named things in an English request that can be named vaguely: a label among others of its kind, a part of a drawing,
one of two things of a kind, one of two names. A finder only answers when the text has at least two candidates."""

import re

from injectors.passages import formulas
from injectors.referents import Referent, Request, bare, is_last_spoken_of
from injectors.wordlists import word_list

LABEL = (
    r"(?:\$\s*(?:\\(?:mathrm|text|mathbf)\s*\{\s*)?[A-Z](?:_\{?\w\}?)?'?(?:\s*\})?\s*\$|\\\(\s*[A-Z]\s*\\\)"
    r"|[A-Z]\d?(?![\w'’])|[IVX]{1,4}(?!\w)|\d(?![\w.,]\d|\d|\s?[%°]))"
)

_LABELLED_NOUNS = (
    "microphone|station|car|machine|project|position|town|village|city|resistor|capacitor|block|ball|particle|medium"
    "|region|rectangle|square"
    "|circle|box|bag|container|tank|rod|bar|bulb|lamp|switch|object|charge|wire|planet|star|satellite|plane|ship"
    "|person|student|player|team"
    "|company|firm|country|product|plan|option|group|sample|solution|beaker|compound|reaction|gene|cell|species"
    "|organism|graph|curve|layer|lens"
    "|mirror|mass|node|table|stage|phase|section|zone|area|island|road|route|house|room|building|plot|city"
    "|experiment|pulley|spring|cube|tower"
    "|material|disk|point|vertex|piece|figure|store|shop|worker|bank|bond|stock|fund|item|element|process|thread"
    "|register|gate|router|host|server"
)

_CONTRASTS = (
    ("first", "second", "third", "fourth"), ("left", "right"), ("left-hand", "right-hand"), ("upper", "lower"),
    ("top", "bottom"),
    ("red", "blue", "green", "yellow", "black", "white", "grey", "gray", "brown", "orange", "purple", "pink"),
    ("small", "large", "big"), ("smaller", "larger", "bigger"), ("inner", "outer"), ("long", "short"),
    ("longer", "shorter"),
    ("hot", "cold"), ("light", "heavy"), ("lighter", "heavier"), ("faster", "slower"), ("old", "new"),
    ("older", "younger"), ("northern", "southern"),
    ("eastern", "western"), ("thick", "thin"), ("solid", "dashed", "dotted"), ("shaded", "unshaded", "white"),
    ("front", "rear", "back"),
)  # fmt: skip

_SYMBOL_NOUNS = {
    "R": "resistance", "m": "mass", "M": "mass", "v": "velocity", "V": "voltage", "q": "charge", "Q": "charge",
    "F": "force", "T": "temperature",
    "P": "pressure", "p": "pressure", "I": "current", "C": "capacitance", "L": "length", "A": "area",
    "x": "coordinate", "r": "radius", "d": "distance",
    "a": "acceleration", "h": "height",
}  # fmt: skip


def plural(noun: str) -> str:
    irregular = {
        "city": "cities",
        "country": "countries",
        "body": "bodies",
        "vertex": "vertices",
        "box": "boxes",
        "bus": "buses",
        "lens": "lenses",
    }
    regular = re.sub("y$", "ie", noun) if re.search("[^aeiou]y$", noun) else noun
    return irregular.get(
        noun, noun if noun == "species" else f"{regular}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"
    )


def labelled(request: Request) -> list[Referent]:
    """`microphone $B$` where the text has more microphones. What a premise moves to, `to the router F`, is known."""
    found: list[Referent] = []
    for match in re.finditer(
        rf"\b(?P<article>[Tt]he\s+)?(?P<noun>{_LABELLED_NOUNS})\s+(?P<label>{LABEL})", request.goal
    ):
        noun, label = match["noun"], bare(match["label"])
        elsewhere = [*_labels_of(noun, request.before), *_labels_of(noun, request.goal)]
        in_goal = _labels_in(request.goal)
        if label.isdigit() and re.search(rf"\b{plural(noun)}\b", request.before):
            elsewhere += re.findall(r"[a-z]_\{?(\d)", request.before)
        others = [other for other in dict.fromkeys(elsewhere) if other != label and other not in in_goal]
        is_told = len(others) > 1 or label in _labels_of(noun, request.before)
        is_end = re.search(rf"\bto\s+(?:the\s+)?(?:[a-z]+\s+)?{noun}\s+\$?{label}\b", request.before)
        is_set = re.search(r"=\s*$", request.goal[: match.start()])
        if others and is_told and in_goal.count(label) == 1 and not (is_end or is_set):
            names = tuple(f"{noun} {name}" for name in (label, *others))
            found.append(Referent(request.place(*match.span()), _the(noun, match["article"]), names))
    return found


def _the(noun: str, article: str | None) -> str:
    return f"{'The' if article and article[0] == 'T' else 'the'} {noun}"


def _labels_of(noun: str, text: str) -> list[str]:
    labels: list[str] = []
    for match in re.finditer(
        rf"\b(?:{noun}|{plural(noun)})\s+(?P<labels>{LABEL}(?:(?:\s*,\s*|\s*(?:,\s*)?(?:and|or|to)\s+){LABEL})*"
        rf"|\$[^$]*\$(?:\s+and\s+{LABEL})?)",
        text,
        re.IGNORECASE,
    ):
        labels += _labels_in(match["labels"])
    roman = re.search(r"\b(?:I|1) to \$?\\?(?:mathrm)?\{?(?:[IVX]+|\d)", text)
    return labels if not (roman and labels) else [*labels, "II" if "I" in labels else "2"]


def _labels_in(text: str) -> list[str]:
    return re.findall(
        r"(?<![A-Za-z\\])(?:[A-Z]\d?|[IVX]{2,4}|\d)(?![A-Za-z\d.])", re.sub(r"\\[A-Za-z]+|<image \d+>|[{}]", " ", text)
    )


def contrasted(request: Request) -> list[Referent]:
    """`the second table`: the premises have it and the same noun with a contrasting word."""
    found: list[Referent] = []
    for words in _CONTRASTS:
        alternatives = "|".join(words)
        for match in re.finditer(
            rf"\b(?P<article>[Tt]he\s+)?(?P<word>{alternatives})\s+(?P<noun>[a-z]{{3,}})\b(?!\s+(?:of|that|which|who"
            rf"|whose|with)\b)",
            request.goal,
        ):
            noun = match["noun"]
            stem = re.sub("s$", "", noun)
            told = [
                other[1].lower()
                for other in re.finditer(
                    rf"\b({alternatives})(?:\s+and\s+(?:the\s+)?(?:{alternatives}))?\s+{stem}s?\b",
                    request.before,
                    re.IGNORECASE,
                )
            ]
            others = [other for other in dict.fromkeys(told) if other != match["word"]]
            again = len(re.findall(rf"\b(?:{alternatives})\b", request.goal))
            is_plural = noun.endswith("s") and not noun.endswith("ss")
            if others and match["word"] in told and again == 1 and not is_plural and noun not in _NO_NOUNS:
                names = tuple(f"{word} {noun}" for word in (match["word"], *others))
                found.append(Referent(request.place(*match.span()), _the(noun, match["article"]), names))
    return found


_NO_NOUNS = {"side", "and", "derivative", "order", "law", "place", "digit", "digits", "term", "hand"}


def of_a_kind(request: Request) -> list[Referent]:
    """`the block` where the text has a ball as well: both are objects."""
    found: list[Referent] = []
    for kind in word_list("kinds")["en"]:
        members = {form: singular for singular, form in _forms(kind["members"])}
        alternatives = "|".join(sorted(members, key=len, reverse=True))
        in_goal = list(re.finditer(rf"\b(?:{alternatives})\b", request.goal))
        if len(in_goal) != 1:
            continue
        named = members[in_goal[0][0]]
        before = re.search(r"\b(?:the|this)\s+(?:(?!same|whole)[a-z]+\s+)?$", request.goal[: in_goal[0].start()])
        is_plural = in_goal[0][0] != named
        after = request.goal[in_goal[0].end() :]
        if (
            not before
            or is_plural
            or re.match(rf"\s+(?:{LABEL}|[a-z]+(?:er|or)\b|of\b|with\b|in\b|at\b|on\b|that\b|is called)|[-'’]", after)
        ):
            continue
        others = [
            members[other[1]]
            for other in re.finditer(
                rf"\b(?:[Aa]n?|[Tt]he|[Tt]his|[Tt]wo|[Tt]hree|each|one|and"
                rf"|another)\s+(?:(?!{alternatives})\w+\s+){{0,2}}?({alternatives})\b(?!\s+(?:of paper|root"
                rf"|meters?|feet|number"
                rf"|units?))",
                request.before,
            )
        ]
        others = [other for other in dict.fromkeys(others) if other != named]
        if others and re.search(rf"\b{named}\b", request.before) and not is_last_spoken_of(named, others, request):
            place = request.place(before.start(), in_goal[0].end())
            found.append(Referent(place, f"the {kind['vague']}", tuple(f"the {name}" for name in (named, *others))))
    return found


def _forms(members: list[str]) -> list[tuple[str, str]]:
    forms: list[tuple[str, str]] = []
    for member in members:
        singular, _, plural = member.partition("/")
        forms += [(singular, singular), (singular, plural or f"{singular}s")]
    return forms


def subscripted(request: Request) -> list[Referent]:
    """`$R_L$` where the text has `$R_1$` as well."""
    symbol = r"([A-Za-z])_\{?([A-Za-z0-9]+)\}?"
    found: list[Referent] = []
    for span in formulas(request.goal):
        match = re.fullmatch(rf"\$\s*{symbol}\s*\$|\\\(\s*{symbol}\s*\\\)", span.of(request.goal))
        if not match:
            continue
        base, index = (match[1], match[2]) if match[1] else (match[3], match[4])
        in_goal = re.findall(rf"(?<![A-Za-z\\]){base}_\{{?([A-Za-z0-9]+)\}}?", request.goal)
        others = [
            other
            for other in dict.fromkeys(re.findall(rf"(?<![A-Za-z\\]){base}_\{{?([A-Za-z0-9]+)\}}?", request.before))
            if other != index
        ]
        lead = request.goal[: span.start]
        noun = _noun_for(base, lead)
        if (
            len(in_goal) == 1
            and len(others) >= 1
            and noun
            and re.search(r"\b(?:of|across|through|find|determine|compute|calculate|in|is|for)\s$", lead, re.IGNORECASE)
        ):
            names = tuple(f"{base}_{name}" for name in (index, *others))
            found.append(Referent(request.place(*span), f"the {noun}", names))
    return found


def _noun_for(base: str, lead: str) -> str | None:
    if base == "R" and re.search(r"(?:across|through|in)\s$", lead):
        return "resistor"
    return _SYMBOL_NOUNS.get(base)


def unknown_letter(request: Request) -> list[Referent]:
    """`the value of $b$` where the text has more letters whose value is open."""
    match = re.search(
        r"(?P<lead>\bvalues? of\s+)(?P<symbol>\$\s*(?P<letter>[a-z])\s*\$|(?<!\$)\b(?P<plain>[a-z])\b(?=\s*[?.,]))",
        request.goal,
    )
    if not match or len(re.findall(r"\$", request.goal)) > 2:
        return []
    letter = match["letter"] or match["plain"]
    text = " ".join(span.of(request.before) for span in formulas(request.before))
    letters = re.findall(
        r"(?<![A-Za-z\\])[a-z](?![A-Za-z(])",
        re.sub(r"\\(?:mathrm|text|operatorname)\s*\{[^{}]*\}|\\[A-Za-z]+", " ", text),
    )
    given = re.findall(r"(?<![A-Za-z\\])([a-z])\s*=\s*\d", text)
    arguments = re.findall(r"\(\s*([a-z])\s*\)", text)
    others = [other for other in dict.fromkeys(letters) if other not in (letter, *given, *arguments)]
    if len(others) < (1 if letter in letters else 2):
        return []
    names = tuple(f"the letter {name}" for name in (letter, *others[:4]))
    return [Referent(request.place(match.start("symbol"), match.end("symbol")), "the letter", names)]


def one_of_two_names(request: Request) -> list[Referent]:
    """`Amrita` where the text speaks of Amrita and Zhang."""
    name = r"[A-Z][a-z]{2,}"
    text = f"{request.before}\n{request.goal}"
    found: list[Referent] = []
    for pair in re.finditer(
        rf"(?<![A-Za-z] )({name})(?:,\s+({name}))?\s+and\s+({name})\b(?!\s+[A-Z])"
        rf"|(?<=[a-z] )({name})\s+and\s+({name})\b(?!\s+[A-Z])",
        request.before,
    ):
        names = [one for one in pair.groups() if one]
        in_goal = [one for one in names if re.search(rf"\b{one}\b", request.goal)]
        if (
            len(in_goal) != 1
            or len(re.findall(rf"\b{in_goal[0]}\b", request.goal)) != 1
            or any(one in _NO_NAMES for one in names)
        ):
            continue
        match = re.search(rf"\b{in_goal[0]}\b(?!['’]s|\s+[A-Z])", request.goal)
        if match and all(len(re.findall(rf"\b{one}\b", text)) >= 2 for one in in_goal):
            order = (in_goal[0], *(one for one in names if one != in_goal[0]))
            found.append(Referent(request.place(*match.span()), "this one", order))
    return list({referent.place: referent for referent in found}.values())


_NO_NAMES = {
    "The",
    "What",
    "How",
    "Figure",
    "Table",
    "When",
    "Find",
    "Which",
    "All",
    "Both",
    "English",
    "Chinese",
    "Experiment",
}
