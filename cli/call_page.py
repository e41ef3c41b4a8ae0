"""`flawbench calls show`: one call as a page to read, what was asked and what came back. Pictures are named, never
shown."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from cli.lineage import JsonOption, open_lineage
from cli.terminal import print_out

if TYPE_CHECKING:
    from core.records import Picture
    from models.base import Message, StoredReply
    from models.reply_store import ReplyStore
    from storage.chains import Fact

_KEY = re.compile(r"[0-9a-f]{8,64}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{256,}={0,2}")


def show_call(
    call: Annotated[str, typer.Argument(metavar="ID", help="Id of a call or key of a reply, or its beginning.")],
    as_json: JsonOption = False,
) -> None:
    """Print what was asked in a call and what was replied."""
    from core.settings import load_settings
    from models.reply_store import ReplyStore
    from storage.files import Files

    store = ReplyStore(Files(load_settings().objects_url))
    facts = _facts_of(call)
    reply = _read(store, str(facts["reply"]) if facts else _key_of(store, call))
    if as_json:
        body = None if reply.body is None else _name_base64(reply.body)
        print_out(reply.model_copy(update={"body": body}).model_dump_json())
    else:
        print_out("\n".join([*_head(facts, reply), *_asked(reply), *_replied(reply)]))


def _facts_of(text: str) -> "dict[str, Fact]":
    """Of a call in the lineage, and its id as `call`; empty for what can only be a key."""
    from core.errors import StorageError

    if _KEY.fullmatch(text):
        return {}
    node = open_lineage().chain(text)
    if node.kind != "call":
        raise StorageError(f"{node.id} is a {node.kind}, no call.", f"Run `flawbench lineage {text}`.")
    return {"call": node.id, **node.facts}


def _key_of(store: "ReplyStore", text: str) -> str:
    from core.errors import ModelCallError

    found = store.find(text)
    if len(found) == 1:
        return found[0]
    if found:
        raise ModelCallError(f"{text} is the beginning of {len(found)} replies.", "Give more characters.")
    raise ModelCallError(f"There is no reply {text}.", "Take ids from `flawbench calls`, or keys from its --json.")


def _read(store: "ReplyStore", key: str) -> "StoredReply":
    from core.errors import ModelCallError

    reply = store.get(key)
    if reply is None:
        raise ModelCallError(
            f"The reply {key} is no longer in the object store {store.files.url}.",
            "Set FLAWBENCH_OBJECTS to where it was built, or build again.",
        )
    return reply


def _head(facts: "dict[str, Fact]", reply: "StoredReply") -> Iterator[str]:
    request = reply.request
    if facts:
        yield f"call        {facts['call']}"
        subtype = f", {facts['subtype']}" if "subtype" in facts else ""
        yield f"about       {facts['item']}{subtype}"
        yield f"stage       {facts['stage']}, role {facts['role']}, prompt {facts['prompt']}"
    yield f"reply       {reply.key}"
    reported = "" if reply.model_reported in (None, request.model) else f", which called itself {reply.model_reported}"
    yield f"model       {request.provider}:{request.model}{reported}"
    if request.base_url:
        yield f"server      {request.base_url}"
    sent = {name: value for name, value in request.parameters.model_dump().items() if value is not None}
    yield f"parameters  {', '.join(f'{name} {value}' for name, value in sent.items())}, draw {request.draw}"
    yield f"asked       {reply.asked}"


def _asked(reply: "StoredReply") -> Iterator[str]:
    yield from _titled("system", [reply.request.system])
    for message in reply.request.messages:
        yield from _titled(message.role, [_text_of(message)])
    if reply.request.reply_schema:
        yield f"\n(JSON is wanted: {reply.request.reply_name}, by {reply.request.structured})"
    if reply.request.wants_picture:
        yield "\n(a picture is wanted)"


def _replied(reply: "StoredReply") -> Iterator[str]:
    from models.providers.registry import parse_stored

    text, detail = "", reply.failure or ""
    if reply.body is not None:
        try:
            parsed = parse_stored(reply.request.provider, reply.body)
            text, detail = parsed.text, parsed.detail
        except ValueError as error:
            text, detail = _name_base64(reply.body), f"no reply of {reply.request.provider}: {error}"
    yield from _titled("reply", [text, *map(_name_picture, reply.pictures)])
    yield from _titled("how it ended", [])
    http = f", HTTP {reply.http_status}" if reply.http_status else ""
    yield f"status      {reply.status}, finish reason {reply.finish_reason or 'none'}{http}"
    if detail:
        yield f"detail      {_name_base64(detail)}"
    counts = {name: count for name, count in reply.usage.model_dump(exclude={"doubtful"}).items() if count is not None}
    doubt = "; the provider also gave numbers that cannot be true" if reply.usage.doubtful else ""
    yield f"tokens      {', '.join(f'{name} {count:,}' for name, count in counts.items()) or 'not told'}{doubt}"
    price = "no price" if reply.usd is None else f"{reply.usd:.6f} US dollars, prices of {reply.price_date}"
    yield f"cost        {price}{', batch' if reply.batch else ''}"
    yield f"time        {reply.latency_seconds:.1f} s, attempts {reply.attempts}"


def _titled(title: str, blocks: list[str]) -> Iterator[str]:
    yield f"\n--- {title} ---"
    yield from (block for block in blocks if block)


def _text_of(message: "Message") -> str:
    return "".join(part.text if part.kind == "text" else f"\n{_name_picture(part.picture)}\n" for part in message.parts)


def _name_picture(picture: "Picture") -> str:
    return f"[picture {picture.sha256} {picture.media_type} {picture.width}x{picture.height}]"


def _name_base64(text: str) -> str:
    """Such as the signature of a hidden thought: long, and nothing to read."""
    return _BASE64.sub(lambda found: f"[{len(found[0])} characters of base64]", text)
