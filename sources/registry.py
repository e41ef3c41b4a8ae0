"""The one table of readers. A recipe names one in `sources[].reader`."""

from core.errors import ConfigurationError
from sources.base import Reader
from sources.emma import EMMA
from sources.mapped import MAPPED
from sources.math_vision import MATH_VISION
from sources.mathvista import MATHVISTA
from sources.mmmu_pro import MMMU_PRO
from sources.olympiadbench import OLYMPIADBENCH
from sources.picture_folder import PICTURE_FOLDER
from sources.starter import STARTER
from sources.visual_genome import VISUAL_GENOME

READERS: dict[str, Reader] = {
    "starter": STARTER,
    "olympiadbench": OLYMPIADBENCH,
    "mmmu_pro": MMMU_PRO,
    "emma": EMMA,
    "mathvista": MATHVISTA,
    "math_vision": MATH_VISION,
    "visual_genome": VISUAL_GENOME,
    "picture_folder": PICTURE_FOLDER,
    "mapped": MAPPED,
}


def reader(name: str) -> Reader:
    """Raises ConfigurationError that lists the names."""
    found = READERS.get(name)
    if found is None:
        raise ConfigurationError(
            f"There is no reader {name!r}.", f"Set `sources[].reader` to one of: {', '.join(sorted(READERS))}."
        )
    return found
