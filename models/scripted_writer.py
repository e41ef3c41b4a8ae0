"""Replies of no model at all. For tests and demonstrations a text is made up from the prompt by fixed rules: it has the
shape that was asked for and knows nothing. Whatever a build makes of it is a fake, and its lineage says `scripted`."""

import json
from hashlib import blake2b
from typing import Any

from models.schema_filling import fill_schema


def write(prompt_system: str, prompt_text: str, reply_schema: dict[str, Any] | None, turns: int) -> str:
    """A reply to a prompt: JSON that fits the schema, or a sentence where there is none. Pure: the same arguments give
    the same text. `turns` counts the replies that the talk already holds."""
    if reply_schema is None:
        mark = blake2b(f"{prompt_system}\0{prompt_text}\0{turns}".encode("utf-8", "surrogatepass"), digest_size=4)
        return f"This is a scripted reply without any knowledge, number {mark.hexdigest()}."
    return json.dumps(fill_schema(reply_schema), ensure_ascii=False)
