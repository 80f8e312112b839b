"""The command for files that people sent.

describe            count files that are described, pending or failed
describe --again    retry failed files, from the next sweep on
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from rich.console import Console

from shared.media.store.media import FirestoreMediaUpkeep
from shared.values.media import DescriptionOutcome

#: most files that one command tries again
MOST: Final = 500
#: names of the outcomes, in the order of the list
_SAID: Final = {
    DescriptionOutcome.DESCRIBED: "described",
    DescriptionOutcome.UNSUPPORTED: "of a kind or a size that no model is shown",
    DescriptionOutcome.TEMPORARY_FAILURE: "to be tried again by itself",
    DescriptionOutcome.PERMANENT_FAILURE: "given up",
}
_HOW: Final = "`make describe AGAIN=yes` has what was given up tried again."
_NEVER: Final = "No file was looked at yet. Where LULL_MEDIA_MODEL is `no`, as without a key of Gemini's, none ever is."


async def tell(media: FirestoreMediaUpkeep, console: Console) -> int:
    """Print the number of files by outcome; return the exit code."""
    counts = await media.counts()
    for outcome, said in _SAID.items():
        console.print(f"{counts.by_outcome[outcome]:>7}  {said}", markup=False)
    console.print(f"{counts.open_references:>7}  sent, of which a chat is still to be told", markup=False)
    if counts.by_outcome[DescriptionOutcome.PERMANENT_FAILURE]:
        console.print(_HOW, markup=False)
    elif not any(counts.by_outcome.values()):
        console.print(_NEVER, markup=False, soft_wrap=True)
    return 0


async def again(media: FirestoreMediaUpkeep, clock: Callable[[], datetime], console: Console) -> int:
    """Mark failed files to be retried; return the exit code."""
    found = await media.given_up(MOST)
    for one in found:
        await media.give_back(one, clock())
    if not found:
        console.print("Nothing was given up.")
        return 0
    files = "1 file is" if len(found) == 1 else f"{len(found)} files are"
    console.print(f"{files} tried again from the next sweep on, which comes every five minutes.")
    if len(found) == MOST:
        console.print("There may be more: run this again.")
    return 0
