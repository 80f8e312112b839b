"""Time limits by kind of file, and the length of a claim."""

import pytest

from infra.functions import declared_functions
from shared.media.jobs import LONGEST_RUN
from shared.media.media_reader import WHOLE_S
from shared.media.model_source import PREPARE_S, STORE_S, claim_time, timeouts_for
from shared.values.media import SPOKEN, MediaKind


@pytest.mark.parametrize("kind", MediaKind)
def test_a_claim_outlasts_all_steps_together(kind: MediaKind) -> None:
    found = timeouts_for(kind)
    steps = found.download_s + PREPARE_S + STORE_S + found.ask_s
    assert claim_time(kind).total_seconds() > steps
    assert PREPARE_S > WHOLE_S


@pytest.mark.parametrize("kind", MediaKind)
def test_a_run_that_begins_its_last_file_late_ends_before_the_functions_time_out(kind: MediaKind) -> None:
    longest = LONGEST_RUN + claim_time(kind)
    assert longest.total_seconds() + timeouts_for(kind).turn_s < declared_functions()["describe_media"].limits.timeout_s


def test_what_somebody_waits_for_fails_sooner_than_a_film() -> None:
    film = timeouts_for(MediaKind.VIDEO)
    for kind in (*SPOKEN, MediaKind.PHOTO, MediaKind.STICKER):
        assert (timeouts_for(kind).download_s, timeouts_for(kind).ask_s) < (film.download_s, film.ask_s)
