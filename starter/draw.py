"""Draws the pictures of the starter set: `python -m starter.draw [STEM ...]` from the root of the project, all
of them by default. For maintainers only: matplotlib is no dependency of the product,
which reads the committed PNG files."""

import io
import sys
from pathlib import Path

from PIL import Image, PngImagePlugin

from starter.drawing import (
    art_design,
    biology_medicine,
    business_economics,
    chemistry,
    computer_science,
    engineering,
    humanities_social_science,
    mathematics,
    physics,
)
from starter.drawing.style import DOTS_PER_INCH
from starter.figures.catalogue import MARK, PICTURES, figure_hash

FOLDER = Path(__file__).resolve().parent / "pictures"
COLOURS = 128
DRAW = {
    **mathematics.DRAW,
    **physics.DRAW,
    **chemistry.DRAW,
    **biology_medicine.DRAW,
    **engineering.DRAW,
    **computer_science.DRAW,
    **business_economics.DRAW,
    **humanities_social_science.DRAW,
    **art_design.DRAW,
}


def draw_picture(stem: str) -> bytes:
    """The PNG of one figure, with the hash of its data in a text chunk."""
    data = PICTURES[stem]
    buffer = io.BytesIO()
    DRAW[type(data)](data).savefig(buffer, format="png", dpi=DOTS_PER_INCH)
    picture = Image.open(buffer).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    mark = PngImagePlugin.PngInfo()
    mark.add_text(MARK, figure_hash(data))
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True, pnginfo=mark)
    return out.getvalue()


def main(stems: list[str]) -> None:
    for stem in stems or PICTURES:
        (FOLDER / f"{stem}.png").write_bytes(draw_picture(stem))


if __name__ == "__main__":
    main(sys.argv[1:])
