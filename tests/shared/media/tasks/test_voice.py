"""A voice note: its spoken text, its transcript, and the message sent instead after a failure."""

import json
from typing import Any

import pytest

from shared.base.errors import ChannelRefused
from shared.base.model_call import ModelCall
from shared.media.tasks.captioned import LONGEST_CAPTION
from shared.media.tasks.voice import Voice
from shared.planning.format.reply import ParsedReply, parse_reply, reply_text
from shared.planning.format.schema import format_instructions, plan_schema
from shared.tasks.send import Send
from shared.tasks.task import AvailableMedia, DeliveryContext, TaskNote
from shared.values.agent import Codec
from shared.values.capabilities import OutputKind
from shared.values.channel import Recipient
from shared.values.media import OWN, MediaKind
from shared.values.message import Message
from shared.values.outgoing import FileRequest, GeneratedFile, OutgoingFile, OutgoingKind
from tests.media_files import ogg
from tests.shared.examples import ME
from tests.shared.turn.harness import ChatHarness

CALL = ModelCall(model="gemini-3.8-flash-lite-tts")
LONG = "word " * 250


def voice(text: str = "Hello.", **fields: Any) -> Voice:
    return Voice.model_validate({"id": "2", "depends_on": ("1",), "text": text, **fields})


def note(**fields: Any) -> GeneratedFile:
    usual: dict[str, Any] = {"content": ogg(1.0), "mime_type": "audio/ogg", "duration_s": 1, "calls": (CALL,)}
    return GeneratedFile(**usual | fields)


def context(harness: ChatHarness, made: GeneratedFile | None = None, **fields: Any) -> DeliveryContext:
    to = Recipient(chat_id=harness.key.chat_id)
    usual: dict[str, Any] = {"channel": harness.backend.channel, "to": to, "author": ME, "clock": harness.clock}
    return DeliveryContext(**usual | fields, media=AvailableMedia(made=made))


def test_the_words_are_spoken_without_their_markup() -> None:
    assert voice("It is **late**, [look](https://a.org).").file_request == FileRequest(
        makes=OutputKind.SPEECH, words="It is late, look."
    )


def test_in_words_it_is_the_same_message() -> None:
    task = voice("**Hi**", reply_to=9)
    assert task.in_words() == Send(id="2", depends_on=("1",), text="**Hi**", reply_to=9)
    assert (
        task.unsent("too long") == "a voice note of yours could not be sent (too long); its words were written instead"
    )
    assert task.unsent() == "a voice note of yours could not be sent; its words were written instead"


def test_a_model_writes_it_in_either_codec_and_nothing_of_lulls_own() -> None:
    schema = json.dumps(plan_schema(["send", "voice"]))
    assert "The spoken words." in schema
    assert "captioned" not in schema
    assert "# «voice»" in format_instructions(["voice"], Codec.MARKDOWN)
    for codec in (Codec.JSON, Codec.MARKDOWN):
        parsed = parse_reply(reply_text((voice("Hi.", id="1", depends_on=()),), codec), ("voice",), codec)
        assert isinstance(parsed, ParsedReply)
        assert [(task.kind, task.words) for task in parsed.tasks] == [("voice", "Hi.")]


def test_what_would_stand_below_it_is_cut_at_what_a_caption_holds() -> None:
    assert voice(LONG).parts() == 1
    assert voice(LONG).with_generated_file(note()).parts() == 1
    captioned = voice(LONG).with_generated_file(note(is_captioned=True))
    assert captioned.parts() == 2
    assert captioned.with_generated_file(note()).parts() == 1, "the persona decides, whatever a model wrote"


async def test_it_is_sent_and_its_words_are_what_was_said(harness: ChatHarness) -> None:
    await harness.writes("hi")
    task = voice("It is **late**.", reply_to=harness.message_id)
    said = await task.deliver(0, context(harness, made=note(), calls=(CALL,), plan_id="p1", is_marked=True))
    (message,) = await harness.messages()
    assert (message["file"]["kind"], message["file"]["duration"], message["caption"]) == ("voice", 1, None)
    sent = (await harness.backend.telegram.get(f"/world/files/{message['file']['file_id']}")).content
    assert sent == ogg(1.0)
    (entry,) = said.entries
    assert isinstance(entry, Message)
    assert (entry.text, entry.media, entry.plan, entry.calls) == ("It is late.", "a voice message", "p1", (CALL,))
    assert (entry.holds_outside, entry.reply is not None) == (True, True)
    assert json.loads(entry.task) == {"kind": "voice", "text": "It is **late**.", "reply_to": harness.message_id}
    (ref,) = entry.media_refs
    assert (ref.kind, ref.mime_type, ref.duration_s, bool(ref.unique_id)) == (MediaKind.VOICE, "audio/ogg", 1, True)
    again = OutgoingFile(kind=OutgoingKind.VOICE, file_id=ref.file_id)
    await harness.backend.channel.send_file(Recipient(chat_id=harness.key.chat_id), again, None, None)
    assert ref.description is not None
    assert (ref.description.says, ref.description.source) == ("It is late.", OWN)
    assert not ref.description.holds_outside(ref.kind)


async def test_what_a_caption_does_not_hold_follows_and_is_not_said_twice(harness: ChatHarness) -> None:
    task = voice(LONG).with_generated_file(note(is_captioned=True))
    said = [(await task.deliver(part, context(harness, made=note()))).entries[0] for part in range(task.parts())]
    first, second = await harness.messages()
    assert len(first["caption"]) <= LONGEST_CAPTION
    assert f"{first['caption']} {second['text']}" == LONG.strip()
    assert [(isinstance(one, Message) and one.is_by_lull) for one in said] == [False, True]


async def test_what_was_not_made_is_not_sent(harness: ChatHarness) -> None:
    for made in (None, GeneratedFile(problem="no")):
        with pytest.raises(ChannelRefused):
            await voice().deliver(0, context(harness, made=made))
    with pytest.raises(ChannelRefused):
        await voice().deliver(1, context(harness, made=note()))
    assert await harness.messages() == []


def test_it_tells_what_it_says() -> None:
    assert voice().pending(0, None) == TaskNote("say aloud", "Hello.")
    assert voice().pending(1, None).what == "say aloud (it is sent; more of its caption is not)"
    assert voice().in_doubt(0) == TaskNote("a voice note of yours may or may not have arrived", "Hello.")
    assert voice().in_doubt(1).what == "what stands below a voice note of yours may or may not have arrived"
    assert voice().summary() == voice().words == "Hello."
    assert voice().typing_time() > Voice(text="a").typing_time()
