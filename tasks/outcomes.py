"""What came of a piece of work, as one line of the run's log: how many items each stage kept, why the others left, what
was asked and what it costs. Single items stand in the lineage. The lines go to Prefect and not to the terminal, which
shows progress."""

import json
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.records import Decision
from storage.parts import Part
from storage.rows import decisions_in

_logger = logging.getLogger("flawbench.outcomes")


@dataclass
class Outcome:
    """`decided` and `kept` by stage, `left` by reason. `usd`: what the replies cost that were used, whenever they were
    asked for."""

    decided: Counter[str] = field(default_factory=Counter[str])
    kept: Counter[str] = field(default_factory=Counter[str])
    left: Counter[str] = field(default_factory=Counter[str])
    calls: int = 0
    usd: float = 0.0

    def add(self, other: "Outcome") -> None:
        self.decided += other.decided
        self.kept += other.kept
        self.left += other.left
        self.calls += other.calls
        self.usd += other.usd

    def __str__(self) -> str:
        """`inject=12/16 left=no_picture:4 calls=16 usd=0.0312`: of 16 items the stage `inject` kept 12."""
        words = [f"{stage}={self.kept[stage]}/{count}" for stage, count in self.decided.items()]
        reasons = sorted(self.left.items(), key=lambda item: (-item[1], item[0]))
        words += [f"left={','.join(f'{reason}:{count}' for reason, count in reasons)}"] if reasons else []
        words += [f"calls={self.calls} usd={self.usd:.4f}"] if self.calls else []
        return " ".join(words)


def count_decisions(decisions: Iterable[Decision]) -> Outcome:
    outcome = Outcome()
    for decision in decisions:
        outcome.decided[decision.stage.value] += 1
        if decision.keep:
            outcome.kept[decision.stage.value] += 1
        else:
            outcome.left[decision.reason or "no_reason"] += 1
    return outcome


def count_parts(parts: Sequence[Part]) -> Outcome:
    outcome = count_decisions(decision for part in parts for decision in decisions_in(part))
    prices = [json.loads(call.record)["usd"] or 0.0 for part in parts for call in part.rows("calls")]
    outcome.calls, outcome.usd = len(prices), sum(prices)
    return outcome


def log_outcome(what: str, outcome: Outcome) -> None:
    """`what` is key=value too, such as `shard=ambiguity-1a2b3c4d`."""
    _logger.info("%s %s", what, outcome)
