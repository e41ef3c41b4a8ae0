"""Numbers of the configuration: `true` is no 1, and a text is no number although it spells one."""

from typing import Annotated

from pydantic import Field, Strict

WholeNumber = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
MOST = 10**9
"""Of anything that is counted."""
Amount = Annotated[WholeNumber, Field(ge=1, le=MOST)]
