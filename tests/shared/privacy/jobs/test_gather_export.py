"""Gathering an export: other people's data is left out, runs may be killed, and parts have limited sizes."""

from datetime import datetime, timedelta
from secrets import token_hex

import pytest

from shared.base.errors import ExportsUnavailable
from shared.chat.store import paths
from shared.privacy.export.gathering import PartLimits
from shared.privacy.jobs.gather_export import ExportGatherer, gather_export
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.export import CLAIMED, KEPT_PARTS, MOST_TRIES, ExportState, PartOutcome, is_progress_shown_after
from shared.values.job_run import JobRun
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry, Edit, Event, MediaDescribed, QuotedMessage, Reaction
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia, StoredPart
from shared.webchat.files import WebFiles
from tests.shared.examples import ME, NOW
from tests.shared.exports import ExportHarness, lines, said, somebody

#: a mark for other people's data; it is put into every place that has some
MARK = "vermilion-otter"
ANSWERED = Decision(respond=True, reason="named", tier=DecisionTier.EXPLICIT)
UNANSWERED = Decision(respond=False, reason="nothing called", tier=DecisionTier.NONE)


async def test_somebody_gets_all_of_theirs_and_nothing_that_others_said_to_each_other(
    export_harness: ExportHarness,
) -> None:
    """Ann tries to get others' data: she is in a group with Bob, quotes him, forwards others' messages, and knows his
    id.
    """
    ann, bob = somebody("Ann"), somebody("Bob")
    mine, his = (ChatKey(agent="lull", chat_id=one.id) for one in (ann, bob))
    group = ChatKey(agent="lull", chat_id=-ann.id)
    await export_harness.talk(mine, [said(ann, "my own words", 1), said(ME, "an answer in private", 2)])
    conversation = await export_harness.talk(his, [said(bob, f"in private: {MARK}", 1), said(ME, f"to Bob: {MARK}", 2)])
    quote = QuotedMessage(message_id=11, author=bob, excerpt=f"quoted {MARK}", holds_outside=True)
    elsewhere = QuotedMessage(message_id=0, author=bob, excerpt=f"elsewhere {MARK}")
    file = MediaRef(kind=MediaKind.DOCUMENT, file_id="f", unique_id=f"bobs-{bob.id}", words=f"{MARK}.pdf")
    entries: list[AnyEntry] = [
        said(ann, "hello all", 10, turn=1, decision=UNANSWERED),
        said(bob, f"Bob to all {MARK}", 11, turn=1, decision=ANSWERED, media_refs=(file,)),
        said(ME, f"to Bob alone {MARK}", 12, turn=1, reply=QuotedMessage(message_id=11, author=bob, excerpt=f"{MARK}")),
        said(ME, f"to whoever asked, which is Bob {MARK}", 13, turn=1),
        said(ann, "what I say to Bob", 14, turn=2, reply=quote, decision=ANSWERED),
        said(ann, "what I say about elsewhere", 15, turn=2, reply=elsewhere, decision=UNANSWERED),
        said(ME, "an answer in the group", 16, turn=2),
        said(
            bob, "Bob's reply to Ann", 17, turn=3,
            reply=QuotedMessage(message_id=14, author=ann, excerpt="what I say"),
        ),
        said(bob, f"Bob speaks of @ann_unknown {MARK}", 18, turn=3),
        Edit(at=NOW, message_id=11, author=bob, text=f"edited {MARK}"),
        Edit(at=NOW, message_id=14, author=ann, text="what I said, edited"),
        Reaction(at=NOW, message_id=11, author=bob, emojis=("👍",)),
        Reaction(at=NOW, message_id=14, author=bob, emojis=("🔥",)),
        MediaDescribed(
            at=NOW, message_ids=(11,), kind=MediaKind.DOCUMENT, unique_id=file.unique_id,
            description=Description(outcome=DescriptionOutcome.DESCRIBED, shows=f"it shows {MARK}"),
        ),
        Event(at=NOW, kind="poll", note=f"a poll of {MARK}"),
    ]  # fmt: skip
    shared = await export_harness.talk(group, entries, title="Our group")
    await export_harness.saw(group, ann)
    await export_harness.saw(group, bob)
    await _kept_of_others(export_harness, bob.id, shared, group)
    await export_harness.keep(paths.summary_path(his.id, "shown"), {"shown": {"7day": {"text": MARK}}})
    await export_harness.keep(paths.compression_path(conversation), {"text": MARK})
    (files,) = await export_harness.gathered(ann)
    everything = b"".join(files.values()) + " ".join(files).encode()
    assert MARK.encode() not in everything, "nothing of what others said to each other, or to the agent"
    told = [(one.get("content"), one.get("event")) for one in lines(files, "messages.jsonl")]
    assert [one for one, _ in told if one] == [
        "hello all",
        "what I say to Bob",
        "what I say about elsewhere",
        "an answer in the group",
        "Bob's reply to Ann",
        "what I said, edited",
        "my own words",
        "an answer in private",
    ]
    assert [kind for _, kind in told if kind] == ["edit", "reaction"]
    assert [one["chat"] for one in lines(files, "about.jsonl")[1:]] == sorted([mine.id, group.id])


