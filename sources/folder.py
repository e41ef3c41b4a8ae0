"""Opens a folder of JSON lines with picture files beside them: `records*.jsonl` whose keys `_config` and `_split` say
where a row belongs, as written by people who copy rows out of a data set. Tolerates what such copies bring along:
byte order marks, "\\r\\n", and the "._" files of macOS."""

import json
from collections.abc import Iterator
from pathlib import Path

from core.errors import SourceError
from core.json_objects import refuse_double_keys
from sources.base import QuarantineReason
from sources.rows import PictureCell, Row, UnusableRowError

RECORDS = "records*.jsonl"
ANY_LINES = "*.jsonl"
_LOST_PICTURES = "image_missing"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HIDDEN = "._"


def record_files(folder: Path) -> list[Path]:
    """The files of records in the order of their names; other JSON lines only where none is called records."""
    for pattern in (RECORDS, ANY_LINES):
        found = sorted(path for path in folder.glob(pattern) if not path.name.startswith(_HIDDEN))
        if found:
            return found
    return []


def read_lines(files: list[Path], default_config: str, default_split: str) -> Iterator[Row]:
    """Every line as a row, unreadable ones and such with a key twice too.

    Raises SourceError when a file cannot be opened."""
    for path in files:
        try:
            with path.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    content = line.removeprefix(_BYTE_ORDER_MARK).strip()
                    if content:
                        yield _parse(content, path, number, default_config, default_split)
        except OSError as error:
            raise SourceError(
                f"{path} cannot be read: {error.strerror}.", "Make the file readable or correct `sources[].location`."
            ) from error


def _parse(content: bytes, path: Path, number: int, default_config: str, default_split: str) -> Row:
    place = f"{path.name}:{number}"
    lost = _LOST_PICTURES in path.stem
    try:
        values: object = json.loads(content.decode("utf-8"), object_pairs_hook=refuse_double_keys)
    except (ValueError, RecursionError) as error:
        return Row(None, default_config, default_split, place, path.parent, f"the line is no JSON: {error}", lost)
    config, split = default_config, default_split
    if isinstance(values, dict):
        config = str(values.get("_config", default_config))
        split = str(values.get("_split", default_split))
    return Row(values, config, split, place, path.parent, None, lost)


def picture_bytes(cell: PictureCell, folder: Path | None) -> bytes:
    """The bytes of a picture. A path must stay below the folder: a data set must not read the user's other files."""
    if cell.data is not None:
        return cell.data
    if cell.path is None or folder is None:
        raise UnusableRowError(QuarantineReason.PICTURE_MISSING, f"the row holds no bytes of {cell.path}")
    if Path(cell.path).name.startswith(_HIDDEN):
        raise UnusableRowError(QuarantineReason.NOT_A_PICTURE, f"{cell.path} is a macOS side file")
    try:
        root = folder.resolve()
        path = (root / cell.path).resolve()
        if not path.is_relative_to(root):
            raise UnusableRowError(QuarantineReason.MALFORMED_ROW, f"{cell.path} leads out of the folder")
        if not path.is_file():
            raise UnusableRowError(QuarantineReason.PICTURE_MISSING, f"{cell.path} is no file")
        return path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
        raise UnusableRowError(QuarantineReason.PICTURE_MISSING, f"{cell.path} cannot be read: {error}") from error
