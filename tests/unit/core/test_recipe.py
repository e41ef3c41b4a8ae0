import json
import re
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel

from core import recipe as recipe_module
from core.errors import ConfigurationError
from core.recipe import Operation, PictureCount, Recipe, SourceRecipe, load_recipe
from core.records import Subject
from core.taxonomy import PremiseSubtype, PrimaryType, Subtype, primary_type

SHIPPED = ("starter", "mmpcbench", "premises", "premises-vg")
MODELS = [
    value
    for value in vars(recipe_module).values()
    if isinstance(value, type) and issubclass(value, BaseModel) and value.__module__ == recipe_module.__name__
]
KEYS = [(model.__name__, key) for model in MODELS for key in model.model_fields]
MINIMAL = "name: tiny\nsources: [{reader: starter}]\ntargets: {mismatch: 3}\n"


@pytest.fixture
def manual(root: Path) -> str:
    return (root / "recipes" / "README.md").read_text(encoding="utf-8")


def write(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_recipe_in_the_folder_is_a_shipped_name(root: Path) -> None:
    assert {path.stem for path in (root / "recipes").glob("*.yaml")} == set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_recipe_loads_under_its_own_name(name: str) -> None:
    assert load_recipe(name).name == name


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_recipe_wants_every_subtype(name: str) -> None:
    recipe = load_recipe(name)
    assert set(recipe.premises.targets if recipe.premises else recipe.targets) == set(
        PremiseSubtype if recipe.premises else Subtype
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_every_recipe_is_in_the_manual(name: str, manual: str) -> None:
    assert f"`{name}.yaml`" in manual


def test_paper_recipe_has_the_papers_size_and_composition() -> None:
    recipe = load_recipe("mmpcbench")
    assert sum(recipe.targets.values()) == 12_000
    group = dict.fromkeys(PrimaryType, 0)
    for subtype, count in recipe.targets.items():
        group[primary_type(subtype)] += count
    assert group[PrimaryType.MISSING_PREMISE] / 12_000 == pytest.approx(1405 / 3146, abs=1e-4)
    assert group[PrimaryType.PREMISE_CONTRADICTION] / 12_000 == pytest.approx(870 / 3146, abs=1e-4)
    rest = group[PrimaryType.EXPRESSION_ERROR] + group[PrimaryType.BEYOND_CAPABILITY]
    assert rest / 12_000 == pytest.approx(871 / 3146, abs=1e-4)
    for primary in PrimaryType:
        counts = [count for subtype, count in recipe.targets.items() if primary_type(subtype) is primary]
        assert max(counts) - min(counts) <= 1


def test_paper_recipe_weighs_the_named_subjects_most() -> None:
    shares = load_recipe("mmpcbench").sampling.subjects
    named = (Subject.MATHEMATICS, Subject.PHYSICS, Subject.CHEMISTRY, Subject.ENGINEERING)
    assert set(shares) == set(Subject)
    assert sum(shares[subject] for subject in named) == pytest.approx(0.7)
    assert sum(shares.values()) == pytest.approx(1)


def test_paper_recipe_leaves_the_pinned_commits_to_the_user() -> None:
    assert {source.revision for source in load_recipe("mmpcbench").sources} == {None}


@pytest.mark.parametrize(("model", "key"), KEYS, ids=[f"{model}.{key}" for model, key in KEYS])
def test_every_key_is_a_row_of_the_manual(manual: str, model: str, key: str) -> None:
    rows = len(re.findall(rf"^\| `{key}` \| ", manual, flags=re.MULTILINE))
    assert rows >= sum(name == key for _, name in KEYS), f"{model}.{key}"


def test_every_row_of_the_manual_is_a_key(manual: str) -> None:
    keys = {key for _, key in KEYS}
    files = {f"{name}.yaml" for name in SHIPPED}
    assert set(re.findall(r"^\| `([^`]+)` \|", manual, flags=re.MULTILINE)) == keys | files


@pytest.mark.parametrize("value", [*Subtype, *Subject, *get_args(Operation), *get_args(PictureCount)])
def test_every_value_with_a_name_is_in_the_manual(manual: str, value: str) -> None:
    assert f"`{value}`" in manual or f'`"{value}"`' in manual


def test_examples_of_the_manual_load(manual: str, tmp_path: Path) -> None:
    whole, example, *_ = (block.split("```")[0] for block in manual.split("```yaml\n")[1:])
    assert load_recipe(write(tmp_path, whole)).name == "my-benchmark"
    recipe = load_recipe(write(tmp_path, f"name: mine\ntargets: {{mismatch: 3}}\n{example}"))
    assert recipe.sources[0].mapping is not None
    assert recipe.sources[0].mapping.licence == "=cc-by-4.0"


@pytest.mark.parametrize(
    ("change", "key", "seen"),
    [
        pytest.param("tagets: {mismatch: 3}", "tagets", "did you mean `targets`?", id="unknown key"),
        pytest.param("sampling: {totl: 3}", "sampling.totl", "did you mean `total`?", id="unknown key inside"),
        pytest.param("targets: {mismatched: 3}", "targets.mismatched", "mismatched", id="unknown subtype"),
        pytest.param("targets: {mismatch: -1}", "targets.mismatch", "-1", id="negative target"),
        pytest.param("targets: {}", "targets", "says what is wanted", id="no target"),
        pytest.param("premises: {targets: {scene: 1}}", "targets", "two benchmarks", id="both kinds of targets"),
        pytest.param("premises: {targets: {scene: 1, Scene: 2}}", "premises.targets", "twice", id="two spellings"),
        pytest.param("premises: {targets: {senses: 1}}", "premises.targets.senses", "senses", id="unknown premise"),
        pytest.param("sources: []", "sources", "[]", id="no source"),
        pytest.param("name: Mine/1", "name", "Mine/1", id="name that is no folder name"),
        pytest.param("seed: -5", "seed", "-5", id="negative seed"),
        pytest.param("sampling: {subjects: {physics: 1.5}}", "sampling.subjects.physics", "1.5", id="share above 1"),
        pytest.param("degradation: {light: [0.3, 0.2]}", "degradation.light", "0.3, 0.2", id="range upside down"),
        pytest.param("degradation: {operations: [burn]}", "degradation.operations.0", "burn", id="unknown operation"),
        pytest.param("degradation: {saliency: classifier}", "degradation", "classifier_weights", id="no weights"),
        pytest.param("targets: {mismatch: true}", "targets.mismatch", "True", id="truth value as number"),
        pytest.param("targets: {mismatch: '7'}", "targets.mismatch", "7", id="text as number"),
        pytest.param("seed: true", "seed", "True", id="truth value as seed"),
        pytest.param("degradation: {light: [0.3, true]}", "degradation.light.1", "True", id="truth value as share"),
        pytest.param(f"targets: {{mismatch: {10**10}}}", "targets.mismatch", "equal to 1000000000", id="many targets"),
        pytest.param(f"sampling: {{total: {10**10}}}", "sampling.total", "equal to 1000000000", id="many questions"),
        pytest.param(
            f"sources: [{{reader: starter, take: {10**30}}}]", "sources.0.take", "equal to 1000000000", id="many rows"
        ),
        pytest.param(
            f"export: {{rows_per_file: {10**30}}}", "export.rows_per_file", "equal to 1000000000", id="large files"
        ),
    ],
)
def test_bad_recipe_names_file_key_and_value(tmp_path: Path, change: str, key: str, seen: str) -> None:
    content = yaml.safe_load(MINIMAL) | yaml.safe_load(change)
    path = write(tmp_path, yaml.safe_dump(content))
    with pytest.raises(ConfigurationError) as caught:
        load_recipe(path)
    assert path in caught.value.message
    assert f"`{key}" in caught.value.message
    assert seen in caught.value.message
    assert "recipes/README.md" in caught.value.fix


MAPPING = {"id": "a", "query": "b", "subject": "c", "licence": "d"}
MAPPED = {"reader": "mapped", "location": "x", "mapping": MAPPING}


@pytest.mark.parametrize("bad", ["a\ud800", "a\0"], ids=["half a surrogate", "NUL"])
@pytest.mark.parametrize("key", ["reader", "location", "split", "revision", "id", "query", "licence", "answer"])
def test_what_is_no_text_is_refused_in_every_text_of_a_source(tmp_path: Path, key: str, bad: str) -> None:
    change = {key: bad} if key in SourceRecipe.model_fields else {"mapping": MAPPING | {key: bad}}
    path = write(tmp_path, MINIMAL)
    Path(path).write_text(json.dumps(yaml.safe_load(MINIMAL) | {"sources": [MAPPED | change]}), encoding="utf-8")
    told = rf"`sources.0.(mapping.)?{key}`: .*(no text|unicode string)"
    with pytest.raises(ConfigurationError, match=told) as caught:
        load_recipe(path)
    assert caught.value.message.isprintable()


def test_what_is_no_text_is_refused_as_the_name_of_a_source_to_sample(tmp_path: Path) -> None:
    path = write(tmp_path, MINIMAL + 'sampling: {sources: {"a\\ud800": 0.5}}\n')
    with pytest.raises(ConfigurationError, match=r"`sampling.sources.a.+`: .*string") as caught:
        load_recipe(path)
    assert caught.value.message.isprintable()


def test_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="`sources`: Field required"):
        load_recipe(write(tmp_path, "name: tiny\ntargets: {mismatch: 1}\n"))


def test_a_misspelt_key_is_named_before_the_one_that_is_missing_for_it(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"`sorces`: no such key; did you mean `sources`\?; to blame as well: `sources`"
    ):
        load_recipe(write(tmp_path, "name: tiny\nsorces: [{reader: starter}]\ntargets: {mismatch: 1}\n"))


@pytest.mark.parametrize("key", ["http://me:s3cret@host", "me@s3cret", "sk-s3cret456789", f"s3cret{'x' * 50}"])
def test_what_may_be_secret_in_the_place_of_a_key_is_not_shown(tmp_path: Path, key: str) -> None:
    with pytest.raises(ConfigurationError, match=r"`qa`: .*; to blame as well: `\(not shown.*\)`\.") as caught:
        load_recipe(write(tmp_path, MINIMAL + f'qa: 1\n"{key}": 2\n'))
    assert "s3cret" not in caught.value.message


def test_one_wrong_value_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"`degradation\.operations\.0`: [^`]*$"):
        load_recipe(write(tmp_path, MINIMAL + "degradation: {operations: [blurr]}\n"))


