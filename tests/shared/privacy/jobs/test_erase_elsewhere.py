"""When a person's or a group's words are deleted, texts in other chats that are based on them are deleted too."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from shared.chat.store import paths
from shared.chat.store.chats import ChatCommit
from shared.chat.store.outbox import encode_notice
from shared.chat.store.plans import encode_plan
from shared.media.store.media import encode_media, encode_reference
from shared.memory.store import FirestoreMemories
from shared.reminders.store import encode_reminder
from shared.tasks.plan import Plan
from shared.values.chat_key import ChatKey
from shared.values.deletion import ERASED, DeletionScope
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import Author, Edit, QuotedMessage
from shared.values.origin import ConversationSpan
from shared.values.outbox import OutboxNotice
from shared.values.reference import FileReference
from shared.values.reminder import Reminder
from shared.values.stored_media import StoredMedia
from shared.values.tool_use import ToolUse
from tests.shared.examples import ANN, BOB, ME, NOW, said
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import BOBS, HERS, ROOM, DeletionHarness, hers, his, ours

WORD = "marmalade"
OF_ANN = ConversationSpan(conversation="conv-a", chat_id=ROOM.chat_id, first_seq=1, last_seq=1, people=(ANN.id,))
OF_OTHERS = ConversationSpan(conversation="conv-b", chat_id=-9, first_seq=1, last_seq=1, people=(77,))
OWNER = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=BOB.id)


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


def memory(name: str, text: str, *elsewhere: ConversationSpan) -> Memory:
    source = MemorySource(place="lull.-3", person=BOB.id)
    return Memory(
        id=name, text=text, scope=OWNER.scope, source=source, made_at=NOW, changed_at=NOW, elsewhere=elsewhere
    )


async def planted(harness: DeletionHarness) -> str:
    """Have Ann write in a group. Return Bob's private conversation, some of which is based on her words."""
    await harness.says(ROOM, hers("It ends with a sweet spread", message_id=1), ours("I see.", message_id=2))
    chat = await harness.says(
        BOBS,
        his("how does it end?", message_id=1),
        ours(f"With {WORD}.", message_id=2, elsewhere=(OF_ANN, OF_OTHERS)),
        Edit(at=NOW, message_id=2, author=ME, text=f"With some {WORD}.", elsewhere=(OF_ANN,)),
        his(f"so {WORD} it is", message_id=3, reply=None),
        ours("And of tea?", message_id=4, elsewhere=(OF_OTHERS,)),
    )
    kept = (memory("a", f"Needs {WORD}.", OF_ANN), memory("b", "Likes tea.", OF_OTHERS), memory("c", "Is tall."))
    await FirestoreMemories(harness.chats.client).change([MemoryChange(owner=OWNER, kept=kept)])
    await remind(harness, BOBS, "r1", f"Buy {WORD}", OF_ANN)
    await remind(harness, BOBS, "r2", "Buy tea")
    boards = [
        Keyboard(id=one * 16, choices=(text,), people=(BOB.id,), at=harness.now(), elsewhere=made_of)
        for one, text, made_of in (("a", WORD, (OF_ANN,)), ("b", "tea", ()))
    ]
    seen = await harness.chats.see(BOBS)
    await harness.chats.commit(
        seen, ChatCommit(chat=seen.chat.with_part(evolve(seen.chat.talk, keyboards=tuple(boards))))
    )
    plan = Plan(
        id="p",
        created_at=NOW,
        tasks=(),
        uses=(ToolUse(name="search_conversations", arguments="{}", answer=WORD),),
        elsewhere=(OF_ANN,),
    )
    await harness.chats.client.document(paths.plan_path(BOBS)).set(encode_plan(plan))
    return chat.conversation


async def remind(harness: DeletionHarness, key: ChatKey, name: str, text: str, *elsewhere: ConversationSpan) -> None:
    made = Reminder(
        id=name, agent="lull", chat=key.id, person=BOB.id, text=text, next_at=harness.now(), set_at=NOW,
        elsewhere=elsewhere,
    )  # fmt: skip
    await harness.chats.client.document(paths.event_path(name)).set(encode_reminder(made))


@pytest.mark.parametrize(
    "asked", [{}, {"scope": DeletionScope.GROUP, "key": ROOM}], ids=["a person is forgotten", "a group is"]
)
async def test_what_was_made_of_their_words_goes_and_what_others_said_stays(
    harness: DeletionHarness, asked: dict[str, Any]
) -> None:
    conversation = await planted(harness)
    await harness.archives()
    await harness.forgets(**asked)
    assert await harness.spoken(conversation) == [
        ("Bob", "how does it end?"), ("lull", ERASED), ("Bob", f"so {WORD} it is"), ("lull", "And of tea?"),
    ]  # fmt: skip
    memories = await FirestoreMemories(harness.chats.client).of([OWNER])
    assert [one.id for one in memories[OWNER]] == ["b", "c"]
    reminders = [(await harness.document(paths.event_path(one)))["text"] for one in ("r1", "r2")]
    assert reminders == [ERASED, "Buy tea"]
    assert [one.id[0] for one in (await harness.chats.see(BOBS)).chat.talk.keyboards] == ["b"]
    own = [f"conversations/{conversation}", paths.window_path(BOBS), f"{conversation}.jsonl"]
    left = [path for path in await harness.where(WORD) if not path.startswith(tuple(own))]
    assert left == [], "besides where Bob said it himself"
    assert [path for path in await harness.where(str(ANN.id), str(ROOM.chat_id)) if conversation in path] == []


