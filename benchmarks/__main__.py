"""`python -m benchmarks [NAME…]`: run the named measures, or all but those by hand; each prints a JSON object."""

import asyncio
import importlib
import json
import sys

NAMES = (
    "webhook",
    "burst",
    "coldstart",
    "first",
    "reply",
    "command",
    "stop",
    "ops",
    "crash",
    "faults",
    "reminders",
    "injection",
    "scale",
    "decisions",
    "context",
    "structure",
)
#: run only when they are named: they need a model for long, or data
BY_HAND = ("small", "judge", "retrieve")


def main(wanted: list[str]) -> None:
    """Run and print."""
    unknown = [name for name in wanted if name not in (*NAMES, *BY_HAND)]
    if unknown:
        sys.exit(f"there is no measure {', '.join(unknown)}; there are: {', '.join((*NAMES, *BY_HAND))}")
    for name in wanted or NAMES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        figures = asyncio.run(importlib.import_module(f"benchmarks.{name}").measure())
        print(json.dumps({"bench": name, **figures}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
