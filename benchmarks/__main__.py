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
    "ops",
    "media",
    "crash",
    "faults",
    "reminders",
    "injection",
    "ordinary",
    "scale",
    "fairness",
    "budget",
    "forget",
    "decisions",
    "context",
    "structure",
)
#: run only when they are named: they need a model for long, or data
BY_HAND = ("small", "retrieve", "recall")


def main(wanted: list[str]) -> None:
    """Run and print; the exit status is 1 if a measure says that something was not as it has to be (`unmet`)."""
    unknown = [name for name in wanted if name not in (*NAMES, *BY_HAND)]
    if unknown:
        sys.exit(f"there is no measure {', '.join(unknown)}; there are: {', '.join((*NAMES, *BY_HAND))}")
    is_met = True
    for name in wanted or NAMES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        figures = asyncio.run(importlib.import_module(f"benchmarks.{name}").measure())
        print(json.dumps({"bench": name, **figures}), flush=True)
        is_met = is_met and not figures.get("unmet")
    sys.exit(not is_met)


if __name__ == "__main__":
    main(sys.argv[1:])
