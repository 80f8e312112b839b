"""The quality of text extraction. The reader's own processes extract the text of pages whose content is known.

The folder that `DATA` names contains a file `NAME.html.gz` for each page, and `ground-truth.json` with
`{NAME: {"articleBody": …, "url": …}}`, in the format of article-extraction-benchmark. The extracted and the expected
text are compared as multisets of words (`\\w+`), without the addresses of links. A page that could not be read counts
as a text without words.
"""

import gzip
import json
import os
import re
import resource
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.base.errors import ExtractionFailed
from shared.reader.extract.tree import without_addresses
from shared.reader.sandbox.extractor import SandboxedExtractor
from shared.reader.web.fetcher import FetchedPage

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Score:
    """The score of a page: the share of the extracted words that are content (precision), the share of the content that
    was extracted (recall), and the cost.
    """

    precision: float
    recall: float
    seconds: float
    failed: bool

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


async def measure() -> dict[str, Any]:
    """Return the means over the pages. `peak_mib` is the largest memory that a process used while it read a page."""
    folder = data_folder()
    wanted = json.loads((folder / "ground-truth.json").read_text())
    extractor = SandboxedExtractor()
    try:
        scores = [await _score(extractor, folder / f"{name}.html.gz", page) for name, page in wanted.items()]
    finally:
        await extractor.aclose()
    return {
        "pages": len(scores),
        "word_f1": round(statistics.fmean(score.f1 for score in scores), 4),
        "precision": round(statistics.fmean(score.precision for score in scores), 4),
        "recall": round(statistics.fmean(score.recall for score in scores), 4),
        "failures": sum(score.failed for score in scores),
        "p50_ms": round(1000 * statistics.median(score.seconds for score in scores), 1),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1),
    }


def data_folder() -> Path:
    """Return the folder that `DATA` names. Exits with a message if the folder does not exist."""
    folder = Path(os.environ.get("DATA") or "")
    if not os.environ.get("DATA") or not (folder / "ground-truth.json").is_file():
        sys.exit(
            "say which folder has the pages (*.html.gz) and their ground-truth.json: make bench NAME=retrieve DATA=…"
        )
    return folder


async def _score(extractor: SandboxedExtractor, file: Path, wanted: dict[str, str]) -> Score:
    page = FetchedPage(url=wanted.get("url") or "https://example.org/", content_type="text/html", body=_bytes(file))
    begun, text = time.monotonic(), None
    try:
        text = (await extractor.extract(page)).text
    except ExtractionFailed as failure:
        print(f"{file.name}: {failure}", file=sys.stderr)
    seconds = time.monotonic() - begun
    return Score(*overlap(without_addresses(text or ""), wanted["articleBody"]), seconds, text is None)


def _bytes(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes())


def overlap(found: str, wanted: str) -> tuple[float, float]:
    """Return precision and recall of the words in `found`, compared with `wanted`. Two texts without words count as
    equal.
    """
    one, other = Counter(WORD.findall(found)), Counter(WORD.findall(wanted))
    if not one and not other:
        return 1.0, 1.0
    both = (one & other).total()
    return both / max(1, one.total()), both / max(1, other.total())