async def _kept_of_others(export_harness: ExportHarness, bob: int, conversation: str, group: ChatKey) -> None:
    """Store data of Bob and of the group outside of the transcripts."""
    memory = {
        "id": "m", "text": f"Bob likes {MARK}", "scope": "person", "made_at": NOW, "changed_at": NOW,
        "source": {"place": "lull.1", "person": bob},
    }  # fmt: skip
    await export_harness.keep(f"people/{bob}", {"pronouns": MARK})
    await export_harness.keep(f"people/{bob}/memories/lull", {"memories": {"m": memory}})
    await export_harness.keep(f"chats/{group.id}/memories/current", {"memories": {"m": memory | {"scope": "chat"}}})
    await export_harness.keep(paths.event_path(f"bobs{bob}"), {"person": bob, "text": MARK})
    observed = {
        "id": "o", "conversation": conversation, "agent": "lull", "place": "p", "text": f"Bob and Ann {MARK}",
        "about": [bob, -group.chat_id], "entries": [2], "made_at": NOW,
    }  # fmt: skip
    await export_harness.keep(paths.observation_path(conversation, "o"), observed)
    await export_harness.keep(paths.summary_path(group.id, "shown"), {"shown": {"7day": {"text": MARK}}})
    await export_harness.keep(paths.compression_path(conversation), {"text": MARK})
    part = StoredPart(path=f"bobs-{bob}/0", mime_type="application/pdf", size=len(MARK))
    await export_harness.media.put(part, MARK.encode())
    ref = MediaRef(kind=MediaKind.DOCUMENT, file_id="f", unique_id=f"bobs-{bob}")
    sent = FileReference(ref=ref, agent="lull", chat=group.id, person=bob, message_ids=(11,), at=NOW, try_at=NOW)
    await export_harness.keep(paths.reference_path(sent.id), sent.model_dump())
    kept = StoredMedia(unique_id=ref.unique_id, kind=ref.kind, parts=(part,), updated_at=NOW)
    await export_harness.keep(paths.media_path(ref.unique_id), kept.model_dump())


