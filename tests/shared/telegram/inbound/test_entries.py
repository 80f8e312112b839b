"""Entries from raw updates: all 94 of the collection, and anything else."""

import copy
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from shared.base.text import EntityType
from shared.deciding.addressing import spans
from shared.deciding.circumstances import OwnIdentity
from shared.deciding.rules import decide
from shared.telegram.inbound.content import CONTENT
from shared.telegram.inbound.entries import READERS, entry_of, read_update
from shared.telegram.inbound.service import NOTES
from shared.turn.batch import with_albums
from shared.values.chat_key import ChatKind
from shared.values.message import QUOTE_CHARACTERS, AnyEntry, Author, ButtonPress, Edit, Event, Message, Reaction
from shared.values.update import InboxUpdate
from tests.shared.examples import ANN, BOB, GROUP, JSON_VALUES, ME, NOW, PROPERTY, message_update, update_of, user
from tests.shared.examples import BOT_ID as ME_ID
from tests.shared.expected import EXPECTED
from tests.shared.updates import BOT_ID, RAW, stored

ENTRIES: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)


def entries_of(updates: Iterable[InboxUpdate], bot_id: int) -> tuple[AnyEntry, ...]:
    return with_albums(entry_of(update, bot_id) for update in updates)


def message_of(**fields: Any) -> Message:
    entry = entry_of(update_of(message_update(7, **fields)), ME_ID)
    assert isinstance(entry, Message)
    return entry


@pytest.mark.parametrize("name", RAW)
def test_every_update_becomes_the_entry_that_it_should(name: str) -> None:
    expected = EXPECTED[name]
    entry = entry_of(stored(name), BOT_ID)
    is_service = isinstance(entry, Message) and entry.is_service
    assert ("service" if is_service else entry.type) == expected.entry
    assert entry.updates == (RAW[name]["update_id"],)
    if isinstance(entry, Message):
        assert (entry.text if is_service else entry.media) == expected.words
    assert ENTRIES.validate_json(entry.model_dump_json()) == entry


ODD_NUMBERS: tuple[object, ...] = (
    10**24,
    -(10**24),
    1e308,
    float("nan"),
    float("inf"),
    -1,
    0,
    0.5,
    "12",
    True,
    None,
    [],
    2**63,
    10**4_000,
)


