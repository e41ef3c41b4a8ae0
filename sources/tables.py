"""The reader of a data set of rows: opens it, lets the data set's own parser understand each row, and turns whatever is
wrong with a row into a reason."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.recipe import SourceRecipe
from sources.assembling import Draft, assemble
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.known_bad import refuse_known_bad
from sources.opening import Defaults, open_rows
from sources.row_ids import RowIds
from sources.rows import Row, UnusableRowError, require_storable


@dataclass(frozen=True, slots=True)
class TableReader:
    """Conforms to sources.base.Reader. `main_config` is the config whose rows keep their bare ids; None: all do."""

    name: str
    version: int
    location: str
    split: str
    id_column: str
    required: frozenset[str]
    parse: Callable[[Row], Draft] = field(repr=False)
    configs: tuple[str, ...] = ()
    main_config: str | None = None
    revision: str | None = None

    def read(self, recipe: SourceRecipe) -> Iterator[SourceItem | Quarantined]:
        defaults = Defaults(self.location, self.configs, self.split, self.required)
        ids = RowIds()
        for row in open_rows(recipe, defaults):
            yield self._read_row(row, ids)

    def _read_row(self, row: Row, ids: RowIds) -> SourceItem | Quarantined:
        own_id = row.identifier(self.id_column).encode(errors="backslashreplace").decode()
        source_id = own_id if self.main_config in (None, row.config) else f"{row.config}:{own_id}"
        try:
            if row.pictures_lost:
                raise UnusableRowError(QuarantineReason.PICTURE_MISSING, "this copy of the row lacks its pictures")
            require_storable(row.fields)
            refuse_known_bad(self.name, own_id)
            item = assemble(self.name, source_id, row, self.parse(row))
            ids.add(row.config, own_id)
            return item
        except UnusableRowError as error:
            return Quarantined(self.name, source_id, error.reason, error.detail)
