import pytest

from local.telegram.albums import album_id, problem_with_album
from local.telegram.messages import MessageField
from local.telegram.world import World

PHOTO, VIDEO, DOCUMENT, AUDIO = MessageField.PHOTO, MessageField.VIDEO, MessageField.DOCUMENT, MessageField.AUDIO


@pytest.mark.parametrize("kinds", [[PHOTO, VIDEO], [DOCUMENT] * 10, [AUDIO, AUDIO], [MessageField.STICKER]])
def test_what_goes_together(kinds: list[MessageField]) -> None:
    assert problem_with_album(kinds) is None


@pytest.mark.parametrize(
    ("kinds", "problem"),
    [
        ([PHOTO] * 11, "too many messages to send as an album"),
        ([PHOTO, DOCUMENT], "document can't be mixed with other media types"),
        ([AUDIO, DOCUMENT], "audio can't be mixed with other media types"),
        ([MessageField.VIDEO_NOTE] * 2, "video note can't be mixed with other media types"),
    ],
)
def test_what_does_not(kinds: list[MessageField], problem: str) -> None:
    assert problem_with_album(kinds) == problem


def test_every_album_has_an_id_of_its_own(world: World) -> None:
    assert album_id(world) != album_id(world)
