"""LaTeX as people see it."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.screen.formulas import FORMULA, show_formula


@pytest.mark.parametrize(
    ("source", "drawn"),
    [
        ("$x^2$", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("$a_{ij}^{n}$", "<msubsup><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow><mrow><mi>n</mi></mrow></msubsup>"),
        (r"\(\frac{1}{n}\)", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>"),
        (r"$\sqrt 2$", '<mrow><mo>√</mo><mrow class="root"><mn>2</mn></mrow></mrow>'),
        (r"$3.5\,\mathrm{m}$", '<mn>3.5</mn><mspace width=".17em"></mspace><mtext>m</mtext>'),
        (r"$\left(a\right.$", "<mrow><mo>(</mo><mrow><mi>a</mi></mrow></mrow>"),
        (r"$f'(x)\le\alpha$", "<msup><mi>f</mi><mo>′</mo></msup><mo>(</mo><mi>x</mi><mo>)</mo><mo>≤</mo><mi>α</mi>"),
        (r"$\mathbb{R}\mathcal{A}$", "<mi>ℝ</mi><mi>𝒜</mi>"),
        (
            r"$\begin{pmatrix}1&2\\3&4\end{pmatrix}$",
            "<mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
            "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo></mrow>",
        ),
    ],
)
def test_common_latex_is_drawn(source: str, drawn: str) -> None:
    assert re.sub(r"<math [^>]*><mrow>(.*)</mrow></math>", r"\1", show_formula(source)) == drawn


@pytest.mark.parametrize(
    "source", [r"$\unknown{x}$", "$a}$", "${a$", r"$\frac{1}$", "$x^$", r"$\begin{tikz}\end{tikz}$"]
)
def test_what_is_not_known_or_broken_is_shown_as_it_is_written(source: str) -> None:
    assert show_formula(source) == f'<code class="formula">{source}</code>'


def test_money_is_no_formula() -> None:
    assert not FORMULA.search("It costs $5 and $7 in total, or $ 3.")


@given(
    st.lists(st.sampled_from([*r"ab12{}^_&[]()<>'\"", r"\frac", r"\sqrt", r"\left", r"\right", r"\text", r"\\", " "]))
)
def test_whatever_is_written_comes_out_as_whole_marks(pieces: list[str]) -> None:
    shown = show_formula(f"$ {''.join(pieces)}$")
    assert {tag.tag for tag in ElementTree.fromstring(shown).iter()} <= {
        *("math", "mrow", "mo", "mi", "mn", "mtext", "msub", "msup", "msubsup", "mfrac", "mspace"),
        "code",
    }
