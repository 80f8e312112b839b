"""The files that a model is shown: as many as the limits allow, each once, and only types that the model can read."""

import pytest

from shared.values.capabilities import WORDS_ONLY, capabilities_of
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.showing import UNKNOWN_S, FileLimits, files_to_show, keys_shown
from tests.shared.planning.prompt.files import file

ALL = capabilities_of("gemini-3.8-flash")


def test_what_stands_first_is_shown_as_far_as_there_is_room() -> None:
    files = [(file(name), False) for name in "abc"]
    assert list(files_to_show(files, ALL, FileLimits(pictures=2))) == [0, 1]
    assert list(files_to_show([*files[:1], *files], ALL, FileLimits(pictures=2))) == [0, 2]
    assert list(files_to_show(files, WORDS_ONLY, FileLimits())) == []


@pytest.mark.parametrize(("length", "room"), [(0, UNKNOWN_S), (90, 90)])
def test_sound_and_films_take_as_long_as_they_last(length: int, room: int) -> None:
    film = file(kind=MediaKind.VIDEO, duration_s=length)
    assert keys_shown([film], ALL, FileLimits(pictures=0, sound_s=room)) == {"u-a"}
    assert keys_shown([film], ALL, FileLimits(pictures=0, sound_s=room - 1)) == frozenset()


@pytest.mark.parametrize(("is_meant", "places"), [(True, [0]), (False, [])])
def test_a_sticker_that_is_described_is_shown_if_somebody_means_it(is_meant: bool, places: list[int]) -> None:
    known = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat")
    sticker: MediaRef = file(kind=MediaKind.STICKER, description=known)
    assert list(files_to_show([(sticker, is_meant)], ALL, FileLimits())) == places
