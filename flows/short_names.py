"""Plugin of Prefect that lets a deployment named like its flow be addressed by that one name, so that `prefect
deployment run build-benchmark` works. The hook is public; the method it wraps is not promised to stay, which is why
Prefect is pinned to a tested range. If it ever fails, the stock form `build-benchmark/build-benchmark` still
works."""

from collections.abc import Awaitable, Callable
from functools import wraps
from uuid import UUID

from prefect.client.orchestration import PrefectClient
from prefect.plugins import HookContext, SetupResult, register_hook

_ReadByName = Callable[[PrefectClient, str], Awaitable[object]]


@register_hook
def setup_environment(*, ctx: HookContext) -> SetupResult:
    original: _ReadByName = PrefectClient.read_deployment_by_name
    if not hasattr(original, "takes_short_names"):
        setattr(PrefectClient, "read_deployment_by_name", _with_short_names(original))  # noqa: B010
    return SetupResult(env={"DO_NOT_TRACK": "1"}, note="deployments may be named without their flow")


def _with_short_names(original: _ReadByName) -> _ReadByName:
    @wraps(original)
    async def read_deployment_by_name(client: PrefectClient, name: str | UUID) -> object:
        text = str(name)
        return await original(client, text if "/" in text else f"{text}/{text}")

    setattr(read_deployment_by_name, "takes_short_names", True)  # noqa: B010
    return read_deployment_by_name