async def test_files_memories_and_reminders_come_too(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    key = ChatKey(agent="lull", chat_id=ann.id)
    conversation = await export_harness.talk(key, [said(ann, "look", 1)])
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"anns-{ann.id}")
    parts = tuple(
        StoredPart(path=f"{ref.unique_id}/{n}", mime_type="image/jpeg", size=2_500_000 + n) for n in (0, 1, 2)
    )
    for part in parts[:2]:  # the third part expired
        await export_harness.media.put(part, b"x" * part.size)
    shown = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a green knight")
    kept = StoredMedia(unique_id=ref.unique_id, kind=ref.kind, parts=parts, description=shown, updated_at=NOW)
    await export_harness.keep(paths.media_path(ref.unique_id), kept.model_dump())
    for n in (1, 2):
        sent = FileReference(
            ref=ref, agent="lull", chat=key.id, person=ann.id, message_ids=(n,), at=NOW + timedelta(n), try_at=NOW,
            conversation=conversation,
        ).model_dump()  # fmt: skip
        await export_harness.keep(paths.reference_path(f"{ref.unique_id}{n}"), sent)
    source = {"place": f"lull.{ann.id}", "person": ann.id}
    memory = {
        "id": "m",
        "text": "Ann likes tea",
        "scope": "person",
        "made_at": NOW,
        "changed_at": NOW,
        "source": source,
    }
    await export_harness.keep(f"people/{ann.id}", {"pronouns": "she", "zone": "Europe/Berlin"})
    await export_harness.keep(f"people/{ann.id}/memories/lull", {"memories": {"m": memory}})
    await export_harness.keep(paths.event_path(f"anns{ann.id}"), {"person": ann.id, "text": "tea!", "open_in": key.id})
    told = {"person": ann.id, "text": "Ann wants to talk to me.", "chat": "lull.777.0", "is_apart": True}
    await export_harness.keep(paths.event_path(f"owners{ann.id}"), told)
    receipt = {"person": ann.id, "text": "All is forgotten.", "chat": key.id, "is_notice": True, "is_apart": False}
    await export_harness.keep(paths.event_path(f"receipt{ann.id}"), receipt)
    (files,) = await export_harness.gathered(ann)
    copies = [one["copies"] for one in lines(files, "media.jsonl")]
    assert copies[0] == copies[1]
    assert len(copies[0]) == 3
    assert [len(files[name]) for name in copies[0][:2]] == [2_500_000, 2_500_001]
    assert copies[0][2] not in files
    assert lines(files, "media.jsonl")[0]["description"]["shows"] == "a green knight"
    assert lines(files, "memories.jsonl")[0]["text"] == "Ann likes tea"
    assert sorted(one["text"] for one in lines(files, "reminders.jsonl")) == ["All is forgotten.", "tea!"]
    assert lines(files, "about.jsonl")[0] == {"person": ann.id, "pronouns": "she", "zone": "Europe/Berlin"}
    assert lines(files, "conversations.jsonl")[0]["title"] == f"title of {conversation}"
    assert "memories: what I remember about you or learned from you (1)" in files["README.txt"].decode()


