"""The search finds all stored data of a person in the real Firestore."""

from shared.chat.store import paths
from shared.privacy.store.belongings import FirestoreBelongings
from shared.values.budget import BudgetLease, ChatBudget
from shared.values.chat_key import ChatKey
from shared.values.money import Amount
from tests.shared.examples import NOW
from tests.shared.exports import ExportHarness, said, somebody


async def test_chats_are_found_with_every_agent_in_every_topic_and_under_ids_of_before(
    export_harness: ExportHarness,
) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    mine = [ChatKey(agent="lull", chat_id=ann.id), ChatKey(agent="moss", chat_id=ann.id, topic_id=4)]
    old, new = ChatKey(agent="lull", chat_id=-ann.id), ChatKey(agent="lull", chat_id=-ann.id - 10**12)
    topic = ChatKey(agent="lull", chat_id=new.chat_id, topic_id=9)
    for number, key in enumerate((*mine, old, new, topic, ChatKey(agent="lull", chat_id=bob.id))):
        moved = {"moved_from": old.chat_id} if key == new else {}
        await export_harness.talk(key, [said(ann, "hello", 1)], f"conv-{ann.id}-{number}", **moved)
    await export_harness.saw(new, ann)
    belongings = FirestoreBelongings(export_harness.client)
    chats = await belongings.chats(ann.id)
    assert {chat.ids[0] for chat in chats} == {key.id for key in (*mine, new, topic)}
    assert {chat.ids[0] for chat in chats if chat.is_private} == {key.id for key in mine}
    found = await belongings.conversations(chats)
    assert [one.id for one in found] == [f"conv-{ann.id}-{number}" for number in range(5)], "the old id's, too"


async def test_of_what_is_remembered_of_chats_and_of_all_it_is_what_comes_from_their_words(
    export_harness: ExportHarness,
) -> None:
    ann = somebody("Ann")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    await export_harness.talk(group, [said(ann, "hello", 1)])
    await export_harness.saw(group, ann)
    memory = {"id": "m", "text": "tea at five", "scope": "chat", "made_at": NOW, "changed_at": NOW}
    kept = {
        "a": memory | {"source": {"place": "p", "person": ann.id}},
        "b": memory | {"source": {"place": "p", "person": 1}, "text": "of another"},
    }
    gone = {"g": kept["a"] | {"id": "g", "text": "", "forgotten_at": NOW}}
    await export_harness.keep(f"chats/{group.id}/memories/current", {"memories": kept, "forgotten": gone})
    belongings = FirestoreBelongings(export_harness.client)
    found = [one async for one in belongings.memories(ann.id, await belongings.chats(ann.id))]
    assert [(one["text"], one["agent"]) for one in found] == [("tea at five", "lull")]


async def test_what_waits_for_its_page_is_part_of_a_transcript(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    key = ChatKey(agent="lull", chat_id=ann.id)
    waiting = tuple(said(ann, f"word {n}", n, seq=n) for n in (2, 3))
    conversation = await export_harness.talk(key, [said(ann, "word 1", 1), said(ann, "word 2", 2)], unpaged=waiting)
    found = [one async for one in FirestoreBelongings(export_harness.client).entries(conversation)]
    assert [getattr(one, "text", "") for one in found] == ["word 1", "word 2", "word 3"]


async def test_requests_are_theirs_and_so_is_what_access_lists_have_of_them(export_harness: ExportHarness) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    agents = [f"own{ann.id}", f"let{ann.id}", f"not{ann.id}"]
    for one in (ann, bob):
        request = {"person": one.id, "words": f"{one.name} would like in", "expires_at": NOW}
        await export_harness.keep(paths.request_path(f"q{one.id}"), request)
    await export_harness.keep(paths.bot_path(agents[0]), {"owner": ann.id, "blocked": {str(bob.id): {"name": "Bob"}}})
    entries = {"people": {str(ann.id): {"name": "Ann"}, str(bob.id): {}}, "blocked": {str(ann.id): {"why": "rude"}}}
    await export_harness.keep(paths.bot_path(agents[1]), {"owner": bob.id} | entries)
    await export_harness.keep(paths.bot_path(agents[2]), {"people": {str(bob.id): {"name": "Bob"}}})
    found = [one async for one in FirestoreBelongings(export_harness.client).requests(ann.id)]
    assert found == [
        {"person": ann.id, "words": "Ann would like in"},
        {"agent": agents[1], "let_in": {"name": "Ann"}, "blocked": {"why": "rude"}},
        {"agent": agents[0], "is_owner": True},
    ]


async def test_what_somebody_used_is_told_by_sums_by_allowances_and_by_what_is_open(
    export_harness: ExportHarness,
) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    key = ChatKey(agent="lull", chat_id=ann.id)
    lent = [
        BudgetLease(id=f"a{one.id}", person=one.id, day="2026-11-02", until=NOW, used=Amount(nano_usd=7))
        for one in (ann, bob)
    ]
    await export_harness.talk(key, [said(ann, "hello", 1)], budget=ChatBudget(open=tuple(lent)))
    sums = {"person": {"day": "2026-11-02", "spent_day": {"nano_usd": 9, "messages": 1}}}
    await export_harness.keep(paths.account_path("lull", ann.id), {"sums": sums, "expires_at": NOW})
    await export_harness.keep(paths.account_path("lull", bob.id), {"sums": {"person": {"day": "of Bob"}}})
    for one in (ann, bob):
        await export_harness.keep(
            paths.usage_path(f"u{one.id}"), {"person": one.id, "day": one.name, "expires_at": NOW}
        )
    belongings = FirestoreBelongings(export_harness.client)
    found = [one async for one in belongings.usage(ann.id, await belongings.chats(ann.id))]
    assert found[:2] == [{"agent": "lull", "sums": sums, "lent": {}}, {"person": ann.id, "day": "Ann"}]
    assert [(one["id"], one["used"]["nano_usd"]) for one in found[2:]] == [(f"a{ann.id}", 7)]


async def test_what_is_not_there_is_nothing(export_harness: ExportHarness) -> None:
    ann, belongings = somebody("Ann"), FirestoreBelongings(export_harness.client)
    assert await belongings.chats(ann.id) == []
    assert await belongings.profile(ann.id) == {}
    assert [one async for one in belongings.files(ann.id)] == []
    assert [one async for one in belongings.entries("conv-none")] == []
    assert paths.export_path("x") == "takeouts/x"
