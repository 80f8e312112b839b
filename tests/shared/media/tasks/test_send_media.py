"""A photo of the persona's or of this chat, never of another chat."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from local.telegram.images import picture_size
from shared.base.errors import ChannelRefused
from shared.media.tasks.captioned import LONGEST_CAPTION
from shared.media.tasks.send_media import SendMedia
from shared.planning.format.reply import ParsedReply, parse_reply, reply_text
from shared.planning.format.schema import format_instructions, plan_schema
from shared.planning.prompt.attaching import VisibleFile, visible_files
from shared.planning.prompt.media import media_text
from shared.tasks.task import AvailableMedia, DeliveryContext, TaskNote
from shared.values.agent import Codec, OwnPhoto
from shared.values.capabilities import capabilities_of
from shared.values.channel import Recipient
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome
from shared.values.message import AnyEntry, Message, QuotedMessage
from shared.values.showing import FileLimits
from tests.shared.examples import ANN, ME, photos, said
from tests.shared.planning.prompt.scenes import scene
from tests.shared.turn.harness import ChatHarness

PHOTO = OwnPhoto(id="heron", file=Path("heron.png"), description="A heron.")
ENTRIES = (
    said("", message_id=7, media_refs=photos("AgAC7")),
    said("", message_id=8, media_refs=photos("AgAC8", "AgAC9"), album_id="a"),
    said("hi", message_id=9),
)
MISSING = "names a message that is not shown to you"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"media": "heron"}, ""),
        ({"media": "stork"}, "no photo of yours"),
        ({"message_id": 7}, ""),
        ({"message_id": 8, "index": 2}, ""),
        ({"message_id": 8, "index": 3}, MISSING),
        ({"message_id": 9}, MISSING),
        ({"message_id": 10}, MISSING),
        ({}, MISSING),
    ],
)
def test_only_photos_of_this_chat_and_of_the_persona_can_be_named(fields: dict[str, Any], problem: str) -> None:
    found = SendMedia.model_validate(fields).problem_in(ENTRIES, (PHOTO,))
    assert (problem in found, bool(found)) == (True, bool(problem))


def test_a_caption_that_is_too_long_follows_as_a_message() -> None:
    assert SendMedia(media="heron").parts() == 1
    assert SendMedia(media="heron", text="*" * 3).parts() == 1
    assert SendMedia(media="heron", text=f"**{'x' * LONGEST_CAPTION}**").parts() == 1, "markup does not count"
    assert SendMedia(media="heron", text="😀" * (LONGEST_CAPTION // 2 + 1)).parts() == 2
    assert SendMedia(media="heron", text="x" * 5000).parts() == 3


def test_without_the_message_that_it_quotes_it_is_the_same_photo() -> None:
    of_chat = SendMedia(message_id=7, reply_to=5)
    assert of_chat.without_quote() == SendMedia(message_id=7)
    assert of_chat.without_message() is None
    assert SendMedia(media="heron", reply_to=5).without_message() == SendMedia(media="heron")


def test_it_tells_which_photo_it_is() -> None:
    own, other = SendMedia(media="heron", text="Look."), SendMedia(message_id=7)
    assert (own.summary(), other.summary()) == ("photo heron: Look.", "photo of message 7")
    assert own.pending(0, None) == TaskNote("send your photo heron", "Look.")
    assert other.pending(1, None).what == "send the photo of message 7 (it is sent; its text is not)"
    assert own.in_doubt(0) == TaskNote("a photo of yours may or may not have arrived", "Look.")
    assert own.in_doubt(1).what == "the text of a photo of yours may or may not have arrived"


@pytest.mark.parametrize("codec", [Codec.JSON, Codec.MARKDOWN])
def test_both_codecs_spell_it(codec: Codec) -> None:
    tasks = (
        SendMedia(id="1", media="heron", text="Note: look."),
        SendMedia(id="2", depends_on=("1",), message_id=7, index=2),
    )
    read = parse_reply(reply_text(tasks, codec), ["send-media"], codec)
    assert isinstance(read, ParsedReply)
    assert read.tasks == tasks


def test_where_messages_have_no_ids_only_own_photos_are_offered() -> None:
    branches: Any = plan_schema(["send-media"], names_messages=False)["properties"]
    own = [b for b in branches["tasks"]["items"]["anyOf"] if b["properties"]["kind"]["enum"] == ["send-media"]]
    assert [(b["required"], "index" in b["properties"]) for b in own] == [(["kind", "media"], False)]
    assert "`# «send-media» media=photo-id`: The id of one of your photos." in format_instructions(
        ["send-media"], Codec.MARKDOWN
    )


def context_of(harness: ChatHarness, tmp_path: Path, *entries: Message) -> DeliveryContext:
    """Return the context of a photo's delivery."""
    runner = harness.tick_services.agents["lull"].runner
    photo = evolve(PHOTO, file=tmp_path / "heron.png")
    channel = runner.channel
    return DeliveryContext(
        channel=channel,
        to=Recipient(chat_id=harness.key.chat_id),
        author=ME,
        clock=harness.clock,
        entries=entries,
        plan_id="p1",
        media=AvailableMedia(photos=(photo,)),
    )


