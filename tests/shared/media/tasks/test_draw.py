"""A generated picture with its caption."""

import json
from typing import Any

import pytest

from local.gemini.samples import picture
from shared.base.errors import ChannelRefused
from shared.media.tasks.captioned import LONGEST_CAPTION
from shared.media.tasks.draw import Draw
from shared.planning.format.reply import ParsedReply, parse_reply, reply_text
from shared.planning.format.schema import plan_schema
from shared.tasks.task import AvailableMedia, DeliveryContext, TaskNote
from shared.values.agent import Codec
from shared.values.capabilities import OutputKind
from shared.values.channel import Recipient
from shared.values.media import OWN, MediaKind
from shared.values.message import Message
from shared.values.outgoing import FileRequest, GeneratedFile
from tests.shared.examples import ME
from tests.shared.turn.harness import ChatHarness

MADE = GeneratedFile(content=picture(), mime_type="image/png")


def draw(**fields: Any) -> Draw:
    return Draw.model_validate({"id": "1", "prompt": "A fox in the snow.", **fields})


def context(harness: ChatHarness, made: GeneratedFile | None = None, **fields: Any) -> DeliveryContext:
    to = Recipient(chat_id=harness.key.chat_id)
    usual: dict[str, Any] = {"channel": harness.backend.channel, "to": to, "author": ME, "clock": harness.clock}
    return DeliveryContext(**usual | fields, media=AvailableMedia(made=made))


def test_what_it_shows_is_drawn_and_has_no_words_in_its_place() -> None:
    assert draw().file_request == FileRequest(makes=OutputKind.PICTURES, words="A fox in the snow.")
    assert draw().in_words() is None
    assert draw().traits.on_failure.is_excused
    assert draw().loss()


def test_a_model_writes_it_in_either_codec() -> None:
    assert "The picture's subject" in json.dumps(plan_schema(["draw"]))
    wanted = draw(text="Look!", reply_to=5)
    for codec in (Codec.JSON, Codec.MARKDOWN):
        parsed = parse_reply(reply_text((wanted,), codec), ("draw",), codec)
        assert isinstance(parsed, ParsedReply)
        assert parsed.tasks == (wanted,)


async def test_it_is_sent_as_a_photo_with_what_it_shows(harness: ChatHarness) -> None:
    await harness.writes("draw a fox")
    task = draw(text="**Look!**", reply_to=harness.message_id)
    said = await task.deliver(0, context(harness, made=MADE, plan_id="p1"))
    (message,) = await harness.messages()
    assert (message["caption"], bool(message["photo"])) == ("Look!", True)
    assert (await harness.backend.telegram.get(f"/world/files/{message['photo']['file_id']}")).content == picture()
    (entry,) = said.entries
    assert isinstance(entry, Message)
    assert (entry.text, entry.media, entry.reply is not None) == ("Look!", "a photo", True)
    assert json.loads(entry.task)["prompt"] == "A fox in the snow."
    (ref,) = entry.media_refs
    assert (ref.kind, bool(ref.unique_id), ref.mime_type) == (MediaKind.PHOTO, True, "image/png")
    assert ref.description is not None
    assert (ref.description.shows, ref.description.source) == ("A fox in the snow.", OWN)
    assert not ref.description.holds_outside(ref.kind), "these are the agent's own words"


async def test_a_long_caption_follows_as_a_message(harness: ChatHarness) -> None:
    task = draw(text="x" * (LONGEST_CAPTION + 1))
    assert task.parts() == 2
    said = [(await task.deliver(part, context(harness, made=MADE))).entries[0] for part in range(2)]
    first, second = await harness.messages()
    assert (first["caption"], second["text"]) == (None, task.text)
    assert isinstance(said[0], Message)
    assert "text" not in json.loads(said[0].task)


async def test_what_was_not_made_is_not_sent(harness: ChatHarness) -> None:
    with pytest.raises(ChannelRefused):
        await draw().deliver(0, context(harness))
    with pytest.raises(ChannelRefused):
        await draw().deliver(1, context(harness, made=MADE))
    assert await harness.messages() == []


def test_it_tells_what_it_shows() -> None:
    assert draw().pending(0, None) == TaskNote("draw a picture", "A fox in the snow.")
    assert draw().pending(1, None).what == "draw a picture (it is sent; its text is not)"
    assert draw().in_doubt(0) == TaskNote("a picture of yours may or may not have arrived", "A fox in the snow.")
    assert draw().in_doubt(1).what == "the text of a picture of yours may or may not have arrived"
    assert (draw().summary(), draw(text="Look!").summary()) == ("A fox in the snow.", "A fox in the snow.: Look!")
