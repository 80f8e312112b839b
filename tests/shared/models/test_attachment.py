"""Files as a model takes and makes them."""

from shared.models.attachment import Attachment


def test_the_bytes_are_in_no_representation() -> None:
    assert "secret" not in repr(Attachment(mime_type="image/jpeg", content=b"secret"))
