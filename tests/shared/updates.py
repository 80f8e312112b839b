"""The 94 updates of `tests/data/updates.jsonl`, by name."""

import json
import random
from pathlib import Path
from typing import Final

from shared.values.update import InboxUpdate, Json
from tests.shared.examples import update_of

FILE: Final = Path(__file__).parents[1] / "data" / "updates.jsonl"
RAW: Final[dict[str, Json]] = {
    line["name"]: line["update"] for line in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
}
#: the bot that these updates were sent to
BOT_ID: Final = 7201234567
USERNAME: Final = "marvin_test_bot"


def stored(name: str) -> InboxUpdate:
    """Wrap one of the updates as the webhook stores it."""
    return update_of(RAW[name])


def hard_to_pack() -> str:
    """Make a megabyte of text that compression makes longer: every second character has two bytes."""
    chosen = random.Random(7)
    one, two = [chr(n) for n in range(0x30, 0x7B)], [chr(n) for n in range(0x80, 0x800)]
    return "".join(chosen.choice(chosen.choice((one, two))) for _ in range(690_000))