def test_one_mapping_in_the_place_of_a_list_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="`sources`: Input should be a list"):
        load_recipe(write(tmp_path, "name: tiny\nsources: {reader: starter}\ntargets: {mismatch: 1}\n"))


def test_three_further_faults_are_named_and_the_rest_counted(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"`qa`: no such key; to blame as well: `qb`, `qc`, `qd`, 2 more\."):
        load_recipe(write(tmp_path, MINIMAL + "qa: 1\nqb: 2\nqc: 3\nqd: 4\nqe: 5\nqf: 6\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("name: [", "cannot be read", id="broken YAML"),
        pytest.param("", "holds no keys", id="empty file"),
        pytest.param("- 1\n", "holds no keys", id="a list"),
    ],
)
def test_file_that_is_no_recipe_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigurationError, match=rf"{re.escape(path)} {message}"):
        load_recipe(path)


def test_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"name: \xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_recipe(str(path))


def test_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(ConfigurationError, match=r"no recipe 'startr'.*mmpcbench, premises, premises-vg, starter"):
        load_recipe("startr")


def test_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    assert load_recipe(write(tmp_path, "\ufeff" + MINIMAL)) == load_recipe(write(tmp_path, MINIMAL))


def test_id_depends_on_what_the_recipe_says_not_on_how_it_is_written(tmp_path: Path) -> None:
    plain = load_recipe(write(tmp_path, MINIMAL))
    reordered = load_recipe(
        write(tmp_path, "# a note\ntargets:\n  mismatch: 3\nseed: 42\nname: tiny\nsources:\n- reader: starter\n")
    )
    other = load_recipe(write(tmp_path, MINIMAL.replace("3", "4")))
    assert plain.id == reordered.id
    assert plain.id != other.id


