"""Stories of an agent that says something aloud."""

from io import BytesIO

import av

from local.gemini.samples import blob, tone
from tests.stories.play import Json, Sandbox

ALOUD = {"kind": "voice", "text": "Bonjour! **Ça va?**"}
SPOKEN = {"inline": [blob("audio/wav", tone())], "usage": {"promptTokenCount": 8, "candidatesTokenCount": 16}}


async def bytes_of(sandbox: Sandbox, message: Json) -> bytes:
    """Read the file of a message from the local Telegram."""
    answer = await sandbox.telegram.get(f"/world/files/{message['file']['file_id']}")
    return answer.raise_for_status().content


def seconds_of(content: bytes) -> float:
    """Decode an OGG file with Opus to its end, and return its length."""
    with av.open(BytesIO(content), "r", format="ogg") as source:
        assert [stream.codec_context.name for stream in source.streams] == ["opus"]
        frames = list(source.decode(audio=0))
    return float(sum(frame.samples / frame.sample_rate for frame in frames))


async def test_whoever_asks_to_hear_it_gets_a_voice_note(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann, "tutor")
    await sandbox.model.will_plan(ALOUD)
    await sandbox.model.will(SPOKEN)
    await chat.writes(ann, "say it aloud, please")
    await chat.answers()
    await chat.rests()
    (said,) = await chat.said()
    assert (said["file"]["kind"], said["file"]["mime_type"], said["caption"]) == ("voice", "audio/ogg", None)
    assert 0.5 < seconds_of(await bytes_of(sandbox, said)) < 0.8
    # the persona's voice spoke the words without markup
    asked = (await sandbox.model.asked("Bonjour! Ça va?"))[-1]  # other stories ask for the same
    voice = {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": "Vindemiatrix"}}}
    assert asked["request"]["generationConfig"] == {"responseModalities": ["AUDIO"], "speechConfig": voice}
    assert "systemInstruction" not in asked["request"]
    # the transcript has the spoken words, and the usage of the speech beside that of the plan
    entry = (await chat.spoken())[-1]
    assert (entry["text"], entry["media"]) == ("Bonjour! Ça va?", "a voice message")
    assert [(call["model"], call["output_tokens"]) for call in entry["calls"]][1:] == [
        ("gemini-3.8-flash-lite-tts", 16)
    ]


async def test_in_the_next_prompt_it_stands_as_it_was_planned_and_the_beginning_is_the_same(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann, "tutor")
    await sandbox.model.will_plan(ALOUD)
    await sandbox.model.will(SPOKEN)
    await chat.writes(ann, "say it aloud, please")
    await chat.answers()
    await chat.rests()
    await sandbox.model.will_say("De rien.")
    await chat.writes(ann, "merci")
    assert await chat.answers() == ["De rien."]
    asked, again = await sandbox.model.asked(ann.name)
    own = next(turn for turn in again["request"]["contents"] if turn["role"] == "model")
    assert own["parts"] == [{"text": '{"tasks": [{"kind": "voice", "text": "Bonjour! **Ça va?**"}]}'}]
    assert again["request"]["systemInstruction"] == asked["request"]["systemInstruction"]
    schemas = [one["request"]["generationConfig"]["responseJsonSchema"] for one in (asked, again)]
    assert schemas[0] == schemas[1]


async def test_what_cannot_be_spoken_is_written_and_the_model_learns_of_it(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann, "tutor")
    await sandbox.model.will_plan(ALOUD)
    await sandbox.model.will({"status": 400, "error": "no such voice", "match": '"AUDIO"'})
    await chat.writes(ann, "say it aloud, please")
    assert await chat.answers() == ["Bonjour! Ça va?"]
    await chat.rests()
    await sandbox.model.will_say("I see.")
    await chat.writes(ann, "I heard nothing")
    assert await chat.answers() == ["I see."]
    again = str((await sandbox.model.asked(ann.name))[-1]["request"]["contents"])
    assert "a voice note of yours could not be sent" in again
    assert "its words were written instead" in again


async def test_an_agent_without_a_voice_is_not_offered_one(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann, "moss")
    await sandbox.model.will_say("Hello.")
    await chat.writes(ann, "hi there")
    await chat.answers()
    (asked,) = await sandbox.model.asked(ann.name)
    assert "voice" not in str(asked["request"]["generationConfig"])