def places_in(value: Any, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Return the places in a JSON value that hold a single value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield before
    else:
        for name, one in inner:
            yield from places_in(one, (*before, name))


PLACES = [(name, place) for name, raw in RAW.items() for place in places_in(raw)]


@PROPERTY
@given(st.sampled_from(PLACES), st.sampled_from(ODD_NUMBERS))
def test_any_number_anywhere_in_an_update_makes_an_entry_that_can_be_stored(where: Any, number: Any) -> None:
    name, place = where
    raw = copy.deepcopy(RAW[name])
    holder: Any = raw
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = number
    raw["update_id"] = RAW[name]["update_id"]
    update = update_of(json.loads(json.dumps(raw)))
    incoming = read_update(update, BOT_ID)
    (entry,) = with_albums([incoming.entry])
    stored_as = ENTRIES.dump_python(entry)
    for one in places_in(stored_as):
        found: Any = stored_as
        for step in one:
            found = found[step]
        assert not isinstance(found, int) or -(2**63) <= found < 2**63
    members, migration = incoming.members, incoming.migration
    numbers = (*members.come, *members.joined, *members.gone, migration.to_chat or 0, migration.from_chat or 0)
    assert all(-(2**63) <= one < 2**63 for one in numbers)


def test_a_message_says_who_when_and_what() -> None:
    entry = entry_of(stored("text_plain_private"), BOT_ID)
    assert isinstance(entry, Message)
    assert (entry.author.name, entry.text, entry.message_id) == ("Боб", "привет, как дела?", 4102)
    assert f"{entry.at:%Y-%m-%d %H:%M:%S %Z}" == "2025-11-21 18:40:37 UTC"


def test_an_album_is_one_message() -> None:
    parts = [stored(f"album_photo_{n}_of_3") for n in (1, 2, 3)]
    (album,) = entries_of(parts, BOT_ID)
    assert isinstance(album, Message)
    assert (album.media, album.text, len(album.media_refs)) == ("an album of 3", "our trip", 3)
    assert album.updates == tuple(part.envelope.update_id for part in parts)


def album(*captions: str) -> Message:
    """Make an album of photos with captions, in which every @username is a mention."""
    parts = []
    for n, caption in enumerate(captions, 1):
        found = [(len(caption[: m.start()].encode("utf-16-le")) // 2, len(m[0])) for m in re.finditer(r"@\w+", caption)]
        entities = [{"type": "mention", "offset": offset, "length": length} for offset, length in found]
        raw = message_update(n, text="", chat=GROUP, caption=caption, caption_entities=entities, media_group_id="g")
        parts.append(update_of(raw))
    (entry,) = entries_of(parts, ME_ID)
    assert isinstance(entry, Message)
    return entry


@pytest.mark.parametrize(
    ("captions", "mentioned"),
    [
        (("our trip", "@lull_bot where is this?"), ["@lull_bot"]),
        (("", "@lull_bot where is this?", ""), ["@lull_bot"]),
        (("unser Ausflug 🏔👨‍👩‍👧", "", "@bob schau, was meint @lull_bot?"), ["@bob", "@lull_bot"]),
        (("@bob look", "🗻 @lull_bot どこ？"), ["@bob", "@lull_bot"]),
    ],
)
def test_who_is_mentioned_in_any_part_of_an_album_is_mentioned(captions: tuple[str, ...], mentioned: list[str]) -> None:
    joined = album(*captions)
    assert joined.text == "\n".join(caption for caption in captions if caption)
    assert list(spans(joined, EntityType.MENTION)) == mentioned
    decision = decide(joined, ChatKind.SUPERGROUP, OwnIdentity(ME_ID, "lull_bot"))
    assert decision.reason == "mentioned"


def test_two_albums_and_what_is_said_between_them_stay_apart() -> None:
    names = [*(f"album_photo_{n}_of_3" for n in (1, 2)), "reply_to_bot", *(f"album_document_{n}_of_2" for n in (1, 2))]
    first, said, second = entries_of([stored(name) for name in names], BOT_ID)
    assert [getattr(entry, "media", "") for entry in (first, said, second)] == ["an album of 2", "", "an album of 2"]
    assert isinstance(second, Message)
    assert second.text == "last one carries the caption"
    # which file is which is still known
    names = [stored(f"album_document_{n}_of_2").raw["message"]["document"]["file_name"] for n in (1, 2)]
    assert [ref.words for ref in second.media_refs] == [f"a file: {name}" for name in names]


def test_a_reply_knows_whom_it_answers() -> None:
    target = {"message_id": 3, "from": user(ME), "text": "x" * 5_000}
    reply = message_of(reply_to_message=target).reply
    assert reply is not None
    assert (reply.message_id, reply.author, len(reply.excerpt)) == (3, ME, QUOTE_CHARACTERS)


def test_the_words_that_somebody_chose_to_quote_are_the_excerpt() -> None:
    target = {"message_id": 3, "from": user(BOB), "text": "one two three"}
    reply = message_of(reply_to_message=target, quote={"text": "two"}).reply
    assert reply is not None
    assert reply.excerpt == "two"


def test_the_first_message_of_a_topic_is_not_replied_to() -> None:
    entry = entry_of(stored("forum_topic_message"), BOT_ID)
    assert isinstance(entry, Message)
    assert entry.reply is None


def test_an_edit_carries_the_new_text_of_its_message() -> None:
    entry = entry_of(stored("edited_message_caption"), BOT_ID)
    assert isinstance(entry, Edit)
    assert entry.text == "new caption"


@pytest.mark.parametrize(("origin", "is_outside"), [(BOB, True), (ANN, False)])
def test_an_edit_of_a_forward_holds_what_its_author_did_not_say(origin: Author, is_outside: bool) -> None:
    forward = {"type": "user", "date": 1, "sender_user": user(origin)}
    raw = message_update(7, "Begin anew!", edit_date=1_772_366_500, forward_origin=forward)
    edit = entry_of(update_of({"update_id": 7, "edited_message": raw["message"]}), BOT_ID)
    assert isinstance(edit, Edit)
    assert edit.holds_outside is is_outside


def test_reactions_are_as_they_are_now() -> None:
    changed = entry_of(stored("message_reaction_changed_custom_paid"), BOT_ID)
    removed = entry_of(stored("message_reaction_anonymous_removed"), BOT_ID)
    assert isinstance(changed, Reaction)
    assert isinstance(removed, Reaction)
    assert changed.emojis == ("custom_emoji", "paid")
    assert (removed.emojis, removed.author) == ((), None)


def test_a_kind_to_come_is_an_event_by_its_name() -> None:
    entry = entry_of(update_of({"update_id": 7, "moon_phase": {"chat": {"id": 1, "type": "private"}}}), BOT_ID)
    assert entry == Event(at=NOW, updates=(7,), kind="moon_phase")
    assert entry_of(update_of({"update_id": 7}), BOT_ID) == Event(at=NOW, updates=(7,), kind="unknown")


def test_a_press_says_who_pressed_what_below_which_message() -> None:
    entry = entry_of(stored("callback_query_data"), BOT_ID)
    assert isinstance(entry, ButtonPress)
    assert (entry.message_id, entry.data, entry.query_id) == (4196, "y:42", "4382000000000000001")
    assert (entry.author.name, entry.author.is_agent) == ("Alice Ångström", False)


def test_a_press_below_a_message_of_no_chat_is_an_event() -> None:
    assert isinstance(entry_of(stored("callback_query_inline_message_id"), BOT_ID), Event)


@pytest.mark.parametrize("stamp", [None, "1772366400", -5, 0, 10**15, 2**70, 1.5])
def test_a_date_without_sense_is_the_moment_of_arrival(stamp: object) -> None:
    assert message_of(date=stamp).at == NOW


FIELDS = st.sampled_from([
    *("message_id", "from", "sender_chat", "chat", "date", "text", "caption", "entities", "caption_entities", "photo"),
    *("sticker", "dice", "document", "poll", "contact", "venue", "media_group_id", "reply_to_message", "quote", "user"),
    *("forward_origin", "external_reply", "origin", "sender_user", "reply_to_story", "title", "author_signature"),
    *("new_chat_members", "left_chat_member", "new_reaction", "edit_date", "file_id", "emoji", "type", "id", "is_bot"),
])  # fmt: skip
SUBJECTS = st.dictionaries(FIELDS, JSON_VALUES | st.lists(st.dictionaries(FIELDS, JSON_VALUES, max_size=3), max_size=2))


@PROPERTY
@given(st.sampled_from([*READERS, "callback_query", "x"]), SUBJECTS, SUBJECTS | st.none(), st.integers(1, 2**62))
def test_garbage_becomes_an_entry_that_can_be_stored(
    kind: str, subject: dict[str, Any], target: dict[str, Any] | None, message_id: int
) -> None:
    for extra in ({}, {"message_id": message_id}, {"message_id": message_id, "reply_to_message": target}):
        (entry,) = entries_of([update_of({"update_id": 7, kind: subject | extra})], ANN.id)
        assert ENTRIES.validate_json(entry.model_dump_json()) == entry
        assert len(entry.model_dump_json().encode()) < 900_000


KINDS = [kind.field for kind in CONTENT if kind.words]


@pytest.mark.parametrize("kind", [*KINDS, *NOTES, "moon_landed"])
def test_nothing_that_somebody_sent_is_an_empty_message(kind: str) -> None:
    message = {"message_id": 7, "from": user(ANN), "chat": user(ANN) | {"type": "private"}, kind: {}}
    entry = entry_of(update_of({"update_id": 7, "message": message}), ME_ID)
    assert isinstance(entry, Message)
    assert entry.text or entry.media


def test_an_edit_says_what_comes_with_the_message_now() -> None:
    raw = message_update(7, text="", location={"latitude": 1.0, "longitude": 2.0, "live_period": 60})
    entry = entry_of(update_of({"update_id": 7, "edited_message": raw["message"]}), ME_ID)
    assert isinstance(entry, Edit)
    assert entry.media == "a live location: 1.00000, 2.00000"
