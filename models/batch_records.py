"""What is in each batch, written down beside the replies before it is sent: a run that goes on after a kill finds its
batches again, and a batch that the provider lost can be named to it."""

from pydantic import ValidationError

from core.calls import ByteStore
from core.errors import StorageError
from core.identity import canonical_json
from core.records import Record
from models.disk import Disk
from models.reply_store import reply_name

FOLDER = "batches"


class BatchRecord(Record):
    """`tag` names the batch for us and `batch` for the provider, None until it is known to be made. `keys` are those of
    the requests in it; `closed` when all of their replies are stored or none is to come."""

    tag: str
    model: str
    base_url: str | None
    keys: tuple[str, ...]
    batch: str | None = None
    closed: bool = False


class BatchRecords:
    """Belongs to one event loop. Methods raise StorageError."""

    def __init__(self, files: ByteStore, disk: Disk) -> None:
        self._files = files
        self._disk = disk

    async def all_open(self, model: str, base_url: str | None) -> list[BatchRecord]:
        names = sorted(await self._disk.run(lambda: self._files.names(FOLDER)))
        found = [await self._disk.run(lambda name=name: self._read(name)) for name in names]
        return [one for one in found if (one.model, one.base_url) == (model, base_url) and not one.closed]

    async def write(self, record: BatchRecord) -> None:
        data = canonical_json(record).encode()
        await self._disk.run(lambda: self._files.write(f"{FOLDER}/{record.tag}.json", data))

    async def close(self, record: BatchRecord) -> None:
        await self.write(record.model_copy(update={"closed": True}))

    async def without_reply(self, record: BatchRecord) -> tuple[str, ...]:
        """The keys whose replies are not stored."""
        return await self._disk.run(
            lambda: tuple(key for key in record.keys if self._files.size(reply_name(key)) is None)
        )

    def _read(self, name: str) -> BatchRecord:
        try:
            return BatchRecord.model_validate_json(self._files.read(f"{FOLDER}/{name}") or b"")
        except ValidationError as error:
            raise StorageError(
                f"{FOLDER}/{name} in {self._files.url} is damaged.",
                "Delete that file and run the same command again: its batch may then be paid twice.",
            ) from error
