"""The examples that we wrote for the prompts: `examples/<stem>.yaml`, a source question and the reply that we want to
it, in English and Chinese. Their pictures are those of the starter set, so they can be shown without any other data."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from core.errors import ConfigurationError
from core.faults import tell_faults
from core.pictures import read_picture
from core.records import Blob, Language, Record, Sample, Subject
from core.yaml_files import read_yaml_mapping
from injectors.base import PromptContext

EXAMPLES_FOLDER = Path(__file__).resolve().parent.parent / "examples"
_STARTER = Path(__file__).resolve().parent.parent.parent / "starter"


class _Question(Record):
    """What stands in a question, with file names of the starter set for pictures."""

    context: str | None
    query: str | None
    options: tuple[str, ...] = ()
    answer: str
    correct_options: tuple[int, ...] = ()
    subject: Subject
    language: Language
    pictures: tuple[str, ...] = ()


class _Entry(Record):
    """`question` is the id of a question of the starter set, or a question that stands in this file only."""

    question: str | _Question
    reply: dict[str, object]


_ENTRIES = TypeAdapter(list[_Entry])


class Example(NamedTuple):
    sample: Sample
    reply: Record


@cache
def load_examples(stem: str, reply: type[Record]) -> tuple[Example, ...]:
    """All of `examples/<stem>.yaml`, each reply as a record. Raises ConfigurationError that names file and entry."""
    path = EXAMPLES_FOLDER / f"{stem}.yaml"
    entries = _entries(path)
    try:
        replies = [reply.model_validate_json(json.dumps(entry.reply)) for entry in entries]
    except ValidationError as error:
        raise _unusable(path, error) from None
    samples = [_sample(entry.question, f"{stem}-{number}") for number, entry in enumerate(entries, start=1)]
    return tuple(Example(*pair) for pair in zip(samples, replies, strict=True))


def draw_examples(stem: str, reply: type[Record], sample: Sample, context: PromptContext) -> tuple[Example, ...]:
    """As many as the prompt wants in the language of the sample (A12), in drawn order, none made from the very question
    that is asked about; fewer when there are no more."""
    asked = (sample.context, sample.query)
    fitting = [
        example
        for example in load_examples(stem, reply)
        if example.sample.language is sample.language and (example.sample.context, example.sample.query) != asked
    ]
    return tuple(context.stream.sample(fitting, min(context.few_shot, len(fitting))))


@cache
def example_pictures() -> Mapping[str, bytes]:
    """The pictures of all examples by their SHA-256: a proposal shows them, and no object store holds them."""
    entries = [entry for path in sorted(EXAMPLES_FOLDER.glob("*.yaml")) for entry in _entries(path)]
    names = {name for entry in entries for name in _resolve(entry.question).pictures}
    return {blob.picture.sha256: blob.data for blob in map(_picture, sorted(names))}


def _entries(path: Path) -> list[_Entry]:
    """Raises ConfigurationError that names file and entry."""
    content = read_yaml_mapping(path).get("examples")
    try:
        return list(_ENTRIES.validate_python(content))
    except ValidationError as error:
        raise _unusable(path, error) from None


def _unusable(path: Path, error: ValidationError) -> ConfigurationError:
    return ConfigurationError(f"{path} cannot be used: {tell_faults(error)}.", "Correct this example.")


def _sample(question: str | _Question, own_id: str) -> Sample:
    resolved = _resolve(question)
    return Sample(
        source="starter" if isinstance(question, str) else "examples",
        source_id=question if isinstance(question, str) else own_id,
        pictures=tuple(_picture(name).picture for name in resolved.pictures),
        licence="CC0-1.0",
        attribution="flawbench",
        **resolved.model_dump(exclude={"pictures"}),
    )


def _resolve(question: str | _Question) -> _Question:
    return _starter_questions()[question] if isinstance(question, str) else question


@cache
def _starter_questions() -> Mapping[str, _Question]:
    lines = (_STARTER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    fields = _Question.model_fields.keys()
    return {record["id"]: _Question.model_validate({name: record[name] for name in fields}) for record in records}


@cache
def _picture(name: str) -> Blob:
    return read_picture((_STARTER / "pictures" / name).read_bytes())
