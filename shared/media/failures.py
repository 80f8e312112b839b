"""Why a file is not described: what is told to the model that plans, and when it is tried again."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from shared.base.errors import BotUnknown, ChannelError, FileTooLarge, ModelRefused, ModelTrouble, Refused
from shared.base.model_call import ModelCall
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome
from shared.values.prepared import TOO_LARGE, PreparedFile
from shared.values.stored_media import MOST_TRIES, StoredMedia

NOT_GIVEN: Final = "Telegram does not give the file any more."
TELEGRAM_DOWN: Final = "The file could not be downloaded from Telegram just now."
READER_DOWN: Final = "The part of lull that opens files did not answer in time."
STORAGE_DOWN: Final = "The place where files are stored does not answer just now."
MODEL_DOWN: Final = "The model that describes files does not answer just now."
UNREADABLE: Final = "The model that describes files gave no usable answer."
BLOCKED: Final = "The model that describes files refused it for safety."
MODEL_REFUSED: Final = "The model that describes files refused it."
AT_LIMIT: Final = "As much was spent on models as may be; files are described again when that goes on."
NOT_TAKEN: Final = "The model that describes files is shown no such file."
DIED: Final = "each time something ended it."
GIVEN_UP: Final = "It was tried {tries} times and could not be described: {why}"

#: how long a file waits after each failed try
WAITS: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120))
#: why an answer was stopped that is no refusal of the file, in the model's words
_STOPPED: Final = frozenset({"RECITATION", "LANGUAGE"})
#: what somebody has to put right, so that later tries may succeed
_TO_BE_MENDED: Final = frozenset({ModelTrouble.MISCONFIGURED, ModelTrouble.MONEY})


class DescribingFailed(Exception):
    """A step failed; it ends this try alone."""

    #: when a limit that was met goes on; none: none was
    again_at: datetime | None = None

    def __init__(self, outcome: DescriptionOutcome, why: str, call: ModelCall | None = None) -> None:
        """`why` is a sentence of lull's own; `call`: what it took, if a model did answer."""
        super().__init__(why)
        self.description = Description(outcome=outcome, why=why, call=call)


def failure_of_download(error: ChannelError) -> DescribingFailed:
    """What a failed download means."""
    if isinstance(error, FileTooLarge):
        return DescribingFailed(DescriptionOutcome.UNSUPPORTED, TOO_LARGE)
    if isinstance(error, Refused) and not isinstance(error, BotUnknown):
        return DescribingFailed(DescriptionOutcome.PERMANENT_FAILURE, NOT_GIVEN)
    return DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, TELEGRAM_DOWN)


def failure_of_preparing(made: PreparedFile) -> DescribingFailed:
    """What a file means that could not be prepared."""
    if made.may_retry:
        return DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, made.problem)
    return DescribingFailed(
        DescriptionOutcome.UNSUPPORTED if made.is_unsupported else DescriptionOutcome.PERMANENT_FAILURE, made.problem
    )


def failure_of_refusal(error: ModelRefused, before: Description | None = None) -> DescribingFailed:
    """What it means that the model did not take a request; `before` came of the try before this one.

    An answer that was stopped for how it was written may come the next time.
    """
    if error.ended_by in _STOPPED and error.call is not None:
        return failure_of_empty_answer(before, error.call)
    if error.trouble in _TO_BE_MENDED:
        return DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, MODEL_DOWN)
    why = BLOCKED if error.trouble is ModelTrouble.BLOCKED else MODEL_REFUSED
    return DescribingFailed(DescriptionOutcome.PERMANENT_FAILURE, why)


def failure_of_unavailable(again_at: datetime | None) -> DescribingFailed:
    """What it means that no model answers now; `again_at`: when a limit goes on, if that is why."""
    found = DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, MODEL_DOWN if again_at is None else AT_LIMIT)
    found.again_at = again_at
    return found


def failure_of_empty_answer(before: Description | None, call: ModelCall) -> DescribingFailed:
    """What an answer means of which nothing can be used; `before` came of the try before this one.

    It was paid for, so it is asked for once more: a file that has models answer nothing twice does so always.
    """
    is_again = before is not None and before.why == UNREADABLE
    outcome = DescriptionOutcome.PERMANENT_FAILURE if is_again else DescriptionOutcome.TEMPORARY_FAILURE
    return DescribingFailed(outcome, UNREADABLE, call)


@dataclass(frozen=True)
class LimitHit:
    """A limit that a try met: when it goes on, and who had sent the file; 0: nobody."""

    again_at: datetime
    person: int = 0


def media_after(media: StoredMedia, found: Description, now: datetime, met: LimitHit | None = None) -> StoredMedia:
    """What is kept of a file after a try; what was tried often enough is given up.

    A try that met a limit counts for nothing, and the file waits for it; who else sent it need not.
    """
    over: dict[str, object] = {"claimed_until": None, "updated_at": now, "limited": met.person if met else 0}
    if met is not None:
        waits = {"description": found, "next_try_at": met.again_at, "tries": max(0, media.tries - 1)}
        return media.model_copy(update=over | waits)
    if found.outcome.is_final:
        return media.model_copy(update={**over, "description": found, "next_try_at": None})
    if media.tries >= MOST_TRIES:
        return media_after(
            media,
            evolve(
                found,
                outcome=DescriptionOutcome.PERMANENT_FAILURE,
                why=GIVEN_UP.format(tries=media.tries, why=found.why),
            ),
            now,
        )
    return media.model_copy(update={**over, "description": found, "next_try_at": now + WAITS[media.tries - 1]})
