"""What a panel would be asked about candidates and twins, and how likely a candidate passes it."""

from core.calls import Answer
from core.model_specs import ModelsRecipe
from core.records import Sample, Stage
from filters.blindness import decide_blind, needs_blind_solve, propose_blind_solve
from filters.panel import decide_by_votes, propose_validation, read_votes
from filters.twins import propose_twin
from filters.validators import Shortage, Validator
from tasks.foresight import Candidate, Foresight, Question
from tasks.named_validators import choose_panel

PASSED = 0.4
"""Share of the candidates that the panel keeps in the paper (M-19)."""


class ForeseenPanel:
    """`judge` and `judge_twin` put their questions into the foresight."""

    def __init__(self, models: ModelsRecipe, seed: int, foresight: Foresight) -> None:
        self._models, self._seed, self._foresight = models, seed, foresight

    def judge(self, candidate: Candidate, parent: Sample) -> float:
        """0 or 1 where the votes are stored. Without validators all pass."""
        panel, flawed, sure = self._models.panel, candidate.flawed, candidate.sure
        if not panel.validators:
            return 1.0
        validators = self._choose(candidate.touched, flawed.id)
        if not validators:
            return 0.0
        if needs_blind_solve(flawed) and parent.answer is not None:
            solving = propose_blind_solve(flawed, parent)
            answer = self._foresight.ask(Stage.PANEL, validators[0].name, solving, sure=sure)
            if answer and not decide_blind(flawed, answer, parent).keep:
                return 0.0
        proposal = propose_validation(flawed, parent, show_original=panel.show_original)
        asked = [self._foresight.ask(Stage.PANEL, found.name, proposal, sure=sure) for found in validators]
        answers: list[Answer] = [answer for answer in asked if answer]
        if len(answers) < len(asked):
            return PASSED
        votes = [vote for answer in answers for vote in read_votes(flawed, answer)]
        return float(decide_by_votes(flawed, votes, panel.rule).keep)

    def judge_twin(self, question: Question) -> None:
        families = set(question.sample.families)
        if not question.sure and self._models.rewriter:
            families.add(self._models.models[self._models.rewriter].family)
        for validator in self._choose(frozenset(families), question.sample.id):
            self._foresight.ask(Stage.TWIN, validator.name, propose_twin(question.sample), sure=question.sure)

    def _choose(self, touched: frozenset[str], item: str) -> tuple[Validator, ...]:
        """Nobody where fewer than two may judge."""
        chosen = choose_panel(self._models, touched, self._seed, item)
        return () if isinstance(chosen, Shortage) else chosen
