"""One model and the way to it: its settings, its client, its pace and its price."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model_specs import ModelSpec, Price
from models.base import ModelRequest, Provider, Usage
from models.pace import Pace
from models.prices import actual_cost, likely_input_tokens, likely_output_tokens, worst_cost

if TYPE_CHECKING:
    from models.batch import BatchMode

_IMAGE_TOKENS = 1500


@dataclass(frozen=True)
class Line:
    """`name` is its key in `file`; `price` is None where nobody wrote one down. `batches` is None where every request
    is sent on its own."""

    name: str
    file: str
    spec: ModelSpec
    provider: Provider
    pace: Pace
    price: Price | None
    batches: "BatchMode | None" = None

    def worst(self, request: ModelRequest, batch: bool) -> float:
        """US dollars to reserve."""
        return worst_cost(self.price, request, batch) if self.price else 0.0

    def paid(self, request: ModelRequest, usage: Usage, pictures: int, batch: bool) -> float | None:
        """US dollars that a reply cost; the worst case where the provider did not count, None without a price."""
        if self.price is None:
            return None
        cost = actual_cost(self.price, usage, pictures, batch)
        return self.worst(request, batch) if cost is None else cost

    def expected_tokens(self, request: ModelRequest) -> float:
        """In and out together, for a limit of tokens a minute; 0 where there is none."""
        if self.spec.limits.tokens_per_minute is None:
            return 0.0
        image_tokens = self.price.image_tokens if self.price else _IMAGE_TOKENS
        return likely_input_tokens(request, image_tokens) + likely_output_tokens(request)
