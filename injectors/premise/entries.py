"""Premises that we wrote ourselves, of pictures of the starter set: rules for builds without a key, examples in prompts
(J-5). `examples/unpictured.jsonl` holds what no picture of the set shows, `examples/absent.yaml` which picture shows
none of a kind."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import ValidationError

from core.errors import ConfigurationError
from core.faults import tell_faults
from core.identity import bytes_hash
from core.pictures import read_picture
from core.premises import Premise
from core.records import Blob, Language, Record
from core.taxonomy import PremiseSubtype
from core.yaml_files import read_yaml_mapping

STARTER = Path(__file__).resolve().parent.parent.parent / "starter"
PREMISES_FILE = STARTER / "premises.jsonl"
_EXAMPLES = Path(__file__).resolve().parent / "examples"


class EntryText(Record):
    """`frame` holds the slot of `frames`; `answer` is what it asks for, as the picture shows it."""

    premise: str
    replacement: str
    caption: str
    frame: str
    answer: str


class Entry(Record):
    """`picture` is the stem of a file of the starter set, None where no picture shows it."""

    picture: str | None
    subtype: PremiseSubtype
    en: EntryText
    zh: EntryText

    def text(self, language: Language) -> EntryText:
        return self.en if language is Language.ENGLISH else self.zh

    def premise(self, language: Language) -> Premise:
        """Raises ConfigurationError when its caption does not hold it exactly once."""
        text = self.text(language)
        start = text.caption.casefold().find(text.premise.casefold())
        if start < 0 or text.caption.casefold().count(text.premise.casefold()) != 1:
            raise ConfigurationError(
                f"{PREMISES_FILE.name}: {text.premise!r} of {self.picture} does not stand once in its caption.",
                "Correct this entry.",
            )
        return Premise(subtype=self.subtype, text=text.premise, caption=text.caption, start=start)


@cache
def load_entries() -> tuple[Entry, ...]:
    """Of the pictures of the starter set. Raises ConfigurationError that names file and line."""
    return _read(PREMISES_FILE)


@cache
def load_unpictured() -> tuple[Entry, ...]:
    return _read(_EXAMPLES / "unpictured.jsonl")


@cache
def load_absent() -> Mapping[PremiseSubtype, tuple[str, ...]]:
    """Pictures that show nothing of a kind, for the NO in prompts."""
    found = read_yaml_mapping(_EXAMPLES / "absent.yaml")
    return {
        PremiseSubtype(str(name)): tuple(map(str, stems)) for name, stems in found.items() if isinstance(stems, list)
    }


@cache
def load_picture(stem: str) -> Blob:
    return read_picture((STARTER / "pictures" / f"{stem}.png").read_bytes())


@cache
def entries_by_picture() -> Mapping[str, tuple[Entry, ...]]:
    """By the SHA-256 of the bytes of the picture."""
    found: dict[str, tuple[Entry, ...]] = {}
    stems = dict.fromkeys(entry.picture for entry in load_entries() if entry.picture)
    for stem in stems:
        key = bytes_hash((STARTER / "pictures" / f"{stem}.png").read_bytes())
        found[key] = tuple(entry for entry in load_entries() if entry.picture == stem)
    return found


@cache
def premise_pictures() -> Mapping[str, bytes]:
    """The pictures that the prompts show as examples, by their SHA-256: no object store holds them."""
    stems = {entry.picture for entry in load_entries() if entry.picture}
    stems |= {stem for stems in load_absent().values() for stem in stems}
    blobs = [load_picture(stem) for stem in sorted(stems)]
    return {blob.picture.sha256: blob.data for blob in blobs}


def _read(path: Path) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            entries.append(Entry.model_validate_json(line))
        except ValidationError as error:
            raise ConfigurationError(
                f"{path} cannot be used: line {number}: {tell_faults(error, Entry)}.", "Correct this line."
            ) from None
    return tuple(entries)
