"""A small sample in place of the data."""

from pathlib import Path

import benchmarks

SAMPLE = Path(benchmarks.__file__).parent / "data" / "recall_sample.json"