async def test_in_parts_nothing_is_missing_and_nothing_comes_twice(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    texts = [f"{n} {token_hex(2_000)}" for n in range(40)]  # texts that can hardly be compressed
    for conversation in (1, 2):
        key = ChatKey(agent="lull", chat_id=ann.id, topic_id=conversation - 1)
        entries = [said(ann, text, n) for n, text in enumerate(texts, start=1)]
        await export_harness.talk(key, entries, f"conv-{ann.id}-{conversation}")
    parts = await export_harness.gathered(ann, PartLimits(size=30_000))
    assert len(parts) > 3
    names = [name for files in parts for name in files if name != "README.txt"]
    assert len(set(names)) == len(names), "unpacked into one folder, no file hides another"
    told = [one for files in parts for name in files if name.startswith("messages") for one in lines(files, name)]
    assert [(one["conversation"][-1], one["content"]) for one in told] == [(c, t) for c in "12" for t in texts]
    export = await export_harness.now_of(ann)
    assert (export.done, export.total, export.counts["messages"]) == (2, 2, 80)
    told_of = [body["of"].split("@")[2] for body in export_harness.asked.of("tick") if body["reason"] == "takeout"]
    assert told_of == [str(n) for n in range(1, len(parts) + 1) if is_progress_shown_after(n) or n == len(parts)]


async def _runs(gatherer: ExportGatherer, job_run: JobRun, most: int) -> None:
    for _ in range(most):
        await gather_export(gatherer, job_run)


class _Dies(Exception):
    """Raised where a function is killed."""


@pytest.mark.parametrize("step", range(1, 12))
async def test_whatever_kills_a_run_the_next_one_goes_on(export_harness: ExportHarness, step: int) -> None:
    """A run dies when it reads the clock for the n-th time, which is before or after one of its steps. The claim
    expires, and other runs continue.
    """
    ann = somebody("Ann")
    texts = [f"word {n}" for n in range(12)]
    await export_harness.talk(
        ChatKey(agent="lull", chat_id=ann.id), [said(ann, text, n) for n, text in enumerate(texts, 1)]
    )
    export = await export_harness.ask(ann)
    looks = 0

    def clock() -> datetime:
        nonlocal looks
        looks += 1
        if looks == step:
            raise _Dies
        return export_harness.now

    job_run = JobRun(scheduled_for="now", person=str(ann.id))
    limits = PartLimits(size=100)
    gatherer = export_harness.gatherer(limits, clock)
    with pytest.raises(_Dies):
        await _runs(gatherer, job_run, step)
    looks = 100
    assert await export_harness.run(ann) in ({}, {"parts": 1}, {"woken": 1}), "whoever has it may live still"
    export_harness.now += CLAIMED + timedelta(seconds=1)
    parts = await export_harness.gathered(ann, limits)
    assert (await export_harness.now_of(ann)).run == export.run
    told = [one for files in parts for name in files if name.startswith("messages") for one in lines(files, name)]
    assert [one["content"] for one in told] == texts


async def test_what_was_sent_is_deleted_with_what_a_dead_run_left(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    await export_harness.talk(ChatKey(agent="lull", chat_id=ann.id), [said(ann, "hello", 1)])
    await export_harness.gathered(ann)
    export = await export_harness.now_of(ann)
    async with export_harness.bucket.writing(f"{export.run}/0009-dead.zip") as writer:
        await writer.write(b"what a dead run left")
    assert len(export_harness.left(export.run)) == 2
    assert await export_harness.run(ann) == {"woken": 1}, "nothing became of it yet"
    seen = await export_harness.exports.find(ann.id)
    sent = evolve(export, outcomes={"1": PartOutcome.SENT}, due_at=NOW - timedelta(1))
    await export_harness.exports.replace(seen, sent)
    assert (await gather_export(export_harness.gatherer(), JobRun(scheduled_for="sweep")))["due"] >= 1
    assert {"job": "take_out", "person": str(ann.id)} in export_harness.asked.of("summarize")
    assert await export_harness.run(ann) == {"cleared": 1, "told": 1}
    assert export_harness.left(export.run) == []
    over = await export_harness.now_of(ann)
    assert (over.state, over.due_at) == (ExportState.CLEARED, None)
    assert await export_harness.run(ann) == {}


async def test_what_nobody_takes_and_what_cannot_be_gathered_is_given_up_and_may_be_asked_for_again(
    export_harness: ExportHarness,
) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    await export_harness.gathered(ann)
    export_harness.now += KEPT_PARTS + timedelta(hours=1)
    assert await export_harness.run(ann) == {"given_up": 1, "told": 1}
    await export_harness.ask(bob)
    for _ in range(MOST_TRIES):
        seen = await export_harness.exports.find(bob.id)
        assert seen.export is not None
        await export_harness.exports.replace(seen, evolve(seen.export, tries=seen.export.tries + 1))
    assert await export_harness.run(bob) == {"given_up": 1, "told": 1}
    for person in (ann, bob):
        failed = await export_harness.now_of(person)
        assert (failed.state, export_harness.left(failed.run)) == (ExportState.FAILED, [])
        assert (await export_harness.ask(person)).run != failed.run


async def test_a_bucket_that_fails_leaves_the_place_where_it_was(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    await export_harness.ask(ann)
    gatherer = export_harness.gatherer()
    gone = type(export_harness.bucket)(export_harness.project, "no-such-bucket")
    without_bucket = type(gatherer)(**{**vars(gatherer), "bucket": gone})
    with pytest.raises(ExportsUnavailable):
        await gather_export(without_bucket, JobRun(scheduled_for="x", person=str(ann.id)))
    gone.client.close()
    export = await export_harness.now_of(ann)
    assert (export.parts, export.tries, export.state) == ((), 1, ExportState.GATHERING)


async def test_a_file_of_the_console_comes_as_it_was_sent(export_harness: ExportHarness) -> None:
    olga, content = somebody("Olga"), f"as it was {somebody('x').id}".encode()
    key = ChatKey(agent="lull", chat_id=olga.id)
    files = WebFiles(lambda: export_harness.media)
    name = await files.keep(content)
    ref = MediaRef(kind=MediaKind.DOCUMENT, file_id=name, unique_id=name, mime_type="text/plain", size=len(content))
    sent = FileReference(ref=ref, agent="lull", chat=key.id, person=olga.id, message_ids=(1,), at=NOW, try_at=NOW)
    await export_harness.keep(paths.reference_path(sent.id), sent.model_dump())
    (found,) = await export_harness.gathered(olga)
    assert lines(found, "media.jsonl")[0]["copies"] == [f"media/{name}-1.txt"]
    assert found[f"media/{name}-1.txt"] == content
