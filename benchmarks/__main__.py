"""`python -m benchmarks [NAME…]`: run the named measures, or without names all but those of `BY_HAND`. Each measure
prints a JSON object.
"""

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
    "console",
    "structure",
)
#: measures that run only if they are named, because they keep a model busy for long or need data from elsewhere
BY_HAND = ("small", "retrieve", "recall")


def main(wanted: list[str]) -> None:
    """Run measures and print their results. The exit status is 1 if a measure reports an unmet condition (`unmet`)."""
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
