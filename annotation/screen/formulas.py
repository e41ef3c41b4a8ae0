"""LaTeX inside texts, drawn as MathML, which browsers do by themselves: the server's content policy lets no library in.
What is not known here is shown as it was written; nothing is left out or guessed."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path

from annotation.screen.escaping import escape
from core.records import Record
from core.yaml_files import read_yaml_mapping

FORMULA = re.compile(r"\$\$.+?\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d)|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)

_FILE = Path(__file__).parent / "symbols.yaml"
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
_DEEPEST = 50
_SPACES = {",": ".17em", ":": ".22em", ";": ".28em", "!": "0em", " ": ".3em", "quad": "1em", "qquad": "2em"}
_UPRIGHT = ("text", "mathrm", "operatorname", "textbf", "mathbf", "boldsymbol", "mathit", "textit", "mathsf", "textrm")
_LETTER_STYLES = {"mathcal": "SCRIPT", "mathbb": "DOUBLE-STRUCK", "mathfrak": "FRAKTUR"}
_FENCES = {"matrix": "", "pmatrix": "()", "bmatrix": "[]", "vmatrix": "||", "cases": "{", "aligned": "", "array": ""}
_SKIPPED = (
    "displaystyle",
    "textstyle",
    "limits",
    "nolimits",
    "big",
    "Big",
    "bigg",
    "Bigg",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
)


class _Symbols(Record):
    letters: dict[str, str]
    signs: dict[str, str]
    words: tuple[str, ...]
    accents: dict[str, str]


class _UnknownError(ValueError):
    """Something that is not drawn here."""


def show_formula(source: str) -> str:
    """Pointing at a formula shows how it is written, which is what the tested model reads."""
    body = source.removeprefix("$$").removesuffix("$$") if source.startswith("$$") else source[1:-1]
    body = body[1:-1] if source.startswith("\\") else body
    display = ' display="block"' if source.startswith(("$$", "\\[")) else ""
    try:
        drawn = _Reader(body).read_all()
    except _UnknownError:
        return f'<code class="formula">{escape(source)}</code>'
    return f'<math title="{escape(source)}"{display}>{drawn}</math>'


class _Reader:
    """Reads one formula from left to right."""

    def __init__(self, body: str) -> None:
        self._tokens = [match[0] for match in _TOKEN.finditer(body)]
        self._place = 0
        self._depth = 0

    def read_all(self) -> str:
        drawn = self._read_row(lambda token: False)
        return f"<mrow>{drawn}</mrow>"

    def _peek(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _take(self) -> str:
        token = self._peek()
        if token is None:
            raise _UnknownError
        self._place += 1
        return token

    def _skip_blanks(self) -> None:
        while (token := self._peek()) is not None and token.isspace():
            self._place += 1

    def _read_row(self, ends: Callable[[str], bool]) -> str:
        drawn: list[str] = []
        while True:
            self._skip_blanks()
            token = self._peek()
            if token is None or ends(token):
                return "".join(drawn)
            drawn.append(self._read_scripts(self._read_one()))

    def _read_scripts(self, base: str) -> str:
        below = above = None
        while True:
            self._skip_blanks()
            token = self._peek()
            if token == "_" and below is None:
                self._take()
                below = self._read_argument()
            elif token == "^" and above is None:
                self._take()
                above = self._read_argument()
            elif token == "'" and above is None:
                self._take()
                above = "<mo>′</mo>"
            else:
                break
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        if below:
            return f"<msub>{base}{below}</msub>"
        return f"<msup>{base}{above}</msup>" if above else base

    def _read_argument(self) -> str:
        self._skip_blanks()
        return self._read_one()

    def _read_one(self) -> str:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnknownError
        token = self._take()
        if token == "{":
            drawn = f"<mrow>{self._read_row('}'.__eq__)}</mrow>"
            self._expect("}")
        elif token.startswith("\\"):
            drawn = self._read_command(token[1:])
        elif token in "}&_^%#$~":
            raise _UnknownError
        else:
            tag = "mn" if token[0].isdigit() else "mi" if token.isalpha() else "mo"
            drawn = f"<{tag}>{escape(token)}</{tag}>"
        self._depth -= 1
        return drawn

    def _expect(self, wanted: str) -> None:
        if self._take() != wanted:
            raise _UnknownError

    def _read_command(self, name: str) -> str:
        symbols = _symbols()
        if name in symbols.letters:
            return f"<mi>{escape(symbols.letters[name])}</mi>"
        if name in symbols.signs:
            return f"<mo>{escape(symbols.signs[name])}</mo>"
        if name in symbols.words:
            return f"<mi>{name}</mi>"
        if name in symbols.accents:
            return f"<mover>{self._read_argument()}<mo>{symbols.accents[name]}</mo></mover>"
        if name in _SPACES:
            return f'<mspace width="{_SPACES[name]}"></mspace>'
        if name in _SKIPPED:
            return ""
        return self._read_structure(name)

    def _read_structure(self, name: str) -> str:
        if name in ("frac", "dfrac", "tfrac"):
            return f"<mfrac>{self._read_argument()}{self._read_argument()}</mfrac>"
        if name == "binom":
            inner = f"{self._read_argument()}{self._read_argument()}"
            return f'<mrow><mo>(</mo><mfrac linethickness="0">{inner}</mfrac><mo>)</mo></mrow>'
        if name == "sqrt":
            return self._read_root()
        if name == "underline":
            return f"<munder>{self._read_argument()}<mo>_</mo></munder>"
        if name in _UPRIGHT or name in _LETTER_STYLES:
            return self._read_styled(name)
        if name == "tag":
            return f'<mspace width="2em"></mspace><mtext>({escape(self._read_raw())})</mtext>'
        if name == "left":
            return self._read_fenced()
        if name == "begin":
            return self._read_table()
        raise _UnknownError

    def _read_root(self) -> str:
        """Of signs that every font has: without a font for formulas browsers leave the sign of `msqrt` out."""
        self._skip_blanks()
        index = ""
        if self._peek() == "[":
            self._take()
            index = f"<msup><mrow></mrow><mrow>{self._read_row(']'.__eq__)}</mrow></msup>"
            self._expect("]")
        return f'<mrow>{index}<mo>√</mo><mrow class="root">{self._read_argument()}</mrow></mrow>'

    def _read_raw(self) -> str:
        """What stands in braces, as it is written. Raises where it holds commands."""
        self._skip_blanks()
        self._expect("{")
        raw = ""
        while (token := self._take()) != "}":
            if token.startswith("\\") or token in "{$":
                raise _UnknownError
            raw += " " if token == "~" else token
        return raw

    def _read_styled(self, name: str) -> str:
        raw = self._read_raw()
        if name in _LETTER_STYLES:
            return f"<mi>{''.join(_restyle(letter, _LETTER_STYLES[name]) for letter in raw)}</mi>"
        bold = ' style="font-weight:bold"' if "b" in name else ""
        return f"<mtext{bold}>{escape(raw)}</mtext>"

    def _read_fenced(self) -> str:
        opening = self._read_delimiter()
        inner = self._read_row("\\right".__eq__)
        self._expect("\\right")
        return f"<mrow>{opening}<mrow>{inner}</mrow>{self._read_delimiter()}</mrow>"

    def _read_delimiter(self) -> str:
        self._skip_blanks()
        token = self._take()
        sign = _symbols().signs.get(token[1:]) if token.startswith("\\") else token
        if sign is None or (not token.startswith("\\") and token not in "()[]|/."):
            raise _UnknownError
        return "" if sign == "." else f"<mo>{escape(sign)}</mo>"

    def _read_table(self) -> str:
        name = self._read_raw().removesuffix("*")
        if name not in _FENCES:
            raise _UnknownError
        if name == "array":
            self._read_raw()
        rows: list[list[str]] = [[]]
        while True:
            rows[-1].append(self._read_row(lambda token: token in ("&", "\\\\", "\\end")))
            token = self._take()
            if token == "\\end":
                break
            if token == "\\\\":
                rows.append([])
        if self._read_raw().removesuffix("*") != name:
            raise _UnknownError
        body = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>" for row in rows)
        fences = [f"<mo>{fence}</mo>" for fence in _FENCES[name]] + ["", ""]
        return f"<mrow>{fences[0]}<mtable>{body}</mtable>{fences[1]}</mrow>"


def _restyle(letter: str, style: str) -> str:
    """Browsers know no styles of letters in MathML but have the letters; some stand apart under older names."""
    case = "CAPITAL" if letter.isupper() else "SMALL"
    for name in (f"MATHEMATICAL {style} {case} {letter.upper()}", f"{style} {case} {letter.upper()}"):
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    raise _UnknownError


@cache
def _symbols() -> _Symbols:
    return _Symbols.model_validate(read_yaml_mapping(_FILE))
