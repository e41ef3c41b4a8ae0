"""Which models take part in a build and how they are reached: a file of models. What can change a reply is part of the
identity of a request and of the recipe; what cannot is named in one table and left out of both."""

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, Field, PrivateAttr, ValidationError, model_validator

from core.errors import ConfigurationError
from core.faults import tell_faults
from core.plain_numbers import Number, WholeNumber
from core.plain_texts import Address, Label, VariableName, server_of
from core.records import Record
from core.votes import Rule
from core.yaml_files import is_file, parse_yaml_value, read_yaml_mapping

PRESETS_FOLDER = Path(__file__).resolve().parent.parent / "models" / "presets"

RUNTIME_FIELDS = frozenset(
    {"key_variable", "price", "limits", "timeout_seconds", "attempts", "batch", "replay", "family"}
)
"""Fields of `ModelSpec` that cannot change a reply: not part of the key under which replies are stored."""

PROVIDER_SERVERS = {
    "openai": "https://api.openai.com/v1",
    "gemini": "https://generativelanguage.googleapis.com/",
    "anthropic": "https://api.anthropic.com",
}
"""Given to the SDKs, which would else take an address from the environment, which is not in the key of a reply."""

_PICTURE_MAKERS = ("gemini", "scripted")
_GEMINI_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh"]
Share = Annotated[Number, Field(gt=0, le=1)]
Dollars = Annotated[Number, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
"""Together with the most tokens, so little that the lineage can hold the cost of any call."""


def _check_date(text: str) -> str:
    date.fromisoformat(text)
    return text


class Limits(Record):
    """What the provider's account allows. None: no limit known; 429 replies then find it."""

    requests_per_minute: Number | None = Field(default=None, gt=0, allow_inf_nan=False)
    tokens_per_minute: Number | None = Field(default=None, gt=0, allow_inf_nan=False)
    concurrency: WholeNumber = Field(default=32, ge=1, le=1000)


class Parameters(Record):
    """Of the generation; what is None is not sent, so the provider's own default holds."""

    max_tokens: WholeNumber = Field(default=8192, ge=1, le=10_000_000)
    temperature: Number | None = Field(default=None, ge=0, le=2)
    top_p: Number | None = Field(default=None, gt=0, le=1)
    seed: WholeNumber | None = None
    reasoning_effort: Effort | None = None
    thinking_budget: WholeNumber | None = Field(default=None, ge=-1)


class ModelSpec(Record):
    """`family` says who made it (`openai`, `google`, ...): no family judges what it touched. `key_variable` is the
    environment variable of the key, None for a server that wants none. `price` names an entry of the price table, by
    default `name`. `structured`: how a JSON reply is asked for. `scale_pictures_to`: longest side in pixels to which
    larger pictures are scaled for this model (recorded in the request); None refuses what the provider would refuse.
    `replay`: its replies are those stored, and it is never asked."""

    provider: Literal["openai", "gemini", "anthropic", "scripted"]
    name: Label
    family: Label
    base_url: Address | None = None
    key_variable: VariableName | None = None
    price: Label | None = None
    parameters: Parameters = Parameters()
    structured: Literal["json_schema", "json_object", "prompt"] = "json_schema"
    scale_pictures_to: WholeNumber | None = Field(default=None, ge=64)
    limits: Limits = Limits()
    timeout_seconds: Number = Field(default=300.0, gt=0, allow_inf_nan=False)
    attempts: WholeNumber = Field(default=6, ge=1, le=20)
    batch: bool = False
    replay: bool = False

    def shaping(self) -> dict[str, object]:
        """The fields that can change a reply."""
        return {name: getattr(self, name) for name in type(self).model_fields if name not in RUNTIME_FIELDS}

    @property
    def id(self) -> str:
        return f"{self.provider}:{self.name}"

    @property
    def server(self) -> str:
        """The same for every spelling of its address."""
        return server_of(self.base_url or PROVIDER_SERVERS.get(self.provider, ""))

    @model_validator(mode="after")
    def _name_fits_its_place(self) -> "ModelSpec":
        """Gemini's stands in the path of the address."""
        if self.provider == "gemini" and not _GEMINI_NAME.fullmatch(self.name):
            raise ValueError(f"`name` is {self.name[:80]!r}: write Gemini's names alone, without `models/` before them")
        return self


class GeneratorShare(Record):
    """`model` is a key of `models`; shares add up to 1 (M-11)."""

    model: str
    share: Share


class PanelRecipe(Record):
    """Who validates, and what keeps a candidate (A8 to A10). `validators` and `reserve` are keys of `models`; `two`
    draws two of those that did not touch the candidate, `all` asks all of them. `show_original`: they also see the
    source question and the flaw on record."""

    validators: tuple[str, ...] = ()
    reserve: tuple[str, ...] = ()
    ask: Literal["two", "all"] = "two"
    rule: Rule = "all"
    show_original: bool = False
    twins: bool = True


class Price(Record):
    """US dollars for a million tokens; `image_tokens` is the most that one picture counts as, `picture_out` the price
    of one made picture. `batch_factor`: what the batch mode costs of it."""

    input: Dollars
    output: Dollars
    cached_input: Dollars | None = None
    image_tokens: WholeNumber = Field(default=3000, ge=0, le=1_000_000)
    picture_out: Dollars = 0.0
    batch_factor: Number = Field(default=0.5, gt=0, le=1)
    date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_check_date)]


