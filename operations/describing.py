"""The command about descriptions of files that people sent.

describe            count files that are described, pending or failed
describe --again    let the next sweep (a check for leftover work) retry failed files
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
    DescriptionOutcome.UNSUPPORTED: "not supported (kind or size)",
    DescriptionOutcome.TEMPORARY_FAILURE: "failed, will be tried again",
    DescriptionOutcome.PERMANENT_FAILURE: "given up",
}
_HOW: Final = "`make describe AGAIN=yes` tries the files again that were given up."
_NEVER: Final = (
    "No file has been processed yet. If LULL_MEDIA_MODEL is `no`, as it is without a Gemini API key, none ever will be."
)


async def tell(media: FirestoreMediaUpkeep, console: Console) -> int:
    """Print the number of files by outcome; return the exit code."""
    counts = await media.counts()
    for outcome, said in _SAID.items():
        console.print(f"{counts.by_outcome[outcome]:>7}  {said}", markup=False)
    console.print(f"{counts.open_references:>7}  in chats that do not have the result yet", markup=False)
    if counts.by_outcome[DescriptionOutcome.PERMANENT_FAILURE]:
        console.print(_HOW, markup=False)
    elif not any(counts.by_outcome.values()):
        console.print(_NEVER, markup=False, soft_wrap=True)
    return 0


async def again(media: FirestoreMediaUpkeep, clock: Callable[[], datetime], console: Console) -> int:
    """Mark at most MOST files whose description failed for good, to be tried again. Return the exit code."""
    found = await media.given_up(MOST)
    for one in found:
        await media.give_back(one, clock())
    if not found:
        console.print("There are no files whose description was given up.")
        return 0
    files = "1 file is" if len(found) == 1 else f"{len(found)} files are"
    console.print(f"{files} tried again from the next sweep on; a sweep runs every five minutes.")
    if len(found) == MOST:
        console.print("There may be more: run the command again.")
    return 0
