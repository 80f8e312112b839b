"""Judges every mutation of infra, or some: `make mutants [OF=modules/queue] [EVERY=10]`."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from infra.bundle import ROOT, functions, write_zip
from tests.infra.pinning.judging import SURVIVORS, Judge, reason_to_survive
from tests.infra.pinning.mutations import Mutation, mutations_of
from tests.infra.workspace import PROJECT, Workspace, copy_of_infra


def main() -> int:
    """Print each mutation that survives, and how many there were; 1 if one survives without a reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", default="", help="only those whose line holds this")
    parser.add_argument("--every", type=int, default=1, help="only each so-manieth")
    options = parser.parse_args()
    began = time.monotonic()
    chosen = [m for m in mutations_of(ROOT / "infra") if options.of in m.name][:: options.every]
    with tempfile.TemporaryDirectory() as folder:
        survivors = list(_survivors(chosen, deployment(Path(folder)), os.cpu_count() or 2))
    for mutation in survivors:
        print(f"survives: {mutation.name}: {reason_to_survive(mutation) or 'NO REASON'}", flush=True)
    bare = [mutation for mutation in survivors if not reason_to_survive(mutation)]
    told = {
        "mutations": len(chosen),
        "survivors": len(survivors),
        "without_reason": len(bare),
        "reasons": len(SURVIVORS),
    }
    print(json.dumps({**told, "s": round(time.monotonic() - began)}))
    return 1 if bare else 0


def deployment(folder: Path) -> Workspace:
    """An applied deployment in a folder, by the stand-in that this was started with."""
    (folder / "bundles").mkdir()
    for function in functions():
        write_zip(function, folder / "bundles" / f"{function}.zip")
    given = {"project": PROJECT, "bundles": str(folder / "bundles")}
    made = Workspace(copy_of_infra(folder / "0"), os.environ["TF_REATTACH_PROVIDERS"], given)
    made.must("init", "-input=false")
    made.apply()
    return made


def _survivors(chosen: Sequence[Mutation], made: Workspace, at_once: int) -> Iterator[Mutation]:
    """Those that nothing finds. Raises RuntimeError when even what is not mutated is found."""
    judges: SimpleQueue[Judge] = SimpleQueue()
    for number in range(1, at_once + 1):
        judges.put(Judge(made.copied(made.folder.parent / str(number))))

    unchanged = Mutation("queues.tf", "nothing", "changed", (ROOT / "infra" / "queues.tf").read_text())
    if found := Judge(made).finding(unchanged):
        raise RuntimeError(f"the pins are not those of infra as it is, see test_pins.py: {found}")

    def judged(mutation: Mutation) -> bool:
        judge = judges.get()
        try:
            return bool(judge.finding(mutation))
        finally:
            judges.put(judge)

    with ThreadPoolExecutor(at_once) as pool:
        for mutation, is_found in zip(chosen, pool.map(judged, chosen), strict=True):
            if not is_found:
                print(f"({mutation.name})", file=sys.stderr, flush=True)
                yield mutation


if __name__ == "__main__":
    sys.exit(main())
