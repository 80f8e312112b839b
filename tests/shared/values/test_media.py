"""Media: references to files."""

from shared.values.media import MediaKind, MediaRef
from shared.values.message import Message
from tests.shared.examples import ANN, NOW


def test_a_message_stored_with_ids_alone_has_references_to_its_files() -> None:
    stored = {"at": NOW, "message_id": 1, "author": ANN, "file_ids": ("AgAC1", "BQAC2")}
    message = Message.model_validate(stored)
    assert message.media_refs == (
        MediaRef(kind=MediaKind.PHOTO, file_id="AgAC1"),
        MediaRef(kind=MediaKind.DOCUMENT, file_id="BQAC2"),
    )
    assert "file_ids" not in message.model_dump()
    assert Message.model_validate(message.model_dump()) == message
