"""Texts with a file: a caption, or messages after it."""

import pytest

from shared.media.tasks.captioned import LONGEST_CAPTION, split_caption
from shared.media.tasks.send_media import SendMedia
from shared.tasks.task import DeliveryContext
from shared.values.channel import Recipient
from tests.shared.examples import ME
from tests.shared.turn.harness import ChatHarness


@pytest.mark.parametrize(
    ("markdown", "caption", "following"),
    [
        ("", None, 0),
        ("a **heron**", "a heron", 0),
        ("x" * LONGEST_CAPTION, "x" * LONGEST_CAPTION, 0),
        ("x" * (LONGEST_CAPTION + 1), None, 1),
        ("x" * 5_000, None, 2),
    ],
)
def test_what_is_too_long_for_a_caption_follows_whole(markdown: str, caption: str | None, following: int) -> None:
    found, behind = split_caption(markdown)
    assert (found.text if found is not None else None, len(behind)) == (caption, following)


async def test_what_follows_is_a_message_like_any_other(harness: ChatHarness) -> None:
    context = DeliveryContext(
        channel=harness.backend.channel,
        to=Recipient(chat_id=harness.key.chat_id),
        author=ME,
        clock=harness.clock,
        plan_id="p1",
        is_marked=True,
        known_links=("https://a.org/", "https://b.org/"),
    )
    task = SendMedia(id="1", text=f"{'x ' * LONGEST_CAPTION} https://a.org/", media="me")
    _, (text,) = task.texts()
    said = await task.send_following(text, context)
    assert await harness.said() == [text.text]
    assert (said.text, said.plan, said.holds_outside, said.known_links) == (text.text, "p1", True, ("https://a.org/",))
    other = await task.with_words("no address").send_following(text, context)
    assert other.known_links == ()