async def test_a_reminder_of_others_in_their_words_or_with_their_name_comes_without_these(
    harness: DeletionHarness,
) -> None:
    await harness.says(ROOM, hers("the boathouse key hangs behind the clock", message_id=1))
    await remind(harness, ROOM, "r1", "The boathouse key hangs behind the clock.")
    await remind(harness, ROOM, "r2", f"Buy {ANN.name} a cake.")
    await remind(harness, ROOM, "r3", "Buy tea.")
    lost = ("lost: The boathouse key hangs behind the clock.", f"lost: Buy {ANN.name} a cake.", "lost: Buy tea.")
    for name, text in zip(("n1", "n2", "n3"), lost, strict=True):
        notice = OutboxNotice(
            id=name, agent="lull", chat=ROOM.id, person=BOB.id, text=text, next_at=harness.now(), set_at=NOW
        )
        await harness.chats.client.document(paths.event_path(name)).set(encode_notice(notice))
    await harness.forgets()
    found = [await harness.document(paths.event_path(one)) for one in ("r1", "r2", "r3", "n1", "n2", "n3")]
    texts = [one["text"] for one in found]
    assert texts[:3] == [ERASED, f"Buy {ERASED} a cake.", "Buy tea."]
    assert texts[3:] == [ERASED, f"lost: Buy {ERASED} a cake.", "lost: Buy tea."]
    assert all(one["next_at"] is not None for one in found)


async def test_what_others_pass_on_of_who_hid_their_account_goes_and_what_its_file_shows(
    harness: DeletionHarness,
) -> None:
    full = evolve(ANN, name="Ann Quillonby")
    hidden, another = Author(id=0, name="Ann Quillonby"), Author(id=0, name="Ann Bean")
    await harness.says(HERS, said("/start", author=full))
    photo = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u1")
    passed_on = his("a heron", message_id=1, turn=1, forwarded_from=hidden, media_refs=(photo,))
    chat = await harness.says(
        BOBS,
        passed_on,
        ours("I see a bird.", message_id=2, turn=1),
        his("a gannet", message_id=3, forwarded_from=another),
        his(
            "so it is",
            message_id=4,
            reply=QuotedMessage(message_id=1, author=BOB, forwarded_from=hidden, excerpt="a heron"),
        ),
    )
    sent = FileReference(
        ref=photo, agent="lull", chat=BOBS.id, person=BOB.id, at=NOW, try_at=NOW, is_own=False,
        passed_on_from=(hidden.known_id,),
    )  # fmt: skip
    client = harness.chats.client
    await client.document(paths.reference_path(sent.id)).set(encode_reference(sent))
    description = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a heron")
    kept = StoredMedia(unique_id="u1", kind=photo.kind, description=description, updated_at=NOW)
    await client.document(paths.media_path("u1")).set(encode_media(kept))
    await harness.archives()
    await harness.forgets()
    assert await harness.spoken(chat.conversation) == [
        ("Bob", ERASED), ("lull", ERASED), ("Bob", "a gannet"), ("Bob", "so it is"),
    ]  # fmt: skip
    assert await harness.where("Quillonby", str(hidden.known_id)) == []
    assert [one async for one in client.collection(paths.MEDIA).stream()] == []


async def test_what_was_made_of_one_conversation_goes_with_it_and_of_another_of_its_chat_nothing(
    harness: DeletionHarness,
) -> None:
    first = await harness.says(HERS, hers("It ends with a sweet spread", message_id=1))
    await harness.says(HERS, ours("I see.", message_id=2), leaves=True)
    looked_up = ConversationSpan(
        conversation=first.conversation, chat_id=ANN.id, first_seq=1, last_seq=1, people=(ANN.id, BOB.id)
    )
    of_several = evolve(looked_up, conversation="", people=(ANN.id,))
    of_another = evolve(looked_up, conversation="conv-another")
    second = await harness.says(
        HERS,
        hers("how does it end?", message_id=2),
        ours(f"With {WORD}.", message_id=3, elsewhere=(looked_up,)),
        hers(f"so {WORD} it is", message_id=4),
        ours("And of tea?", message_id=5, elsewhere=(of_another,)),
    )
    owners = await harness.says(
        BOBS, his("what of her?", message_id=1), ours(f"Likes {WORD}.", message_id=2, elsewhere=(of_several,))
    )
    kept = (memory("a", f"Needs {WORD}.", looked_up), memory("b", "Likes tea.", of_another), memory("c", "Is tall."))
    await FirestoreMemories(harness.chats.client).change([MemoryChange(owner=OWNER, kept=kept)])
    await remind(harness, BOBS, "r1", f"Buy {WORD}", of_several)
    await remind(harness, BOBS, "r2", "Buy tea", of_another)
    plan = Plan(
        id="p", created_at=NOW, tasks=(), elsewhere=(looked_up,),
        uses=(ToolUse(name="search_conversations", arguments="{}", answer=WORD),),
    )  # fmt: skip
    await harness.chats.client.document(paths.plan_path(BOBS)).set(encode_plan(plan))
    await harness.archives()
    await harness.forgets(DeletionScope.CONVERSATION, conversation=first.conversation)
    assert await harness.spoken(second.conversation) == [
        ("Ann", "how does it end?"), ("lull", ERASED), ("Ann", f"so {WORD} it is"), ("lull", "And of tea?"),
    ]  # fmt: skip
    assert await harness.spoken(owners.conversation) == [("Bob", "what of her?"), ("lull", ERASED)]
    memories = await FirestoreMemories(harness.chats.client).of([OWNER])
    assert [one.id for one in memories[OWNER]] == ["b", "c"]
    reminders = [(await harness.document(paths.event_path(one)))["text"] for one in ("r1", "r2")]
    assert reminders == [ERASED, "Buy tea"]
    own = (f"conversations/{second.conversation}", paths.window_path(HERS), f"{second.conversation}.jsonl")
    assert [path for path in await harness.where(WORD) if not path.startswith(own)] == [], (
        "besides what Ann said herself"
    )
