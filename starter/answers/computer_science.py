"""Checks of the computer science questions."""

import heapq

from starter.answers.expected import Expected
from starter.figures.computer_science import FIRST_STACK, GATES, LOOP, MACHINE, ROUTERS, SECOND_STACK, TREE


def expected() -> dict[str, Expected]:
    return {
        "computing-tree": _tree(),
        "computing-loop": _loop(start=12),
        "computing-routers": _routers(),
        "computing-stack": _stack(("pop", "pop", "push 9")),
        "computing-machine": _machine("11010"),
        "computing-gates": _gates(a=1, b=0, c=1),
    }


def _tree() -> Expected:
    nodes = [key for key in TREE.levels if key]
    assert len(nodes) == 6
    return Expected(", ".join(_post_order(0)), ("six nodes", f"green node {TREE.levels[0]}", "post-order"))


def _post_order(index: int) -> list[str]:
    key = TREE.levels[index] if index < len(TREE.levels) else None
    return [] if key is None else [*_post_order(2 * index + 1), *_post_order(2 * index + 2), key]


def _loop(start: int) -> Expected:
    number, count = start, 0
    while number != LOOP.stop:
        number = number // LOOP.divisor if number % 2 == 0 else LOOP.factor * number + LOOP.addend
        count += 1
    return Expected(str(count), (f"n = {start}",))


def _routers() -> Expected:
    """Dijkstra's algorithm."""
    best: dict[str, int] = {}
    waiting = [(0, ROUTERS.start)]
    while waiting:
        delay, node = heapq.heappop(waiting)
        if node in best:
            continue
        best[node] = delay
        for first, second, more in ROUTERS.links:
            if node in (first, second):
                heapq.heappush(waiting, (delay + more, second if node == first else first))
    stated = ("six routers", f"red router {ROUTERS.start}", f"green router {ROUTERS.goal}")
    return Expected(f"{best[ROUTERS.goal]} ms", stated)


def _stack(operations: tuple[str, ...]) -> Expected:
    assert run_stack(operations) == SECOND_STACK.values
    return Expected(", ".join(operations), ("four values", "red entry is the top"))


def run_stack(operations: tuple[str, ...]) -> tuple[int, ...]:
    """The stack of the first picture after the operations."""
    values = list(FIRST_STACK.values)
    for operation in operations:
        if operation == "pop":
            values.pop()
        else:
            values.append(int(operation.removeprefix("push ")))
    return tuple(values)


def _machine(text: str) -> Expected:
    state = MACHINE.start
    moves = {(state, symbol): following for state, symbol, following in MACHINE.moves}
    for symbol in text:
        state = moves[(state, symbol)]
    return Expected(
        state, (f"字符串 {text}", f"初始状态是 {MACHINE.start}", f"绿色双圈 {MACHINE.accepting}", "四个状态")
    )


def _gates(a: int, b: int, c: int) -> Expected:
    rules = {"AND": lambda p, q: p & q, "OR": lambda p, q: p | q, "XOR": lambda p, q: p ^ q}
    x, y = rules[GATES.blue](a, b), rules[GATES.red](b, c)
    return Expected(f"{x}、{y}、{rules[GATES.green](x, y)}", (f"A = {a}，B = {b}，C = {c}", "三个逻辑门"))
