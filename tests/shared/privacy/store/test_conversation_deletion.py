"""The document of a conversation after a person was forgotten."""

from shared.chat.store import paths
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.privacy.store.deletion_lookup import ConversationOutline
from shared.values.conversation_row import row_fields
from shared.values.transcript import TranscriptScan
from tests.shared.examples import ANN, BOB
from tests.shared.new_chats import entry, new_chats

OUTLINE = ConversationOutline(
    conversation="conv-1", chat="lull.-5", title="", is_named_by_hand=True, entries=2, chat_title="Tea"
)


async def test_titles_go_at_once_and_who_is_told_of_when_all_is_made_again(emulator: str) -> None:
    async with new_chats() as here:
        document = here.client.document(paths.conversation_path("conv-1"))
        compression = here.client.document(paths.compression_path("conv-1"))
        named = {"people": [ANN.id, BOB.id], "participants": {str(one.id): {"name": one.name} for one in (ANN, BOB)}}
        await document.set({"title": "x", "manually_named": True, "chat_title": "x", "history": "[]", **named})
        row = row_fields([entry(1, "tea", author=BOB), entry(2, "my secret", author=ANN)])
        await document.set({**row, "cost": 0.5}, merge=True)
        replaced = here.client.document(paths.replaced_compression_path("conv-1", 7))
        await compression.set({"text": "x"})
        await replaced.set({"text": "x"})
        await FirestoreChatDeletion(here.client).retitle(OUTLINE)
        titles = {"title": "", "manually_named": False, "chat_title": "Tea", "history": ""}
        assert (await document.get()).to_dict() == {**titles, **named, **row, "cost": 0.5}
        telling = TranscriptScan()
        telling.hear([entry(1, "tea", author=BOB)])
        left = [entry(1, "tea", author=BOB)]
        await FirestoreChatDeletion(here.client).reduce_conversation(OUTLINE, telling, left)
        known = (await document.get()).to_dict() or {}
        assert (known["people"], list(known["participants"]), known["opening"]) == ([BOB.id], [str(BOB.id)], "tea")
        assert (known["last_words"]["text"], [one["name"] for one in known["authors"]]) == ("tea", ["Bob"])
        assert known["erased_at"] == known["changed_at"]
        assert not (await compression.get()).exists
        assert not (await replaced.get()).exists
