"""What the pictures of the computer science questions show."""

from typing import NamedTuple


class BinaryTree(NamedTuple):
    """Keys in the order of levels, None where there is no child; the root is green."""

    levels: tuple[str | None, ...]


class Collatz(NamedTuple):
    """The flow chart's two rules: even n becomes n / divisor, odd n becomes factor n + addend, until n = stop."""

    divisor: int
    factor: int
    addend: int
    stop: int


class Network(NamedTuple):
    """Nodes as (name, x, y), links as (name, name, ms)."""

    nodes: tuple[tuple[str, float, float], ...]
    links: tuple[tuple[str, str, int], ...]
    start: str
    goal: str


class StateMachine(NamedTuple):
    """Moves as (state, symbol, next state); the start state and the accepting one, which is green."""

    moves: tuple[tuple[str, str, str], ...]
    start: str
    accepting: str


class Gates(NamedTuple):
    """Output X of the blue gate on A and B, Y of the red gate on B and C, Z of the green gate on X and Y."""

    blue: str
    red: str
    green: str


class Stack(NamedTuple):
    """Values from the bottom to the top; the top one is red."""

    values: tuple[int, ...]


TREE = BinaryTree(levels=("F", "B", "G", "A", "D", None, "H"))
LOOP = Collatz(divisor=2, factor=3, addend=1, stop=1)
ROUTERS = Network(
    nodes=(("A", 1.2, 3.0), ("B", 3.6, 5.0), ("C", 3.6, 1.0), ("D", 6.4, 5.0), ("E", 6.4, 1.0), ("F", 8.8, 3.0)),
    links=(
        ("A", "B", 4),
        ("A", "C", 2),
        ("B", "C", 1),
        ("B", "D", 5),
        ("C", "D", 8),
        ("C", "E", 10),
        ("D", "E", 2),
        ("D", "F", 6),
        ("E", "F", 3),
    ),
    start="A",
    goal="F",
)
MACHINE = StateMachine(
    moves=(
        ("S0", "0", "S0"),
        ("S0", "1", "S1"),
        ("S1", "0", "S2"),
        ("S1", "1", "S1"),
        ("S2", "0", "S0"),
        ("S2", "1", "S3"),
        ("S3", "0", "S2"),
        ("S3", "1", "S1"),
    ),
    start="S0",
    accepting="S3",
)
GATES = Gates(blue="AND", red="OR", green="XOR")
FIRST_STACK = Stack(values=(3, 8, 1, 6))
SECOND_STACK = Stack(values=(3, 8, 9))

PICTURES: dict[str, NamedTuple] = {
    "computing-tree": TREE,
    "computing-loop": LOOP,
    "computing-routers": ROUTERS,
    "computing-machine": MACHINE,
    "computing-gates": GATES,
    "computing-stack-1": FIRST_STACK,
    "computing-stack-2": SECOND_STACK,
}
