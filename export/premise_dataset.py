"""The columns of a release of premise pairs: the questions, and the two forms for training."""

from collections.abc import Mapping

from datasets import Image, List, Value

from export.tables import Column

_TEXT = Value("string")
_BOOL = Value("bool")
_TALK = List({"role": _TEXT, "content": _TEXT})

_ID = Column(_TEXT, "Stable id of the question: a hash of its content. The same in all three configs.")
_IMAGES = Column(List(Image()), "The one picture that the question is about, bytes embedded.")
_SUBTYPE = Column(_TEXT, "What kind of thing is stated: one of thirteen subtypes.")
_LABEL = Column(_BOOL, "Whether what the question states is true of the picture; false: a false premise.")
_PREMISE = Column(_TEXT, "What the picture shows, in words.")
_REPLACEMENT = Column(_TEXT, "What a false question says instead; in a matched pair both rows name it. Else null.")
_PAIR = Column(_TEXT, "The same for both questions of a matched pair; null for questions without a partner.")
_LANGUAGE = Column(_TEXT, "Language of the question: en or zh.")
_LICENCE = Column(_TEXT, "Licence of the picture's source.")
_ATTRIBUTION = Column(_TEXT, "Whom to credit.")
_PROMPT = Column(_TALK, "The question as one turn of a user.")

COLUMNS: Mapping[str, Column] = {
    "id": _ID,
    "question": Column(_TEXT, "What is asked: it states something of the picture and asks about something else."),
    "images": _IMAGES,
    "subtype": _SUBTYPE,
    "level": Column(_TEXT, "perceptual, cognitive or reasoning."),
    "label": _LABEL,
    "premise": _PREMISE,
    "replacement": _REPLACEMENT,
    "stated": Column(_TEXT, "What the question states, as it stands in it."),
    "caption": Column(_TEXT, "The short caption from which the question was written."),
    "answer": Column(_TEXT, "What is true of what is asked, where that is known; null elsewhere."),
    "pair_id": _PAIR,
    "split": Column(_TEXT, "test or train. No picture and no premise is in both."),
    "stage": Column(_TEXT, "Of training rows: sft or grpo, between which no picture and no premise is shared either."),
    "verified": Column(_TEXT, "Models of another family that saw the premise there; `none` where nobody looked."),
    "generator": Column(_TEXT, "What made the question: `rules`, or the models that did, joined by `+`."),
    "families": Column(List(_TEXT), "Makers of all models that touched the question: none of them verified it."),
    "language": _LANGUAGE,
    "source": Column(_TEXT, "Data set of the picture."),
    "source_id": Column(_TEXT, "The picture's id there."),
    "licence": _LICENCE,
    "attribution": _ATTRIBUTION,
}

SFT_COLUMNS: Mapping[str, Column] = {
    "id": _ID,
    "images": _IMAGES,
    "prompt": _PROMPT,
    "completion": Column(_TALK, "The target as one turn of the assistant: `<think>` and `<answer>`."),
    "label": _LABEL,
    "subtype": _SUBTYPE,
    "pair_id": _PAIR,
    "teacher": Column(_TEXT, "What wrote the target."),
    "language": _LANGUAGE,
    "licence": _LICENCE,
    "attribution": _ATTRIBUTION,
}

GRPO_COLUMNS: Mapping[str, Column] = {
    "id": _ID,
    "images": _IMAGES,
    "prompt": _PROMPT,
    "label": _LABEL,
    "subtype": _SUBTYPE,
    "premise": _PREMISE,
    "replacement": _REPLACEMENT,
    "reference": Column(_TEXT, "What is true of what is asked, for rewards; null where that is not known."),
    "pair_id": _PAIR,
    "language": _LANGUAGE,
    "licence": _LICENCE,
    "attribution": _ATTRIBUTION,
}
