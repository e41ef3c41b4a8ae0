"""What the models that judge are asked: prompts in files, with the definition of each claimed subtype and what to look
for. The hash of a proposal covers every file that went into it."""

from functools import cache
from pathlib import Path

from core.identity import bytes_hash
from core.prompts import Prompt, load_prompt
from core.records import FlawedSample
from core.taxonomy import DEFINITIONS, Subtype

_FOLDER = Path(__file__).parent / "prompts"


@cache
def prompt_named(name: str) -> Prompt:
    """Version 1 is the only one so far."""
    return load_prompt(_FOLDER, name, 1)


def joint_hash(*names: str) -> str:
    return bytes_hash("".join(prompt_named(name).hash for name in names).encode())


def state_claims(candidate: FlawedSample) -> str:
    """The definition of every claimed subtype (two for a dual error, M-47), and what to look for."""
    claims = [_state_claim(flaw.subtype) for flaw in candidate.flaws]
    if len(claims) == 1:
        return claims[0]
    both = "\n\n".join(f"{number}. {claim}" for number, claim in enumerate(claims, 1))
    return f"{both}\n\nTwo flaws are claimed: TYPE passes only when both are there."


def _state_claim(subtype: Subtype) -> str:
    name = subtype.replace("_", " ")
    return f"{name}: {DEFINITIONS[subtype].definition}\n{_hint(subtype)}"


@cache
def _hint(subtype: Subtype) -> str:
    return prompt_named("subtypes").section(subtype)
