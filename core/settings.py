"""Where flawbench runs: read from the environment only (`FLAWBENCH_...`), never part of a recipe or a hash."""

import os
from pathlib import Path

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import ConfigurationError
from core.faults import tell_faults
from core.plain_texts import Address, Label, VariableName
from core.store_addresses import require_store


class Settings(BaseSettings):
    """`data`: folder of the lineage file and the releases. `objects`: folder or bucket of pictures and parts, by
    default `objects` inside `data`. `workers`: processes for CPU work. `lock_timeout_seconds`: how long to wait for a
    lineage file that another process holds. `commit`: the code that runs, where there is no checkout to ask.
    `models`: preset or file for recipes that name none. `base_url`, `model`, `api_key_variable`: an OpenAI-compatible
    server, the model on it and the variable of its key, for the preset `local`. `replay`: no call is made, an absent
    reply is an error. `label_studio_url` and `label_studio_token`: the server of the human review and a token of its
    administrator; where they are unset, the server that `flawbench review up` started. `label_studio_link`: its address
    in the annotators' browsers where that is another."""

    model_config = SettingsConfigDict(env_prefix="FLAWBENCH_", frozen=True, extra="ignore", env_ignore_empty=True)

    commit: str | None = None
    data: Path = Path("data")
    objects: str | None = None
    workers: int = Field(default=os.cpu_count() or 1, ge=1, le=1024)
    lock_timeout_seconds: float = Field(default=30.0, ge=0, le=86_400)
    models: str | None = None
    base_url: Address | None = None
    model: Label | None = None
    api_key_variable: VariableName | None = None
    replay: bool = False
    label_studio_url: Address | None = None
    label_studio_token: SecretStr | None = None
    label_studio_link: Address | None = None

    @property
    def lineage_file(self) -> Path:
        return self.data / "lineage.duckdb"

    @property
    def objects_url(self) -> str:
        return self.objects or str(self.data / "objects")

    @property
    def releases(self) -> Path:
        return self.data / "releases"

    @property
    def spending(self) -> Path:
        return self.data / "spending"


def load_settings() -> Settings:
    """Raises ConfigurationError that names the variable."""
    try:
        settings = Settings()
    except ValidationError as error:
        name = "FLAWBENCH_" + str(error.errors()[0]["loc"][0]).upper()
        raise ConfigurationError(
            f"{name} cannot be used: {tell_faults(error)}.", f"Set {name} to a usable value or unset it."
        ) from None
    _require_folder(settings.data)
    require_store("FLAWBENCH_OBJECTS" if settings.objects else "FLAWBENCH_DATA", settings.objects_url)
    return settings


def _require_folder(data: Path) -> None:
    try:
        usable = data.is_dir() or not data.exists()
        os.fspath(data).encode()
    except (OSError, ValueError):  # a name that no folder can have
        usable = False
    if not usable:
        raise ConfigurationError(
            f"FLAWBENCH_DATA is {ascii(os.fspath(data))[:120]}, which is no folder.", "Set it to a folder, or unset it."
        )
