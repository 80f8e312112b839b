"""The exhaustive search over the worlds of `worlds.py` for an update that is lost, handled twice, late, or stuck.

Run a larger world than the tests do: `python -m tests.protocol.search --crashes 1 --stalls 1 --repeats 1`.
"""

import argparse
from collections import deque
from dataclasses import dataclass, fields

from tests.protocol.worlds import BREAKS, Bounds, Webhook, World, steps


@dataclass(frozen=True)
class Finding:
    """The result of a search: the error (empty: none), the way to it, and the number of worlds."""

    wrong: str
    path: tuple[World, ...]
    worlds: int


def search(bounds: Bounds) -> Finding:
    """Check every world within the bounds, shortest ways first, until the first error."""
    everything = (1 << bounds.updates) - 1
    start = World(webhooks=tuple(Webhook(u) for u in range(bounds.updates)))
    came: dict[World, World | None] = {start: None}
    queue = deque([start])
    while queue:
        w = queue.popleft()
        nexts = [n._replace(ticks=tuple(sorted(n.ticks))) for n in steps(w, bounds)]
        wrong = _wrong(w, is_over=not nexts, everything=everything)
        if wrong:
            return Finding(wrong, path_to(w, came), len(came))
        for n in nexts:
            if n not in came:
                came[n] = w
                queue.append(n)
    return Finding("", (), len(came))


def _wrong(w: World, *, is_over: bool, everything: int) -> str:
    if w.twice or w.late:
        return "handled twice" if w.twice else "late"
    return "lost" if is_over and w.read != everything else ""


def path_to(w: World, came: dict[World, World | None]) -> tuple[World, ...]:
    """Return the worlds on the way to this one."""
    path = [w]
    while (before := came[path[-1]]) is not None:
        path.append(before)
    return tuple(reversed(path))


def told(w: World) -> str:
    """Describe a world in one line."""
    webhooks = " ".join(f"w{h.update}:{h.step}" for h in w.webhooks)
    ticks = " ".join(f"{t.task}:{t.step}" for t in w.ticks)
    chat = f"generation {w.generation} lease {w.lease}{' (over)' if w.expired else ''}"
    return f"stored {w.stored:b} read {w.read:b} {chat} pending {sorted(w.pending)} | {webhooks} | {ticks}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Bounds):
        if field.name == "broken":
            parser.add_argument("--broken", choices=BREAKS, default="")
        else:
            parser.add_argument(f"--{field.name}", type=int, default=field.default)
    bounds = Bounds(**vars(parser.parse_args()))
    finding = search(bounds)
    for w in finding.path:
        print(told(w))
    print(f"{finding.wrong or 'never lost, handled twice, stuck or late'}: {finding.worlds:,} worlds of {bounds}")


if __name__ == "__main__":
    main()
