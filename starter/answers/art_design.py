"""Checks of the art and design questions."""

from starter.answers.expected import Expected
from starter.figures.art_design import BORDER, LETTERS, MUSEUM, NEW_PANEL, OLD_PANEL, SHEETS, WHEEL, Sheet


def expected() -> dict[str, Expected]:
    return {
        "art-wheel": _wheel(field=3),
        "art-sheets": _sheets(width=36, height=24),
        "art-letters": _letters(factor=4),
        "art-panel": _panel(side=50),
        "art-museum": _museum(price=50),
        "art-border": _border(each=5, length=300),
    }


def _wheel(field: int) -> Expected:
    count = len(WHEEL.fields)
    assert count == 12
    return Expected(f"Field {(field - 1 + count // 2) % count + 1}", (f"colour of field {field}", "twelve fields"))


def _sheets(width: int, height: int) -> Expected:
    good = [number for number, sheet in enumerate(SHEETS, start=1) if _on_thirds(sheet, width, height)]
    assert len(good) == 1
    assert {sheet.hull for sheet in SHEETS} == {"red"}
    return Expected(f"<image {good[0]}>", (f"{width} cm wide", f"{height} cm high", "red boat", "three sheets"))


def _on_thirds(sheet: Sheet, width: int, height: int) -> bool:
    across, up = sheet.boat[0] / width * 3, sheet.boat[1] / height * 3
    return across in (1, 2) and up in (1, 2)


def _letters(factor: int) -> Expected:
    stated = (f"enlarged {factor} times", "blue line is the base line", "green line marks the top of the small letter")
    return Expected(f"{LETTERS.x_height * factor} mm", stated)


def _panel(side: int) -> Expected:
    pairs = [
        (old, new)
        for old_row, new_row in zip(OLD_PANEL.rows, NEW_PANEL.rows, strict=True)
        for old, new in zip(old_row, new_row, strict=True)
    ]
    changed = sum(old != new for old, new in pairs)
    return Expected(
        f"{changed * (side / 100) ** 2:g} square metres", (f"{len(pairs)} square fields", f"side of {side} cm")
    )


def _museum(price: int) -> Expected:
    areas = sorted(width * depth for _, _, _, width, depth, _ in MUSEUM.halls)
    assert areas[-1] > areas[-2]
    return Expected(f"{areas[-1] * price} 元", (f"每平方米地毯的价格为 {price} 元", "蓝色、绿色、黄色和橙色"))


def _border(each: int, length: int) -> Expected:
    shapes = length // each
    assert shapes % len(BORDER.motif) == 0
    red = sum((shape, colour) == ("circle", "red") for shape, colour in BORDER.motif)
    return Expected(f"{shapes // len(BORDER.motif) * red} 个", (f"占 {each} cm", f"长 {length} cm", "红色圆形"))