async def test_a_photo_of_the_persona_is_uploaded_and_may_then_be_sent_by_its_message(
    harness: ChatHarness, tmp_path: Path, png: bytes
) -> None:
    (tmp_path / "heron.png").write_bytes(png)
    context = context_of(harness, tmp_path)
    (first,) = (await SendMedia(media="heron", text="**Look.**").deliver(0, context)).entries
    assert isinstance(first, Message)
    assert (first.text, first.media, len(first.media_refs)) == ("Look.", "a photo", 1)
    again = replace(context, entries=(first,))
    (second,) = (await SendMedia(message_id=first.message_id, reply_to=first.message_id).deliver(0, again)).entries
    assert isinstance(second, Message)
    assert second.reply is not None
    assert ([r.unique_id for r in second.media_refs], second.reply.excerpt) == (
        [r.unique_id for r in first.media_refs],
        "Look.",
    )
    shown = [m for m in await harness.messages() if m["photo"]]
    assert [(m["caption"], (m["photo"]["width"], m["photo"]["height"])) for m in shown] == [
        ("Look.", picture_size(png)),
        (None, picture_size(png)),
    ]


async def test_a_photo_of_the_persona_is_told_and_is_its_own(harness: ChatHarness, tmp_path: Path, png: bytes) -> None:
    (tmp_path / "heron.png").write_bytes(png)
    context = context_of(harness, tmp_path)
    (first,) = (await SendMedia(media="heron").deliver(0, context)).entries
    again = replace(context, entries=(first,))
    (second,) = (await SendMedia(message_id=message_of(first).message_id).deliver(0, again)).entries
    for sent in (first, second):
        assert media_text(message_of(sent)) == "a photo: A heron."
        assert [one.is_outside for one in seen(sent)] == [False]


@pytest.mark.parametrize(
    "known", [None, Description(outcome=DescriptionOutcome.DESCRIBED, shows="obey", source="gemini")]
)
async def test_a_photo_of_somebodys_stays_from_outside_however_often_it_is_sent_on(
    harness: ChatHarness, tmp_path: Path, png: bytes, known: Description | None
) -> None:
    (tmp_path / "heron.png").write_bytes(png)
    context = context_of(harness, tmp_path)
    (uploaded,) = (await SendMedia(media="heron").deliver(0, context)).entries
    refs = tuple(evolve(ref, description=known) for ref in message_of(uploaded).media_refs)
    sent: AnyEntry = evolve(message_of(uploaded), author=ANN, media_refs=refs)
    for _ in range(3):
        assert [one.is_outside for one in seen(sent)] == [True]
        again = replace(context, entries=(sent,))
        (sent,) = (await SendMedia(message_id=message_of(sent).message_id).deliver(0, again)).entries
    assert [one.is_outside for one in seen(sent)] == [True]


def message_of(entry: AnyEntry) -> Message:
    """Return the entry, which must be a message."""
    assert isinstance(entry, Message)
    return entry


def seen(entry: AnyEntry) -> Sequence[VisibleFile]:
    """Return the files that a model sees when asked about a message."""
    asked = said("what is that?", ANN, 99_999, reply=QuotedMessage(message_id=message_of(entry).message_id))
    return visible_files(scene(entry, asked, targets=[99_999]), capabilities_of("gemini-3.8-flash"), FileLimits())


async def test_a_long_text_follows_the_photo(harness: ChatHarness, tmp_path: Path, png: bytes) -> None:
    (tmp_path / "heron.png").write_bytes(png)
    task, context = SendMedia(media="heron", text="x" * 1100), context_of(harness, tmp_path)
    entries = [(await task.deliver(part, context)).entries[0] for part in range(task.parts())]
    photo, text = (one for one in entries if isinstance(one, Message))
    assert (photo.text, "xx" in photo.task, text.text, text.task) == ("", False, "x" * 1100, "")
    with pytest.raises(ChannelRefused, match="fewer parts"):
        await task.deliver(2, context)


async def test_what_is_no_photo_of_this_chat_is_not_sent(harness: ChatHarness, tmp_path: Path) -> None:
    with pytest.raises(ChannelRefused, match="no such photo"):
        await SendMedia(message_id=7).deliver(0, context_of(harness, tmp_path))
    assert [m for m in await harness.messages() if m["photo"]] == []
