"""A recipe says what a benchmark is: sources, how many questions of which kind, how many candidates of each subtype and
how flaws are made. Where it runs is in the settings; nothing stands in both."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError, field_validator, model_validator

from core.errors import ConfigurationError
from core.faults import tell_faults
from core.identity import make_id
from core.model_specs import ModelsRecipe, Share, load_models
from core.plain_numbers import MOST, Amount, Number, WholeNumber
from core.premises import Pairing
from core.records import Record, Subject
from core.taxonomy import PremiseSubtype, Subtype, premise_subtype
from core.whole_texts import is_text
from core.yaml_files import is_file, read_yaml_mapping

RECIPES_FOLDER = Path(__file__).resolve().parent.parent / "recipes"


def require_plain_text(value: str) -> str:
    """Raises ValueError for what neither a file nor a database can hold."""
    if "\0" in value or not is_text(value):
        raise ValueError("holds characters that are no text")
    return value


def require_names(value: str) -> str:
    """Raises ValueError for what no path can be."""
    if any(len(part.encode()) > 255 for part in value.split("/")):
        raise ValueError("is too long for a name")
    return value


BuildName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
Seed = Annotated[WholeNumber, Field(ge=0, lt=2**64)]
Text = Annotated[str, Field(max_length=4096), AfterValidator(require_plain_text)]
PathText = Annotated[Text, AfterValidator(require_names)]
ShareRange = tuple[Share, Share]
Count = Annotated[WholeNumber, Field(ge=0, le=MOST)]
Operation = Literal["blur", "pixelate", "warp", "occlusion", "noise"]
PictureCount = Literal["0", "1", "2+"]


class ColumnMapping(Record):
    """Which columns of any data set hold what (reader `mapped`). A column is named; `subject`, `language` and `licence`
    may be given as a constant with a leading `=`."""

    id: Text
    query: Text
    context: Text | None = None
    options: Text | None = None
    pictures: tuple[Text, ...] = ()
    answer: Text | None = None
    subject: Text
    language: Text | None = None
    licence: Text
    attribution: Text | None = None


class SourceRecipe(Record):
    """One data set. `location` is a Hub id, a folder or a file; None is the reader's own default. `take` stops after
    that many rows of each config, so that a large set is not downloaded."""

    reader: Text
    location: PathText | None = None
    configs: tuple[Text, ...] = ()
    split: Text | None = None
    revision: Text | None = None
    take: Amount | None = None
    mapping: ColumnMapping | None = None


class SamplingRecipe(Record):
    """How many questions are taken from the pool. Shares are of `total` and need not add up to 1; what is not named
    gets equal parts of the rest. None as total: all of the pool."""

    total: Amount | None = None
    subjects: dict[Subject, Share] = Field(default_factory=dict)
    sources: dict[Text, Share] = Field(default_factory=dict)
    pictures: dict[PictureCount, Share] = Field(default_factory=dict)


class DegradationRecipe(Record):
    """Shares are of the pixels of the salient region (M-13, A1, A2); the drawn target lies inside the range."""

    light: ShareRange = (0.20, 0.30)
    medium: ShareRange = (0.40, 0.50)
    severe: ShareRange = (0.70, 0.80)
    operations: tuple[Operation, ...] = Field(default=("blur", "pixelate", "warp"), min_length=1)
    saliency: Literal["sobel", "classifier"] = "sobel"
    classifier: Text = "resnet18"
    classifier_weights: PathText | None = None
    pictures: Literal["all", "one"] = "all"

    def shaping(self) -> "DegradationRecipe":
        """What shapes the data: not where the weights lie."""
        return self.model_copy(update={"classifier_weights": None})

    @field_validator("light", "medium", "severe")
    @classmethod
    def _ascending(cls, value: ShareRange) -> ShareRange:
        if value[0] >= value[1]:
            raise ValueError("the first share must be below the second")
        return value

    @model_validator(mode="after")
    def _weights_named(self) -> "DegradationRecipe":
        if self.saliency == "classifier" and self.classifier_weights is None:
            raise ValueError("saliency: classifier needs classifier_weights, a local file of torchvision weights")
        return self


class MissingInstructionRecipe(Record):
    """`all_text` drops every text (M-14), `query_only` keeps the context (A6)."""

    mode: Literal["all_text", "query_only"] = "all_text"


class PremisesRecipe(Record):
    """Premise pairs (Judge Before Answer). `targets`: questions of each label, by subtype in any of its spellings
    (J-8); a matched pair gives one of each. `test_share` of the questions are test data, the rest is for training, of
    which `grpo_share` goes to the second stage (J-10)."""

    targets: dict[PremiseSubtype, Count] = Field(min_length=1)
    pairing: Pairing = Pairing.MATCHED
    test_share: Number = Field(default=0.4, ge=0, le=1)
    grpo_share: Number = Field(default=0.3, ge=0, le=1)

    @field_validator("targets", mode="before")
    @classmethod
    def _read_names(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        read: dict[object, object] = {}
        for name, count in value.items():
            subtype = _as_subtype(name)
            if subtype in read:
                raise ValueError(f"{subtype} stands twice, once as {name!r}")
            read[subtype] = count
        return read


def _as_subtype(name: object) -> object:
    """What is no name of a subtype is left for the message of the field."""
    try:
        return premise_subtype(str(name))
    except ValueError:
        return name


class ExportRecipe(Record):
    licence: Text = "other"
    rows_per_file: Amount = 500


class Recipe(Record):
    """`targets` counts the candidates wanted after all filters; a recipe of `premises` has none. `models` is written as
    a path or the name of a preset and read at once, so that a stored recipe holds what it named; None: rules alone, no
    model is asked."""

    name: BuildName
    seed: Seed = 42
    sources: tuple[SourceRecipe, ...] = Field(min_length=1)
    sampling: SamplingRecipe = SamplingRecipe()
    targets: dict[Subtype, Count] = Field(default_factory=dict)
    premises: PremisesRecipe | None = None
    degradation: DegradationRecipe = DegradationRecipe()
    missing_instruction: MissingInstructionRecipe = MissingInstructionRecipe()
    export: ExportRecipe = ExportRecipe()
    models: ModelsRecipe | None = None

    @field_validator("models", mode="before")
    @classmethod
    def _read_models(cls, value: object) -> object:
        return load_models(value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _wants_something(self) -> "Recipe":
        wanted = self.premises.targets if self.premises else self.targets
        if self.premises and self.targets:
            raise ValueError("`targets` and `premises` are two benchmarks: give each a recipe of its own")
        if not wanted:
            raise ValueError("neither `targets` nor `premises` says what is wanted")
        if not any(wanted.values()):
            raise ValueError("all `targets` are 0")
        return self

    @property
    def id(self) -> str:
        return make_id("rcp", self.shaping())

    @property
    def judging(self) -> ModelsRecipe | None:
        """The models, where they name a panel."""
        return self.models if self.models and self.models.panel.validators else None

    def shaping(self) -> dict[str, object]:
        """What shapes the data: limits, keys, prices and the budget of the models do not count."""
        fields: dict[str, object] = {name: getattr(self, name) for name in type(self).model_fields}
        if self.premises is None:  # as hashes were before there was this key
            del fields["premises"]
        return fields | {"models": self.models.shaping() if self.models else None}


def load_recipe(reference: str, *, with_models: bool = True) -> Recipe:
    """The recipe in a file, or the shipped one of that name (`starter`, `mmpcbench`). Its file of models may stand
    beside it. `with_models`: False where others take the place of those that it names.

    Raises ConfigurationError that names the file, the key and the value."""
    path = _find(reference)
    content = read_yaml_mapping(path)
    named = content.get("models")
    if not with_models:
        content.pop("models", None)
    elif isinstance(named, str) and is_file(path.parent / named):
        content["models"] = str(path.parent / named)
    try:
        return Recipe.model_validate(content)
    except ValidationError as error:
        raise ConfigurationError(
            f"Recipe {path} cannot be used: {tell_faults(error, Recipe)}.", "See recipes/README.md for every key."
        ) from None


def _find(reference: str) -> Path:
    candidates = [Path(reference), RECIPES_FOLDER / f"{reference}.yaml"]
    for path in candidates:
        if is_file(path):
            return path
    known = ", ".join(sorted(path.stem for path in RECIPES_FOLDER.glob("*.yaml")))
    raise ConfigurationError(
        f"There is no recipe {reference!r}.",
        f"Give the path of a YAML file or one of the shipped names: {known}.",
    )