def test_recipe_with_every_key_set_has_an_id(tmp_path: Path) -> None:
    text = """
name: full
seed: 7
sources:
  - reader: mapped
    location: somewhere
    configs: [a]
    split: test
    revision: abc
    take: 3
    mapping: {id: a, query: b, context: c, options: d, pictures: [e], answer: f, subject: =physics, language: =en,
              licence: =mit, attribution: g}
sampling: {total: 3, subjects: {physics: 0.5}, sources: {mapped: 1}, pictures: {"2+": 0.1}}
targets: {mismatch: 1}
degradation: {light: [0.1, 0.2], medium: [0.3, 0.4], severe: [0.5, 1], operations: [noise], saliency: classifier,
              classifier: resnet50, classifier_weights: weights.pth, pictures: one}
missing_instruction: {mode: query_only}
export: {licence: mit, rows_per_file: 10}
models: local
"""
    recipe = load_recipe(write(tmp_path, text))
    assert recipe.id.startswith("rcp_")
    assert recipe.model_fields_set == set(Recipe.model_fields) - {"premises"}


def test_premises_may_be_named_as_in_the_paper_and_in_its_data(tmp_path: Path) -> None:
    text = "name: pairs\nsources: [{reader: starter}]\npremises: {targets: {OCR Content: 2, Part-Whole Relations: 3}}\n"
    recipe = load_recipe(write(tmp_path, text))
    assert recipe.premises is not None
    assert recipe.premises.targets == {PremiseSubtype.TEXTUAL_CONTENT: 2, PremiseSubtype.PART_WHOLE_RELATIONS: 3}


def test_recipe_without_premises_keeps_the_id_that_it_had_before_there_were_any() -> None:
    recipe = Recipe.model_validate(yaml.safe_load(MINIMAL))
    assert "premises" not in recipe.shaping()


def test_recipe_is_frozen() -> None:
    recipe = Recipe.model_validate(yaml.safe_load(MINIMAL))
    with pytest.raises(ValueError, match="frozen"):
        recipe.seed = 7  # pyright: ignore[reportAttributeAccessIssue]
