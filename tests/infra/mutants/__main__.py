"""Judges every mutation of infra, or some: `make mutants [OF=modules/queue] [SAMPLE=60]`.

All of them take more than an hour on two processors. A sample is always the same.
"""

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from infra.bundle import ROOT
from tests.infra.mutants.judging import Judge, reason_to_survive
from tests.infra.mutants.mutations import Mutation, in_fair_order, mutations_of
from tests.infra.workspace import deploy, write_bundles

AT_ONCE = os.cpu_count() or 2


def main() -> int:
    """Print each mutation that survives, and their number; return 1 if one survives without a reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", default="", help="only those whose line holds this")
    parser.add_argument("--sample", type=int, help="only so many, by chance")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="how many processors to use")
    options = parser.parse_args()
    chosen = [m for m in in_fair_order(mutations_of(ROOT / "infra")) if options.of in m.name][: options.sample]
    judges: SimpleQueue[Judge] = SimpleQueue()

    def is_found(mutation: Mutation) -> bool:
        judge = judges.get()
        try:
            found = judge.finding(mutation)
        finally:
            judges.put(judge)
        if not found:
            print(f"survives: {mutation.name}: {reason_to_survive(mutation) or 'NO REASON'}", flush=True)
        return bool(found)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.at_once) as pool:
        write_bundles(Path(folder, "bundles"))
        made = deploy(Path(folder, "0"), os.environ["TF_REATTACH_PROVIDERS"], Path(folder, "bundles"))
        if found := Judge(made).finding(
            Mutation("queues.tf", "nothing", "", (ROOT / "infra" / "queues.tf").read_text())
        ):
            raise RuntimeError(f"the inventory is not that of infra as it is (make inventory): {found}")
        for number in range(options.at_once):
            judges.put(Judge(made.copied(Path(folder, f"{number + 1}"))))
        survivors = [
            mutation for mutation, is_dead in zip(chosen, pool.map(is_found, chosen), strict=True) if not is_dead
        ]
    bare = [mutation.name for mutation in survivors if not reason_to_survive(mutation)]
    print(json.dumps({"mutations": len(chosen), "survivors": len(survivors), "without_reason": len(bare)}))
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
