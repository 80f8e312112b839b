"""The paths of documents."""

from shared.chat.store import paths
from tests.shared.examples import KEY

ID = KEY.id


def test_every_document_has_its_place() -> None:
    assert paths.chat_path(KEY) == paths.chat_path_of(ID) == f"chats/{ID}"
    assert paths.inbox_path(KEY) == f"chats/{ID}/inbox"
    assert paths.update_path(KEY, 7) == f"chats/{ID}/inbox/00000000000000000007"
    assert paths.window_path(KEY) == f"chats/{ID}/window/current"
    assert paths.conversation_path("conv-1") == "conversations/conv-1"
    assert paths.pages_path("conv-1") == "conversations/conv-1/messages"
    assert paths.page_path("conv-1", 7) == "conversations/conv-1/messages/0000000007"
    assert paths.compression_path("conv-1") == "conversations/conv-1/compression/current"
    assert paths.replaced_compression_path("conv-1", 7) == "conversations/conv-1/compression/000000000007"
    assert paths.plan_path(KEY) == f"plans/{ID}"
    assert paths.past_plan_path(KEY, "p1") == f"plans/{ID}/past/p1"
    assert paths.incident_path("i-1") == "incidents/i-1"
    assert paths.notice_path("lull money 2026-11-23") == "notices/48c76b4a806165a355da"
    assert paths.lookup_path("https://a.example/?name=Lviv") == "lookups/f4b5b51bc5be7b6b08300983ba794764e8444212"
    assert paths.bot_path("lull") == "bots/lull"
    assert paths.archive_cursor_path("gs://a/b") == "archives/e8ada7fc74848f87b0e7"
    for path in (paths.chat_path(KEY), paths.update_path(KEY, 7)):
        assert paths.chat_id_in(path) == ID
