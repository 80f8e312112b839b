"""`python -m benchmarks [NAME…]`: run the measures that are named, or all; each prints one JSON object on a line."""

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
    "scale",
    "decisions",
    "context",
    "structure",
)


def main(wanted: list[str]) -> None:
    """Run and print."""
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        sys.exit(f"there is no measure {', '.join(unknown)}; there are: {', '.join(NAMES)}")
    for name in wanted or NAMES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        figures = asyncio.run(importlib.import_module(f"benchmarks.{name}").measure())
        print(json.dumps({"bench": name, **figures}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
