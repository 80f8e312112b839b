"""Stories of an agent that says something aloud."""

from io import BytesIO

import av

from local.gemini.samples import blob, tone
from tests.stories.play import Json, Stage

ALOUD = {"kind": "voice", "text": "Bonjour! **Ça va?**"}
SPOKEN = "Bonjour! Ça va?"


async def bytes_of(stage: Stage, message: Json) -> bytes:
    """The file of a message, as the local Telegram has it."""
    answer = await stage.telegram.get(f"/world/files/{message['media']['file_id']}")
    return answer.raise_for_status().content


def seconds_of(content: bytes) -> float:
    """How long an OGG file with Opus plays, decoded to its end."""
    with av.open(BytesIO(content), mode="r", format="ogg") as source:
        assert [stream.codec_context.name for stream in source.streams] == ["opus"]
        frames = list(source.decode(audio=0))
    return float(sum(frame.samples / frame.sample_rate for frame in frames))


async def test_whoever_asks_to_hear_it_gets_a_voice_note(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.private(ann, "tutor")
    await stage.model.will_plan(ALOUD)
    await stage.model.will({"inline": [blob("audio/wav", tone())]})
    await chat.writes(ann, "say it aloud, please")
    await chat.answers()
    await chat.rests()
    (said,) = await chat.said()
    print(said)
    assert 0.5 < seconds_of(await bytes_of(stage, said)) < 0.8
