"""Records of premise questions to rows of the lineage tables and back, as in `storage.rows`."""

from core.identity import canonical_json
from core.premises import PremiseAnswer, PremiseQuestion, PremiseVote
from storage.parts import Part, Row
from storage.rows import INJECTED_FROM, edge_row


def question_rows(question: PremiseQuestion) -> list[Row]:
    return [
        Row("premise_questions", question.id, canonical_json(question)),
        edge_row(question.id, INJECTED_FROM, question.sample),
    ]


def premise_vote_rows(vote: PremiseVote) -> list[Row]:
    return [Row("premise_votes", vote.id, canonical_json(vote))]


def answer_rows(answer: PremiseAnswer) -> list[Row]:
    return [Row("premise_answers", answer.id, canonical_json(answer))]


def questions_in(part: Part) -> list[PremiseQuestion]:
    return [PremiseQuestion.restore(row.record, row.id) for row in part.rows("premise_questions")]
