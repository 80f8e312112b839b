"""The meaning of each failure for a file: never again, or later."""

from datetime import timedelta

import pytest

from shared.base.errors import (
    BotUnknown,
    ChannelError,
    ChannelRefused,
    FileTooLarge,
    FileUnknown,
    ModelRefused,
    ModelTrouble,
    NotDelivered,
    OutcomeUnknown,
)
from shared.base.model_call import ModelCall
from shared.media.failures import (
    AT_LIMIT,
    MODEL_DOWN,
    WAITS,
    LimitHit,
    failure_of_download,
    failure_of_preparing,
    failure_of_refusal,
    failure_of_unavailable,
    media_after,
)
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.prepared import PreparedFile
from shared.values.stored_media import MOST_TRIES, StoredMedia
from tests.shared.examples import NOW

NEW = StoredMedia(unique_id="u", kind=MediaKind.PHOTO, tries=1, claimed_until=NOW, updated_at=NOW)
LATER = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="Telegram does not answer.")


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (FileTooLarge("x"), DescriptionOutcome.UNSUPPORTED),
        (FileUnknown("x"), DescriptionOutcome.PERMANENT_FAILURE),
        (ChannelRefused("x"), DescriptionOutcome.PERMANENT_FAILURE),
        (BotUnknown("x"), DescriptionOutcome.TEMPORARY_FAILURE),
        (NotDelivered("x"), DescriptionOutcome.TEMPORARY_FAILURE),
        (OutcomeUnknown("x"), DescriptionOutcome.TEMPORARY_FAILURE),
    ],
)
def test_a_failed_download(error: ChannelError, outcome: DescriptionOutcome) -> None:
    found = failure_of_download(error).description
    assert (found.outcome, "x" in found.why.split()) == (outcome, False)


def test_a_file_that_could_not_be_opened() -> None:
    def outcome(*, may_retry: bool = False, is_unsupported: bool = False) -> DescriptionOutcome:
        made = PreparedFile(problem="It is a zip archive.", may_retry=may_retry, is_unsupported=is_unsupported)
        found = failure_of_preparing(made).description
        assert found.why == "It is a zip archive."
        return found.outcome

    assert outcome(may_retry=True) is DescriptionOutcome.TEMPORARY_FAILURE
    assert outcome(is_unsupported=True) is DescriptionOutcome.UNSUPPORTED
    assert outcome() is DescriptionOutcome.PERMANENT_FAILURE


@pytest.mark.parametrize(
    ("trouble", "outcome"),
    [
        (ModelTrouble.BLOCKED, DescriptionOutcome.PERMANENT_FAILURE),
        (ModelTrouble.UNKNOWN, DescriptionOutcome.PERMANENT_FAILURE),
        (ModelTrouble.MISCONFIGURED, DescriptionOutcome.TEMPORARY_FAILURE),
        (ModelTrouble.MONEY, DescriptionOutcome.TEMPORARY_FAILURE),
    ],
)
def test_a_refusal_of_the_model(trouble: ModelTrouble, outcome: DescriptionOutcome) -> None:
    assert failure_of_refusal(ModelRefused("what it said", trouble=trouble)).description.outcome is outcome


@pytest.mark.parametrize("word", ["RECITATION", "LANGUAGE"])
def test_an_answer_that_was_stopped_for_how_it_was_written_is_asked_for_once_more(word: str) -> None:
    stopped = ModelRefused("what it said", ModelCall(model="m"))
    stopped.ended_by = word
    first = failure_of_refusal(stopped).description
    assert (first.outcome, first.call) == (DescriptionOutcome.TEMPORARY_FAILURE, stopped.call)
    assert failure_of_refusal(stopped, first).description.outcome is DescriptionOutcome.PERMANENT_FAILURE


def test_a_limit_is_waited_for_and_counts_for_no_try() -> None:
    met = failure_of_unavailable(NOW + timedelta(hours=2))
    assert (met.description.outcome, met.description.why) == (DescriptionOutcome.TEMPORARY_FAILURE, AT_LIMIT)
    media = evolve(NEW, tries=MOST_TRIES)
    assert met.again_at is not None
    kept = media_after(media, met.description, NOW, LimitHit(met.again_at, 5))
    assert (kept.tries, kept.next_try_at, kept.claimed_until) == (MOST_TRIES - 1, NOW + timedelta(hours=2), None)
    assert [kept.is_due(NOW, person) for person in (0, 5, 6)] == [False, False, True]
    assert media_after(kept, LATER, NOW).limited == 0
    assert failure_of_unavailable(None).description.why == MODEL_DOWN


def test_it_is_tried_again_after_longer_and_longer_pauses_and_then_given_up() -> None:
    pauses: list[timedelta | None] = []
    for tries in range(1, MOST_TRIES + 1):
        kept = media_after(evolve(NEW, tries=tries), LATER, NOW)
        assert kept.claimed_until is None
        pauses.append(kept.next_try_at - NOW if kept.next_try_at else None)
    assert pauses == [*WAITS, None]
    assert kept.description is not None
    assert kept.description.outcome is DescriptionOutcome.PERMANENT_FAILURE
    assert kept.description.why == "It was tried 5 times and could not be described: Telegram does not answer."


@pytest.mark.parametrize("outcome", [one for one in DescriptionOutcome if one.is_final])
def test_what_is_final_has_no_next_try(outcome: DescriptionOutcome) -> None:
    waiting = evolve(NEW, next_try_at=NOW)
    kept = media_after(waiting, Description(outcome=outcome), NOW)
    assert (kept.next_try_at, kept.claimed_until, kept.description) == (None, None, Description(outcome=outcome))
