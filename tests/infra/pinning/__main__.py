"""Judges every mutation of infra, or some: `make mutants [OF=modules/queue] [EVERY=10] [MINUTES=30]`.

What was found is kept in build/mutants.jsonl, so that a run that was stopped, or that was given some minutes, goes on
where it ended. What survived is judged again. A change of infra or of this tool's rules begins anew, and so does `rm`.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

from infra.bundle import ROOT, functions, write_zip
from tests.infra.pinning.judging import SURVIVORS, Judge, reason_to_survive
from tests.infra.pinning.kept import Kept
from tests.infra.pinning.mutations import Mutation, in_fair_order, mutations_of
from tests.infra.pinning.running import findings
from tests.infra.workspace import PROJECT, Workspace, copy_of_infra


def main() -> int:
    """Print each mutation that survives, and how many there were; 1 if one survives without a reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", default="", help="only those whose line holds this")
    parser.add_argument("--every", type=int, default=1, help="only each so-manieth")
    parser.add_argument("--minutes", type=float, default=inf, help="begin no other mutation after these")
    options = parser.parse_args()
    began = time.monotonic()
    chosen = [m for m in in_fair_order(mutations_of(ROOT / "infra")) if options.of in m.name][:: options.every]
    kept = Kept(ROOT / "build" / "mutants.jsonl", ROOT / "infra")
    left = [mutation for mutation in chosen if mutation not in kept]
    ends = began + options.minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        judged = list(_judged(left, deployment(Path(folder)), kept, ends))
    survivors = [mutation for mutation, is_found in judged if not is_found]
    for mutation in survivors:
        print(f"survives: {mutation.name}: {reason_to_survive(mutation) or 'NO REASON'}", flush=True)
    bare = [mutation for mutation in survivors if not reason_to_survive(mutation)]
    told = {
        "mutations": len(chosen),
        "not_judged": len(left) - len(judged),
        "found": len(chosen) - len(left) + len(judged) - len(survivors),
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


def _judged(chosen: Sequence[Mutation], made: Workspace, kept: Kept, ends: float) -> Iterator[tuple[Mutation, bool]]:
    """Each, and whether it is found. Raises RuntimeError when even what is not mutated is found."""
    unchanged = Mutation("queues.tf", "nothing", "changed", (ROOT / "infra" / "queues.tf").read_text())
    if found := Judge(made).finding(unchanged):
        raise RuntimeError(f"the pins are not those of infra as it is, see test_pins.py: {found}")
    for mutation, said in findings(chosen, made, ends):
        if said:
            kept.add(mutation, said)
        else:
            print(f"({mutation.name})", file=sys.stderr, flush=True)
        yield mutation, bool(said)


if __name__ == "__main__":
    sys.exit(main())
