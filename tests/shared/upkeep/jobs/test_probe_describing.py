"""The probe of describing: the model is shown what the reader made of a picture."""

import pytest

from shared.base.errors import ModelRefused
from shared.upkeep.jobs.probe import ProbeFailed
from shared.upkeep.jobs.probe_describing import PICTURE, describe_a_picture
from shared.values.canary import PROBE_WORDS
from shared.values.media import MediaKind
from shared.values.prepared import PreparedFile, PreparedPart
from tests.shared.upkeep.jobs.test_probe import Asked

MADE = PreparedFile(parts=(PreparedPart("image/jpeg", b"small"),))


class Reader:
    """A reader with a given result."""

    def __init__(self, made: PreparedFile) -> None:
        self.made = made

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        assert (kind, mime_type, content) == (MediaKind.PHOTO, "image/png", PICTURE)
        return self.made


async def test_the_model_is_shown_what_was_made_and_asked_for_little() -> None:
    models = Asked({})
    assert await describe_a_picture(Reader(MADE), models, "m") == "m answered"
    (prompt,) = models.prompts
    (turn,) = prompt.turns
    assert [one.content for one in turn.attached] == [b"small"]
    assert turn.parts[-1] == PROBE_WORDS
    assert (prompt.reply_tokens or 0) <= 64


async def test_a_reader_or_a_model_that_fails_is_told() -> None:
    with pytest.raises(ProbeFailed, match="opens files does not answer"):
        await describe_a_picture(Reader(PreparedFile(problem="What opens files does not answer")), Asked({}), "m")
    with pytest.raises(ProbeFailed, match="m: there is no such model"):
        await describe_a_picture(Reader(MADE), Asked({"m": ModelRefused("there is no such model")}), "m")


async def test_where_nothing_is_described_a_picture_is_opened_and_no_model_asked() -> None:
    models = Asked({})
    assert "LULL_MEDIA_MODEL" in await describe_a_picture(Reader(MADE), models, "")
    assert models.uses == []
