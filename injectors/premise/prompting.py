"""How the stages ask: a prompt file for each stage, and beside it one for each subtype with what is looked for and how
it is replaced. The hash of a proposal covers both."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.calls import Proposal, Role
from core.identity import bytes_hash
from core.prompts import Prompt, load_prompt
from core.records import Language, Picture, Record, Sample
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext
from injectors.premise.entries import Entry, load_absent, load_entries, load_picture, load_unpictured
from injectors.prompted.layout import LANGUAGE_NAMES, Asking, Part, make_proposal

PROMPTS_FOLDER = Path(__file__).resolve().parent / "prompts"
_NUMBER = re.compile(r"-\d$")


class Stage(NamedTuple):
    prompt: str
    role: Role
    reply: type[Record]


def ask(
    stage: Stage,
    subtype: PremiseSubtype,
    language: Language,
    texts: Mapping[str, str],
    slots: Mapping[str, tuple[Part, ...]],
) -> Proposal:
    """`texts` are the sections of the subtype that the stage wants."""
    proposal = ask_all(stage, language, texts, slots)
    joint = bytes_hash(f"{proposal.prompt_hash}{subtype_prompt(subtype).hash}".encode())
    return replace(proposal, prompt_hash=joint)


def ask_all(
    stage: Stage, language: Language, texts: Mapping[str, str], slots: Mapping[str, tuple[Part, ...]]
) -> Proposal:
    """The same for all subtypes."""
    asking = Asking(stage.prompt, 1, stage.role, stage.reply, PROMPTS_FOLDER)
    return make_proposal(asking, {"language": LANGUAGE_NAMES[language], **texts}, slots)


@cache
def subtype_prompt(subtype: PremiseSubtype) -> Prompt:
    return load_prompt(PROMPTS_FOLDER, subtype, 1)


def section(subtype: PremiseSubtype, name: str) -> str:
    """`shown`: what counts as a premise of this kind; `replaced`: by what it is replaced."""
    return subtype_prompt(subtype).section(name)


def draw_pictured(subtype: PremiseSubtype, sample: Sample, context: PromptContext, count: int) -> list[Entry]:
    """Examples with pictures, in drawn order; none of the picture that is asked about."""
    fitting = [entry for entry in load_entries() if entry.subtype is subtype and not _is_of(entry.picture, sample)]
    return context.stream.sample(fitting, min(max(count, 0), len(fitting)))


def draw_written(subtype: PremiseSubtype, sample: Sample, context: PromptContext) -> list[Entry]:
    """Examples for whoever is shown texts alone."""
    known = (*load_entries(), *load_unpictured())
    fitting = [entry for entry in known if entry.subtype is subtype and not _is_of(entry.picture, sample)]
    return context.stream.sample(fitting, min(context.few_shot, len(fitting)))


def draw_absent(subtype: PremiseSubtype, sample: Sample, context: PromptContext) -> Picture | None:
    """A picture that shows nothing of the kind."""
    stems = [stem for stem in load_absent().get(subtype, ()) if not _is_of(stem, sample)]
    return load_picture(context.stream.choice(stems)).picture if stems else None


def picture_of(entry: Entry) -> Picture:
    assert entry.picture
    return load_picture(entry.picture).picture


def _is_of(stem: str | None, sample: Sample) -> bool:
    return stem is not None and any(picture.sha256 in _pictures_beside(stem) for picture in sample.pictures)


@cache
def _pictures_beside(stem: str) -> frozenset[str]:
    """By SHA-256, with its own: pictures of one question of the starter set (`-1`, `-2`) count as one."""
    question = _NUMBER.sub("", stem)
    stems = {entry.picture for entry in load_entries() if entry.picture and _NUMBER.sub("", entry.picture) == question}
    return frozenset(load_picture(name).picture.sha256 for name in {*stems, stem})
