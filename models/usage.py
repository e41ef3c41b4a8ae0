"""Whether what a provider says of tokens can be true. Servers are seen that count in other units, or not at all: their
numbers would price a reply at thousands of dollars, and hold a limit of tokens for hours."""

import logging

from models.base import ModelRequest, Usage
from models.prices import count_pictures, text_bytes

_log = logging.getLogger("flawbench.calls")
_TIMES = 10
"""So many times more than we can explain: an instruction of the server's own, thoughts beyond `max_tokens`."""
_ALWAYS_POSSIBLE = 100_000
_IMAGE_TOKENS = 3000


def believe(usage: Usage, request: ModelRequest) -> Usage:
    """Without the numbers that cannot be true. The request bounds them: a token has at least one byte."""
    sent = text_bytes(request) + count_pictures(request) * _IMAGE_TOKENS
    most_in, most_out = _most(sent), _most(request.parameters.max_tokens)
    bounds = {"prompt": most_in, "image": most_in, "cached": most_in, "completion": most_out, "reasoning": most_out}
    untrue = {name: None for name, most in bounds.items() if (getattr(usage, name) or 0) > most}
    believed = usage.model_copy(update={**untrue, "doubtful": True}) if untrue else usage
    if believed.doubtful:
        _log.warning("doubtful_usage model=%s said=%s", request.model, usage.model_dump_json(exclude_none=True))
    return believed


def _most(tokens: int) -> int:
    return max(_ALWAYS_POSSIBLE, _TIMES * tokens)
