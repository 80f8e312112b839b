"""Reasons why a file is not described, as texts for the planning model, and the times of the next tries."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from shared.base.errors import BotUnknown, ChannelError, ChannelRefused, FileTooLarge, ModelRefused, ModelTrouble
from shared.base.model_call import ModelCall
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome
from shared.values.prepared import TOO_LARGE, PreparedFile
from shared.values.stored_media import MOST_TRIES, StoredMedia

NOT_GIVEN: Final = "The file can no longer be downloaded."
NOT_DOWNLOADED: Final = "The file could not be downloaded just now."
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

#: the wait after each failed try
WAITS: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120))
#: finish reasons that stop an answer without refusing the file
_STOPPED: Final = frozenset({"RECITATION", "LANGUAGE"})
#: problems that an operator has to fix; later tries may then succeed
_TO_BE_MENDED: Final = frozenset({ModelTrouble.MISCONFIGURED, ModelTrouble.MONEY})


class DescribingFailed(Exception):
    """A step of describing a file failed. This ends the current try; a later try may succeed."""

    #: when the spending limit that stopped the try allows calls again; None if no limit stopped it
    again_at: datetime | None = None

    def __init__(self, outcome: DescriptionOutcome, why: str, call: ModelCall | None = None) -> None:
        """`why` is one of lull's own sentences; `call` has the usage of the model call if a model answered."""
        super().__init__(why)
        self.description = Description(outcome=outcome, why=why, call=call)


def failure_of_download(error: ChannelError) -> DescribingFailed:
    """Return the DescribingFailed for a download that raised `error`."""
    if isinstance(error, FileTooLarge):
        return DescribingFailed(DescriptionOutcome.UNSUPPORTED, TOO_LARGE)
    if isinstance(error, ChannelRefused) and not isinstance(error, BotUnknown):
        return DescribingFailed(DescriptionOutcome.PERMANENT_FAILURE, NOT_GIVEN)
    return DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, NOT_DOWNLOADED)


def failure_of_preparing(made: PreparedFile) -> DescribingFailed:
    """Return the DescribingFailed for a file that could not be prepared."""
    if made.may_retry:
        return DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, made.problem)
    return DescribingFailed(
        DescriptionOutcome.UNSUPPORTED if made.is_unsupported else DescriptionOutcome.PERMANENT_FAILURE, made.problem
    )


def failure_of_refusal(error: ModelRefused, before: Description | None = None) -> DescribingFailed:
    """Return the failure for a request that the model refused. `before` is the result of the previous try.

    If the model stopped its answer because of the wording or language (`_STOPPED`), the next try may succeed.
    """
    if error.ended_by in _STOPPED and error.call is not None:
        return failure_of_empty_answer(before, error.call)
    if error.trouble in _TO_BE_MENDED:
        return DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, MODEL_DOWN)
    why = BLOCKED if error.trouble is ModelTrouble.BLOCKED else MODEL_REFUSED
    return DescribingFailed(DescriptionOutcome.PERMANENT_FAILURE, why)


def failure_of_unavailable(again_at: datetime | None) -> DescribingFailed:
    """Return the failure for a model that does not answer. If a spending limit stopped the call, `again_at` is the time
    from which calls are allowed again; otherwise None.
    """
    found = DescribingFailed(DescriptionOutcome.TEMPORARY_FAILURE, MODEL_DOWN if again_at is None else AT_LIMIT)
    found.again_at = again_at
    return found


def failure_of_empty_answer(before: Description | None, call: ModelCall) -> DescribingFailed:
    """Return the failure for an unusable answer. `before` is the result of the previous try.

    Every answer costs money, so there is only one more try. A second unusable answer is final.
    """
    is_again = before is not None and before.why == UNREADABLE
    outcome = DescriptionOutcome.PERMANENT_FAILURE if is_again else DescriptionOutcome.TEMPORARY_FAILURE
    return DescribingFailed(outcome, UNREADABLE, call)


@dataclass(frozen=True)
class LimitHit:
    """A spending limit that stopped a try: when calls are allowed again, and the person who pays (0: nobody)."""

    again_at: datetime
    person: int = 0


def media_after(media: StoredMedia, found: Description, now: datetime, limit: LimitHit | None = None) -> StoredMedia:
    """Return the file's document as it is after a try. After an unsuccessful last try, the file is given up.

    A try that a spending limit stopped does not count. `limit.person` then has to wait until the limit allows calls
    again; other people who sent the same file need not wait. A new description that an owner requested gets one try. If
    that try fails, an earlier final result (a description, or that the file was given up) stays.
    """
    changes: dict[str, object] = {"claimed_until": None, "updated_at": now, "limited": limit.person if limit else 0}
    if media.again is not None:
        is_kept = media.is_described_or_given_up and found.outcome is not DescriptionOutcome.DESCRIBED
        changes |= {"again": None, "again_failure": found.why if is_kept else ""}
        if is_kept:
            return media.model_copy(update=changes | {"limited": 0})
    if limit is not None:
        waits = {"description": found, "next_try_at": limit.again_at, "tries": max(0, media.tries - 1)}
        return media.model_copy(update=changes | waits)
    if found.outcome.is_final:
        return media.model_copy(update={**changes, "description": found, "next_try_at": None})
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
    return media.model_copy(update={**changes, "description": found, "next_try_at": now + WAITS[media.tries - 1]})
