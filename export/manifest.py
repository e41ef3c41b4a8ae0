"""The manifest of a release: which files it has, with their hashes, and what they were made from. It holds no time, no
path and no host name but those that the recipe names, so that two builds of the same inputs have equal manifests."""

import hashlib
import json
import platform
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue, ValidationError

from core.errors import ExportError
from core.identity import canonical_json, content_hash
from core.recipe import Recipe
from core.records import Record
from export.blindness import Blindness
from export.facts import ReleaseFacts, ReviewFacts
from export.rows import ReleaseRow, Row

MANIFEST_NAME = "manifest.json"
FORMAT = 1
LEFT_OUT = "left out"
_CREDENTIALS = re.compile(r'://[^/@"]*@')
LIBRARIES = ("datasets", "numpy", "opencv-python-headless", "pillow", "pyarrow", "scikit-learn", "scipy", "torch")


class FileEntry(Record):
    path: str
    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class RecipeEntry(Record):
    """As the fields of the manifest with these names say it of the build's own recipe."""

    recipe: str
    recipe_id: str
    recipe_hash: str
    recipe_content: dict[str, JsonValue]
    seed: int


class Manifest(Record):
    """`content` is the hash of everything that the files are made from: an equal one means an equal release. What the
    text of the rows tells follows from them, so that it does not count.
    `recipe_content` is the recipe with its models, without what cannot change a reply (limits, keys, prices), and
    `recipe_hash` the hash of that; `further_recipes` are those of other runs that rows come from. `prompts` are those
    that models were asked with. `blindness` is what the text alone tells. `rows` counts by split, `subtypes` the rows
    of `test`, or all questions of premise pairs."""

    format: Literal[1] = FORMAT
    content: str
    build: str
    recipe: str
    recipe_id: str
    recipe_hash: str
    recipe_content: dict[str, JsonValue]
    code_commit: str
    seed: int
    further_recipes: tuple[RecipeEntry, ...] = ()
    panel: str
    prompts: tuple[str, ...]
    review: ReviewFacts | None
    blindness: Blindness | None = None
    rows: dict[str, int]
    subtypes: dict[str, int]
    libraries: dict[str, str]
    files: tuple[FileEntry, ...]


def describe_release(facts: ReleaseFacts, test: Sequence[ReleaseRow], twins: Sequence[ReleaseRow]) -> Manifest:
    return describe_rows(facts, {"test": test, "twins": twins}, [row.subtype or "" for row in test])


def describe_rows(facts: ReleaseFacts, splits: Mapping[str, Sequence[Row]], subtypes: Iterable[str]) -> Manifest:
    """The manifest of these rows, before the files are there: these do not count in `content`."""
    libraries, recipe = list_libraries(), _publish(facts.recipe)
    further = tuple(_enter(other) for other in facts.further)
    return Manifest(
        content=content_hash(
            {
                "format": FORMAT,
                "build": facts.build,
                "recipe": recipe,
                "further_recipes": [entry.recipe_content for entry in further],
                "code_commit": facts.code_commit,
                "panel": facts.panel,
                "prompts": facts.prompts,
                "review": facts.review,
                "left_out": facts.blindness.dropped if facts.blindness else 0,
                "funnel": [line._asdict() for line in facts.funnel],
                "rows": [row._asdict() for rows in splits.values() for row in rows],
                "libraries": libraries,
            }
        ),
        build=facts.build,
        recipe=facts.recipe.name,
        recipe_id=facts.recipe.id,
        recipe_hash=content_hash(recipe),
        recipe_content=recipe,
        code_commit=facts.code_commit,
        seed=facts.recipe.seed,
        further_recipes=further,
        panel=facts.panel,
        prompts=facts.prompts,
        review=facts.review,
        blindness=facts.blindness,
        rows={split: len(rows) for split, rows in splits.items()},
        subtypes=dict(sorted(Counter(subtypes).items())),
        libraries=libraries,
        files=(),
    )


def list_libraries() -> dict[str, str]:
    """Versions of what shapes bytes: the picture codecs, the file format, the random streams, the classifiers."""
    found = {name: version(name) for name in LIBRARIES}
    return {**found, "python": ".".join(platform.python_version_tuple()[:2])}


def _enter(recipe: Recipe) -> RecipeEntry:
    content = _publish(recipe)
    return RecipeEntry(
        recipe=recipe.name,
        recipe_id=recipe.id,
        recipe_hash=content_hash(content),
        recipe_content=content,
        seed=recipe.seed,
    )


def _publish(recipe: Recipe) -> dict[str, JsonValue]:
    """Sorted by key, without a user and a password in the address of a source. Of the servers of models it says only
    that there was one: a release is given away, their names are often those of machines in a house, and the same model
    with the same parameters can be asked elsewhere. Recipe and calls in the lineage have the address."""
    content = json.loads(_CREDENTIALS.sub("://", canonical_json(recipe.shaping())))
    for spec in content["models"]["models"].values() if content["models"] else ():
        spec["base_url"] = spec["base_url"] and LEFT_OUT
    return content


def hash_files(folder: Path, paths: Iterable[Path]) -> tuple[FileEntry, ...]:
    return tuple(
        FileEntry(path=path.relative_to(folder).as_posix(), bytes=path.stat().st_size, sha256=_hash_file(path))
        for path in sorted(paths)
    )


def write_manifest(folder: Path, planned: Manifest, written: Iterable[Path]) -> Manifest:
    """The planned one, with the files that were written."""
    manifest = planned.model_copy(update={"files": hash_files(folder, written)})
    text = manifest.model_dump_json(indent=2) + "\n"
    (folder / MANIFEST_NAME).write_text(text, encoding="utf-8", newline="\n")
    return manifest


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest in a release folder, None where there is none. Raises ExportError when it cannot be read."""
    path = folder / MANIFEST_NAME
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise ExportError(
            f"{path} is no manifest of a release: {error}.", "Delete that folder or name another."
        ) from error


def is_complete(folder: Path, manifest: Manifest) -> bool:
    """Every file that the manifest names is there with the same bytes."""
    paths = [folder / entry.path for entry in manifest.files]
    return all(path.is_file() for path in paths) and hash_files(folder, paths) == manifest.files


def _hash_file(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