class ModelsRecipe(Record):
    """`models` by short names that the roles use. `few_shot`: examples in a prompt (A12). `repair_turns`: how often a
    reply that cannot be used is asked for again. `rewriter` rewrites source texts first (M-7), None leaves them alone.
    `question_writer` writes premise questions from texts alone (J-4); None: the generator that saw the picture does.
    `prices` go before the shipped table. `budget_usd`: the build stops before it would be passed."""

    name: Label
    models: dict[Label, ModelSpec] = Field(min_length=1)
    generators: tuple[GeneratorShare, ...] = Field(min_length=1)
    image_editor: str | None = None
    rewriter: str | None = None
    question_writer: str | None = None
    panel: PanelRecipe = PanelRecipe()
    few_shot: WholeNumber = Field(default=3, ge=0, le=8)
    repair_turns: WholeNumber = Field(default=1, ge=0, le=5)
    prices: dict[Label, Price] = Field(default_factory=dict)
    budget_usd: Number | None = Field(default=None, gt=0, allow_inf_nan=False)
    _file: str = PrivateAttr("the file of models")

    @property
    def file(self) -> str:
        """What messages name as the place of a key; never stored."""
        return self._file

    def found_in(self, file: str) -> "ModelsRecipe":
        found = self.model_copy()
        found._file = file
        return found

    def shaping(self) -> dict[str, object]:
        """What can change the data, for hashes: families count, since they choose the validators."""
        fields = [name for name in type(self).model_fields if name not in ("name", "models", "prices", "budget_usd")]
        models: dict[str, object] = {
            name: spec.shaping() | {"family": spec.family} for name, spec in self.models.items()
        }
        shaping: dict[str, object] = {name: getattr(self, name) for name in fields}
        if self.question_writer is None:  # as hashes were before there was this role
            del shaping["question_writer"]
        return shaping | {"models": models}

    @model_validator(mode="after")
    def _roles_are_known(self) -> "ModelsRecipe":
        roles = [share.model for share in self.generators] + list(self.panel.validators) + list(self.panel.reserve)
        roles += [name for name in (self.image_editor, self.rewriter, self.question_writer) if name]
        unknown = sorted(set(roles) - self.models.keys())
        if unknown:
            raise ValueError(f"{', '.join(unknown)} stands in a role but not under `models`")
        if abs(sum(share.share for share in self.generators) - 1) > 1e-6:
            raise ValueError("the shares of `generators` do not add up to 1")
        return self

    @model_validator(mode="after")
    def _editor_makes_pictures(self) -> "ModelsRecipe":
        editor = self.models.get(self.image_editor or "")
        if editor and editor.provider not in _PICTURE_MAKERS:
            raise ValueError(
                f"`image_editor` is `{self.image_editor}`, and models of provider {editor.provider} make no pictures "
                "here: name one of provider gemini, or none"
            )
        return self

    @model_validator(mode="after")
    def _one_model_has_one_family(self) -> "ModelsRecipe":
        """Else it would judge what it made. What is scripted stands for several models in tests."""
        first: dict[tuple[str, str, str], str] = {}
        for name, spec in self.models.items():
            other = first.setdefault((spec.provider, spec.name.casefold(), spec.server), name)
            if spec.provider != "scripted" and family_key(spec.family) != family_key(self.models[other].family):
                raise ValueError(
                    f"`{other}` and `{name}` are {spec.id} on one server with two families, {self.models[other].family}"
                    f" and {spec.family}: give both the same `family`"
                )
        return self


def family_key(family: str) -> str:
    """Equal for families that are the same, however they are written."""
    return "".join(family.casefold().split())


def override(models: ModelsRecipe, changes: tuple[str, ...]) -> ModelsRecipe:
    """With `KEY=VALUE` put in, KEY a dotted path such as `models.writer.base_url`, VALUE as in YAML.

    Raises ConfigurationError that names the key and not the value, which may hold a password."""
    content = models.model_dump(mode="json")
    for change in changes:
        key, equals, value = change.partition("=")
        *above, last = key.split(".")
        place: object = content
        for name in above:
            place = cast("dict[str, object]", place).get(name) if isinstance(place, dict) else None
        if not (equals and isinstance(place, dict)):
            raise ConfigurationError(
                f"`{key}` names no key of the models {models.name}.",
                "Write KEY=VALUE with a dotted key, such as models.writer.base_url=http://127.0.0.1:8000/v1.",
            )
        cast("dict[str, object]", place)[last] = parse_yaml_value(value, key)
    changed = ", ".join(change.partition("=")[0] for change in changes)
    where = f"The models {models.name} with another {changed}" if changes else models.name
    return _validate(content, where).found_in(models.file)


def load_models(reference: str) -> ModelsRecipe:
    """The models in a file, or the shipped preset of that name (`mmpcbench`, `jba`, `local`).

    Raises ConfigurationError that names the file, the key and the value."""
    paths = [Path(reference), PRESETS_FOLDER / f"{reference}.yaml"]
    path = next((path for path in paths if is_file(path)), None)
    if path is None:
        known = ", ".join(sorted(found.stem for found in PRESETS_FOLDER.glob("*.yaml")))
        raise ConfigurationError(
            f"There are no models {reference!r}.", f"Give the path of a YAML file or one of the presets: {known}."
        )
    return _validate(read_yaml_mapping(path), str(path)).found_in(str(path))


def _validate(content: object, where: str) -> ModelsRecipe:
    try:
        return ModelsRecipe.model_validate(content)
    except ValidationError as error:
        raise ConfigurationError(
            f"{where} cannot be used: {tell_faults(error, ModelsRecipe)}.", "See docs/models.md for every key."
        ) from None
