"""Drawings of the humanities and social science pictures."""

import math

from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from starter.drawing.style import (
    BLUE,
    INK,
    LARGE,
    NAMED,
    NORMAL,
    ORANGE,
    RED,
    SMALL,
    WATER,
    WHITE,
    add_box,
    add_text,
    new_chart,
    new_drawing,
)
from starter.figures.humanities_social_science import Council, Pyramid, Timeline, TownMap, UrbanShare


def draw_timeline(data: Timeline) -> Figure:
    figure, axes = new_drawing(940, 380, 18.8)
    scale = 17.2 / (data.last_year - data.first_year)
    axes.plot([0.6, 18.2], [2.2, 2.2], color=INK, lw=2.5)
    for year in range(data.first_year, data.last_year + 1, 10):
        x = 0.8 + (year - data.first_year) * scale
        axes.plot([x, x], [2.0, 2.4], color=INK, lw=2)
        if year % 20 == 0:
            add_text(axes, x, 1.3, str(year), NORMAL)
    for name, first, last, colour in data.reigns:
        left, width = 0.8 + (first - data.first_year) * scale, (last - first) * scale
        add_box(axes, left, 3.0, width, 1.7, NAMED[colour], edge=WHITE)
        add_text(axes, left + width / 2, 3.85, name, NORMAL, WHITE, "bold")
        axes.plot([left, left], [3.0, 5.3], color=INK, lw=1.6, zorder=3)
        add_text(axes, left, 5.8, str(first), NORMAL)
    end = 0.8 + (data.reigns[-1][2] - data.first_year) * scale
    axes.plot([end, end], [3.0, 5.3], color=INK, lw=1.6, zorder=3)
    add_text(axes, end, 5.8, str(data.reigns[-1][2]), NORMAL)
    return figure


def draw_town_map(data: TownMap) -> Figure:
    figure, axes = new_drawing(880, 580, data.columns + 0.8)
    axes.set_xlim(-0.4, data.columns + 0.4)
    axes.set_ylim(-0.4, data.rows + 0.4)
    add_box(axes, 0, 0, data.columns, data.rows, "#eaf3df", line=2.5)
    river = [(2.4, 0), (2.7, 0.9), (2.2, 1.8), (3.0, 2.7), (3.6, 3.3), (3.5, 4.2), (4.2, 5), (4.8, 5)]
    back = [(4.1, 4.1), (4.1, 3.2), (3.4, 2.4), (2.7, 1.8), (3.2, 0.9), (2.9, 0)]
    axes.add_patch(Polygon([*river, *back], closed=True, fc=WATER, ec="#6aaedb", lw=1.5, zorder=2))
    axes.add_patch(
        Polygon([(6.6, 0.15), (7.0, 1.2), (7.4, 0.15)], closed=True, fc="#b9a58d", ec="#7d6a53", lw=2, zorder=3)
    )
    axes.add_patch(
        Polygon([(7.0, 0.15), (7.4, 0.95), (7.8, 0.15)], closed=True, fc="#cbb9a3", ec="#7d6a53", lw=2, zorder=2)
    )
    for x in range(1, data.columns):
        axes.plot([x, x], [0, data.rows], color="#b8c7ab", lw=1.2, zorder=3)
    for y in range(1, data.rows):
        axes.plot([0, data.columns], [y, y], color="#b8c7ab", lw=1.2, zorder=3)
    xs, ys = zip(*data.route, strict=True)
    axes.plot(xs, ys, color=RED, lw=6, zorder=4, solid_joinstyle="round")
    for name, x, y in data.towns:
        axes.add_patch(Circle((x, y), 0.15, fc=WHITE, ec=INK, lw=3, zorder=5))
        add_text(axes, x + 0.55, y - 0.32, name, NORMAL, weight="bold", box=True)
    axes.plot([0.3, 0.3], [4.1, 4.5], color=INK, lw=3, zorder=5)
    axes.add_patch(Polygon([(0.18, 4.45), (0.42, 4.45), (0.3, 4.75)], fc=INK, zorder=5))
    add_text(axes, 0.55, 4.6, "N", NORMAL, weight="bold")
    return figure


def draw_pyramid(data: Pyramid) -> Figure:
    figure, axes = new_chart(860, 540)
    gap = 6
    for row, (group, men, women) in enumerate(data.groups):
        axes.barh(row, -men, left=-gap, height=0.78, color=BLUE)
        axes.barh(row, women, left=gap, height=0.78, color=RED)
        add_text(axes, 0, row, group, NORMAL)
        add_text(axes, -gap - men - 3, row, str(men), NORMAL, BLUE, "bold")
        add_text(axes, gap + women + 3, row, str(women), NORMAL, RED, "bold")
    add_text(axes, -gap - 16, len(data.groups) - 0.2, "Male", LARGE, BLUE, "bold")
    add_text(axes, gap + 16, len(data.groups) - 0.2, "Female", LARGE, RED, "bold")
    add_text(axes, 0, len(data.groups) - 0.2, "Age", LARGE, weight="bold")
    axes.set(xlim=(-48, 48), ylim=(-0.6, len(data.groups) + 0.3))
    axes.axis("off")
    return figure


def draw_urban_share(data: UrbanShare) -> Figure:
    figure, axes = new_chart(860, 540)
    for name, shares, colour, lift in (("A", data.a, BLUE, 3), ("B", data.b, ORANGE, -3.6)):
        axes.plot(data.years, shares, color=colour, lw=3.5, marker="o", ms=10)
        for year, share in zip(data.years, shares, strict=True):
            add_text(axes, year, share + lift, str(share), NORMAL, colour, "bold")
        add_text(axes, data.years[-1] + 0.9, shares[-1], name, LARGE, colour, "bold")
    axes.set(xlim=(1998.5, 2021.8), ylim=(20, 75), xlabel="Year", ylabel="Urban population (%)")
    axes.set_xticks(data.years)
    axes.grid(visible=True)
    return figure


def draw_council(data: Council) -> Figure:
    figure, axes = new_drawing(860, 520, 17.2)
    total = sum(seats for _, seats in data.seats)
    for place, colour in zip(_seat_places(total), _seat_colours(data), strict=True):
        axes.add_patch(Circle(place, 0.42, fc=NAMED[colour], ec=INK, lw=1.2, zorder=3))
    x = 0.9
    for colour, seats in data.seats:
        axes.add_patch(Circle((x, 0.9), 0.42, fc=NAMED[colour], ec=INK, lw=1.2))
        add_text(axes, x + 0.7, 0.9, f"{colour.capitalize()} {seats}", SMALL + 1, ha="left")
        x += 3.3
    add_text(axes, 8.6, 2.4, f"{total} seats", LARGE, weight="bold")
    return figure


def _seat_colours(data: Council) -> list[str]:
    return [colour for colour, seats in data.seats for _ in range(seats)]


def _seat_places(total: int) -> list[tuple[float, float]]:
    """Seats on four half rings, from left to right."""
    radii = (3.6, 4.8, 6.0, 7.2)
    counts = [round(total * radius / sum(radii)) for radius in radii]
    counts[-1] += total - sum(counts)
    polar = [
        (math.pi * seat / (count - 1), radius)
        for radius, count in zip(radii, counts, strict=True)
        for seat in range(count)
    ]
    return [(8.6 - radius * math.cos(angle), 2.1 + radius * math.sin(angle)) for angle, radius in sorted(polar)]


DRAW = {
    Timeline: draw_timeline,
    TownMap: draw_town_map,
    Pyramid: draw_pyramid,
    UrbanShare: draw_urban_share,
    Council: draw_council,
}
