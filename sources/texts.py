"""Derived texts in one form: line ends, byte order marks and no-break spaces of the sources do not reach a sample. The
bytes of pictures are never touched; a text that is stored is always one that went through here."""

import re

_INVISIBLE = re.compile("[\ufeff\u200b\u2060\x00]")
_NO_BREAK_SPACES = re.compile("[\u00a0\u202f\u2007]")
_LINE_ENDS = re.compile(r"\r\n?|\u2028|\u2029")
_TRAILING_BLANKS = re.compile(r"[ \t]+(?=\n)")
_EMPTY_LINES = re.compile(r"\n{3,}")
# MATH-Vision 2819 and 2845 write a line end as backslash and n. Before a capital or a token it is never a LaTeX command
# outside maths (`\nabla`, `\neq` go on in lower case).
_WRITTEN_LINE_END = re.compile(r"\\n(?=(?:\s|\\n)*(?:[A-Z<]|\Z))")
_MATHS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.DOTALL)
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PROSE = re.compile(rf"[{_HAN}][^{{}}]*?[{_HAN}]")
_CHINESE_RUN = re.compile(rf"([{_HAN}。，；：？！、“”‘’（）《》①-⑳\n]+)")
_LATEX = re.compile(r"\\[A-Za-z]|[_^]")
_PAIRS = (("{", "}"), (r"\left", r"\right"), (r"\begin", r"\end"))
_EDGES = re.compile(r"^([\s,.;:]*)(.*?)([\s,.;:]*)$", re.DOTALL)


def tidy(text: str | None) -> str | None:
    """The text in normal form, None when nothing is left of it."""
    if text is None:
        return None
    return _trimmed(_outside_maths(_plain(text))) or None


def tidy_option(text: str) -> str:
    """As `tidy`, but an option keeps its place when it is empty (MMMU has options `None`, `NA` and an empty one), and a
    backslash and n in it are what they are: no option has two lines, and one may ask what prints a line end."""
    return _trimmed(_plain(text))


def unwrap_prose(text: str) -> str:
    """Chinese prose out of `$…$`, with `$` round the formulas inside it instead.

    OlympiadBench puts whole Chinese paragraphs between dollars (rows 7374, 7513), where no renderer breaks a line and a
    cut between two sentences would leave half a formula. Only dollars are moved."""
    if text.count("$") % 2:
        return text
    return _MATHS.sub(lambda match: _unwrap(match[0]), text)


def _unwrap(span: str) -> str:
    inner = span.strip("$")
    if not _PROSE.search(inner):
        return span
    pieces = _CHINESE_RUN.split(inner)
    if any(piece.count(opening) != piece.count(closing) for piece in pieces for opening, closing in _PAIRS):
        return span
    return "".join(_delimit(piece) for piece in pieces)


def _delimit(piece: str) -> str:
    if not _LATEX.search(piece):
        return piece
    before, formula, after = _EDGES.fullmatch(piece).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return f"{before}${formula}${after}"


def _plain(text: str) -> str:
    return _LINE_ENDS.sub("\n", _NO_BREAK_SPACES.sub(" ", _INVISIBLE.sub("", text)))


def _trimmed(text: str) -> str:
    return _EMPTY_LINES.sub("\n\n", _TRAILING_BLANKS.sub("", text)).strip()


def _outside_maths(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in _MATHS.finditer(text):
        pieces += [_WRITTEN_LINE_END.sub("\n", text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*pieces, _WRITTEN_LINE_END.sub("\n", text[end:])])
