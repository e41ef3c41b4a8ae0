"""One item as a task of Label Studio. The keys of its data are named in label_config.xml."""

from collections.abc import Sequence

from annotation.screen.escaping import escape
from annotation.screen.gallery import PictureUrl, show_pictures
from annotation.screen.questions import show_questions
from annotation.screen.texts import definition_of, texts_in
from core.identity import content_hash
from core.records import FlawedSample, Language, Picture, Sample
from core.review import BOTH_CRITERIA, Judged, Judgement, Round
from core.taxonomy import Subtype, primary_type
from core.votes import Criterion


def make_task(
    candidate: FlawedSample,
    parent: Sample,
    round_: Round,
    picture_url: PictureUrl,
    informed: Sequence[Judgement] = (),
    criteria: Sequence[Criterion] = BOTH_CRITERIA,
) -> dict[str, object]:
    """The data of the task: what stands in the item is in the item's language. `informed`: first verdicts to be shown,
    without names. `criteria`: what is asked; the screen shows the others as decided.

    `content_sha` is the hash of what is shown, in which a picture is its content and not its address."""
    texts = texts_in(parent.language)
    questions = show_questions(candidate, parent, texts.words)
    shown: dict[str, object] = {
        "sample_id": candidate.id,
        "round": int(round_),
        "claim": "".join(_claim(flaw.subtype, parent.language) for flaw in candidate.flaws),
        "original": questions.original,
        "modified": questions.modified,
        "no_pictures": _listed("" if candidate.pictures or parent.pictures else escape(texts.words["no_pictures"])),
        "first_round": _listed(_first_round(informed, texts.words)),
        **{f"ask_{criterion}": [{}] if criterion in criteria else [] for criterion in BOTH_CRITERIA},
        "decided": _listed(_decided(criteria, texts.words)),
    }
    content = shown | {"pictures": show_pictures(candidate, parent, _by_content, texts.words)}
    pictures = show_pictures(candidate, parent, picture_url, texts.words)
    return shown | {"content_sha": content_hash(content), "pictures": pictures}


def _listed(text: str) -> list[dict[str, str]]:
    """For a Repeater, which shows nothing for an empty list."""
    return [{"text": text}] if text else []


def _by_content(picture: Picture) -> str:
    return picture.sha256


def _claim(subtype: Subtype, language: Language) -> str:
    texts = texts_in(language)
    text, words = texts.types[subtype], texts.words
    primary = texts.primary[primary_type(subtype)]
    kind = "" if primary == text.name else f" <small>({escape(primary)})</small>"
    return (
        f"<p><small>{escape(words['claimed'])}:</small> <b>{escape(text.name)}</b>{kind}. "
        f"{escape(definition_of(subtype, language))}</p>"
        f'<p class="example"><b>{escape(words["example"])}:</b> {escape(text.example)}</p>'
    )


def _first_round(informed: Sequence[Judgement], words: dict[str, str]) -> str:
    """In an order that tells nothing of who said it."""
    if not informed:
        return ""
    verdicts = sorted(_verdicts(judgement, words) for judgement in informed)
    items = "".join(f"<li>{verdict}</li>" for verdict in verdicts)
    return f"<b>{escape(words['first_round'])}</b><ol>{items}</ol>"


def _verdicts(judgement: Judgement, words: dict[str, str]) -> str:
    reasons = {
        Criterion.TYPE_COMPLIANCE: judgement.type_compliance_reason,
        Criterion.UNANSWERABILITY: judgement.unanswerability_reason,
    }
    said: list[str] = []
    for criterion in BOTH_CRITERIA:
        verdict = judgement.verdict(criterion) or Judged.UNSURE
        reason = reasons[criterion] or (words["no_reason"] if verdict is Judged.FAIL else "")
        quoted = f" <q>{escape(reason)}</q>" if reason else ""
        said.append(f"{escape(words[criterion])}: <b>{escape(words[verdict])}</b>{quoted}")
    return " · ".join(said)


def _decided(criteria: Sequence[Criterion], words: dict[str, str]) -> str:
    rest = [words[criterion] for criterion in BOTH_CRITERIA if criterion not in criteria]
    return escape(f"{words['decided']} {', '.join(rest)}") if rest else ""
