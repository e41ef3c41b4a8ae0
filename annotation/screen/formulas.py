"""LaTeX inside texts, to be read by people."""

import re

from annotation.screen.escaping import escape

FORMULA = re.compile(r"\$\$.+?\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d)|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)


def show_formula(source: str) -> str:
    return f'<code class="formula">{escape(source)}</code>'
