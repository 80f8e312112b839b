"""Computes what photos cost: describing them, and showing them to the model that answers.

None of these numbers was measured in the cloud. `make bench NAME=media` counts reads and writes.
"""

from collections.abc import Mapping
from typing import Final

from operations.prices import MORE_PRICES, PRICES

#: days for which a photo is stored (media_days in infra/variables-data.tf)
DAYS_STORED: Final = 30
#: Tokens of a photo at Gemini 3's default resolution (ai.google.dev/gemini-api/docs/media-resolution), and of the words
#: beside it (shared/media/description_prompt.py).
PHOTO_TOKENS: Final = 1_120
WORDS_IN, WORDS_OUT = 600, 250
#: Seconds of the function that describes files, which mostly waits, and of the reader, including starts; GiB of both
#: (infra/functions.yaml).
DESCRIBING_S, DESCRIBING_GIB = 8.0, 0.5
DECODING_S, DECODING_GIB = 3.0, 2.0
#: Reads and writes, in the units of PRICES: of the tick that sees the photo, of the function that describes it, and of
#: the tick that gets the description.
RECORDS: Final[Mapping[str, float]] = {"read": 10, "write": 9, "task": 4, "request": 3}
#: Reads of a stored photo, and its size in GiB: a JPEG of at most 1,280 pixels a side.
READ_AGAIN: Final = 2
PHOTO_GIB: Final = 250_000 / 2**30


def media(count: int) -> Mapping[str, float]:
    """Return the costs in US dollars of describing `count` new photos and storing them for DAYS_STORED days. The result
    maps each cost item (`model`, `functions`, `records`, `bucket`) to its costs.
    """
    a_second = {gib: PRICES["vcpu_s"] + gib * PRICES["gib_s"] for gib in (DESCRIBING_GIB, DECODING_GIB)}
    seconds = DESCRIBING_S * a_second[DESCRIBING_GIB] + DECODING_S * a_second[DECODING_GIB]
    stored = DAYS_STORED / 30 * PHOTO_GIB * MORE_PRICES["gib_stored"]
    return {
        "model": count * ((PHOTO_TOKENS + WORDS_IN) * PRICES["judge_in"] + WORDS_OUT * PRICES["judge_out"]),
        "functions": count * seconds,
        "records": count * sum(PRICES[name] * times for name, times in RECORDS.items()),
        "bucket": count * (stored + MORE_PRICES["file"] + READ_AGAIN * MORE_PRICES["file_read"]),
    }


def showing_costs(count: int) -> float:
    """Return the costs in US dollars of showing `count` photos to the planning model, each photo once."""
    return count * PHOTO_TOKENS * PRICES["token_in"]
